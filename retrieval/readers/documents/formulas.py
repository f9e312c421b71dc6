r"""Formulas within a line, in plain notation without TeX: `T_{\rm rec}` is *T_rec*, `\ge` is ≥.

docutils has the table of commands and signs; commands for fonts and sizes are dropped.
"""

from __future__ import annotations

import re
from functools import cache

_FRACTION = re.compile(r"\\[dt]?frac\s*\{(?P<above>[^{}]*)\}\s*\{(?P<below>[^{}]*)\}")
_PART = re.compile(r"\\(?P<command>[A-Za-z]+)(?P<behind>[ \t]*)|\\(?P<sign>[^A-Za-z])|(?P<brace>[{}])|(?P<blank>~)")
_BLANK = re.compile(r"[ \t,;:]")
"""A space of some width, behind a backslash."""
_NARROW = "!"
_BLANKS = re.compile(r"\s+")


def plain_math(formula: str) -> str:
    r"""Return a formula without its layout commands.

    >>> plain_math(r"T_{\rm rec}"), plain_math(r"x \ge 5\%"), plain_math(r"\frac{a}{b}~h^{-1}"), plain_math(r"\log M")
    ('T_rec', 'x ≥ 5%', 'a/b h^-1', 'log M')
    """
    told = _FRACTION.sub(r"\g<above>/\g<below>", formula)
    return _BLANKS.sub(" ", _PART.sub(_said, told)).strip()


def _said(found: re.Match[str]) -> str:
    if command := found["command"]:
        sign = _signs().get(command, "")
        return sign + found["behind"] if sign else ""
    if sign := found["sign"]:
        return " " if _BLANK.match(sign) else "" if sign == _NARROW else sign
    return " " if found["blank"] else ""


@cache
def _signs() -> dict[str, str]:
    """Return the signs by the names of their commands, and the names of functions; accents have none."""
    from docutils.utils.math import latex2mathml, tex2unichar  # a tenth of what starting a reader takes

    tables = (
        tex2unichar.mathalpha, tex2unichar.mathbin, tex2unichar.mathop, tex2unichar.mathord, tex2unichar.mathrel,
        tex2unichar.mathfence, tex2unichar.mathopen, tex2unichar.mathclose, tex2unichar.mathpunct,
    )  # fmt: skip
    names = {name: name for name in latex2mathml.functions}
    return names | {name: sign for table in tables for name, sign in table.items()}
