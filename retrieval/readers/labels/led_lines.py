"""Labels with a dot leader, *Length ........ 9 m*, or a tab before their values: they become fields with bold
labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from retrieval.readers.labels.label_marks import clean_label, is_label
from retrieval.readers.labels.running_text import BRIEF_VALUE

_LINE = re.compile(
    r"(?P<mark> {0,3}(?:[-*+] +)?)(?P<label>\*{0,2}[^\W\d_][^\t·…|]*?)"
    r"(?:[ \t]*(?:(?:[.·][ \t]*){4,}|(?:…[ \t]*){2,})| *\t[ \t]*)(?P<value>[^\s.·…|=:–—-][^\t|]*)"
)
_ROMAN = re.compile(r"[ivxl]+")
_FEWEST = 2
"""The fewest lines; a single one is a coincidence."""


def led_lines(lines: Iterable[str]) -> list[str]:
    r"""Return the leading paragraph of lines with its labels in bold; empty if any line of it is something else.

    A table of contents, whose numbers are pages, has no labels.

    >>> led_lines(["Length ..... 9 m", "Port\tHull", "", "More."])
    ['**Length:** 9 m  ', '**Port:** Hull  ']
    >>> led_lines(["Tides ..... 9", "Winds ..... 12"]), led_lines(["Length ..... 9 m", "and so on"])
    ([], [])
    """
    told: list[re.Match[str]] = []
    for line in takewhile(str.strip, lines):
        match = _LINE.fullmatch(line.rstrip())
        if match is None or not _is_fact(match):
            return []
        told.append(match)
    if len(told) < _FEWEST or _are_pages([match["value"] for match in told]):
        return []
    return [f"{match['mark']}**{clean_label(match['label'])}:** {match['value']}  " for match in told]


def _is_fact(match: re.Match[str]) -> bool:
    return is_label(match["label"]) and len(match["value"].split()) <= BRIEF_VALUE


def _are_pages(values: Sequence[str]) -> bool:
    """True for ascending numbers; pages before the first may be in lower-case Roman numerals."""
    numbers = [int(value) for value in values if value.isdecimal()]
    others = [value for value in values if not value.isdecimal()]
    return all(map(_ROMAN.fullmatch, others)) and numbers == sorted(numbers)
