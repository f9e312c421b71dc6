"""Identifiers: runs of letters and digits that are one word, whatever joins them: *m5.xlarge*, *R101-FPN*.

An identifier matches whole or not at all: *t3.micro* is not *t3a.micro*, and the 101 of *R101-FPN* is not a number. So
identifiers are taken out of a text before numbers, dice, plurals and hyphens are parsed. Similar runs are not
identifiers: dice (*2d6*), ordinals (*7th-level*), a measure with its number (*AC3*), a number with its unit (*30ft*).
Letters alone are one if an underscore joins a single letter: *w_a*, but not *iron_ingot*, nor *time_h*.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

RUN = re.compile(r"(?<![^\W_])[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?![^\W_])")
"""A run that may be an identifier, in folded text."""
_JOINTS = re.compile(r"[._-]+")
_COINED = re.compile(r"(?P<letters>[a-z]+)\d[a-z0-9]*")
_LETTERED = re.compile(r"[a-z]+-\d+[a-z]")
"""Letters, a hyphen, and a number with a letter behind it: *itd-3a*."""
_SYMBOL = re.compile(r"(?:[a-z]+_+)*[a-z](?:_+[a-z]+)+|(?:[a-z]+_+)+[a-z]")
"""Letters joined by underscores, one of them single."""
_WITH_UNIT = re.compile(r"(?:[a-z]{3,}_)+[a-z]")
"""Words with a single letter behind them, mostly a unit: *time_h*."""
_DICE = re.compile(r"d(?:\d\d?|1000?)s?")
"""Dice notation; no die has 230 sides."""
_TIMES = "x"
"""The *x2* of a critical hit is a multiplication, not a name."""


@lru_cache(maxsize=16384)
def is_identifier(run: str, numbered: Collection[str] = frozenset()) -> bool:
    """True for a run that is matched whole; `numbered` are the terms that may precede their number directly: *ac3*.

    >>> [is_identifier(run) for run in ("m5.xlarge", "d3.8xlarge", "x101-fpn", "thac0", "itd-3a", "d230")]
    [True, True, True, True, True, True]
    >>> [is_identifier(run) for run in ("w_a", "k_eff", "max_v_x", "iron_ingot", "w-a", "w")]
    [True, True, True, False, False, False]
    >>> [is_identifier(run, frozenset({"ac"})) for run in ("ac3", "2d6", "d20", "7th-level", "30ft", "3.5", "x2")]
    [False, False, False, False, False, False, False]
    """
    if not any(map(str.isdigit, run)) or run.isdigit():
        return _SYMBOL.fullmatch(run) is not None and _WITH_UNIT.fullmatch(run) is None
    parts = _JOINTS.split(run)
    if _LETTERED.fullmatch(run) or any(_is_coined(part, numbered, alone=len(parts) == 1) for part in parts):
        return True
    if "_" in run:
        return any(map(str.isalpha, run))
    return len(parts) > 1 and _is_dotted(run, parts, numbered)


def _is_coined(part: str, numbered: Collection[str], *, alone: bool) -> bool:
    """True for letters followed by digits, unless they are a die, a multiplication, or a measure with its number."""
    match = _COINED.fullmatch(part)
    if match is None or _DICE.fullmatch(part) or (alone and match["letters"] == _TIMES):
        return False
    return not (match["letters"] in numbered and part[len(match["letters"]) :].isdigit())


def _is_dotted(run: str, parts: list[str], numbered: Collection[str]) -> bool:
    """True for *d2.xlarge* and *d3.8xlarge*: the first part is a die, but a point joins it with a word."""
    first = _COINED.fullmatch(parts[0])
    return "." in run and first is not None and first["letters"] not in numbered and not parts[1].isdigit()
