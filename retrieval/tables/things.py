"""Whose a section is: a heading that stands under many others is a role, and what it heads is of the thing above it.

*Key data*, *Specifications* and *Installation* stand on the page of every module: no question means one of them. Which
headings are roles is learnt: one under several names, and under more of them than each has such headings, for of four
classes with three tables each it is the classes that come back under *Attacks*, *Saves* and *Costs*. Where each of the
names has a page, half as many will do.

Other headings below a thing are parts of it: the *Filter* of a module has labels and values too, and is no module. A
thing that has parts is one whose own labels come back on others at least as often as those of its parts do; the page of
many monsters has nothing that its monsters have not more of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from retrieval.tables.names import without_part
from retrieval.text.normal import Tokens, phrase
from retrieval.types import Chunk

_FEWEST = 3
"""Names that have a heading, or a label, of one wording."""
_PAGES = 2
"""What a name that has a page of its own counts for."""
_Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Things:
    """The roles of a collection, and how many things have the most common label of each thing that has a record."""

    roles: frozenset[Tokens] = frozenset()
    common: dict[_Path, int] = field(default_factory=dict)

    @classmethod
    def of(cls, chunks: Sequence[Chunk]) -> Things:
        """Learn from all chunks of a collection.

        >>> paths = [(name, role) for name in ("Reed", "Rush", "Sedge") for role in ("Fares", "Crew")]
        >>> Things.of([Chunk(role, "", role, headings=(name, role)) for name, role in paths]).name(
        ...     Chunk("c", "", "Fares (2)", headings=("Reed", "Fares"))
        ... )
        'Reed'
        """
        things = cls(roles_of(chunks))
        labels: dict[_Path, set[Tokens]] = {}
        for chunk in chunks:
            if found := labels_of(chunk):
                labels.setdefault(things._path(chunk), set()).update(found)
        having = Counter(label for own in labels.values() for label in own)
        return cls(things.roles, {path: max(having[label] for label in own) for path, own in labels.items()})

    def name(self, chunk: Chunk) -> str:
        """What a chunk is about: its title, or, where that is a role, the nearest heading above it that is none."""
        path = self._path(chunk)
        return path[-1] if self._is_role(chunk.title) and path else chunk.title

    def within(self, chunk: Chunk) -> int:
        """How many of the headings of a chunk name a thing that it tells of a part of; 0 for a thing of its own."""
        path = self._path(chunk)
        own = self.common.get(path, 0)
        wholes = (n for n in range(1, len(path)) if self.common.get(path[:n], 0) >= max(_FEWEST, own))
        return max(wholes, default=0)

    def _path(self, chunk: Chunk) -> _Path:
        """The headings down to the name of what a chunk is about; the outermost is never a role."""
        path = chunk.headings
        while path[1:] and self._is_role(path[-1]):
            path = path[:-1]
        return path

    def _is_role(self, title: str) -> bool:
        return phrase(without_part(title)) in self.roles


def labels_of(chunk: Chunk) -> set[Tokens]:
    """The labels of the records of a chunk, in their normal form."""
    return {phrase(row[0]) for table in chunk.tables if table.is_record for row in table.rows}


def roles_of(chunks: Iterable[Chunk]) -> frozenset[Tokens]:
    """The headings, in their normal form, that tell what stands below them and not whose it is."""
    under: dict[Tokens, set[_Path]] = {}
    pages: dict[_Path, set[str]] = {}
    for source, path in {(chunk.source, path) for chunk in chunks for path in _paths(chunk)}:
        under.setdefault(phrase(path[-1]), set()).add(path[:-1])
        pages.setdefault(path[:-1], set()).add(source)
    several = {heading: paths for heading, paths in under.items() if heading and len(paths) >= _FEWEST}
    below = Counter(path for paths in several.values() for path in paths)
    found = set()
    for heading, paths in several.items():
        on = {page for path in paths for page in pages[path]}
        weight = _PAGES if len(on) >= len(paths) else 1
        if weight * len(paths) >= _usual(below, paths):
            found.add(heading)
    return frozenset(found)


def _paths(chunk: Chunk) -> Iterator[_Path]:
    """The path of each heading above a chunk that stands under another."""
    return (chunk.headings[:depth] for depth in range(2, len(chunk.headings) + 1))


def _usual(below: Counter[_Path], paths: Iterable[_Path]) -> float:
    """How many headings that come back elsewhere some names have, on the average."""
    counts = [below[path] for path in paths]
    return sum(counts) / len(counts)
