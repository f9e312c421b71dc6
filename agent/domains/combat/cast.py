"""Who a question names to fight: *a 4th level fighter*, *druid of 7th level*, *three orcs*, *the first*.

A level makes a combatant of whatever stands beside it. Without one, the name has to be known to the book, or stand
where an opponent would: after *versus*, *or* or *beat*.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from agent.domains.combat.facts import MEASURES, measure_of
from agent.domains.combat.said import FIRST, SECOND, Said
from agent.domains.combat.wording import words
from agent.understanding.clauses import ARTICLES, COMMA
from agent.understanding.lexicon import Lexicon, Mention
from retrieval.text.normal import is_number, number, title_key

MOST_NAMED = 40
"""Names of a sentence that are looked at: no fight of so many is computed."""
_WITHOUT_FOE = frozenset({"win", "winner", "winning"})
"""Behind these nobody is named: who wins a free-for-all beats no such thing."""
_FACT = 2
"""Tokens of a measure with its number."""


@dataclass(frozen=True, slots=True)
class Head:
    """Tokens [start, end) that name a combatant, or come back to one: `reference` is then its place, from 0."""

    start: int
    end: int
    subject: tuple[str, ...] = ()
    level: int | None = None
    count: int = 1
    reference: int | None = None


def find_heads(tokens: Sequence[str], lexicon: Lexicon) -> list[Head]:
    """All whom a sentence introduces, from left to right; a name that no book knows where it stands as an opponent."""
    heads = list(_levelled(tokens, lexicon))
    for known in _names(tokens, lexicon):
        start, end = known.start, known.end
        if _is_taken(start, end, heads):
            continue
        subject = tuple(token for token in tokens[start:end] if token != COMMA)
        if (level := _level_behind(tokens, end)) is not None and "level" not in tokens[max(0, start - 3) : start]:
            heads.append(Head(start, end + 1, subject, level))
        elif _is_introduced(tokens, start):
            heads.append(Head(start, end, subject))
    if len(heads) < 2:
        heads += _strangers(tokens, heads, lexicon, words("versus", "introducing") | {COMMA})
    return sorted(heads, key=lambda head: head.start)[:MOST_NAMED]


def _is_taken(start: int, end: int, heads: Collection[Head]) -> bool:
    return any(head.start < end and start < head.end for head in heads)


def _names(tokens: Sequence[str], lexicon: Lexicon) -> list[Mention]:
    """The known names that are no gear: a shield is worn, and may be a spell."""
    known = lexicon.mentions(tokens)
    is_gear = (lexicon.is_thing(each) or set(tokens[each.start : each.end]) <= words("armor") for each in known)
    return [each for each, is_no_name in zip(known, is_gear, strict=True) if not is_no_name]


def _is_introduced(tokens: Sequence[str], start: int) -> bool:
    """A name stands on its own: not as a weapon or a mount, not as part of an attribute."""
    before = [token for token in tokens[max(0, start - 3) : start] if token not in ARTICLES]
    return not before or (before[-1] not in words("wielding") | {"with"} and words("riding").isdisjoint(before))


def _level_behind(tokens: Sequence[str], end: int) -> int | None:
    """The level of *Fighter 4*."""
    is_level = end < len(tokens) and is_number(tokens[end]) and measure_of(tokens, end) is None
    return int(number(tokens[end])) if is_level else None


def _levelled(tokens: Sequence[str], lexicon: Lexicon) -> Iterator[Head]:
    for i in range(len(tokens) - 1):
        if tokens[i] == "level" and is_number(tokens[i + 1]):
            start, end = _beside_level(tokens, i, lexicon)
            if subject := _subject(tokens[start:end], lexicon):
                yield Head(min(i, start), max(i + _FACT, end), subject, int(number(tokens[i + 1])))


def _beside_level(tokens: Sequence[str], level: int, lexicon: Lexicon) -> tuple[int, int]:
    """Where the name of a level stands: behind it, before it, or behind the facts behind it: *4th level, AC 3 knight*.

    *Who is only 3rd level* is told of the one before.
    """
    start = level + _FACT
    behind = list(takewhile(lambda word: word not in ARTICLES | words("riding"), tokens[start : run(tokens, start)]))
    right = start, start + len(behind)
    if behind and _names(behind, lexicon):
        return right
    stop = level - (tokens[max(0, level - 2) : level] == ["of", "the"])
    while stop and tokens[stop - 1] in ("of", COMMA, "at", "is"):
        stop -= 1
    left = _run_back(tokens, stop), stop
    is_told = tokens[left[0] - 1 : left[0]] == ["is"] or tokens[stop : stop + 1] == ["is"]
    before = _names(tokens[slice(*left)], lexicon)
    if before and (not behind or before[-1].end == stop - left[0]):
        return left
    ahead = _behind_facts(tokens, start, lexicon)
    if ahead is not None:
        return ahead.start, ahead.end
    if behind:
        return right
    return (stop, stop) if is_told else left


def _behind_facts(tokens: Sequence[str], i: int, lexicon: Lexicon) -> Mention | None:
    """The name right behind measures with their numbers: the knight of *AC 3, 16 strength knight*."""
    begin = i
    while True:
        i += tokens[i : i + 1] == [COMMA]
        pair = tokens[i : i + _FACT]
        if len(pair) < _FACT or pair[0] not in MEASURES - {"level"} or not is_number(pair[1]):
            break
        i += _FACT
    known = lexicon.at(tokens, i) if begin < i < len(tokens) and tokens[i - 1] != COMMA else None
    is_other = known is None or lexicon.is_thing(known) or tokens[known.end : known.end + 1] == ["level"]
    return None if is_other else known


def run(tokens: Sequence[str], start: int) -> int:
    """Where the words that may name somebody end."""
    end = start
    while end < len(tokens) and may_name(tokens[end]):
        end += 1
    return end


def may_name(token: str) -> bool:
    """True for a word that may be part of a name: no number, no measure, and no word that ends one."""
    return not (token in ends_of_names() or token in MEASURES or is_number(token))


def ends_of_names() -> frozenset[str]:
    """The words that no name has."""
    ends = words("ends_name", "contest", "versus", "everybody", "wielding")
    return ends | {"with", COMMA, FIRST, SECOND}


def _run_back(tokens: Sequence[str], end: int) -> int:
    start = end
    while start and may_name(tokens[start - 1]) and tokens[start - 1] not in ARTICLES:
        start -= 1
    return start


def _subject(said: Sequence[str], lexicon: Lexicon) -> tuple[str, ...]:
    """The class in *half-orc assassin named Bob*: the longest known name in it, of equals the last; else its words."""
    if words("pronoun").issuperset(said):
        return ()
    known = [each for each in lexicon.mentions(said) if each.start == 0 or not lexicon.is_thing(each)]
    known = [each for each in known if not lexicon.is_thing(each)] or known
    if known:
        longest = max(known, key=lambda each: (each.end - each.start, each.start))
        return tuple(said[longest.start : longest.end])
    return tuple(word for word in said if word not in ARTICLES)[:3]


def _strangers(
    tokens: Sequence[str], heads: Sequence[Head], lexicon: Lexicon, openers: Collection[str], *, joined: bool = False
) -> Iterator[Head]:
    """Names that the book may not know: what follows an article or a number where a word sets it against somebody.

    *A knight and a basilisk against a troll* has one more, `joined` right behind a combatant; *AC 5 and a mace* none.
    """
    things = {each.start for each in lexicon.mentions(tokens) if lexicon.is_thing(each)}
    found = list(heads)
    for i in range(len(tokens) - 1):
        end = run(tokens, i + 1)
        said = set(tokens[i + 1 : end])
        is_opened = tokens[i] in ARTICLES or tokens[i].isdigit()
        taken = _is_taken(i, end if joined else i + 2, found)
        if not is_opened or not said or i + 1 in things or taken or _is_group(tokens, end, found):
            continue
        is_joined = joined and i > 0 and tokens[i] in ARTICLES and _joins(tokens, i - 1, heads, said & lexicon.sorts)
        is_set = i > 0 and tokens[i - 1] in openers
        is_set = is_set or (i == 0 and not words("versus").isdisjoint(tokens[end : end + 1]))
        if (is_set or is_joined) and said.isdisjoint(words("armor", "nobody")):
            head = Head(i + 1, end, tuple(tokens[i + 1 : end])[:3])
            found.append(head)
            yield head


def _is_group(tokens: Sequence[str], end: int, heads: Sequence[Head]) -> bool:
    """*A pack of five wolves* are the wolves."""
    return any(map(is_number, tokens[end : end + 1])) and any(head.start == end + 1 for head in heads)


def _joins(tokens: Sequence[str], place: int, heads: Sequence[Head], sorts: Collection[str]) -> bool:
    """True for an *and* or *or* behind a combatant and nothing but its armor class or another number."""
    last = max((head.end for head in heads if head.end <= place), default=None)
    if last is None or tokens[place] not in words("together") | {"or"}:
        return False
    between = tokens[last:place]
    bare = ARTICLES | MEASURES | {"with", "of", "in", COMMA}
    return not (sorts and "with" in between) and all(token in bare or is_number(token) for token in between)


def noun_begins(tokens: Sequence[str], start: int) -> int:
    """Where the adjectives of a name begin: *a blind* owlbear, *two drunk* orcs, *an unarmed* fighter."""
    bounds = ARTICLES | words("own") | {"or"}
    first = start
    while first and may_name(tokens[first - 1]) and tokens[first - 1] not in bounds | words("together"):
        first -= 1
    if start == 0:
        return 0
    before = tokens[first - 1] if 0 < first < start else ""
    is_count = before.isdigit() and (first == 1 or tokens[first - 2] not in MEASURES)
    is_bounded = before in bounds | words("versus") or is_count
    return first if is_bounded else start - int(tokens[start - 1] in words("unequipped"))


def name_ends(tokens: Sequence[str], head: Head) -> int:
    """Behind the class or the level: the *riding a mule* of *a fighter riding a mule* is told of it."""
    places = (i for i in range(head.start, head.end) if tokens[i] in (*head.subject, "level") or is_number(tokens[i]))
    return max(places, default=head.end - 1) + 1


@dataclass(frozen=True, slots=True)
class Cast:
    """All who are named, and where each sentence names or comes back to them, by their places."""

    heads: list[Head]
    named: list[list[tuple[Head, int]]]
    first: list[Head]
    """Those whom the first sentence introduces."""


def cast_of(said: Said) -> Cast:
    """Who fights, from the first sentence to the last; once there are two, later sentences only come back to them."""
    apart = any(SECOND in tokens for tokens in said.texts)
    cast: list[Head] = []
    named: list[list[tuple[Head, int]]] = []
    first: list[Head] = []
    for n, tokens in enumerate(said.texts):
        known = len(cast)
        back = [*_returns(tokens, cast, bare=True), *_references(tokens)]
        heads: list[Head] = []
        if known < 2:
            heads = _introduced(tokens, _fighters(tokens, said, apart), cast)
            first = heads if n == 0 else first
            cast += heads
            back += _returns(tokens, cast, bare=False)
        named.append(list(_placed(_side_by_side([*heads, *back]), cast, known)))
    return Cast(cast, named, first)


def _fighters(tokens: Sequence[str], said: Said, apart: bool) -> list[Head]:
    """The combatants of a sentence with their counts, and those who stand where somebody fights."""
    lexicon = said.lexicon
    heads = find_heads(tokens, lexicon)
    if len(heads) < 2 and not words("contest", "versus").isdisjoint(tokens):
        heads += things_that_fight(tokens, heads, lexicon)
    heads = _side_by_side(heads)
    if heads and not apart:
        heads += _strangers(tokens, heads, lexicon, words("contest", "versus") - _WITHOUT_FOE, joined=True)
    heads = [head for head in heads if not _is_adjective(head, heads, lexicon)]
    counted: list[Head] = []
    for head in sorted(heads, key=lambda head: (head.start, head.end)):
        count = _count(tokens, head, heads)
        is_twin = count == 2 and (apart or (len(heads) == 1 and head.level is not None))
        counted.append(replace(head, count=1 if is_twin else count))
        counted += [replace(head, start=head.end)] * is_twin
    return counted


def _count(tokens: Sequence[str], head: Head, heads: Sequence[Head]) -> int:
    """The *three* of *three 2nd level knights*; no 3 of *an AC 3 knight*, and no 4 of *a fighter 4/thief 5*."""
    place = noun_begins(tokens, head.start) - 1
    if place < 0 or not tokens[place].isdigit() or _is_taken(place, place + 1, heads):
        return 1
    return int(tokens[place]) if measure_of(tokens, place) is None else 1


def _is_adjective(head: Head, heads: Sequence[Head], lexicon: Lexicon) -> bool:
    """The *frightened* of *a frightened 1st level fighter* is nobody of its own."""
    is_followed = any(head.end == other.start < other.end for other in heads)
    return is_followed and head.level is None and lexicon.at(head.subject, 0) is None


def things_that_fight(tokens: Sequence[str], heads: Sequence[Head], lexicon: Lexicon) -> list[Head]:
    """Ships and other rows of a table, where they stand as combatants would and nobody else does."""
    found: list[Head] = []
    for each in lexicon.mentions(tokens):
        start, end = each.start, each.end
        near = tokens[max(0, start - 4) : start]
        before = [token for token in near if token not in ARTICLES and not is_number(token)][-1:]
        is_gear = not words("armor").isdisjoint(tokens[start : end + 1]) or not words("gear").isdisjoint(tokens)
        is_wielded = before and before[0] in words("wielding") | {"with"}
        is_wielded = is_wielded or (before == ["of"] and not words("amount").isdisjoint(near))
        if not lexicon.is_thing(each) or _is_taken(start, end, heads) or is_gear or is_wielded:
            continue
        if any(head.end <= start and _is_told(tokens[head.end : start]) for head in heads):
            continue
        is_chosen = before == ["or"] and run(tokens, end) == end and not _is_one_of_gear(each, tokens, lexicon)
        if not heads or is_chosen or not words("contest", "versus").isdisjoint([*before, *tokens[end : end + 1]]):
            found.append(Head(start, end, tuple(token for token in tokens[start:end] if token != COMMA)))
    return found


def _is_one_of_gear(thing: Mention, tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """*A sword or a spear*: another thing of the same table stands before it."""
    tables = set(lexicon.holders.get(title_key(thing.name), ()))
    before = (other for other in lexicon.mentions(tokens) if other.end <= thing.start)
    return any(not tables.isdisjoint(lexicon.holders.get(title_key(other.name), ())) for other in before)


def _is_told(between: Sequence[str]) -> bool:
    """Nothing sets the one against the other: *a knight, AC 3, halberd*."""
    return COMMA in between and (words("contest", "versus") | {"or", "and"}).isdisjoint(between)


def _introduced(tokens: Sequence[str], heads: Sequence[Head], cast: Sequence[Head]) -> list[Head]:
    """Those who are new: *the spy* is the one who was named, and so is *the spy* before *a spy*."""
    new = [head for head in heads if not _is_return(tokens, head, heads)]
    return [h for h in new if not any(h.subject == c.subject and h.level in (None, c.level) for c in cast)]


def _is_return(tokens: Sequence[str], head: Head, heads: Sequence[Head]) -> bool:
    if head.level is not None or not _is_definite(tokens, head):
        return False
    same = [o for o in heads if o is not head and head.subject in (o.subject, o.subject[-1:])]
    return any(other.start < head.start or not _is_definite(tokens, other) for other in same)


def _is_definite(tokens: Sequence[str], head: Head) -> bool:
    begin = noun_begins(tokens, head.start)
    return "the" in tokens[max(0, begin - 1) : head.start]


def _returns(tokens: Sequence[str], cast: Sequence[Head], *, bare: bool) -> Iterator[Head]:
    """Where a sentence comes back to somebody: *the spy*; or by `bare` name, by level where that tells them apart."""
    subjects = [each.subject for each in cast]
    for place, each in enumerate(cast):
        own = _own_names(each.subject, subjects)
        for i in range(len(tokens)):
            name = next((name for name in (each.subject, each.subject[-1:]) if _stands(name, tokens, i)), None)
            if name is None:
                continue
            end = i + len(name)
            level = tokens[i - 1] if i > 1 and tokens[i - 2] == "level" and is_number(tokens[i - 1]) else None
            if level is None and name in own and (tokens[i - 1 : i] == ["the"] or (bare and name == each.subject)):
                yield Head(i, end, reference=place)
            elif bare and level is not None and name == each.subject and each.level == int(number(level)):
                yield Head(i - 2, end, reference=place)


def _stands(name: Sequence[str], tokens: Sequence[str], place: int) -> bool:
    return tuple(tokens[place : place + len(name)]) == tuple(name)


def _own_names(subject: tuple[str, ...], subjects: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """What one may be called that nobody else is: by the whole name, or by its last word."""
    names = dict.fromkeys((subject, subject[-1:]))
    return [name for name in names if sum(name in (other, other[-1:]) for other in subjects) == 1]


def _references(tokens: Sequence[str]) -> Iterator[Head]:
    """Where *the first* and *the second* stand, and *He is of 5th level*, which is of whom was named last."""
    for i, token in enumerate(tokens):
        if token in (FIRST, SECOND):
            yield Head(i, i + 1, reference=int(token == SECOND))
        elif i == 0 and token in words("pronoun"):
            yield Head(0, 1, reference=-1)


def _side_by_side(heads: Sequence[Head]) -> list[Head]:
    """From left to right, without those that begin within another."""
    out: list[Head] = []
    for head in sorted(heads, key=lambda head: (head.start, head.end)):
        if not out or head.start >= out[-1].end:
            out.append(head)
    return out


def _placed(heads: Sequence[Head], cast: Sequence[Head], known: int) -> Iterator[tuple[Head, int]]:
    """Each with whom it is."""
    for head in heads:
        if head.reference is None:
            yield head, cast.index(head)
        elif (place := head.reference if head.reference >= 0 else max(0, known - 1)) < len(cast):
            yield head, place
