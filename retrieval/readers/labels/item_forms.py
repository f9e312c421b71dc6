"""Lists whose items all have one form: a name and its text with a dash between, a count of something, something with
its amount, a numeric band with its meaning, or a number with a note in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from retrieval.readers.labels.label_marks import clean_label, is_label, without_mark
from retrieval.text.normal import STOP_WORDS

_Pair = tuple[str, str]
_NUMBER_OF = re.compile(r"^(?P<value>[$€£¥+(]?\d[\d\s.,/()+%:-]*?)\s*\((?P<note>[^\W\d_][^()]+)\)$")
_LONG_DASH = re.compile(r"^(?P<label>[^\W_][^:;!?|*\n]{0,99}?)\s+(?:-{1,3}|[–—=→]|[-=]>)\s+(?P<value>\S.*)$")
_SCORE = re.compile(r"[-+]?\d[\d.,]*%?(?: \S+)?")
_BAND = re.compile(r"^(?P<label>[<>≤≥]?=? ?\d[^:;!?|*\n]{0,29}):\s+(?P<value>\S.*)$")
_COUNTED = re.compile(
    r"^(?P<value>(?:\d{1,3}(?:,\d{3})+|\d{1,4}|\d{1,2}/\d{1,2}|\d{0,2} ?[½⅓⅔¼¾⅛]|\d{1,4}[.,]\d{1,2}(?= ?[a-z]{1,2}\s))"
    r"(?: ?(?P<size>[a-z]{1,2})(?=\s))?)\s+(?P<label>[^\W\d_][^:;!?|*\n.]{0,49})$"
)
"""A count of something, with a unit of at most two letters: *81 planks*, *½ tsp salt*, *0.5 kg flour*."""
_MEASURED = re.compile(
    r"^(?P<label>[^\W\d_][^\d:;!?|*\n]{0,48}?)\s+"
    r"(?P<value>\d[\d.,]*(?:\s*[-–]\s*\d[\d.,]*)?\s*(?P<unit>[^\W\d_]{1,3}|%)(?![^\W_]).*)$"
)
"""A name and its amount, with a unit of a few letters: *Flour 2.5 kg, sieved*."""
_FEWEST_LISTED = 3
"""The fewest dashed items for a list to be one of labels and values."""
_FEWEST_MARKED = 2
"""The fewest such items if each has a list marker or a number behind the dash."""
_LONGEST_DASHED = 12
"""The most words before the dash if all items have one."""


def dashed_pairs(rows: Sequence[str], marked: int) -> tuple[_Pair, ...]:
    """Return the pairs of a list of *name – value* if every item has that form; `marked` of them have a bullet.

    >>> dashed_pairs(["Wide awake, and asks what it is that we want - 0", "Asleep - 4"], 2)
    (('Wide awake, and asks what it is that we want', '0'), ('Asleep', '4'))
    """
    found = [_LONG_DASH.match(row) for row in rows]
    pairs = [(clean_label(match["label"]), match["value"].replace("**", "").strip()) for match in found if match]
    is_list = marked == len(rows)
    if len(pairs) < max(_FEWEST_MARKED if is_list else _FEWEST_LISTED, len(rows)) or len(dict(pairs)) < len(pairs):
        return ()
    if all(is_label(label) for label, _ in pairs):
        return tuple(pairs)
    is_meant = len(pairs) >= _FEWEST_LISTED or all(_SCORE.fullmatch(value) for _, value in pairs)
    is_short = all(len(label.split()) <= _LONGEST_DASHED and any(map(str.isalpha, label)) for label, _ in pairs)
    return tuple(pairs) if is_list and is_meant and is_short else ()


def amounts_listed(items: Sequence[str]) -> tuple[_Pair, ...]:
    """Return the pairs of a list whose items all are a count of something, something with its amount, or a numeric band
    with its meaning.

    >>> amounts_listed(["4 rush lamps", "81 planks"]), amounts_listed(["Flour 2 - 3 kg", "Salt 0.5 kg, dry"])
    ((('rush lamps', '4'), ('planks', '81')), (('Flour', '2 - 3 kg'), ('Salt', '0.5 kg, dry')))
    >>> amounts_listed(["4 or above: a storm", "1-3: a gale"]), amounts_listed(["Windows 10", "Windows 11"])
    ((('4 or above', 'a storm'), ('1-3', 'a gale')), ())
    """
    for form in (_COUNTED, _MEASURED, _BAND):
        found = [match for item in items if (match := form.match(item))]
        pairs = {match["label"].strip(): match["value"].strip() for match in found}
        is_whole = len(found) == len(items) == len(pairs) >= _FEWEST_MARKED
        is_named = all(is_label(label) or form is _BAND for label in pairs)
        if is_whole and is_named and _shares_unit(found) and not _is_count_up(pairs.values()):
            return tuple(pairs.items())
    return ()


def _is_count_up(values: Iterable[str]) -> bool:
    """True for numbers that only count the items of a list."""
    numbers = [int(value) if value.isdigit() else None for value in values]
    return all(before is not None and behind == before + 1 for before, behind in pairwise(numbers))


def _shares_unit(found: Sequence[re.Match[str]]) -> bool:
    """True if the amounts share one unit, or none has a unit."""
    units = {match.groupdict().get("unit") for match in found}
    sizes = {match.groupdict().get("size") for match in found}
    return len(units) == 1 and (units | sizes).isdisjoint(STOP_WORDS)


def annotated_numbers(items: Sequence[str]) -> tuple[_Pair, ...]:
    """Return the pairs of list items that are a number with a note on it in brackets.

    >>> annotated_numbers(["- 555-0100 (from the island)", "- 555-0199 (from the sea)", "- [Timetable](fares.md)"])
    (('from the island', '555-0100'), ('from the sea', '555-0199'))
    """
    found = [_NUMBER_OF.match(without_mark(item)) for item in items]
    pairs = [(match["note"], match["value"]) for match in found if match and is_label(match["note"])]
    return tuple(pairs) if len(pairs) > 1 and 2 * len(pairs) >= len(items) and len(dict(pairs)) == len(pairs) else ()
