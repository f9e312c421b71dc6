"""Which names of a collection are asked about, and which of them it describes whole.

The catalog tells which labels stand together and whose they are; which of the labels only a subject has, and which
describe it whole, is told by the vocabularies of the domains.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.catalogs.catalog import Catalog
from retrieval.catalogs.shapes import Shape
from retrieval.text.normal import phrase, title_key
from retrieval.text.vocabulary import vocabulary

_OTHER_NAME = re.compile(r"\s*\([^()]*\)$")
"""The bracket of *Axe Beak (Phorusrhacid)*."""


def described_in(catalog: Catalog) -> frozenset[str]:
    """The keys of the names that are described whole, in a record or a row."""
    whole = filter(_is_whole, catalog.shapes)
    return frozenset(key for shape in whole for key in (*shape.titles, *shape.across, *shape.down))


def labels_in(catalog: Catalog) -> dict[str, frozenset[str]]:
    """The labels under which names have values, by the names' keys."""
    found: dict[str, set[str]] = {}
    for shape in catalog.shapes:
        for key in (*shape.titles, *shape.across, *shape.down):
            found.setdefault(key, set()).update(shape.labels)
    return {key: frozenset(labels) for key, labels in found.items()}


def names_in(catalog: Catalog) -> dict[str, str]:
    """Who can be asked about, by `title_key`, as it is written.

    They are the titles of records and of blocks side by side, the terms of rules, and the names with a subject's label.
    """
    return {**_in_rows(catalog), **_in_blocks(catalog), **catalog.terms, **_described(catalog)}


def things_in(catalog: Catalog) -> dict[str, str]:
    """The rows of tables without a subject's label, goods for instance, by `title_key`, as they are written."""
    keys = {key for shape in catalog.shapes if not _is_of_subjects(shape) for key in shape.down}
    return {key: name for key, name in catalog.rows.items() if key in keys}


def _in_rows(catalog: Catalog) -> dict[str, str]:
    keys = {key for shape in catalog.shapes if _is_of_subjects(shape) for key in shape.down}
    return {key: name for key, name in catalog.rows.items() if key in keys}


def _in_blocks(catalog: Catalog) -> dict[str, str]:
    """The names of whole blocks, without their brackets, and those across blocks side by side."""
    whole = [shape for shape in catalog.shapes if _is_whole(shape)]
    titles = {key for shape in whole if not shape.across for key in shape.titles}
    written = {title_key(name): name for key, name in _bare_titles(catalog) if key in titles}
    across = {key for shape in whole for key in shape.across}
    return written | {key: name for key, name in catalog.across.items() if key in across}


def _bare_titles(catalog: Catalog) -> Iterator[tuple[str, str]]:
    for key, title in catalog.titles.items():
        yield key, _OTHER_NAME.sub("", title.text)


def _described(catalog: Catalog) -> dict[str, str]:
    """The titles of records, and of tables in which a subject's label is a row."""
    own = {phrase(label) for label in vocabulary().subjects}
    titles = {key for shape in catalog.shapes if own & set(map(phrase, shape.labels)) for key in shape.titles}
    in_tables = {key: catalog.titles[key].text for key in titles & catalog.titles.keys()}
    return {**in_tables, **catalog.records}


def _is_whole(shape: Shape) -> bool:
    """True for a shape with all labels of a stat line: who has them is a subject."""
    return any(all(_has(shape, term) for term in line) for line in vocabulary().stat_lines)


def _is_of_subjects(shape: Shape) -> bool:
    return _is_whole(shape) or any(_mentions(shape, label) for label in vocabulary().subjects)


def _has(shape: Shape, term: str) -> bool:
    """True where a label has the term, or is another word for it."""
    same = {phrase(word) for group in vocabulary().synonyms if term in group for word in group}
    return _mentions(shape, term) or not same.isdisjoint(map(phrase, shape.labels))


def _mentions(shape: Shape, term: str) -> bool:
    words = phrase(term)
    return any(set(words) <= set(phrase(label)) for label in shape.labels)
