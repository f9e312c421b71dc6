"""Patterns of tokens before normalization; all but `PLAIN` apply to folded text."""

from __future__ import annotations

import re

_LETTERED = r"[A-Za-z\s',;:?!()\[\]*/|<>=\"-]*"
_COUNT = r"(?<![^\s(\[])(?:0|[1-9]\d{0,8})(?![^\s)\].,;:?!]|[.,;:?!]\S)"
"""A whole number without a sign, point, slash, letter or dash beside it."""
PLAIN = re.compile(rf"{_LETTERED}(?:(?:\.(?!\S)|{_COUNT}){_LETTERED})*", re.ASCII)
"""A text of words and whole numbers, with signs that only separate them."""
PLAIN_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")
ABBREVIATION = re.compile(r"\b[a-z](?:\.[a-z])+\b\.?")
BEHIND_DIGITS = re.compile(r"(?<=\d),(?=\d{3}\b)|(?<=[\d)])'s\b")
"""The separator of thousands, and the ending of an owner: *the Mark 40's crew*, *the Lark (old)'s crew*."""
TOKEN = re.compile(
    r"(?<![a-z])(?P<dice>\d*d(?:\d+(?:[+x-]\d+)?|%))(?:'?s)?(?![^\W_])"
    r"|[+-]?(?P<ordinal>\d+)(?:st|nd|rd|th)\b"
    r"|(?P<number>(?<!\d)[1-9]-1(?!\w|[./+-]\d)"
    r"|(?:[+-](?!\d*d\d))?(?:\d+(?:\.\d+|/\d+|\+\d+(?![\dd]))?|(?<![\w.])\.\d+))"
    r"|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)?)"
    r"|(?P<join>&)"
)
