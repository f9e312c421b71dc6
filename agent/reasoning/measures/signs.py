"""Signs that stand for a unit, by the names that Unicode gives them: *10 percent* is told under *Share (%)*."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

_OF_MONEY = "Sc"
_SIGNS = (_OF_MONEY, "So", "Po")
"""Categories of signs: of money, of degrees, and that for a hundredth."""


@lru_cache(maxsize=4096)
def signs_by_name(text: str) -> Mapping[str, str]:
    """The signs for units in a text, by the first word of what each is called.

    >>> dict(signs_by_name("Share (%), fee in €")), dict(signs_by_name("Fee, in all"))
    ({'percent': '%', 'euro': '€'}, {})
    """
    found: dict[str, str] = {}
    for sign in sorted(set(text)):
        if unicodedata.category(sign) in _SIGNS and _is_unit(sign):
            found[unicodedata.name(sign).casefold().split()[0]] = sign
    return found


def _is_unit(sign: str) -> bool:
    """True for a sign that is called one: a *percent sign*, a *degree sign*, no *comma*."""
    return unicodedata.name(sign, "").endswith(" SIGN")
