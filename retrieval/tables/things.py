"""Whose a section is: a heading that stands under many others is a role, and what it heads is of the thing above it.

*Key data*, *Specifications* and *Installation* stand on the page of every module: no question means one of them. Which
headings are roles is learnt: one under several names, and under more of them than each has such headings, for of four
classes with three tables each it is the classes that come back under *Attacks*, *Saves* and *Costs*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from retrieval.tables.names import without_part
from retrieval.text.normal import Tokens, phrase
from retrieval.types import Chunk

_FEWEST = 3
"""Names that have a heading of one wording."""
_Path = tuple[str, ...]


def roles_of(chunks: Iterable[Chunk]) -> frozenset[Tokens]:
    """The headings, in their normal form, that tell what stands below them and not whose it is.

    >>> paths = [(name, role) for name in ("Reed", "Rush", "Sedge") for role in ("Fares", "Crew")]
    >>> chunks = [Chunk(role, "", role, headings=(name, role)) for name, role in paths]
    >>> sorted(roles_of(chunks))
    [('crew',), ('fare',)]
    """
    under: dict[Tokens, set[_Path]] = {}
    for path in {path for chunk in chunks for path in _paths(chunk)}:
        under.setdefault(phrase(path[-1]), set()).add(path[:-1])
    several = {heading: paths for heading, paths in under.items() if heading and len(paths) >= _FEWEST}
    below: dict[_Path, int] = {}
    for paths in several.values():
        for path in paths:
            below[path] = below.get(path, 0) + 1
    return frozenset(heading for heading, paths in several.items() if len(paths) >= _usual(below, paths))


def _paths(chunk: Chunk) -> Iterator[_Path]:
    """The path of each heading above a chunk that stands under another."""
    return (chunk.headings[:depth] for depth in range(2, len(chunk.headings) + 1))


def _usual(below: dict[_Path, int], paths: Iterable[_Path]) -> float:
    """How many headings that come back elsewhere some names have, on the average."""
    counts = [below[path] for path in paths]
    return sum(counts) / len(counts)


def thing_of(chunk: Chunk, roles: frozenset[Tokens]) -> str:
    """What a chunk is about: its title, or, where that is a role, the nearest heading above it that is none."""
    if not is_role(chunk.title, roles):
        return chunk.title
    return next(_names_above(chunk, roles), chunk.title)


def is_role(title: str, roles: frozenset[Tokens]) -> bool:
    """True for a title that many things have a section of."""
    return phrase(without_part(title)) in roles


def _names_above(chunk: Chunk, roles: frozenset[Tokens]) -> Iterator[str]:
    """The headings above a chunk that are names, from the inside out; the outermost is never a role."""
    for depth in range(len(chunk.headings) - 1, -1, -1):
        if not depth or not is_role(chunk.headings[depth], roles):
            yield chunk.headings[depth]
