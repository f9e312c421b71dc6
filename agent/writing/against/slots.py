"""What a source says under a label, *Range: 30 feet* or *Evade 52%*, belongs to it: whoever says the label, tells that.

A sentence that has a label in full, and none of the numbers that stand under it, gives the number next to the label a
name that its source does not. So that number is none of the source's, if there it stands only under other labels, of
which the sentence has no word that is nearer to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from agent.writing.texts.claims import Said, is_identifier
from agent.writing.texts.facts import TEXT, Fact, Pair, facts_of, is_telling, pairs_of, text_of, unit_of, words_beside
from agent.writing.texts.numbers import Number, known_units, numbers_of_plain, plain
from retrieval.text.normal import is_number, normal
from retrieval.types import Chunk

_ITEM = re.compile(r"\s*([^\W\d_][^\d,;:.]{0,40}?)[ :=]+([+-]?\d[^,;]{0,30})")
"""A thing of a list with its number: *Evade 52%*."""
_BETWEEN_ITEMS = re.compile(r"[,;](?!\d)")
_MOST_WORDS = 8
"""More are a text, in which a number need not be what its label means."""
_SEVERAL, _LONGEST_LABEL = 2, 6
_ONE = "1"
"""Counts little: *one target*."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The words of a label, and the numbers and words that stand under it, each number with what stands behind it."""

    label: frozenset[str]
    pairs: frozenset[Pair]
    words: frozenset[str] = frozenset()

    def __or__(self, other: Slot) -> Slot:
        """What stands under a label that stands there twice."""
        return Slot(self.label, self.pairs | other.pairs, self.words | other.words)

    def is_there(self, values: Set[str]) -> bool:
        """Whether one of some values is."""
        return any(each in values for each, _ in self.pairs)

    def has(self, value: str, unit: str) -> bool:
        """Whether a number stands under the label."""
        return (value, unit) in self.pairs if value == _ONE else any(value == each for each, _ in self.pairs)


def mislabelled(chunk: Chunk, sentence: Said) -> frozenset[int]:
    """Return the places of the numbers of a sentence that a chunk has, but under another label than the one beside.

    >>> from agent.writing.texts.claims import said
    >>> glow = Chunk("1", "Range: 30 feet\\nCasting Time: 10 minutes", "Glow")
    >>> [sorted(mislabelled(glow, said(text))) for text in ("its range is 10", "its range is 30", "it takes 10")]
    [[2], [], []]
    """
    slots, elsewhere = _slots_of(chunk)
    told = {one[0].place: one[0] for one in sentence.numbers}
    values = {each.value for each in told.values()} | set(filter(is_identifier, sentence.tokens))
    said = [slot.label for slot in slots if slot.label <= sentence.words]
    found = set()
    for slot in slots:
        is_untold = bool(slot.pairs) and slot.label in said and not slot.is_there(values)
        if is_untold and not any(slot.label < longer for longer in said):
            places = _said_of(slot.label, sentence)
            found |= {each for each in places if _is_of_another(told[each], slot, slots, chunk, sentence, elsewhere)}
    return frozenset(found)


def _is_of_another(
    number: Number, untold: Slot, slots: Sequence[Slot], chunk: Chunk, sentence: Said, facts: Sequence[Fact]
) -> bool:
    """Whether a number beside a label stands in the chunk, but neither under another label that is as near to it, nor
    in a text beside a word of the clause.
    """
    having = [slot for slot in slots if slot.has(number.value, unit_of(sentence.tokens, number))]
    is_here = bool(having) or any(fact.has(number.value) for fact in facts)
    if not is_here or any(_claims(slot, untold, number.place, sentence) for slot in having):
        return False
    return not _is_elsewhere(number.value, sentence.words_around(number.place) - untold.label, chunk, facts)


def _is_elsewhere(value: str, clause: frozenset[str], chunk: Chunk, facts: Sequence[Fact]) -> bool:
    """Whether a number stands under no label as well, beside a word of a clause that is none of the title."""
    about = frozenset(normal(" ".join((chunk.title, *chunk.headings)))) | known_units()
    words = frozenset(filter(str.isalpha, clause)) - about
    return any(fact.has(value) and not words.isdisjoint(fact.words) for fact in facts)


def _claims(slot: Slot, untold: Slot, place: int, sentence: Said) -> bool:
    """Whether a label and what stands under it have all words of one that is untold, or it another next to a number."""
    if untold.label <= slot.label | slot.words:
        return True
    return any(place in _said_of(frozenset({word}), sentence) for word in slot.label - untold.label)


def _said_of(label: frozenset[str], sentence: Said) -> Iterator[int]:
    """The places of the numbers next to where a sentence has all words of a label together."""
    for end, token in enumerate(sentence.tokens):
        starts = [i for i in range(max(0, end - len(label)), end + 1) if label <= set(sentence.tokens[i : end + 1])]
        nearest = _nearest(max(starts), end, sentence) if starts and token in label else None
        yield from () if nearest is None else (nearest,)


def _nearest(start: int, end: int, sentence: Said) -> int | None:
    """The place of the number that stands nearest to some tokens, in their clause; behind them rather than before."""
    first = max(each for each in sentence.clauses if each <= end)
    last = min((each for each in sentence.clauses if each > end), default=len(sentence.tokens))
    places = [one[0].place for one in sentence.numbers if first <= one[0].place < last]
    return min(places, key=lambda place: (place - end if place > end else start - place, place < end), default=None)


@lru_cache(maxsize=512)
def _slots_of(chunk: Chunk) -> tuple[tuple[Slot, ...], tuple[Fact, ...]]:
    """What stands under the labels of a chunk, and what else it has numbers in."""
    given = [(row[0], " ".join(row[1:])) for table in chunk.tables if table.is_record for row in table.rows]
    known = {label for label, _ in given}
    for line in text_of(chunk).split("\n"):
        label, colon, value = line.lstrip("-*• ").partition(":")
        is_label = bool(colon) and "." not in label and len(label.split()) <= _LONGEST_LABEL
        given += [(label, value)] if is_label and label.strip() not in known else []
    found: dict[frozenset[str], Slot] = {}
    labels = set()
    for label, value in given:
        for slot in _of(label, value):
            found[slot.label] = found[slot.label] | slot if slot.label in found else slot
            labels.add(words_beside(normal(plain(label))))
    elsewhere = [fact for fact in facts_of(chunk) if fact.of <= TEXT and fact.label not in labels]
    return tuple(found.values()), tuple(elsewhere)


def _of(label: str, value: str) -> Iterator[Slot]:
    """What a label has: each thing of a list for itself."""
    items = [match for each in _BETWEEN_ITEMS.split(value) if (match := _ITEM.match(each)) is not None]
    if len(items) >= _SEVERAL:
        yield from (Slot(_words(item[1]), _pairs(item[2])) for item in items if _words(item[1]))
    elif _words(label) and len(value.split()) <= _MOST_WORDS:
        yield Slot(_words(label), _pairs(value), words=frozenset(filter(str.isalpha, _tokens(value))) - known_units())


def _words(label: str) -> frozenset[str]:
    """The words of a label; none of one with a number, which may as well choose what is told."""
    return frozenset() if any(map(is_number, normal(plain(label)))) else _tokens(label)


def _tokens(text: str) -> frozenset[str]:
    return frozenset(filter(is_telling, normal(plain(text))))


@lru_cache(maxsize=4096)
def _pairs(text: str) -> frozenset[Pair]:
    """The numbers of a text, each with what stands behind it; of one that has none its codes, *sx12*."""
    tokens = normal(plain(text))
    numbers = pairs_of(tokens, numbers_of_plain(plain(text)))
    return numbers or frozenset((token, "") for token in tokens if is_identifier(token))
