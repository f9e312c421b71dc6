"""Where a question names its combatants: *a 4th level fighter*, *druid of 7th level*, *three orcs*, *the first*.

A level makes a combatant of whatever stands beside it; without one, the name has to be known to the book, or stand
where an opponent would, after *versus*, *or* or *beat*.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from agent.domains.combat.facts import MEASURES, measure_of
from agent.understanding.clauses import ARTICLES, COMMA
from agent.understanding.lexicon import LONGEST, Lexicon, Mention
from retrieval.text.normal import is_number, number

ARMOR = frozenset(
    "armor mail plate shield leather chain splint banded scale padded studded hauberk brigandine lamellar gambeson "
    "byrnie chainmail platemail buckler".split()
)
CONTEST = frozenset(
    "win winner winning fight fought fighting beat defeat duel battle kill survive prevail victor victory combat "
    "overcome slay vanquish outfight odds jumped ambush ambushed standing favored match outmatch overpower "
    "outlast trounce".split()
)  # fmt: skip
VERSUS = frozenset({"versus", "vs", "v", "against"})
EVERYBODY = frozenset({"both", "each", "they", "all", "everyone", "everybody", "either", "combatant", "opponent"})
WIELD = frozenset("wield wielding armed using use carry carrying bearing swinging swing brandishing with".split())
MOST_NAMED = 40
"""Names of a sentence that are looked at: no fight of so many is computed."""
_FACT = 3
"""Tokens of a measure with its number, and the comma before it."""
FIRST, SECOND = "combatantone", "combatanttwo"
RIDING = frozenset({"riding", "ride", "astride", "atop", "mounted"})
STOP = (
    {FIRST, SECOND} |
    WIELD | CONTEST | EVERYBODY | VERSUS | {COMMA, "who", "that", "whose", "which", "have", "has", "having", "wear"}
    | {"wearing", "in", "on", "at", "of", "to", "is", "are", "if", "for", "from", "than", "when", "while", "do", "doe"}
    | {"would", "could", "can", "and", "or", "&", "need", "hit", "attack", "attacking", "meet", "face"}
    | {"facing", "get", "by", "make", "made"}
)  # fmt: skip
_OPENERS = VERSUS | frozenset("or between beat defeat kill slay do can could would will win".split()) | {COMMA}
_WITH = re.compile(r"\bw/\s*")
_GLUED = re.compile(r"(?i)(\d(?:st|nd|rd|th))(?=level)")
_PRONOUNS = frozenset({"he", "she", "it"})
_ONE_OF_THEM = r"|\bone(?= (?:has|is|wears|wields|uses|carries)\b)"
_REFERENCES = (
    (re.compile(rf"\bthe (?:first|former)(?: one)?\b(?![ -]*level){_ONE_OF_THEM}", re.IGNORECASE), FIRST),
    (re.compile(r"\bthe (?:second|latter|other)(?: one)?\b(?![ -]*level)", re.IGNORECASE), SECOND),
)


@dataclass(frozen=True, slots=True)
class Head:
    """Tokens [start, end) that name a combatant, or come back to one: `reference` is then its place, from 0."""

    start: int
    end: int
    subject: tuple[str, ...] = ()
    level: int | None = None
    count: int = 1
    reference: int | None = None


def plain(question: str) -> str:
    """A question with *w/*, *4thlevel* and *the first* in words that are read."""
    return with_references(_GLUED.sub(r"\1 ", _WITH.sub("with ", question)))


def with_references(text: str) -> str:
    """Give *the first* and *the other* words of their own, which no number or ordinal can be taken for."""
    for pattern, word in _REFERENCES:
        text = pattern.sub(f" {word} ", text)
    return text


def references(tokens: Sequence[str]) -> list[Head]:
    """Where *the first* and *the second* stand."""
    places = {FIRST: 0, SECOND: 1}
    return [Head(i, i + 1, reference=places[token]) for i, token in enumerate(tokens) if token in places]


def pronouns(tokens: Sequence[str]) -> list[Head]:
    """Where a sentence begins with whom the one before it ended with: *He is of 5th level*."""
    return [Head(0, 1, reference=-1)] if tokens[:1] and tokens[0] in _PRONOUNS else []


def is_apposition(tokens: Sequence[str], reference: Head, following: Head) -> bool:
    """*The first is a knight*: who is named behind it is the one who is meant."""
    between = [t for t in tokens[reference.end : following.start] if t not in ARTICLES]
    return len(between) <= 1 and set(between) <= {"is", COMMA, "the"}


def find_heads(tokens: Sequence[str], lexicon: Lexicon, described_apart: bool = False) -> list[Head]:
    """All combatants that a sentence introduces, from left to right.

    With `described_apart`, *two reavers* are two combatants of which the question goes on to tell one by one.
    """
    heads = [*_levelled(tokens, lexicon), *_numbered(tokens, lexicon)]
    taken = {place for head in heads for place in range(head.start, head.end)}
    for mention in lexicon.mentions(tokens):
        free = taken.isdisjoint((mention.start, mention.end - 1))
        free = free and not set(tokens[mention.start : mention.end]) <= ARMOR  # a shield is worn, and a spell
        if free and not lexicon.is_thing(mention) and _introduced(tokens, mention.start):
            subject = tuple(t for t in tokens[mention.start : mention.end] if t != COMMA)
            count = _count(tokens, mention.start)
            if count == 2 and described_apart:
                heads += [Head(mention.start, mention.end, subject), Head(mention.end, mention.end, subject)]
            else:
                heads.append(Head(mention.start, mention.end, subject, None, count))
            taken.update(range(mention.start, mention.end))
    if len(heads) < 2:
        heads += _unknown(tokens, taken, lexicon)
    return sorted(heads, key=lambda head: head.start)[:MOST_NAMED]


def _introduced(tokens: Sequence[str], start: int) -> bool:
    """A name stands on its own: not as a weapon or a mount, not as part of an attribute."""
    before = [t for t in tokens[max(0, start - 3) : start] if t not in ARTICLES]
    return not before or (before[-1] not in WIELD and RIDING.isdisjoint(before))


def _count(tokens: Sequence[str], start: int) -> int:
    """The *three* of *three orcs*; one where no number stands before the name, or it belongs to something else."""
    before = tokens[start - 1 : start]
    is_count = before and is_number(before[0]) and measure_of(tokens, start - 1) is None
    return int(number(before[0])) if is_count else 1


def _levelled(tokens: Sequence[str], lexicon: Lexicon) -> Iterator[Head]:
    for i, token in enumerate(tokens[:-1]):
        if token != "level" or not is_number(tokens[i + 1]):
            continue
        start, end = i, run(tokens, i + 2)
        words: Sequence[str] = list(takewhile(lambda word: word not in ARTICLES | RIDING, tokens[i + 2 : end]))
        end = i + 2 + len(words)  # *a 5th level fighter riding a griffon* is no griffon
        if not words or (not _names(words, lexicon) and _is_named_before(tokens, i, lexicon)):
            end = i + 2
            while start and tokens[start - 1] in (*ARTICLES, "of", COMMA, "at", "is"):
                start -= 1
            stop, start = start, _run_back(tokens, start)
            words, end = tokens[start:stop], i + 2
        ahead = _behind_facts(tokens, i + 2, lexicon)
        if ahead is not None and not lexicon.mentions(words):  # *a 4th level, AC 3 knight*
            start, words, end = i, tokens[ahead.start : ahead.end], ahead.end
        if words == tokens[start:end][: len(words)] and tokens[max(0, start - 1) : start] == ["is"]:
            words = [words[-1]] if lexicon.mentions(words) else []  # *who is only 3rd level* is told of the one before
        if subject := _subject(words, lexicon):
            head = Head(start, end, subject, int(number(tokens[i + 1])))
            yield head
            if tokens[start - 1 : start] == ["2"]:
                yield Head(end, end, subject, head.level)


def _names(words: Sequence[str], lexicon: Lexicon) -> list[Mention]:
    """The known names among words that are no gear."""
    known = lexicon.mentions(words)
    return [each for each in known if not lexicon.is_thing(each) and not set(words[each.start : each.end]) <= ARMOR]


def _is_named_before(tokens: Sequence[str], level: int, lexicon: Lexicon) -> bool:
    """*An assassin, 5th level too*: a known name stands right before the level."""
    end = level - 1 if tokens[level - 1 : level] in ([COMMA], ["of"]) else level
    near = tokens[max(0, end - LONGEST) : end]
    return any(known.end == len(near) and not lexicon.is_thing(known) for known in lexicon.mentions(near))


def _behind_facts(tokens: Sequence[str], start: int, lexicon: Lexicon) -> Mention | None:
    """The name right behind measures with their numbers: the knight of *AC 3, 16 strength knight*."""
    i = start
    while i + 1 < len(tokens) and not (tokens[i] == "level" or (i > start and tokens[i - 1] == COMMA != tokens[i])):
        words = tokens[i : i + 3] if tokens[i] == COMMA else (COMMA, *tokens[i : i + 2])
        if not (len(words) == _FACT and words[1] in MEASURES and is_number(words[2])):
            break
        i += _FACT if tokens[i] == COMMA else _FACT - 1
    known = lexicon.at(tokens, i) if start < i < len(tokens) else None
    return None if known is None or lexicon.is_thing(known) or tokens[known.end : known.end + 1] == ["level"] else known


def _numbered(tokens: Sequence[str], lexicon: Lexicon) -> Iterator[Head]:
    """*Fighter 4*: a known class with its level behind it."""
    for mention in lexicon.mentions(tokens):
        after = tokens[mention.end : mention.end + 1]
        free = tokens[mention.start - 1 : mention.start] != ["level"] and not lexicon.is_thing(mention)
        if free and after and is_number(after[0]) and not _has_level_before(tokens, mention):
            yield Head(
                mention.start, mention.end + 1, tuple(tokens[mention.start : mention.end]), int(number(after[0]))
            )


def _has_level_before(tokens: Sequence[str], mention: Mention) -> bool:
    return "level" in tokens[max(0, mention.start - 3) : mention.start]


def run(tokens: Sequence[str], start: int) -> int:
    """Where the words that may name somebody end."""
    end = start
    while end < len(tokens) and may_name(tokens[end]):
        end += 1
    return end


def may_name(token: str) -> bool:
    """True for a word that may be part of a name: no number, no measure, and no word that ends one."""
    return not (token in STOP or token in MEASURES or is_number(token))


def _run_back(tokens: Sequence[str], end: int) -> int:
    start = end
    while start and tokens[start - 1] not in STOP | ARTICLES | MEASURES and not is_number(tokens[start - 1]):
        start -= 1
    return start


def _subject(words: Sequence[str], lexicon: Lexicon) -> tuple[str, ...]:
    """The class in *half-orc assassin named Bob*: the longest known name in it, of equals the last; else its words."""
    if set(words) <= _PRONOUNS:
        return ()
    mentions = [m for m in lexicon.mentions(words) if not lexicon.is_thing(m)]
    if mentions:
        longest = max(mentions, key=lambda m: (m.end - m.start, m.start))
        return tuple(words[longest.start : longest.end])
    return tuple(w for w in words if w not in ARTICLES)[:3]


def _unknown(tokens: Sequence[str], taken: Collection[int], lexicon: Lexicon) -> Iterator[Head]:
    """A name the book may not know: what follows an article after *or*, *versus*, *beat* or *between*."""
    things = {mention.start for mention in lexicon.mentions(tokens) if lexicon.is_thing(mention)}
    for i, token in enumerate(tokens):
        if token not in ARTICLES or i + 1 in things or i + 1 in taken:
            continue
        words = tuple(tokens[i + 1 : run(tokens, i + 1)])
        if tokens[max(0, i - 1) : i] and tokens[i - 1] in _OPENERS and words and not set(words) & CONTEST:
            yield Head(i + 1, i + 1 + len(words), words[:3])
