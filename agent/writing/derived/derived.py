"""Numbers that follow from sourced numbers of the sentence: *80 gp and 15 gp make 95 gp together*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

from agent.plugins.domains import installed
from agent.reasoning.values.quantities import worths
from agent.understanding.words.measures import dice_terms, selecting_terms
from agent.writing.texts.numbers import OF_ANOTHER, Number, is_plain
from agent.writing.texts.offered import rounds_to
from agent.writing.texts.units import PERCENT, TIMES

_DICE = re.compile(r"(\d{1,4})d(\d{1,4})([+-]\d{1,4})?$")
_MOST_OPERANDS = 12


def follows(wanted: Number, held: Sequence[Number], counts: Iterable[int] = (), is_share: bool = False) -> bool:
    """True if a number is a sum, difference, product, ratio, percentage or dice average of others, or a count.

    A percentage is the share that one number has of another; unless it `is_share`, *40% of*, it may be their
    difference.

    `held` are the sentence's numbers that have a source, `counts` how many entities it names. A number that only
    selects a row, such as a level, is no operand.

    >>> follows(Number("95", unit="gp"), [Number("80", unit="gp"), Number("15", unit="gp")])
    True
    >>> follows(Number("3", unit=TIMES), [Number("36"), Number("12")])
    True
    """
    if _selects(wanted):
        return False
    operands = [each for each in held if not _selects(each) and each.value != "0"][:_MOST_OPERANDS]
    if wanted.unit == TIMES:
        return any(rounds_to(result, wanted.value) for result in _ratios(operands))
    if not (wanted.unit or wanted.measure) and wanted.value.isdecimal() and int(wanted.value) in counts:
        return True
    if wanted.unit == PERCENT and any(rounds_to(result, wanted.value) for result in _shares(operands, is_share)):
        return True
    same = [each for each in operands if not (wanted.unit and each.unit) or wanted.unit == each.unit]
    results = [*_averages(operands), *_by_domains(wanted, held), *_combined(same), *_multiplied(operands)]
    return any(rounds_to(result, wanted.value) for result in results)


def _combined(operands: Sequence[Number]) -> Iterator[float]:
    values = [float(each.value) for each in operands if is_plain(each)]
    if len(values) > 1:
        yield sum(values)
    for i, first in enumerate(values):
        for second in values[i + 1 :]:
            yield from (first + second, abs(first - second))


def _multiplied(operands: Sequence[Number]) -> Iterator[float]:
    """Yield the products of an amount and a count, *two 80 GB volumes*; a number with a unit is no count."""
    counted = [each for each in operands if is_plain(each)]
    for i, first in enumerate(counted):
        yield from (float(first.value) * float(each.value) for each in counted[i + 1 :] if not first.unit)


def _ratios(operands: Sequence[Number]) -> Iterator[float]:
    """Yield the ratio of each number to each later one of its kind."""
    counted = [each for each in operands if is_plain(each)]
    for i, first in enumerate(counted):
        for second in counted[i + 1 :]:
            worth = worths({first.unit, second.unit} - {""} or {""})
            if worth is not None and float(second.value):
                own, other = (float(each.value) * worth.get(each.unit, 1.0) for each in (first, second))
                yield own / other


def _shares(operands: Sequence[Number], is_share: bool) -> Iterator[float]:
    """Yield the percentages of numbers of one unit to each other, and the percentages by which they differ."""
    counted = [each for each in operands if is_plain(each) and each.unit != PERCENT]
    for part, whole in permutations(counted, 2):
        if part.unit == whole.unit and part.measure == whole.measure and float(whole.value):
            share = 100 * float(part.value) / float(whole.value)
            yield from (share,) if is_share else (share, abs(share - 100))


def _averages(operands: Iterable[Number]) -> Iterator[float]:
    """Yield the averages of dice."""
    for each in operands:
        dice = _DICE.match(each.value)
        if dice is not None:
            yield int(dice[1]) * (int(dice[2]) + 1) / 2 + int(dice[3] or 0)


def _selects(each: Number) -> bool:
    """True for a number that selects a row, such as a level, and for an armor class to hit; but not for hit dice."""
    return each.measure.removesuffix(OF_ANOTHER) in selecting_terms() - dice_terms()


def _by_domains(wanted: Number, held: Iterable[Number]) -> Iterator[float]:
    """Yield what domains derive from a number: from a measure a value, from a bare number a chance in percent."""
    for each in held:
        if each.unit or (not each.measure and wanted.unit != PERCENT):
            continue
        for domain in installed():
            yield from domain.follows(each.value, each.measure)
