"""The combatants of a question and every later reference to them.

Once two are known, later sentences only refer back to them: *the spy*, *the first*, *He is of 5th level*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.domains.combat.question.facts import measure_of
from agent.domains.combat.question.heads import (
    INTRANSITIVE_VERBS,
    Head,
    find_heads,
    is_taken,
    name_end,
    noun_begins,
    unknown_combatants,
)
from agent.domains.combat.question.said import FIRST, SECOND, CombatQuestion
from agent.domains.combat.question.wording import words
from agent.understanding.words.clauses import ARTICLES, COMMA
from agent.understanding.words.lexicon import Lexicon, Mention
from retrieval.text.normal import is_number, number, title_key


@dataclass(frozen=True, slots=True)
class CombatantMentions:
    """All combatants, and for each sentence the heads that name one or refer back to one, with its index."""

    heads: list[Head]
    mentions_by_sentence: list[list[tuple[Head, int]]]
    first: list[Head]
    """The combatants that the first sentence introduces."""


def combatant_mentions(said: CombatQuestion) -> CombatantMentions:
    """Find the combatants sentence by sentence; once there are two, later sentences only refer back to them."""
    apart = any(SECOND in tokens for tokens in said.plain_sentences)
    cast: list[Head] = []
    named: list[list[tuple[Head, int]]] = []
    first: list[Head] = []
    for n, tokens in enumerate(said.plain_sentences):
        known = len(cast)
        back = [*_anaphors(tokens, cast, bare=True), *_references(tokens)]
        heads: list[Head] = []
        if known < 2:
            heads = _introduced(tokens, _fighters(tokens, said, apart), cast)
            first = heads if n == 0 else first
            cast += heads
            back += _anaphors(tokens, cast, bare=False)
        named.append(list(_resolved(_without_overlaps([*heads, *back]), cast, known)))
    return CombatantMentions(cast, named, first)


def _fighters(tokens: Sequence[str], said: CombatQuestion, apart: bool) -> list[Head]:
    """Return the combatants of a sentence with their counts, and unknown names in a combatant's position."""
    lexicon = said.lexicon
    heads = find_heads(tokens, lexicon)
    if len(heads) < 2 and not words("contest", "versus").isdisjoint(tokens):
        heads += things_that_fight(tokens, heads, lexicon)
    heads = _without_overlaps(heads)
    if heads and not apart:
        heads += unknown_combatants(
            tokens, heads, lexicon, words("contest", "versus") - INTRANSITIVE_VERBS, joined=True
        )
    heads = [head for head in heads if not _is_adjective(head, heads, lexicon)]
    counted: list[Head] = []
    for head in sorted(heads, key=lambda head: (head.start, head.end)):
        count = _count(tokens, head, heads)
        is_twin = count == 2 and (apart or (len(heads) == 1 and head.level is not None))
        counted.append(replace(head, count=1 if is_twin else count))
        counted += [replace(head, start=head.end)] * is_twin
    return counted


def _count(tokens: Sequence[str], head: Head, heads: Sequence[Head]) -> int:
    """Return the *three* of *three 2nd level knights*; no 3 of *an AC 3 knight*, and no 4 of *a fighter 4/thief 5*."""
    place = noun_begins(tokens, head.start) - 1
    if place < 0 or not tokens[place].isdigit() or is_taken(place, place + 1, heads):
        return 1
    return int(tokens[place]) if measure_of(tokens, place) is None else 1


def _is_adjective(head: Head, heads: Sequence[Head], lexicon: Lexicon) -> bool:
    """Return True for the *frightened* of *a frightened 1st level fighter*: it is no combatant."""
    is_followed = any(head.end == other.start < other.end for other in heads)
    return is_followed and head.level is None and lexicon.at(head.subject, 0) is None


def things_that_fight(tokens: Sequence[str], heads: Sequence[Head], lexicon: Lexicon) -> list[Head]:
    """Return ships and other rows of a table that stand in a combatant's position, if nobody else does."""
    found: list[Head] = []
    for each in lexicon.mentions(tokens):
        start, end = each.start, each.end
        near = tokens[max(0, start - 4) : start]
        before = [token for token in near if token not in ARTICLES and not is_number(token)][-1:]
        is_gear = not words("armor").isdisjoint(tokens[start : end + 1]) or not words("gear").isdisjoint(tokens)
        is_wielded = before and before[0] in words("wielding") | {"with"}
        is_wielded = is_wielded or (before == ["of"] and not words("amount").isdisjoint(near))
        if not lexicon.is_thing(each) or is_taken(start, end, heads) or is_gear or is_wielded:
            continue
        if any(head.end <= start and _is_appositive(tokens[head.end : start]) for head in heads):
            continue
        is_chosen = before == ["or"] and name_end(tokens, end) == end and not _is_one_of_gear(each, tokens, lexicon)
        if not heads or is_chosen or not words("contest", "versus").isdisjoint([*before, *tokens[end : end + 1]]):
            found.append(Head(start, end, tuple(token for token in tokens[start:end] if token != COMMA)))
    return found


def _is_one_of_gear(thing: Mention, tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """Return True if another thing of the same table stands before it: *a sword or a spear*."""
    tables = set(lexicon.holders.get(title_key(thing.name), ()))
    before = (other for other in lexicon.mentions(tokens) if other.end <= thing.start)
    return any(not tables.isdisjoint(lexicon.holders.get(title_key(other.name), ())) for other in before)


def _is_appositive(between: Sequence[str]) -> bool:
    """Return True if the words between list facts and set nobody against another: *a knight, AC 3, halberd*."""
    return COMMA in between and (words("contest", "versus") | {"or", "and"}).isdisjoint(between)


def _introduced(tokens: Sequence[str], heads: Sequence[Head], cast: Sequence[Head]) -> list[Head]:
    """Return the new combatants: *the spy* refers to a spy already named, also if *a spy* follows."""
    new = [head for head in heads if not _is_anaphor(tokens, head, heads)]
    known = [h for h in new if any(h.subject == c.subject and h.level in (None, c.level) for c in cast)]
    return [h for h in new if h not in known or (h.level is not None and _has_indefinite_article(tokens, h))]


def _is_anaphor(tokens: Sequence[str], head: Head, heads: Sequence[Head]) -> bool:
    if head.level is not None or not _is_definite(tokens, head):
        return False
    same = [o for o in heads if o is not head and head.subject in (o.subject, o.subject[-1:])]
    return any(other.start < head.start or not _is_definite(tokens, other) for other in same)


def _has_indefinite_article(tokens: Sequence[str], head: Head) -> bool:
    """Return True if *a* or *an* stands before the head."""
    return tokens[max(0, noun_begins(tokens, head.start) - 1)] in ARTICLES - {"the"}


def _is_definite(tokens: Sequence[str], head: Head) -> bool:
    begin = noun_begins(tokens, head.start)
    return "the" in tokens[max(0, begin - 1) : head.start]


def _anaphors(tokens: Sequence[str], cast: Sequence[Head], *, bare: bool) -> Iterator[Head]:
    """Yield references to a known combatant: *the spy*, or its `bare` name, alone or with its level."""
    subjects = [each.subject for each in cast]
    for place, each in enumerate(cast):
        own = _own_names(each.subject, subjects)
        for i in range(len(tokens)):
            name = next(
                (name for name in (each.subject, each.subject[-1:]) if tuple(tokens[i : i + len(name)]) == name), None
            )
            if name is None:
                continue
            end = i + len(name)
            level = tokens[i - 1] if i > 1 and tokens[i - 2] == "level" and is_number(tokens[i - 1]) else None
            is_bare = bare and name == each.subject and not _is_new(tokens, i - 2 * bool(level), end, each)
            if level is None and name in own and (tokens[i - 1 : i] == ["the"] or is_bare):
                yield Head(i, end, reference=place)
            elif level is not None and is_bare and each.level == int(number(level)):
                yield Head(i - 2, end, reference=place)


def _is_new(tokens: Sequence[str], start: int, end: int, known: Head) -> bool:
    """Return True if the name introduces another combatant: *a knight*, or *knight 7* beside one of level 4."""
    number_at = end + (tokens[end : end + 1] == ["level"])
    behind = tokens[number_at : number_at + 1]
    is_levelled = any(map(is_number, behind)) and measure_of(tokens, number_at) in (None, "level")
    is_other = is_levelled and known.level not in (None, int(number(behind[0])))
    return is_other or _has_indefinite_article(tokens, Head(start, end))


def _own_names(subject: tuple[str, ...], subjects: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the names that are unique to a combatant: its whole name, its last word."""
    names = dict.fromkeys((subject, subject[-1:]))
    return [name for name in names if sum(name in (other, other[-1:]) for other in subjects) == 1]


def _references(tokens: Sequence[str]) -> Iterator[Head]:
    """Yield *the first*, *the second*, and an opening pronoun: *He is of 5th level* refers to the last one named."""
    for i, token in enumerate(tokens):
        if token in (FIRST, SECOND):
            yield Head(i, i + 1, reference=int(token == SECOND))
        elif i == 0 and token in words("pronoun"):
            yield Head(0, 1, reference=-1)


def _without_overlaps(heads: Sequence[Head]) -> list[Head]:
    """Sort heads from left to right and drop each that begins within another."""
    out: list[Head] = []
    for head in sorted(heads, key=lambda head: (head.start, head.end)):
        if not out or head.start >= out[-1].end:
            out.append(head)
    return out


def _resolved(heads: Sequence[Head], cast: Sequence[Head], known: int) -> Iterator[tuple[Head, int]]:
    """Yield each head with the index of its combatant."""
    for head in heads:
        if head.reference is None:
            yield head, cast.index(head)
        elif (place := head.reference if head.reference >= 0 else max(0, known - 1)) < len(cast):
            yield head, place
