"""The outline of a collection: its folders, files and headings, as deep as a few lines allow.

A collection of a thousand pages is outlined by folders, a single book by chapters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from retrieval.types import Chunk

MOST_PARTS = 12
"""The most lines of an outline; the deepest level with no more is used."""
_DEEPEST = 8
_JOINT = " / "


def outline_of(chunks: Iterable[Chunk]) -> dict[str, int]:
    """Return the parts of a collection in order, with the number of chunks in each.

    The common parent of all parts is left out of their names.

    >>> headings = ["Boats", "Crew"]
    >>> outline_of([Chunk(f"c{n}", "", each, "rules.md", ("Rules", each)) for n, each in enumerate(headings)])
    {'Boats': 1, 'Crew': 1}
    """
    paths = [_path(chunk) for chunk in chunks]
    told: Counter[tuple[str, ...]] = Counter()
    for depth in range(1, _DEEPEST):
        parts = Counter(path[:depth] for path in paths)
        if told and len(parts) > MOST_PARTS:
            break
        told = parts
    common = _shared(list(told))
    return {_JOINT.join(path[common:]): told[path] for path in sorted(told) if path[common:]}


def merged_outlines(outlines: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """Return the outline of several collections: the parts of each, prefixed by its name.

    >>> merged_outlines({"rules": {"Boats": 1, "Crew": 1}, "notes": {"Tides": 4}})
    {'rules / Boats': 1, 'rules / Crew': 1, 'notes / Tides': 4}
    """
    return {_JOINT.join((name, part)): count for name, parts in outlines.items() for part, count in parts.items()}


def _path(chunk: Chunk) -> tuple[str, ...]:
    """Return the folders, the file and the headings that contain a chunk."""
    source = PurePath(chunk.source)
    file = (source.stem,) if source.stem else ()
    return (*source.parts[:-1], *file, *chunk.headings)


def _shared(paths: list[tuple[str, ...]]) -> int:
    """Return the length of the prefix that all paths share; a single path keeps its last part."""
    if not paths:
        return 0
    shortest = min(map(len, paths)) - 1
    return next((n for n in range(shortest) if len({path[n] for path in paths}) > 1), shortest)
