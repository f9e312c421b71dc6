"""Values that are several in one cell, each of what its head names: *RA, Dec* over *6.02, -72.08*."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

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
    >>> are_several(("12", "9"), "Crew/Guests"), are_several(("5 - 6", "7 - 9"), "Price")
    (False, False)
    """
    names = _parts(label, _BETWEEN, str.isalpha)
    several = [_parts(text, _BETWEEN_NUMBERS, str.isdigit) for text in texts].count(names)
    return names >= _SEVERAL and several >= _MOSTLY * len(texts)


def _parts(text: str, between: re.Pattern[str], is_told: Callable[[str], bool]) -> int:
    """How many parts of a text, what is in brackets aside, have such a character."""
    return sum(any(map(is_told, part)) for part in between.split(_BRACKET.sub("", text).strip()))
