"""What a collection holds, so that a planner can name what is really there.

It is made once from the chunks and never changes: titles by their normal form, types, tags, sources, and the words
that the chunks' own rules are about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import orjson

from retrieval.kinds import families_of, kinds_of, merged_families, merged_kinds
from retrieval.naming import Naming, namings
from retrieval.spans import read_label
from retrieval.text import phrase, title_key
from retrieval.types import Chunk, Table

_OTHER_NAME = re.compile(r"\s*\([^()]*\)$")
"""The bracket of *Axe Beak (Phorusrhacid)*."""


@dataclass(frozen=True, slots=True)
class Title:
    """A title as it is written, and the ids of the chunks that have it."""

    text: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Catalog:
    """The contents of a collection. The mappings of counts hold how many chunks each name has.

    `titles` is by `title_key`. `vocabulary` holds the terms of all `contain_one_of` groups, `groups` the distinct
    groups themselves; both sorted. `names` are who can be asked about, by `title_key`: the titles of records, the terms
    of rules that are no numbers, and the rows of tables that give hit dice. `records` are the keys of those that are
    titles of records. `things` are the rows of other reference tables, weapons for instance. `axes` are the terms of a
    name's range rules: what its tables are keyed by. `kinds` has the ids and titles of the tables and stat blocks of a
    kind, `families` the names that are of a kind and have tables of their own; an empty entry is one of too many.
    `holders` are the titles of the tables that have a name in one of their rows. `creatures` are the keys of the names
    that have an armor class and hit dice, in a stat block or a row.
    """

    chunks: int = 0
    titles: Mapping[str, Title] = field(default_factory=dict)
    chunk_types: Mapping[str, int] = field(default_factory=dict)
    tags: Mapping[str, int] = field(default_factory=dict)
    sources: Mapping[str, int] = field(default_factory=dict)
    vocabulary: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    things: Mapping[str, str] = field(default_factory=dict)
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rules: int = 0
    tables: int = 0
    records: tuple[str, ...] = ()
    kinds: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    families: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    holders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    creatures: tuple[str, ...] = ()

    @classmethod
    def from_chunks(cls, chunks: Iterable[Chunk]) -> Catalog:
        """Return the catalog of these chunks, whatever their order.

        >>> Catalog.from_chunks([Chunk("c1", "…", "The Fighters")]).chunk_types
        {'section': 1}
        """
        known = sorted(chunks, key=lambda chunk: chunk.id)
        groups = {group for chunk in known if chunk.query_must for group in chunk.query_must.contain_one_of}
        return cls(
            chunks=len(known),
            titles=_titles(known),
            chunk_types=_counts(chunk.chunk_type for chunk in known),
            tags=_counts(tag for chunk in known for tag in chunk.tags),
            sources=_counts(chunk.source for chunk in known if chunk.source),
            vocabulary=tuple(sorted({term for group in groups for term in group})),
            groups=tuple(sorted(groups)),
            names=_names(known, groups),
            things=_row_names(known, creatures=False),
            axes=_axes(known),
            rules=sum(chunk.query_must is not None for chunk in known),
            tables=sum(len(chunk.tables) for chunk in known),
            records=tuple(sorted({title_key(chunk.title) for chunk in known if _is_described(chunk)})),
            kinds=kinds_of(known),
            families=families_of(known),
            holders=_holders(known),
            creatures=tuple(sorted(set(_creatures(known)))),
        )

    def to_json(self) -> bytes:
        """Return the catalog as JSON."""
        return orjson.dumps(self)

    @classmethod
    def from_json(cls, data: bytes) -> Catalog:
        """Return the catalog that `to_json` wrote; `ValueError` when it did not.

        >>> Catalog.from_json(Catalog().to_json()) == Catalog()
        True
        """
        try:
            found = orjson.loads(data)
            found["titles"] = {key: Title(one["text"], tuple(one["ids"])) for key, one in found["titles"].items()}
            found["vocabulary"] = tuple(found["vocabulary"])
            found["groups"] = tuple(map(tuple, found["groups"]))
            found["axes"] = {name: tuple(axes) for name, axes in found["axes"].items()}
            found["records"] = tuple(found.get("records", ()))
            found["creatures"] = tuple(found.get("creatures", ()))
            found["families"] = {kind: tuple(names) for kind, names in found.get("families", {}).items()}
            found["holders"] = {name: tuple(titles) for name, titles in found.get("holders", {}).items()}
            return cls(**found)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a catalog: {error!r}") from error

    def title(self, name: str) -> Title | None:
        """Return the title that `name` means, order and plurals aside; `None` when no chunk has it."""
        return self.titles.get(title_key(name))


def merged(catalogs: Mapping[str, Catalog]) -> Catalog:
    """Return the catalog of several collections read as one, from those of each by its name.

    It is that of all their chunks, called as `retrieval.naming` says; none of them is looked at.

    >>> one, two = (Catalog.from_chunks([Chunk("c1", "", title)]) for title in ("Owlbear", "Owlbears"))
    >>> merged({"rules": one, "monsters": two}).titles
    {'owlbear': Title(text='Owlbears', ids=('monsters:c1', 'rules:c1'))}
    """
    names = namings({name: catalog.sources for name, catalog in catalogs.items()})
    # In the order in which all chunks together would be read: that of their ids.
    parts = [(naming, catalogs[naming.collection]) for naming in sorted(names, key=lambda naming: naming.prefix)]
    known = [catalog for _, catalog in parts]
    vocabulary = sorted({term for catalog in known for term in catalog.vocabulary})
    return Catalog(
        chunks=sum(catalog.chunks for catalog in known),
        titles=_merged_titles(parts),
        chunk_types=_added(item for catalog in known for item in catalog.chunk_types.items()),
        tags=_added(item for catalog in known for item in catalog.tags.items()),
        sources=_added((naming.source(name), n) for naming, catalog in parts for name, n in catalog.sources.items()),
        vocabulary=tuple(vocabulary),
        groups=tuple(sorted({group for catalog in known for group in catalog.groups})),
        names=_merged_names(known, vocabulary),
        things={key: name for catalog in known for key, name in catalog.things.items()},
        axes=_merged_axes(catalog.axes for catalog in known),
        rules=sum(catalog.rules for catalog in known),
        tables=sum(catalog.tables for catalog in known),
        records=tuple(sorted({key for catalog in known for key in catalog.records})),
        kinds=merged_kinds(
            {key: {naming.id(id_): title for id_, title in ids.items()} for key, ids in catalog.kinds.items()}
            for naming, catalog in parts
        ),
        families=merged_families(catalog.families for catalog in known),
        holders=_merged_axes(catalog.holders for catalog in known),
        creatures=tuple(sorted({key for catalog in known for key in catalog.creatures})),
    )


def _merged_titles(parts: Iterable[tuple[Naming, Catalog]]) -> dict[str, Title]:
    found: dict[str, Title] = {}
    for naming, catalog in parts:
        for key, title in catalog.titles.items():
            earlier = found.get(key, Title(title.text, ()))
            found[key] = Title(earlier.text, (*earlier.ids, *map(naming.id, title.ids)))
    return dict(sorted(found.items()))


def _merged_names(catalogs: Sequence[Catalog], vocabulary: Iterable[str]) -> dict[str, str]:
    """As in one catalog: written as a record's title is, else as a rule's term, else as a table's row."""
    rows = {key: name for catalog in catalogs for key, name in catalog.names.items()}
    titles = {key: catalog.names[key] for catalog in catalogs for key in catalog.records}
    return rows | _terms(vocabulary) | titles


def _merged_axes(parts: Iterable[Mapping[str, Iterable[str]]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for part in parts:
        for name, axes in part.items():
            found.setdefault(name, {}).update(dict.fromkeys(axes))
    return {name: tuple(axes) for name, axes in found.items()}


def _names(chunks: Sequence[Chunk], groups: Iterable[tuple[str, ...]]) -> dict[str, str]:
    titles = {title_key(chunk.title): chunk.title for chunk in chunks if _is_described(chunk)}
    across = {title_key(name): name for chunk in chunks for table in chunk.tables for name in _fighting(chunk, table)}
    return _row_names(chunks, creatures=True) | across | _terms(term for group in groups for term in group) | titles


def _is_described(chunk: Chunk) -> bool:
    """A stat block, or several side by side: then the hit dice are a row."""
    columns = (row[0] for table in chunk.tables if chunk.chunk_type == "table" for row in table.rows)
    return chunk.chunk_type == "record" or any(phrase(label) == ("hit dice",) for label in columns)


def _holders(chunks: Sequence[Chunk]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    held = ((chunk, table) for chunk in chunks if chunk.chunk_type == "table" for table in chunk.tables)
    for chunk, table in held:
        names = [row[0].strip(" *†‡") for row in table.rows] if _names_things(table) else []
        for name in filter(_is_name, names):
            found.setdefault(title_key(name), {})[chunk.title] = None
    return {name: tuple(titles) for name, titles in sorted(found.items())}


def _creatures(chunks: Iterable[Chunk]) -> Iterator[str]:
    held = ((chunk, table) for chunk in chunks for table in chunk.tables)
    for chunk, table in held:
        if _have_combat_stats(row[0] for row in table.rows):
            yield from map(title_key, (chunk.title, _OTHER_NAME.sub("", chunk.title), *_side_by_side(table)))
        elif _have_combat_stats(" ".join(path) for path in table.columns) and _names_things(table):
            yield from (title_key(row[0].strip(" *†‡")) for row in table.rows if _is_name(row[0]))


def _fighting(chunk: Chunk, table: Table) -> list[str]:
    is_block = table.is_record and _have_combat_stats(row[0] for row in table.rows)
    return [_OTHER_NAME.sub("", chunk.title)] if is_block else _side_by_side(table)


def _side_by_side(table: Table) -> list[str]:
    """The names across stat blocks that stand side by side in one table."""
    across = not table.is_record and len(table.columns) > 2 and _have_combat_stats(row[0] for row in table.rows)
    return [path[-1] for path in table.columns[1:] if path and _is_name(path[-1])] if across else []


def _have_combat_stats(labels: Iterable[str]) -> bool:
    words = [phrase(label) for label in labels]
    has_class = any("armor class" in label or label == ("armor",) for label in words)
    return has_class and any("hit dice" in label for label in words)


def _terms(terms: Iterable[str]) -> dict[str, str]:
    """The terms of rules that can be names, for they are no numbers."""
    return {title_key(term): term for term in sorted(set(terms)) if not any(map(str.isdigit, term))}


def _row_names(chunks: Sequence[Chunk], creatures: bool) -> dict[str, str]:
    """The names down the first column of reference tables, of those with a hit dice column or of the others."""
    tables = [
        table for chunk in chunks if chunk.chunk_type == "table" for table in chunk.tables if _names_things(table)
    ]
    chosen = [t for t in tables if any("hit dice" in phrase(" ".join(path)) for path in t.columns) is creatures]
    names = [row[0].strip(" *†‡") for table in chosen for row in table.rows]
    return {title_key(name): name for name in names if _is_name(name)}


def _names_things(table: Table) -> bool:
    """Rows that are things: different words down the first column, mostly values beside them."""
    if table.is_record or len(table.rows) < 2 or len(table.columns) < 2 or not table.columns[0]:
        return False
    keys = [row[0] for row in table.rows]
    cells = [cell for row in table.rows for cell in row[1:] if cell.strip()]
    valued = sum(any(map(str.isdigit, cell)) for cell in cells) >= 0.4 * max(1, len(cells))
    names = [read_label(key.strip(" *")).name for key in keys if _is_name(key)]
    return valued and len(set(keys)) == len(keys) and len(names) >= 0.8 * len(keys) and len(set(names)) > 1


def _is_name(text: str) -> bool:
    """*Mule*, and *Barge 40* beside it, but no bare number: a column of nothing but levels has one name for all."""
    return text[:1].isalpha() and len(text) > 1 and len(text.split()) <= 4 and bool(read_label(text.strip(" *")).name)


def _axes(chunks: Iterable[Chunk]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for chunk in chunks:
        rule = chunk.query_must
        if rule and rule.contain_range and rule.contain_range.of and rule.contain_one_of:
            for term in rule.contain_one_of[0]:
                found.setdefault(title_key(term), {})[rule.contain_range.of[0]] = None
    return {name: tuple(axes) for name, axes in found.items()}


def _titles(chunks: Iterable[Chunk]) -> dict[str, Title]:
    grouped: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        grouped.setdefault(title_key(chunk.title), []).append(chunk)
    return {key: Title(same[0].title, tuple(chunk.id for chunk in same)) for key, same in sorted(grouped.items())}


def _counts(names: Iterable[str]) -> dict[str, int]:
    return _added((name, 1) for name in names)


def _added(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for name, count in counts:
        total[name] += count
    return dict(sorted(total.items()))
