"""What titles of a collection have around the names: *Species: Fluorite — Field Guide* is about *Fluorite*.

A frame is a part of a title, parted by a colon, a dash or a bar, that comes back in titles of others. What is left of a
title without its frames, if that is one part, is a name that the collection gives to what it is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from retrieval.text.normal import Tokens, phrase

_PARTING = re.compile(r":\s+|\s+[—–|·-]\s+")
_FEWEST = 3
"""Titles that have to share a part."""


@dataclass(frozen=True, slots=True)
class Frames:
    """The parts that titles share.

    >>> titles = [f"Species: {name} — Field Guide" for name in ("Fluorite", "Galena", "Halite")]
    >>> Frames.of(titles).bare(titles[0]), Frames.of(titles).bare("Field Guide")
    ('Fluorite', '')
    """

    parts: frozenset[Tokens] = frozenset()

    @classmethod
    def of(cls, titles: Iterable[str]) -> Frames:
        """Learn from all titles and headings of a collection."""
        having: dict[Tokens, set[str]] = {}
        for title in titles:
            parts = list(_parts(title))
            for part in parts if len(parts) > 1 else ():
                having.setdefault(phrase(part), set()).add(title)
        return cls(frozenset(part for part, names in having.items() if part and len(names) >= _FEWEST))

    def bare(self, title: str) -> str:
        """The title without its frames; empty where it has none, or where not just one part is left."""
        parts = list(_parts(title))
        left = [part for part in parts if phrase(part) not in self.parts]
        return left[0] if len(left) == 1 < len(parts) else ""


def _parts(title: str) -> Iterator[str]:
    yield from (part for part in map(str.strip, _PARTING.split(title)) if phrase(part))
