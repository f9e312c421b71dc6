"""Names of combatants in a question: *a 4th level fighter*, *druid of 7th level*, *three orcs*, *the first*.

A level makes a combatant of the name beside it. A name without a level has to be known to the book, or stand in an
opponent's position: after *versus*, *or* or *beat*.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from agent.domains.combat.question.facts import MEASURES, measure_of
from agent.domains.combat.question.said import FIRST, SECOND
from agent.domains.combat.question.wording import words
from agent.languages.language import english
from agent.understanding.words.clauses import ARTICLES, COMMA
from agent.understanding.words.lexicon import Lexicon, Mention
from retrieval.text.normal import is_number, number

MOST_NAMED = 40
"""Most names per sentence: no fight of more is computed."""
INTRANSITIVE_VERBS = frozenset({"win", "winner", "winning"})
"""Words that no opponent follows: in *who wins a free-for-all* nobody is beaten."""
_FACT = 2
"""Tokens of a measure with its number."""


@dataclass(frozen=True, slots=True)
class Head:
    """Tokens [start, end) that name a combatant or refer back to one: `reference` is then its index, from 0."""

    start: int
    end: int
    subject: tuple[str, ...] = ()
    level: int | None = None
    count: int = 1
    reference: int | None = None


def find_heads(tokens: Sequence[str], lexicon: Lexicon) -> list[Head]:
    """Return the combatants that a sentence introduces, from left to right; unknown names only as opponents."""
    heads = list(_levelled(tokens, lexicon))
    for known in _names(tokens, lexicon):
        start, end = known.start, known.end
        if is_taken(start, end, heads) or _is_kind(tokens, start):
            continue
        subject = tuple(token for token in tokens[start:end] if token != COMMA)
        if (level := _level_behind(tokens, end)) is not None and "level" not in tokens[max(0, start - 3) : start]:
            heads.append(Head(start, end + 1, subject, level))
        elif _is_introduced(tokens, start):
            heads.append(Head(start, end, subject))
    if len(heads) < 2:
        heads += unknown_combatants(tokens, heads, lexicon, words("versus", "introducing") | {COMMA})
    return sorted(heads, key=lambda head: head.start)[:MOST_NAMED]


def is_taken(start: int, end: int, heads: Collection[Head]) -> bool:
    return any(head.start < end and start < head.end for head in heads)


def _names(tokens: Sequence[str], lexicon: Lexicon) -> list[Mention]:
    """Return mentions of known names that are not gear: a shield is worn, even if a spell has that name."""
    known = lexicon.mentions(tokens)
    is_gear = (lexicon.is_thing(each) or set(tokens[each.start : each.end]) <= words("armor") for each in known)
    return [each for each, is_no_name in zip(known, is_gear, strict=True) if not is_no_name]


def _is_kind(tokens: Sequence[str], start: int) -> bool:
    """Return True for a name that stands for all of them: *which of these two knights*, *which knight*."""
    before = next((token for token in reversed(tokens[:start]) if not is_number(token)), "")
    return before in english().kinds or before in ("these", "those")


def _is_introduced(tokens: Sequence[str], start: int) -> bool:
    """Return True if the name stands on its own, not as a weapon, a mount or part of an attribute."""
    before = [token for token in tokens[max(0, start - 3) : start] if token not in ARTICLES]
    return not before or (before[-1] not in words("wielding") | {"with"} and words("riding").isdisjoint(before))


def _level_behind(tokens: Sequence[str], end: int) -> int | None:
    """Return the level of *Fighter 4*."""
    is_level = end < len(tokens) and is_number(tokens[end]) and measure_of(tokens, end) is None
    return int(number(tokens[end])) if is_level else None


def _levelled(tokens: Sequence[str], lexicon: Lexicon) -> Iterator[Head]:
    for i in range(len(tokens) - 1):
        if tokens[i] == "level" and is_number(tokens[i + 1]):
            start, end = _beside_level(tokens, i, lexicon)
            if subject := _subject(tokens[start:end], lexicon):
                yield Head(min(i, start), max(i + _FACT, end), subject, int(number(tokens[i + 1])))


def _beside_level(tokens: Sequence[str], level: int, lexicon: Lexicon) -> tuple[int, int]:
    """Return the token range of a level's name: behind it, before it, or behind facts: *4th level, AC 3 knight*.

    *Who is only 3rd level* refers to the combatant before it: the range may then be empty.
    """
    start = level + _FACT
    behind = list(
        takewhile(lambda word: word not in ARTICLES | words("riding"), tokens[start : name_end(tokens, start)])
    )
    right = start, start + len(behind)
    if behind and _names(behind, lexicon):
        return right
    stop = level - (tokens[max(0, level - 2) : level] == ["of", "the"])
    while stop and tokens[stop - 1] in ("of", COMMA, "at", "is"):
        stop -= 1
    left = _name_start(tokens, stop), stop
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
    """Return the name right behind measures with their numbers: the knight of *AC 3, 16 strength knight*."""
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


def name_end(tokens: Sequence[str], start: int) -> int:
    """Return the end of a run of words that may be part of a name."""
    end = start
    while end < len(tokens) and may_name(tokens[end]):
        end += 1
    return end


def may_name(token: str) -> bool:
    """Return True for a word that may be part of a name: no number, no measure, and no word that ends a name."""
    return not (token in ends_of_names() or token in MEASURES or is_number(token))


def ends_of_names() -> frozenset[str]:
    """Return the words that are part of no name."""
    ends = words("ends_name", "contest", "versus", "everybody", "wielding")
    return ends | {"with", COMMA, FIRST, SECOND}


def _name_start(tokens: Sequence[str], end: int) -> int:
    start = end
    while start and may_name(tokens[start - 1]) and tokens[start - 1] not in ARTICLES:
        start -= 1
    return start


def _subject(said: Sequence[str], lexicon: Lexicon) -> tuple[str, ...]:
    """Return the class in *half-orc assassin named Bob*: the longest known name, the last of equals; else its words."""
    if words("pronoun").issuperset(said):
        return ()
    known = [each for each in lexicon.mentions(said) if each.start == 0 or not lexicon.is_thing(each)]
    known = [each for each in known if not lexicon.is_thing(each)] or known
    if known:
        longest = max(known, key=lambda each: (each.end - each.start, each.start))
        return tuple(said[longest.start : longest.end])
    return tuple(word for word in said if word not in ARTICLES)[:3]


def unknown_combatants(
    tokens: Sequence[str], heads: Sequence[Head], lexicon: Lexicon, openers: Collection[str], *, joined: bool = False
) -> Iterator[Head]:
    """Yield names that the book may not know, behind an article or a number in an opponent's position.

    With `joined`, also right behind a combatant: *a knight and a basilisk against a troll*, not *AC 5 and a mace*.
    """
    things = {each.start for each in lexicon.mentions(tokens) if lexicon.is_thing(each)}
    found = list(heads)
    for i in range(len(tokens) - 1):
        end = name_end(tokens, i + 1)
        said = set(tokens[i + 1 : end])
        is_opened = tokens[i] in ARTICLES or tokens[i].isdigit()
        taken = is_taken(i, end if joined else i + 2, found)
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
    """Return True for the *pack* of *a pack of five wolves*: the wolves are the combatants."""
    return any(map(is_number, tokens[end : end + 1])) and any(head.start == end + 1 for head in heads)


def _joins(tokens: Sequence[str], place: int, heads: Sequence[Head], sorts: Collection[str]) -> bool:
    """Return True for an *and* or *or* behind a combatant with only its armor class or another number between."""
    last = max((head.end for head in heads if head.end <= place), default=None)
    if last is None or tokens[place] not in words("together") | {"or"}:
        return False
    between = tokens[last:place]
    bare = ARTICLES | MEASURES | {"with", "of", "in", COMMA}
    return not (sorts and "with" in between) and all(token in bare or is_number(token) for token in between)


def noun_begins(tokens: Sequence[str], start: int) -> int:
    """Return where the adjectives of a name begin: *a blind* owlbear, *two drunk* orcs, *an unarmed* fighter."""
    bounds = ARTICLES | words("own", "together") | {"or"}
    first = start - (tokens[max(0, start - 1)] in words("wielding"))  # *a battle axe wielding knight*
    while first and _may_describe(tokens[first - 1], first < start) and tokens[first - 1] not in bounds:
        first -= 1
    if start == 0:
        return 0
    before = tokens[first - 1] if 0 < first < start else ""
    is_count = before.isdigit() and (first == 1 or tokens[first - 2] not in MEASURES)
    is_bounded = before in bounds | words("versus") or is_count
    return first if is_bounded else start - int(tokens[start - 1] in words("unequipped"))


def _may_describe(token: str, is_of_gear: bool) -> bool:
    """Return True for a word that may stand before a name; in gear it may be a word of fighting: a *battle axe*."""
    return may_name(token) or (is_of_gear and token in words("of_names"))


def name_ends(tokens: Sequence[str], head: Head) -> int:
    """Return the index after the class or the level; what follows is a modifier: *a fighter riding a mule*."""
    places = (i for i in range(head.start, head.end) if tokens[i] in (*head.subject, "level") or is_number(tokens[i]))
    return max(places, default=head.end - 1) + 1
