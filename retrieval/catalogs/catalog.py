"""The catalog of a collection: its contents, from which a planner takes existing names.

It is built once from the chunks and immutable: titles in normal form, types, tags, sources, and the terms of the
chunks' rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import orjson

from retrieval.catalogs.outline import merged_outlines, outline_of
from retrieval.catalogs.shapes import Shape, across_of, merged_shapes, names_down, reference_tables, rows_of, shapes_of
from retrieval.catalogs.titles import Title, Titles
from retrieval.processes.memory import uncollected
from retrieval.stores.naming import Naming, namings
from retrieval.text.normal import title_key
from retrieval.types import Chunk


@dataclass(frozen=True, slots=True)
class Catalog:
    """The contents of a collection. Mappings to numbers count the chunks with each name.

    `titles` is keyed by `title_key`. `vocabulary` has the terms of all `contain_one_of` groups, `groups` the distinct
    groups; both are sorted. Also keyed by `title_key`, with names as written: `records`, the titles of records; `rows`,
    the names in the first column of reference tables; `across`, the names in the heads of tables whose rows are labels;
    `terms`, the terms of rules that are not numbers. `shapes` group the names that have values under the same labels.
    `axes` are the terms of a name's range rules: the keys of its tables. `holders` are the titles of the tables with a
    name in one of their rows.

    `outline` has the parts of the collection with their numbers of chunks; it is for display, and two catalogs of the
    same chunks may differ in it.
    """

    chunks: int = 0
    titles: Mapping[str, Title] = field(default_factory=dict)
    chunk_types: Mapping[str, int] = field(default_factory=dict)
    tags: Mapping[str, int] = field(default_factory=dict)
    sources: Mapping[str, int] = field(default_factory=dict)
    vocabulary: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    records: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, str] = field(default_factory=dict)
    across: Mapping[str, str] = field(default_factory=dict)
    shapes: tuple[Shape, ...] = ()
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rules: int = 0
    tables: int = 0
    holders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    outline: Mapping[str, int] = field(default_factory=dict, compare=False)

    @property
    def terms(self) -> dict[str, str]:
        """The terms of rules that can be names, since they are not numbers, by `title_key`."""
        return {title_key(term): term for term in self.vocabulary if not any(map(str.isdigit, term))}

    @classmethod
    def from_chunks(cls, chunks: Iterable[Chunk]) -> Catalog:
        """Return the catalog of these chunks, independent of their order.

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
            records={title_key(chunk.title): chunk.title for chunk in known if chunk.chunk_type == "record"},
            rows=rows_of(known),
            across=across_of(known),
            shapes=shapes_of(known),
            axes=_axes(known),
            rules=sum(chunk.query_must is not None for chunk in known),
            tables=sum(len(chunk.tables) for chunk in known),
            holders=_holders(known),
            outline=outline_of(known),
        )

    def to_json(self) -> bytes:
        """Return the catalog as JSON."""
        content = {each.name: getattr(self, each.name) for each in fields(self)}
        return orjson.dumps(content | {"titles": Titles.of(self.titles).columns()})

    @classmethod
    def from_json(cls, data: bytes) -> Catalog:
        """Return the catalog that `to_json` wrote; `ValueError` if it is something else.

        JSON of another version of this code may have more or fewer entries.

        >>> Catalog.from_json(Catalog().to_json()) == Catalog()
        True
        """
        try:
            with uncollected():
                return cls._read(orjson.loads(data))
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a catalog: {error!r}") from error

    @classmethod
    def _read(cls, found: dict[str, Any]) -> Catalog:
        found["titles"] = Titles.from_columns(found["titles"])
        found["vocabulary"] = tuple(found["vocabulary"])
        found["groups"] = tuple(map(tuple, found["groups"]))
        found["axes"] = {name: tuple(axes) for name, axes in found["axes"].items()}
        found["shapes"] = tuple(Shape(**{key: tuple(each[key]) for key in each}) for each in found["shapes"])
        found["holders"] = {name: tuple(titles) for name, titles in found["holders"].items()}
        return cls(**{each.name: found[each.name] for each in fields(cls) if each.name in found})

    def title(self, name: str) -> Title | None:
        """Return the title that `name` means, ignoring order and plurals; `None` if no chunk has it."""
        return self.titles.get(title_key(name))


def tell_alike(one: Chunk, other: Chunk) -> bool:
    """Return True if the catalog is the same with either of two chunks with one id.

    >>> tell_alike(Chunk("c1", "An owl.", "Owl"), Chunk("c1", "A bird.", "Owl"))
    True
    """
    places = [(chunk.source, chunk.headings) for chunk in (one, other)]
    return places[0] == places[1] and Catalog.from_chunks([one]) == Catalog.from_chunks([other])


def merged(catalogs: Mapping[str, Catalog]) -> Catalog:
    """Return the catalog of several collections read as one, from the catalog of each by name.

    It equals that of all their chunks, named as in `retrieval.stores.naming`; no chunk is read.

    >>> one, two = (Catalog.from_chunks([Chunk("c1", "", title)]) for title in ("Owlbear", "Owlbears"))
    >>> merged({"rules": one, "monsters": two}).titles
    {'owlbear': Title(text='Owlbears', ids=('monsters:c1', 'rules:c1'))}
    """
    names = namings({name: catalog.sources for name, catalog in catalogs.items()})
    # In the order of all chunks together, that of their ids.
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
        records={key: name for catalog in known for key, name in catalog.records.items()},
        rows={key: name for catalog in known for key, name in catalog.rows.items()},
        across={key: name for catalog in known for key, name in catalog.across.items()},
        shapes=merged_shapes(catalog.shapes for catalog in known),
        axes=_merged_axes(catalog.axes for catalog in known),
        rules=sum(catalog.rules for catalog in known),
        tables=sum(catalog.tables for catalog in known),
        holders=_merged_axes(catalog.holders for catalog in known),
        outline=merged_outlines({name: catalog.outline for name, catalog in catalogs.items()}),
    )


def _merged_titles(parts: Iterable[tuple[Naming, Catalog]]) -> dict[str, Title]:
    found: dict[str, Title] = {}
    for naming, catalog in parts:
        for key, title in catalog.titles.items():
            earlier = found.get(key, Title(title.text, ()))
            found[key] = Title(earlier.text, (*earlier.ids, *map(naming.id, title.ids)))
    return dict(sorted(found.items()))


def _merged_axes(parts: Iterable[Mapping[str, Iterable[str]]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for part in parts:
        for name, axes in part.items():
            found.setdefault(name, {}).update(dict.fromkeys(axes))
    return {name: tuple(axes) for name, axes in found.items()}


def _holders(chunks: Sequence[Chunk]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for chunk in chunks:
        for table in reference_tables(chunk):
            for key in names_down(table):
                found.setdefault(key, {})[chunk.title] = None
    return {name: tuple(titles) for name, titles in sorted(found.items())}


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
