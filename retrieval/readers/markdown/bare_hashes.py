"""Headings without a blank behind their hashes, *##5B. Reed*: not CommonMark, but accepted by most older renderers.

Two or more hashes are always a heading. A single one may be a tag (*#boats*) or a number (*#1*), so it counts only if
the page writes its other headings this way, or if it heads the page and reads as a title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_SEVERAL = re.compile(r"[ ]{0,3}#{2,6}(?=[^\s#])(?=.*[^\W\d_])")
_ONE = re.compile(r"[ ]{0,3}#(?=[^\s#!])(?=.*[^\W\d_])")
_SPACED = re.compile(r"[ ]{0,3}#{1,6}[ \t]+\S")
_TAG_BEHIND = re.compile(r"\s#[^\W\d_]")
_TITLE = re.compile(r"[ ]{0,3}#[^\W\d_a-z][^\s#]*[ \t]+[^\s#]")
"""A capital and more than one word, unlike a tag."""
_GOES_ON = re.compile(r"[\w,;]\s*$")
"""The end of a prose line that continues in the next one."""


@dataclass(frozen=True, slots=True)
class BareHashes:
    """The style of a page's headings: whether a single hash may lack its blank, and the title line that lacks it."""

    also_one: bool
    title: str

    @classmethod
    def of(cls, rows: Sequence[str]) -> BareHashes:
        """Learn from the lines of a page outside code."""
        several = any(map(_SEVERAL.match, rows)) and not any(map(_SPACED.match, rows))
        told = [place for place, row in enumerate(rows) if row.strip()]
        opens = bool(told) and bool(_TITLE.match(rows[told[0]])) and told[1:2] != [told[0] + 1]
        return cls(several, rows[told[0]] if opens else "")

    def spaced(self, row: str, before: str) -> str:
        """Return the line, with a blank behind its hashes if it is a heading.

        >>> page = BareHashes.of(["#5. Boats", "", "##5B. Reed", "", "Tagged as", "#boat #old"])
        >>> page.spaced("##5B. Reed", ""), page.spaced("#5. Boats", ""), page.spaced("#boat #old", "Tagged as")
        ('## 5B. Reed', '# 5. Boats', '#boat #old')
        >>> BareHashes.of(["# Boats", "", "#reed", "#1 is the oldest."]).spaced("#reed", "")
        '#reed'
        """
        hashes = _SEVERAL.match(row)
        if hashes is None and (row == self.title or (self.also_one and not _GOES_ON.search(before))):
            hashes = None if _TAG_BEHIND.search(row) else _ONE.match(row)
        return f"{row[: hashes.end()]} {row[hashes.end() :]}" if hashes else row
