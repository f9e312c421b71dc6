"""Frames: the text around the name in titles, such as *Species: Fluorite — Field Guide* for *Fluorite*.

A frame is a part of a title, set off by a colon, a dash or a bar, that recurs in other titles. If exactly one part of a
title is no frame, that part is the name of its subject.

Words that most page titles share are a frame too: questions call *Data sheet for Wren rev. 2*, beside *Data sheet for
Rook rev. 1* and others, just *Wren* or *Wren 2*.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from retrieval.text.normal import Tokens, phrase

_PARTING = re.compile(r":\s+|\s+[—–|·-]\s+")
_FEWEST = 3
"""The fewest titles that must share a part."""
_FEWEST_PAGES = 6
"""The fewest differently named pages for shared words to count."""
_SHARED = 0.8
"""The share of page titles from which a shared word is a frame."""


@dataclass(frozen=True, slots=True)
class Frames:
    """The parts and words that titles share.

    >>> titles = [f"Species: {name} — Field Guide" for name in ("Fluorite", "Galena", "Halite")]
    >>> Frames.of(titles).without_frame(titles[0]), Frames.of(titles).without_frame("Field Guide")
    ('Fluorite', '')
    >>> pages = [f"Sheet for {name} TRL" for name in ("Wren", "Rook", "Mere", "Fen", "Tarn", "Upper Sedge")]
    >>> Frames.of((), pages).without_frame(pages[-1]), Frames.of((), pages[:4]).without_frame(pages[0])
    ('upper sedge', '')
    """

    parts: frozenset[Tokens] = frozenset()
    words: frozenset[str] = frozenset()

    @classmethod
    def of(cls, titles: Iterable[str], pages: Iterable[str] = ()) -> Frames:
        """Learn from all titles and headings of a collection, and from the titles of its `pages`."""
        having: dict[Tokens, set[str]] = {}
        for title in titles:
            parts = list(_parts(title))
            for part in parts if len(parts) > 1 else ():
                having.setdefault(phrase(part), set()).add(title)
        shared = frozenset(part for part, names in having.items() if part and len(names) >= _FEWEST)
        return cls(shared, _words_shared({phrase(page) for page in pages}))

    def without_frame(self, title: str) -> str:
        """Return the title without its frames; empty if it has none, or if not exactly one part remains."""
        parts = list(_parts(title))
        left = [part for part in parts if phrase(part) not in self.parts]
        return left[0] if len(left) == 1 < len(parts) else self._own_words(title)

    def _own_words(self, title: str) -> str:
        """Return the words that only this title has; empty unless it has all shared words."""
        said = phrase(title)
        is_framed = bool(self.words) and self.words.issubset(said)
        return " ".join(word for word in said if word not in self.words) if is_framed else ""


def _words_shared(pages: Collection[Tokens]) -> frozenset[str]:
    """Return the words that nearly all page titles share."""
    counts = Counter(word for page in pages for word in set(page))
    most = _SHARED * max(_FEWEST_PAGES, len(pages))
    return frozenset(word for word, count in counts.items() if count >= most)


def _parts(title: str) -> Iterator[str]:
    yield from (part for part in map(str.strip, _PARTING.split(title)) if phrase(part))
