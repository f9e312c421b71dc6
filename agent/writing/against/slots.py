"""Check labels: a number beside a label, *Range: 30 feet* or *Evade 52%*, must be one of the source under this label.

If a sentence has a label in full and none of its numbers, the number next to the label has the wrong label. It is wrong
if the source has it only under other labels, and no word of these is nearer to it in the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from agent.writing.texts.claims import ParsedSentence, is_identifier
from agent.writing.texts.facts import (
    Fact,
    Pair,
    facts_of_text,
    is_content_word,
    pairs_of,
    text_of,
    unit_of,
    words_beside,
)
from agent.writing.texts.numbers import Number, numbers_of_plain
from agent.writing.texts.plain import plain
from agent.writing.texts.units import known_units
from retrieval.text.normal import is_number, normal
from retrieval.types import Chunk

_ITEM = re.compile(r"\s*([^\W\d_][^\d,;:.]{0,40}?)[ :=]+([+-]?\d[^,;]{0,30})")
"""A list item with its number: *Evade 52%*."""
_BETWEEN_ITEMS = re.compile(r"[,;](?!\d)")
_MOST_WORDS = 8
"""A longer value is a text, in which a number need not be the value of the label."""
_SEVERAL, _LONGEST_LABEL = 2, 6
_ONE = "1"
"""Has little weight: *one target*."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The words of a label, and its numbers and words; each number comes with the word behind it."""

    label: frozenset[str]
    pairs: frozenset[Pair]
    words: frozenset[str] = frozenset()

    def __or__(self, other: Slot) -> Slot:
        """Join the values of a label that occurs twice."""
        return Slot(self.label, self.pairs | other.pairs, self.words | other.words)

    def is_there(self, values: Set[str]) -> bool:
        """True if one of the values stands under the label."""
        return any(each in values for each, _ in self.pairs)

    def has(self, value: str, unit: str) -> bool:
        """True if a number stands under the label; *1* also needs its unit."""
        return (value, unit) in self.pairs if value == _ONE else any(value == each for each, _ in self.pairs)


def mislabelled(chunk: Chunk, sentence: ParsedSentence) -> frozenset[int]:
    """Return the places of the numbers of a sentence that a chunk has, but under another label than the one beside.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> glow = Chunk("1", "Range: 30 feet\\nCasting Time: 10 minutes", "Glow")
    >>> said = map(parse_sentence, ("its range is 10", "its range is 30", "it takes 10"))
    >>> [sorted(mislabelled(glow, each)) for each in said]
    [[2], [], []]
    """
    slots, elsewhere = _slots_of(chunk)
    told = {each.place: each for each in sentence.told}
    values = {each.value for each in told.values()} | set(filter(is_identifier, sentence.tokens))
    said = [slot.label for slot in slots if slot.label <= sentence.words]
    found = set()
    for slot in slots:
        is_untold = bool(slot.pairs) and slot.label in said and not slot.is_there(values)
        if is_untold and not any(slot.label < longer for longer in said):
            places = _numbers_beside_label(slot.label, sentence)
            found |= {each for each in places if _is_of_another(told[each], slot, slots, chunk, sentence, elsewhere)}
    return frozenset(found)


def _is_of_another(
    number: Number, untold: Slot, slots: Sequence[Slot], chunk: Chunk, sentence: ParsedSentence, facts: Sequence[Fact]
) -> bool:
    """True if a number beside a label stands in the chunk, but neither under another label that is as near to it, nor
    in a text beside a word of the clause.
    """
    having = [slot for slot in slots if slot.has(number.value, unit_of(sentence.tokens, number))]
    is_here = bool(having) or any(fact.has(number.value) for fact in facts)
    if not is_here or any(_is_plausible_slot(slot, untold, number.place, sentence) for slot in having):
        return False
    return not _is_elsewhere(number.value, sentence.words_around(number.place) - untold.label, chunk, facts)


def _is_elsewhere(value: str, clause: frozenset[str], chunk: Chunk, facts: Sequence[Fact]) -> bool:
    """True if a number also stands outside labels, beside a word of the clause that is not in the title."""
    about = frozenset(normal(" ".join((chunk.title, *chunk.headings)))) | known_units()
    words = frozenset(filter(str.isalpha, clause)) - about
    return any(fact.has(value) and not words.isdisjoint(fact.words) for fact in facts)


def _is_plausible_slot(slot: Slot, untold: Slot, place: int, sentence: ParsedSentence) -> bool:
    """True if a slot has all words of the unstated label, or another word of its label stands next to the number."""
    if untold.label <= slot.label | slot.words:
        return True
    return any(place in _numbers_beside_label(frozenset({word}), sentence) for word in slot.label - untold.label)


def _numbers_beside_label(label: frozenset[str], sentence: ParsedSentence) -> Iterator[int]:
    """Yield the places of the numbers next to where a sentence has all words of a label together."""
    for end, token in enumerate(sentence.tokens):
        starts = [i for i in range(max(0, end - len(label)), end + 1) if label <= set(sentence.tokens[i : end + 1])]
        nearest = _nearest(max(starts), end, sentence) if starts and token in label else None
        yield from () if nearest is None else (nearest,)


def _nearest(start: int, end: int, sentence: ParsedSentence) -> int | None:
    """Return the place of the number nearest to some tokens in their clause; one behind them wins over one before."""
    places = sentence.places.intersection(sentence.clause_at(end))
    return min(places, key=lambda place: (place - end if place > end else start - place, place < end), default=None)


@lru_cache(maxsize=512)
def _slots_of(chunk: Chunk) -> tuple[tuple[Slot, ...], tuple[Fact, ...]]:
    """Return the slots of a chunk, and its facts under no label."""
    given = [(row[0], " ".join(row[1:])) for table in chunk.tables if table.is_record for row in table.rows]
    known = {label for label, _ in given}
    for line in text_of(chunk).split("\n"):
        label, colon, value = line.lstrip("-*• ").partition(":")
        is_label = bool(colon) and "." not in label and len(label.split()) <= _LONGEST_LABEL
        given += [(label, value)] if is_label and label.strip() not in known else []
    found: dict[frozenset[str], Slot] = {}
    labels = set()
    for label, value in given:
        for slot in _slots_of_label(label, value):
            found[slot.label] = found[slot.label] | slot if slot.label in found else slot
            labels.add(words_beside(normal(plain(label))))
    elsewhere = [fact for fact in facts_of_text(chunk) if fact.label not in labels]
    return tuple(found.values()), tuple(elsewhere)


def _slots_of_label(label: str, value: str) -> Iterator[Slot]:
    """Yield the slots of a label: one for each list item, else one for the whole value."""
    items = list(filter(None, map(_ITEM.match, _BETWEEN_ITEMS.split(value))))
    if len(items) >= _SEVERAL:
        yield from (Slot(_words(item[1]), _pairs(item[2])) for item in items if _words(item[1]))
    elif _words(label) and len(value.split()) <= _MOST_WORDS:
        yield Slot(_words(label), _pairs(value), words=frozenset(filter(str.isalpha, _tokens(value))) - known_units())


def _words(label: str) -> frozenset[str]:
    """Return the words of a label; none if it has a number, which may be a condition."""
    return frozenset() if any(map(is_number, normal(plain(label)))) else _tokens(label)


def _tokens(text: str) -> frozenset[str]:
    return frozenset(filter(is_content_word, normal(plain(text))))


@lru_cache(maxsize=4096)
def _pairs(text: str) -> frozenset[Pair]:
    """Return the numbers of a text, each with the word behind it; without numbers, its codes: *sx12*."""
    tokens = normal(plain(text))
    numbers = pairs_of(tokens, numbers_of_plain(plain(text)))
    return numbers or frozenset((token, "") for token in tokens if is_identifier(token))
