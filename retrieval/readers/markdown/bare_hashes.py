"""Headings without a blank behind their hashes, *##5B. Reed*: CommonMark has none, most older renderers have them.

Two hashes and more are nothing else. A single one may be that of a tag (*#boats*) or of a number (*#1*), so it is a
heading where the page writes its others so too, or where it stands above all of the page and reads as a title.
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
"""A capital, and more than one word: no tag is written so."""
_GOES_ON = re.compile(r"[\w,;]\s*$")
"""How a line of prose ends that the next one goes on with."""


@dataclass(frozen=True, slots=True)
class BareHashes:
    """How a page writes its headings: whether it leaves out the blank behind a single hash, and which line is a title
    that does.
    """

    also_one: bool
    title: str

    @classmethod
    def of(cls, rows: Sequence[str]) -> BareHashes:
        """Learn from the lines of a page, those of code aside."""
        several = any(map(_SEVERAL.match, rows)) and not any(map(_SPACED.match, rows))
        told = [place for place, row in enumerate(rows) if row.strip()]
        opens = bool(told) and bool(_TITLE.match(rows[told[0]])) and told[1:2] != [told[0] + 1]
        return cls(several, rows[told[0]] if opens else "")

    def spaced(self, row: str, before: str) -> str:
        """A line, with a blank behind its hashes where it is meant as a heading.

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
