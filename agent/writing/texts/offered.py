"""Whether a number of a source supports a number of a sentence: equal, of the same measure, unit and bound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from agent.reasoning.values.quantities import worths
from agent.understanding.words.measures import named_everywhere, scales
from agent.writing.texts.numbers import OF_ANOTHER, Number, extremes, is_dice, is_plain
from agent.writing.texts.units import PERCENT, TIMES

_LITTLE = 0.075
"""The largest share by which a number may be rounded without *about*."""
_SCALES = {"m": 1e6, "b": 1e9, "g": 1e9}


class SourceNumbers:
    """Source numbers. Those of a question are `keys`: they say what is asked, and are no answer.

    In `prose` the words near a number count as well, except those of its `title`. A number does not support the
    sentence if it has none of the sentence's words beside it and another source number has one. The measures and units
    of the numbers `among` which these stand count as known, too.
    """

    def __init__(
        self,
        numbers: Iterable[Number],
        *,
        keys: bool = False,
        prose: bool = False,
        title: frozenset[str] = frozenset(),
        among: Iterable[Number] = (),
    ) -> None:
        self._keys, self._prose, self._title = keys, prose, title
        self._at: dict[str, list[Number]] = {}
        self._decimals: list[Number] = []
        self._measures: set[str] = {each.measure for each in among}
        self._units: set[str] = {each.unit for each in among}
        self._near: set[str] = set()
        self._every: list[Number] = []
        for each in numbers:
            self._measures.add(each.measure)
            self._units.add(each.unit)
            self._near |= each.adjoining
            self._every.append(each)
            for value in {each.value, *extremes(each.value), *each.value.split("/")}:
                self._at.setdefault(value, []).append(each)
            if "." in each.value and not is_dice(each.value):
                self._decimals.append(each)

    def hold(self, wanted: Sequence[Number], words: frozenset[str] = frozenset()) -> bool:
        """True if a reading of a number is supported here, in a sentence of these words."""
        if any(self._fits(reading, each, words) for reading in wanted for each in self._found(reading)):
            return True
        if self._has_share(wanted[0]) or self._has_converted(wanted[0]):
            return True
        pieces, ends = _pieces(wanted[0]), extremes(wanted[0].value)
        if ends and all(any(each.is_end for each in self._at.get(end, ())) for end in ends):
            return True
        return bool(pieces) and all(self.hold([each], words) for each in pieces)

    def _has_converted(self, wanted: Number) -> bool:
        """True if a number of another unit is the same amount: 14 days, for 2 weeks."""
        if not wanted.unit or wanted.unit in (PERCENT, TIMES) or not is_plain(wanted):
            return False
        return any(_is_same_amount(wanted, each) for each in self._every if each.unit not in ("", wanted.unit))

    def _has_share(self, wanted: Number) -> bool:
        """True if a share supports a percentage, 0.85 for 85, or a percentage a share."""
        if wanted.unit == PERCENT and any(_is_percentage(each, wanted) for each in self._every):
            return True
        if wanted.unit == TIMES:
            percentages = (each for each in self._every if each.unit == PERCENT)
            return any(
                rounds_to(float(each.value) / 100, wanted.value) for each in percentages if each.value.isdecimal()
            )
        shares = (float(each.value) for each in self._decimals if not each.unit and wanted.unit == PERCENT)
        return any(rounds_to(share * 100, wanted.value) for share in shares if 0 < share < 1)

    def _found(self, wanted: Number) -> Iterable[Number]:
        value, is_about = wanted.value, wanted.is_about
        inexact = self._inexact(value, is_about=is_about)
        inexact = (each for each in inexact if _is_rounded(float(each.value), value, is_about=is_about))
        return chain(self._at.get(value, ()), inexact, self._scaled(value))

    def _scaled(self, value: str) -> Iterator[Number]:
        """Yield the numbers with a letter for millions or billions that make a value: *5M*."""
        for letter, scale in _SCALES.items() if value.endswith("00000") and value.isdecimal() else ():
            yield from (each for each in self._at.get(f"{int(value) / scale:g}", ()) if letter in each.beside)

    def _inexact(self, value: str, *, is_about: bool) -> Iterable[Number]:
        """Return the numbers that a value may be rounded from: those with decimals; for whole thousands, or *about*,
        all.
        """
        if not (value.endswith("000") or is_about):
            return self._decimals
        return filter(is_plain, self._every)

    def _fits(self, wanted: Number, offered: Number, words: frozenset[str]) -> bool:
        ends = {each.end or each.bound if each.is_end else each.bound or each.end for each in (wanted, offered)}
        if self._is_another_unit(wanted, offered) or ends == {"least", "most"}:
            return False
        if self._prose and self._is_elsewhere(wanted, offered, words):
            return False
        dice = [is_dice(wanted.value), is_dice(offered.value)]
        if any(dice):
            return all(dice) or wanted.is_end
        is_known = bool(wanted.measure) and wanted.measure in self._measures
        return (wanted.is_end and offered.is_end and not is_known) or self._measures_fit(wanted, offered)

    def _is_another_unit(self, wanted: Number, offered: Number) -> bool:
        """True if units differ. A factor fits only factors, and a source percentage only percentages. A bare source
        number fits a unit, except in prose or with a measure if other source numbers have this unit.
        """
        if TIMES in (wanted.unit, offered.unit) or (wanted.unit and offered.unit):
            return wanted.unit != offered.unit
        if offered.unit == PERCENT:
            return True
        if not wanted.unit:
            return False
        is_bare = bool(offered.measure) or (self._prose and not offered.is_end)
        units = {each.unit for each in self._at.get(offered.value, ())} - {""}
        return is_bare and (wanted.unit in self._units or (self._prose and bool(units - {wanted.unit})))

    def _is_elsewhere(self, wanted: Number, offered: Number, said: frozenset[str]) -> bool:
        """True if the words beside the sentence's number stand beside other source numbers, none beside this one, and
        the sentence has no word beside this one.
        """
        words, own = wanted.adjoining - self._title, (offered.near | offered.adjoining) - self._title
        if not words & self._near or (offered.unit and not own) or (wanted.is_end and offered.is_end):
            return False
        if not offered.near | offered.adjoining:
            return False
        is_near = wanted.measure or wanted.value == "1" or (words | wanted.near) & (offered.near | offered.adjoining)
        return not is_near and own.isdisjoint(said)

    def _measures_fit(self, wanted: Number, offered: Number) -> bool:
        """True if two equal numbers have the same measure, as far as the texts name one."""
        own = wanted.measure.removesuffix(OF_ANOTHER)
        if own != wanted.measure and own == offered.measure:
            return True
        if own in named_everywhere() or (wanted.measure and wanted.measure in self._measures):
            return wanted.measure == offered.measure
        if offered.measure and not wanted.measure and wanted.beside & offered.beside:
            return not self._keys
        if offered.measure:
            return not (
                wanted.measure or self._keys or offered.measure in scales() or offered.measure.endswith(OF_ANOTHER)
            )
        return not self._keys or bool(wanted.beside & offered.beside)


def with_title_measures(numbers: Iterable[Number], measures: Iterable[str]) -> Iterator[Number]:
    """Yield the numbers. Those without a measure also come with each measure that a title or caption names.

    >>> [each.measure for each in with_title_measures([Number("15")], ["level"])]
    ['', 'level']
    """
    named = tuple(measures)
    for each in numbers:
        yield each
        if not each.measure:
            yield from (replace(each, measure=measure) for measure in named)


def _pieces(wanted: Number) -> list[Number]:
    """Return the parts of dice with a bonus: 1d8 and 1 of *1d8+1*."""
    dice, plus, pips = wanted.value.partition("+")
    return [replace(wanted, value=dice), replace(wanted, value=pips)] if plus and is_dice(dice) else []


def _is_same_amount(one: Number, other: Number) -> bool:
    worth = worths({one.unit, other.unit}) if is_plain(other) else None
    return worth is not None and rounds_to(
        float(other.value) * worth[other.unit] / worth[one.unit], one.value, is_about=one.is_about
    )


def _is_percentage(share: Number, wanted: Number) -> bool:
    """True for a fraction, *a quarter of*, that is a percentage."""
    return share.unit == TIMES and is_plain(share) and rounds_to(float(share.value) * 100, wanted.value)


def _is_rounded(exact: float, value: str, *, is_about: bool) -> bool:
    """True if a value is rounded from another; unless it is *about*, by little: 4 is not 3.7."""
    is_near = is_about or (rounds_to(exact, value) and abs(exact - float(value)) <= _LITTLE * abs(exact))
    return is_near and rounds_to(exact, value, is_about=is_about)


def rounds_to(exact: float, value: str, *, is_about: bool = False) -> bool:
    """True if the value is `exact` rounded to fewer decimals; with *about* before it, also to tens or hundreds.

    >>> rounds_to(6.67, "7"), rounds_to(6.67, "6.6")
    (True, False)
    >>> rounds_to(1958.4, "1960"), rounds_to(1958.4, "1960", is_about=True)
    (False, True)
    """
    if not value.lstrip("-").replace(".", "", 1).isdigit():
        return False
    is_round = value.endswith("000") or (is_about and "." not in value)
    zeros = len(value) - len(value.rstrip("0")) if is_round else 0
    return abs(exact - float(value)) <= 0.5 * 10.0 ** (zeros - len(value.partition(".")[2])) + 1e-9
