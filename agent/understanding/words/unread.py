"""Numbers of a question that can't be read as they stand, such as *10^3*.

Half of such a number is worse than none: it is taken out before the question is read, and the answer tells it first.
"""

from __future__ import annotations

import re

_UNREAD = re.compile(
    r"""(?<![\w.,^*/])(?:
    [-+−]?\d[\d,]*(?:\.\d+)?
    (?:(?:\s?\^\s?|\*{1,2}|_|e(?=[-+−]?\d)|/(?=[-+−])|(?=[⁰¹²³⁴-⁹⁻]))[-+−⁻]?[\d⁰¹²³⁴-⁹]+(?:\.\d+)?)+
    |\d{25,}
    |[-−]\d+(?:st|nd|rd|th)\b
    |\d+\.\d+(?:st|nd|rd|th)\b
    )(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
"""Powers, exponents, underscores, a sign within a fraction, more digits than a quantity has, and ordinals that are no
whole number above zero."""
_SHOWN = 30
"""Characters of a number that are told."""


def unread_numbers(question: str) -> tuple[str, ...]:
    """The numbers that can't be read as they stand, each once. Linear.

    >>> unread_numbers("a -4th level orc with 10^3 hit points and a strength of 18/-1, or 1st-3rd level ones?")
    ('-4th', '10^3', '18/-1')
    """
    return tuple(dict.fromkeys(_shortened(match[0]) for match in _UNREAD.finditer(question)))


def _shortened(number: str) -> str:
    return number if len(number) <= _SHOWN else f"{number[:_SHOWN]}…"


def without_unread(question: str) -> str:
    """The question without them."""
    return _UNREAD.sub(" ", question) if _UNREAD.search(question) else question
