"""Values that are several in one cell, each of what its head names: *RA, Dec* over *6.02, -72.08*."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BETWEEN = re.compile(r"\s*[,;/&]\s*|\s+and\s+")
_BETWEEN_NUMBERS = re.compile(r"\s*[,;/&](?!\d{3}\b)\s*|\s+and\s+|\s+(?=[-+\u2212]?\d)")
_BRACKET = re.compile(r"\s*\([^()]*\)")
_SEVERAL = 2
_MOSTLY = 0.6
"""The share of the values that have to be several."""


def are_several(texts: Sequence[str], label: str) -> bool:
    """True for values that are as many in each cell as their head has names: neither ranks them.

    >>> are_several(("6.02, -72.08", "53.13, -28.10"), "RA, Dec (deg)"), are_several(("12 / 4", "9/2"), "Crew/Guests")
    (True, True)
    >>> are_several(("12", "9"), "Crew/Guests"), are_several(("5 - 6", "7 - 9"), "Price"), are_several(("1,200",), "A, B")
    (False, False, False)
    """
    names = [name for name in _BETWEEN.split(_BRACKET.sub("", label)) if any(map(str.isalpha, name))]
    if len(names) < _SEVERAL:
        return False
    several = sum(_numbers(text) == len(names) for text in texts)
    return several >= _MOSTLY * len(texts)


def _numbers(text: str) -> int:
    """How many parts of a value have a number."""
    return sum(any(map(str.isdigit, part)) for part in _BETWEEN_NUMBERS.split(_BRACKET.sub("", text).strip()))
