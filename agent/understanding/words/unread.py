"""Numbers of a question that cannot be parsed, such as *10^3*.

Half of such a number is worse than none. So it is removed before the question is tagged, and the answer says so first.
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
"""Powers, exponents, underscores, a sign within a fraction, more digits than a quantity has, and ordinals that are not
positive integers.
"""
_SHOWN = 30
"""Characters of a number that are shown."""


def unparsed_numbers(question: str) -> tuple[str, ...]:
    """Return the distinct numbers that cannot be parsed. Linear time.

    >>> unparsed_numbers("a -4th level orc with 10^3 hit points and a strength of 18/-1, or 1st-3rd level ones?")
    ('-4th', '10^3', '18/-1')
    """
    return tuple(dict.fromkeys(_shortened(match[0]) for match in _UNREAD.finditer(question)))


def _shortened(number: str) -> str:
    return number if len(number) <= _SHOWN else f"{number[:_SHOWN]}…"


def without_unread(question: str) -> str:
    """Return the question without these numbers."""
    return _UNREAD.sub(" ", question) if _UNREAD.search(question) else question
