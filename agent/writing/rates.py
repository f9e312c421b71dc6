"""What a rate of a source comes to, for as many as a sentence tells: *2 rounds + 1 per level* is 9 at level 7."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

from agent.languages.language import english
from agent.writing.claims import Said
from agent.writing.facts import text_of, unit_of
from agent.writing.numbers import OF_ANOTHER, Number, is_plain, numbers_of_plain, plain, unit_named
from agent.writing.offered import rounds
from agent.writing.table_claims import claims_of
from retrieval.text.normal import normal
from retrieval.types import Chunk

_ONE = ("a", "an")
_PER = "per"
_AMOUNT = r"(\d{1,9}(?:\.\d{1,6})?) ([a-z]{1,30})"
_RATE = re.compile(rf"(?:{_AMOUNT} ?(?:\+|plus|and) ?)?{_AMOUNT}(?: ?/ ?| (?:per|an?|each|every|for each|for every) )"
                   r"(?:(\d{1,6}) )?([a-z]{1,30})(?: ([a-z]{1,30}))?")  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Rate:
    """So much of a unit, for each of something (*caster level*, by its words), and what there is besides."""

    each: float
    unit: str
    per: frozenset[str]
    besides: float = 0.0


def by_rates(sentence: Said, cited: Sequence[Chunk]) -> frozenset[int]:
    """The places of numbers of a sentence that a rate of its sources leads to, and of those that it is for.

    >>> from agent.writing.claims import said
    >>> glow = Chunk("1", "Glow lasts 2 rounds + 1 round per level.", "Glow")
    >>> sorted(by_rates(said("cast at level 7 it lasts 9 rounds"), [glow]))
    [3, 6]
    """
    numbers = [reading for one in sentence.numbers for reading in one]
    found: set[int] = set()
    rates = [rate for chunk in cited for rate in (*_rates_of(chunk), *_rates_in_tables(chunk, sentence))]
    for rate in rates:
        for many in (each for each in numbers if is_plain(each) and _is_of(each, rate.per, sentence.tokens)):
            amount = rate.besides + rate.each * float(many.value)
            for each in numbers:
                is_of_unit = is_plain(each) and _is_of(each, frozenset({rate.unit}), sentence.tokens)
                if is_of_unit and each.place != many.place and rounds(amount, each.value):
                    found |= {many.place, each.place}
    return frozenset(found)


def takes(wanted: Number, held: Sequence[Number], sentence: Said) -> bool:
    """Whether a number is how long it takes at a rate that the sentence tells: 24 hours for 864, of 36 *an hour*."""
    told = list(_rates_in(" ".join(sentence.tokens)))
    rates = {rate.each for rate in told if wanted.unit in rate.per}
    operands = {float(each.value) for each in held if is_plain(each)}
    pairs = ((each, rate) for rate in rates & operands for each in operands if rate and each != rate)
    return bool(wanted.unit) and any(rounds(each / rate, wanted.value) for each, rate in pairs)


def shared_out(wanted: Number, held: Sequence[Number], sentence: Said) -> bool:
    """Whether a number is what others come to for one of many: 5 sp *a day*, where 25 sp are for 5 days."""
    behind = sentence.tokens[wanted.place + 1 : wanted.place + 4]
    at = next((i for i, token in enumerate(behind) if token in _repeated() or token in _ONE), -1)
    of_one = frozenset(behind[at + 1 : at + 2]) if at >= 0 else frozenset[str]()
    many = [float(each.value) for each in held if is_plain(each) and _is_of(each, of_one, sentence.tokens)]
    wholes = [float(each.value) for each in held if is_plain(each) and each.unit == wanted.unit]
    return any(rounds(whole / each, wanted.value) for each in many if each for whole in wholes)


def for_all(wanted: Number, held: Sequence[Number], counts: Iterable[int], sentence: Said) -> bool:
    """Whether a number is what so many things come to that have a number *each*: 6 sp for two of *3 sp each*."""
    each_has = [
        float(each.value)
        for each in held
        if is_plain(each) and each.unit == wanted.unit
        if not _repeated().isdisjoint(sentence.tokens[each.place + 1 : each.place + 3])
    ]
    return any(rounds(count * each, wanted.value) for count in counts for each in each_has)


@cache
def _repeated() -> frozenset[str]:
    """Words before what there is so much for: *per*, *each*."""
    return english().telling("repeated")


@lru_cache(maxsize=512)
def _rates_of(chunk: Chunk) -> tuple[_Rate, ...]:
    return tuple(rate for line in text_of(chunk).split("\n") for rate in _rates_in(plain(line)))


def _rates_in_tables(chunk: Chunk, sentence: Said) -> Iterator[_Rate]:
    """What the rows that a sentence names have in columns of rates: *Coins per day*."""
    for table in (each for each in chunk.tables if each.columns and not each.is_record):
        heads = [normal(plain(" ".join(head))) for head in table.columns]
        rated = {c: head for c, head in enumerate(heads) if _PER in head[1:-1]}
        rows = claims_of(table).rows_told_of(sentence) if rated else ()
        for r, (c, head) in product(rows, rated.items()):
            at = head.index(_PER)
            numbers = [each for each in numbers_of_plain(plain(table.rows[r][c])) if is_plain(each)]
            for unit in head[:at] if len(numbers) == 1 else ():
                yield _Rate(float(numbers[0].value), _named(unit), frozenset({_named(head[at + 1])}))


def _rates_in(text: str) -> Iterator[_Rate]:
    for besides, unit, each, own, many, *per in _RATE.findall(text.lower()):
        named = _named(own)
        if not besides or _named(unit) == named:
            words = frozenset(map(_named, per)) - {""}
            yield _Rate(float(each) / (float(many or 1) or 1.0), named, words, float(besides or 0))


def _named(word: str) -> str:
    return unit_named(next(iter(normal(word)), ""))


def _is_of(number: Number, per: frozenset[str], tokens: Sequence[str]) -> bool:
    return number.measure.removesuffix(OF_ANOTHER) in per or unit_of(tokens, number) in per
