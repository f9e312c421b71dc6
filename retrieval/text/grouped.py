"""Numbers in the notation of other countries: separate groups of digits (*12 500*, *12'500*), a decimal comma (*2,25*).

English takes precedence: *12,500* is grouped, and *12.500* has decimals.
"""

from __future__ import annotations

import re

_BETWEEN = " '\u2019\u00a0\u2009\u202f"
_GROUPED = re.compile(rf"(?<![\w.,])\d{{1,3}}(?:[{_BETWEEN}]\d{{3}})+(?![\w]|[{_BETWEEN}]?\d|,\d{{3}})")
_POINTED = re.compile(r"(?<![\w.,])\d{1,3}(?:\.\d{3})+,\d{1,2}(?![\d,])")
_DECIMALS = re.compile(r"(?<![\w.,])(\d+),(\d{1,2})(?![\d,])")


def joined(text: str) -> str:
    """Return a text with groups of digits joined to one number.

    >>> joined("more than 10 000 of 1'250"), joined("5 to 100 000 m"), joined("in 2019 300 people, tel. 555 1234")
    ('more than 10000 of 1250', '5 to 100000 m', 'in 2019 300 people, tel. 555 1234')
    """
    return _GROUPED.sub(lambda found: re.sub(r"\D", "", found[0]), text)


def with_points(text: str) -> str:
    """Return a value with a decimal point.

    >>> with_points("2,25 km"), with_points("1.234,5"), with_points("12,500"), with_points("1,5,8")
    ('2.25 km', '1234.5', '12,500', '1,5,8')
    """
    plain = _POINTED.sub(lambda found: found[0].replace(".", "").replace(",", "."), text)
    return _DECIMALS.sub(r"\1.\2", plain)
