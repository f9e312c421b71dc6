"""The owner of a section: a heading that recurs under many others is a role, and its section belongs to the thing
above.

*Key data*, *Specifications* and *Installation* stand on the page of every module; no question means one of them. The
roles are learnt. A heading is a role if it stands under several names, at least as many as the average number of
recurring headings below each of them. So four classes with three tables each do not become roles under *Attacks*,
*Saves* and *Costs*. If each name has a page of its own, half as many suffice.

Other headings below a thing are its parts: the *Filter* of a module has labels and values too, but is no module. A
thing has parts if its own labels recur in other records at least as often as those of its parts. The page of many
monsters is no such thing: its labels recur less than theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from retrieval.tables.names import without_part
from retrieval.text.normal import Tokens, phrase
from retrieval.types import Chunk

_FEWEST = 3
"""The fewest names under which a heading recurs, and the fewest records in which a label recurs."""
_PAGES = 2
"""The weight of a name that has a page of its own."""
_Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Things:
    """The roles of a collection, and for each thing with a record how many things share its most common label."""

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
        """Return the subject of a chunk: its title or, if that is a role, the nearest heading above that is none."""
        path = self._path(chunk)
        return path[-1] if self._is_role(chunk.title) and path else chunk.title

    def enclosing_heading_count(self, chunk: Chunk) -> int:
        """Return how many headings of a chunk name a thing of which it describes a part; 0 if it describes the
        whole.
        """
        path = self._path(chunk)
        own = self.common.get(path, 0)
        wholes = (n for n in range(1, len(path)) if self.common.get(path[:n], 0) >= max(_FEWEST, own))
        return max(wholes, default=0)

    def _path(self, chunk: Chunk) -> _Path:
        """Return the headings down to the name of the chunk's subject; the outermost heading is never a role."""
        path = chunk.headings
        while path[1:] and self._is_role(path[-1]):
            path = path[:-1]
        return path

    def _is_role(self, title: str) -> bool:
        return phrase(without_part(title)) in self.roles


def labels_of(chunk: Chunk) -> set[Tokens]:
    """Return the labels of a chunk's records in normal form."""
    return {phrase(row[0]) for table in chunk.tables if table.is_record for row in table.rows}


def roles_of(chunks: Iterable[Chunk]) -> frozenset[Tokens]:
    """Return the headings, in normal form, that are roles: they name a section, not its owner."""
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
    """Yield the path of each heading of a chunk that stands under another."""
    return (chunk.headings[:depth] for depth in range(2, len(chunk.headings) + 1))


def _usual(below: Counter[_Path], paths: Iterable[_Path]) -> float:
    """Return the average number of recurring headings below some names."""
    counts = [below[path] for path in paths]
    return sum(counts) / len(counts)
