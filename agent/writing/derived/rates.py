"""The results of a source's rates for the amounts of a sentence: *2 rounds + 1 per level* is 9 at level 7."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, product

from agent.languages.language import english
from agent.writing.cells.table_claims import claims_of
from agent.writing.texts.claims import ParsedSentence
from agent.writing.texts.columns import tables_of
from agent.writing.texts.facts import text_of, unit_of
from agent.writing.texts.numbers import OF_ANOTHER, Number, is_plain, numbers_of_plain
from agent.writing.texts.offered import rounds_to
from agent.writing.texts.plain import plain
from agent.writing.texts.units import known_units, unit_named
from retrieval.text.normal import normal
from retrieval.types import Chunk

_ONE = ("a", "an")
_PER = "per"
_SLASH = re.compile(r"(?<=[a-z])/(?=[a-z])", re.IGNORECASE)
"""The slash of *Price/Day*."""
_AMOUNT = r"(\d{1,9}(?:\.\d{1,6})?)(?: [a-z]{1,30})?? ([a-z]{1,30})"
_HYPHEN = re.compile(r"(?<=\d)-(?=[a-z])")
"""The hyphen of *30-ft*."""
_RATE = re.compile(rf"(?:{_AMOUNT} ?(?:\+|plus|and) ?)?{_AMOUNT}(?: ?/ ?| (?:per|an?|each|every|for each|for every) )"
                   r"(?:(\d{1,6}) )?([a-z]{1,30})(?: ([a-z]{1,30}))?")  # fmt: skip
_GROWTH = re.compile(r"(\d{1,6}(?:d\d{1,3})?) (?:[a-z]+ )?(?:for each|for every|per) ((?:[a-z]+ ){1,3})"
                     r"(?:above|beyond|over) (?:[a-z]+ )?(\d{1,4})\b")  # fmt: skip
_ADDITIONAL = re.compile(r"(\d{1,6})\+(\d{1,6}) (?:for each|for every|per) (?:[a-z]+ )([a-z]+)")
_SUM = re.compile(r"(\d{1,6}) ?(?:\+|plus) ?(?:the|your|its|his|her) ((?:[a-z'’]+ ){0,3}[a-z'’]+)")
_DICE = re.compile(r"(\d+)(d\d+)?")


@dataclass(frozen=True, slots=True)
class _Growth:
    """An increase, of dice if it has a `die`, for each unit of something `above` a number; from a `base`."""

    each: int
    die: str
    per: frozenset[str]
    above: int
    base: int = 0

    def reaches(self, value: str, many: int, bases: Iterable[str]) -> bool:
        """True if a value is the result of the growth for an amount."""
        own = [match for each in bases if (match := _DICE.fullmatch(each)) and (match[2] or "") == self.die]
        starts = {self.base} if self.base else {int(match[1]) for match in own}
        grown = self.each * (many - self.above)
        return grown > 0 and value in {f"{start + grown}{self.die}" for start in starts}


@dataclass(frozen=True, slots=True)
class _Rate:
    """An amount of a unit for each of something (*caster level*, by its words), and a constant besides."""

    each: float
    unit: str
    per: frozenset[str]
    besides: float = 0.0


def by_rates(sentence: ParsedSentence, cited: Sequence[Chunk]) -> frozenset[int]:
    """Return the places of numbers of a sentence that result from a rate of its sources, and of the amounts it is for.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> glow = Chunk("1", "Glow lasts 2 rounds + 1 round per level.", "Glow")
    >>> sorted(by_rates(parse_sentence("cast at level 7 it lasts 9 rounds"), [glow]))
    [3, 6]
    """
    numbers = list(chain.from_iterable(sentence.numbers))
    found: set[int] = set()
    rates = [rate for chunk in cited for rate in (*_rates_of(chunk), *_rates_in_tables(chunk, sentence))]
    for rate in rates:
        for many in (each for each in numbers if is_plain(each) and _is_of(each, rate.per, sentence.tokens)):
            amount = rate.besides + rate.each * float(many.value)
            for each in numbers:
                is_of_unit = is_plain(each) and _is_of(each, frozenset({rate.unit}), sentence.tokens)
                if is_of_unit and each.place != many.place and rounds_to(amount, each.value):
                    found |= {many.place, each.place}
    for chunk in cited:
        found.update(_by_growth(chunk, numbers, sentence))
    return frozenset(found)


def _by_growth(chunk: Chunk, numbers: Sequence[Number], sentence: ParsedSentence) -> Iterator[int]:
    """Yield the places of grown values and of their amounts: *8d8, and 1d8 more for each level above level 5*."""
    growths, bases = _growths_of(chunk)
    for growth, many in product(growths, (each for each in numbers if each.value.isdecimal())):
        if _is_of(many, growth.per, sentence.tokens) or many.adjoining & growth.per or _led_by(many, growth, sentence):
            for each in numbers:
                if each.place != many.place and growth.reaches(each.value, int(many.value), bases):
                    yield from (each.place, many.place)


def _led_by(number: Number, growth: _Growth, sentence: ParsedSentence) -> bool:
    """True if the name of the growing quantity stands right before a number: *Intensity 3*."""
    return not growth.per.isdisjoint(sentence.tokens[max(0, number.place - 1) : number.place])


@lru_cache(maxsize=512)
def _growths_of(chunk: Chunk) -> tuple[Sequence[_Growth], frozenset[str]]:
    """Return the growths of a text, and the numbers that they may begin with."""
    found: list[_Growth] = []
    bases: set[str] = set()
    for line in text_of(chunk).split("\n"):
        tokens = normal(plain(line))
        told = " ".join(tokens)
        for each, per, above in _GROWTH.findall(told):
            many, die = _DICE.fullmatch(each).groups()  # type: ignore[union-attr]  # it is a number
            found.append(_Growth(int(many), die or "", frozenset(per.split()), int(above)))
        for base, each, per in _ADDITIONAL.findall(told):
            found.append(_Growth(int(each), "", frozenset({per}), 1, int(base)))
        for base, per in _SUM.findall(plain(line).lower()):
            found.append(_Growth(1, "", frozenset(normal(per)), 0, int(base)))
        bases |= {token for token in tokens if _DICE.fullmatch(token)}
    return found, frozenset(bases)


def is_time_at_rate(wanted: Number, held: Sequence[Number], sentence: ParsedSentence) -> bool:
    """True if a number is the time for an amount at a rate of the sentence: 24 hours for 864, of 36 *an hour*."""
    told = list(_rates_in(" ".join(sentence.tokens)))
    rates = {rate.each for rate in told if wanted.unit in rate.per}
    operands = {float(each.value) for each in held if is_plain(each)}
    pairs = ((each, rate) for rate in rates & operands for each in operands if rate and each != rate)
    return bool(wanted.unit) and any(rounds_to(each / rate, wanted.value) for each, rate in pairs)


def is_share_of_each(wanted: Number, held: Sequence[Number], sentence: ParsedSentence) -> bool:
    """True if a number is a whole divided by a count: 5 sp *a day*, if 25 sp are for 5 days."""
    behind = sentence.tokens[wanted.place + 1 : wanted.place + 4]
    at = next((i for i, token in enumerate(behind) if token in _repeated() or token in _ONE), -1)
    of_one = frozenset(behind[at + 1 : at + 2]) if at >= 0 else frozenset[str]()
    many = [float(each.value) for each in held if is_plain(each) and _is_of(each, of_one, sentence.tokens)]
    wholes = [float(each.value) for each in held if is_plain(each) and each.unit == wanted.unit]
    return any(rounds_to(whole / each, wanted.value) for each in many if each for whole in wholes)


def is_total_of_each(wanted: Number, held: Sequence[Number], counts: Iterable[int], sentence: ParsedSentence) -> bool:
    """True if a number is a count times an amount *each*: 6 sp for two of *3 sp each*."""
    each_has = [
        float(each.value)
        for each in held
        if is_plain(each) and each.unit == wanted.unit
        if not _repeated().isdisjoint(sentence.tokens[each.place + 1 : each.place + 3])
    ]
    return any(rounds_to(count * each, wanted.value) for count in counts for each in each_has)


@cache
def _repeated() -> frozenset[str]:
    """Return the words before the unit of a rate: *per*, *each*."""
    return english().statement_words("repeated")


@lru_cache(maxsize=512)
def _rates_of(chunk: Chunk) -> tuple[_Rate, ...]:
    lines = (_HYPHEN.sub(" ", line) for line in text_of(chunk).split("\n"))
    return tuple(rate for line in lines for rate in _rates_in(plain(line)))


def _rates_in_tables(chunk: Chunk, sentence: ParsedSentence) -> Iterator[_Rate]:
    """Yield the rates of the named rows in columns of rates: *Coins per day*."""
    for table in tables_of(chunk):
        heads = [_rated(normal(plain(_SLASH.sub(f" {_PER} ", " ".join(head))))) for head in table.columns]
        rated = {c: head for c, head in enumerate(heads) if _PER in head[1:-1]}
        rows = claims_of(table).rows_named_in_full(sentence) if rated else ()
        for r, (c, head) in product(rows, rated.items()):
            at = head.index(_PER)
            cell = plain(table.rows[r][c])
            numbers = [each for each in numbers_of_plain(cell) if is_plain(each)]
            for unit in (*head[:at], *(unit_of(normal(cell), each) for each in numbers)) if len(numbers) == 1 else ():
                yield _Rate(float(numbers[0].value), _named(unit), frozenset({_named(head[at + 1])}))


def _rated(head: Sequence[str]) -> Sequence[str]:
    """Return a header with the unit of its rate at the end: *price per hour*, for *hourly price*."""
    units = known_units()
    per = next(
        (unit for word in head for unit in (f"{word[:-2]}", f"{word[:-3]}y") if word.endswith("ly") and unit in units),
        "",
    )
    return (*(word for word in head if not per or not word.endswith("ly")), *((_PER, per) if per else ()))


def _rates_in(text: str) -> Iterator[_Rate]:
    for besides, unit, each, own, many, *per in _RATE.findall(text.lower()):
        named = _named(own)
        if not besides or _named(unit) == named:
            words = frozenset(map(_named, per)) - {""}
            yield _Rate(float(each) / (float(many or 1) or 1.0), named, words, float(besides or 0))


def _named(word: str) -> str:
    return unit_named(next(iter(normal(word)), ""))


def _is_of(number: Number, per: frozenset[str], tokens: Sequence[str]) -> bool:
    measure = number.measure.removesuffix(OF_ANOTHER)
    words = frozenset(map(_named, measure.split()[-1:]))  # *point*, of *hit points*
    return measure in per or unit_of(tokens, number) in per or not words.isdisjoint(per)
