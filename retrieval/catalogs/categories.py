"""What a collection has of each kind: the tables that list all alloys, the classes that have tables of their own.

Only who knows everything of a kind may say which is the best of it. A kind is called as its tables, their first column
or the headings above them are: *Alloys*, *Weapon type*, *Character Classes*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import PurePath

from retrieval.text.normal import phrase
from retrieval.text.vocabulary import vocabulary
from retrieval.types import Chunk, Table

MOST = 60
"""A kind of more members than this has an empty entry; nobody reads them all for one question."""
_GENERIC = frozenset("table list chart type name the a an of and &".split())


def kind_keys(name: str) -> tuple[str, ...]:
    """What a kind is called: by all its words, and by the last of them.

    >>> kind_keys("Character Classes"), kind_keys("Armour Table 1")
    (('character class', 'class'), ('armor',))
    """
    words = [word for word in phrase(name) if word not in _GENERIC | _drawn() and word.isalpha()]
    return tuple(dict.fromkeys((" ".join(words), words[-1]))) if words else ()


@cache
def _drawn() -> frozenset[str]:
    """The heads of one word of a column from which chance draws: no kind of thing."""
    return frozenset(head for each in vocabulary().drawn if len(phrase(each)) == 1 for head in phrase(each))


def kinds_of(chunks: Iterable[Chunk]) -> dict[str, dict[str, str]]:
    """The reference tables and stat blocks of each kind, as id to title."""
    found: dict[str, dict[str, str]] = {}
    for chunk in chunks:
        if chunk.chunk_type in ("table", "record"):
            for key in {key for name in _names_of(chunk) for key in kind_keys(name)}:
                found.setdefault(key, {})[chunk.id] = chunk.title
    return {key: ids if len(ids) <= MOST else {} for key, ids in sorted(found.items())}


def _names_of(chunk: Chunk) -> Iterator[str]:
    """A table's own names and those above it; a stat block is one of what stands above it, or of what the file is."""
    if chunk.chunk_type == "table":
        yield chunk.title.split(" (")[0]
        for table in chunk.tables:
            yield table.caption
            yield from table.columns[0][-1:]
        yield from chunk.headings
    else:
        yield from chunk.headings[:-1]
        # Among several collections a source may have one's name before it; that is none of what the file is about.
        yield PurePath(chunk.source.rpartition(":")[2]).stem


def families_of(chunks: Iterable[Chunk]) -> dict[str, tuple[str, ...]]:
    """The names with tables of their own, by what stands above them and by what their tables have in common."""
    found: dict[str, dict[str, None]] = {}
    for chunk in chunks:
        if chunk.chunk_type != "row" or chunk.query_must is None or not chunk.query_must.contain_one_of:
            continue
        names = chunk.query_must.contain_one_of[0]
        for kind in (*chunk.headings, *(_common(table, names) for table in chunk.tables)):
            if not any(set(phrase(name)) & set(phrase(kind)) for name in names):
                for key in kind_keys(kind):
                    found.setdefault(key, {}).update(dict.fromkeys(names))
    return {key: tuple(names) if len(names) <= MOST else () for key, names in sorted(found.items())}


def _common(table: Table, names: Iterable[str]) -> str:
    """A caption without the names: *Docking Fees*."""
    own = {word for name in names for word in phrase(name)}
    return " ".join(word for word in phrase(table.caption) if word not in own)


def merged_kinds(parts: Iterable[Mapping[str, Mapping[str, str]]]) -> dict[str, dict[str, str]]:
    """The kinds of several collections, whose ids are told apart already."""
    found: dict[str, dict[str, str]] = {}
    many: set[str] = set()
    for kinds in parts:
        for key, ids in kinds.items():
            found.setdefault(key, {}).update(ids)
            many |= set() if ids else {key}
    return {key: {} if key in many or len(ids) > MOST else ids for key, ids in sorted(found.items())}


def merged_families(parts: Iterable[Mapping[str, Iterable[str]]]) -> dict[str, tuple[str, ...]]:
    """The families of several collections; a name that several have is one."""
    kinds = merged_kinds({key: dict.fromkeys(names, "") for key, names in families.items()} for families in parts)
    return {key: tuple(names) for key, names in kinds.items()}
