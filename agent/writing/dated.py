"""Numbers that a source has for one year, and a sentence for another: *9 percent in 2012* where that was in 2011."""

from __future__ import annotations

from collections.abc import Iterator

from agent.writing.claims import Said
from agent.writing.facts import TEXT, Fact, facts_of, unit_of
from agent.writing.numbers import Number
from retrieval.types import Chunk

_YEARS = range(1500, 2101)


def misdated(chunk: Chunk, sentence: Said) -> frozenset[int]:
    """Return the places of the numbers of a sentence that a chunk has of other years, and of its year another one.

    >>> from agent.writing.claims import said
    >>> debt = Chunk("1", "9 percent of income (2012)\\n7 percent of income (2011)", "Debt")
    >>> [sorted(misdated(debt, said(text))) for text in ("9 percent in 2011", "in 2012 it was 9 percent")]
    [[0], []]
    """
    facts = [clause for fact in facts_of(chunk) if fact.of <= TEXT for clause in fact.clauses]
    dated = [(fact, years) for fact in facts if (years := frozenset(_years_in(fact)))]
    if not dated:
        return frozenset()
    found = set()
    for number, year in _dated(sentence):
        own = [fact for fact in facts if fact.has(number.value)]
        of_own = [years for fact, years in dated if fact.has(number.value)]
        if len(of_own) < len(own) or not own or any(year in years for years in of_own):
            continue
        unit = unit_of(sentence.tokens, number)
        if any(year in years and _is_alike(fact, each, number.value, unit) for fact, years in dated for each in own):
            found.add(number.place)
    return frozenset(found)


def _dated(sentence: Said) -> Iterator[tuple[Number, str]]:
    """The numbers that are said of a year: the one that stands behind them, else the only one of the sentence."""
    told = [one[0] for one in sentence.numbers]
    years = [each for each in told if is_year(each)]
    for i, number in enumerate(told):
        if is_year(number):
            continue
        behind = told[i + 1] if i + 1 < len(told) else None
        if behind is not None and is_year(behind) and (len(years) > 1 or behind.place - number.place < 5):
            yield number, behind.value
        elif len({each.value for each in years}) == 1:
            yield number, years[0].value


def is_year(number: Number) -> bool:
    """True for a number that may be a year."""
    return number.value.isdecimal() and int(number.value) in _YEARS and len(number.value) == 4 and not number.unit


def _years_in(fact: Fact) -> Iterator[str]:
    for value, _ in fact.pairs:
        if value.isdecimal() and len(value) == 4 and int(value) in _YEARS:
            yield value


def _is_alike(fact: Fact, own: Fact, value: str, unit: str) -> bool:
    """Whether a fact has another value of the unit, among the same words."""
    words, others = (frozenset(word for word in each.beside if word.isalpha()) for each in (own, fact))
    has_another = any(each != value and behind == unit for each, behind in fact.pairs if each not in _years_in(fact))
    return has_another and 2 * len(words & others) >= len(words | others)
