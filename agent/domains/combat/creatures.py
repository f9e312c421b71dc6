"""Which names of a collection are creatures: those that it describes by an armor class and hit dice.

The catalog tells which labels stand together and whose they are; that those of a creature are these two is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.catalog import Catalog
from retrieval.shapes import Shape
from retrieval.text import phrase, title_key

_OTHER_NAME = re.compile(r"\s*\([^()]*\)$")
"""The bracket of *Axe Beak (Phorusrhacid)*."""


def creatures_in(catalog: Catalog) -> frozenset[str]:
    """The keys of the names with an armor class and hit dice, in a stat block or a row."""
    fighting = filter(_has_combat_stats, catalog.shapes)
    return frozenset(key for shape in fighting for key in (*shape.titles, *shape.across, *shape.down))


def names_in(catalog: Catalog) -> dict[str, str]:
    """Who can fight or be asked about, by `title_key`, as it is written.

    They are the titles of records and of stat blocks side by side, the terms of rules, and the names with hit dice.
    """
    return {**_with_hit_dice(catalog), **_in_blocks(catalog), **catalog.terms, **_described(catalog)}


def things_in(catalog: Catalog) -> dict[str, str]:
    """The rows of tables without hit dice, weapons for instance, by `title_key`, as they are written."""
    keys = {key for shape in catalog.shapes if not _mentions_hit_dice(shape) for key in shape.down}
    return {key: name for key, name in catalog.rows.items() if key in keys}


def _with_hit_dice(catalog: Catalog) -> dict[str, str]:
    keys = {key for shape in catalog.shapes if _mentions_hit_dice(shape) for key in shape.down}
    return {key: name for key, name in catalog.rows.items() if key in keys}


def _in_blocks(catalog: Catalog) -> dict[str, str]:
    """The names of stat blocks, without their brackets, and those across stat blocks side by side."""
    fighting = [shape for shape in catalog.shapes if _has_combat_stats(shape)]
    titles = {key for shape in fighting if not shape.across for key in shape.titles}
    written = {title_key(name): name for key, name in _bare_titles(catalog) if key in titles}
    across = {key for shape in fighting for key in shape.across}
    return written | {key: name for key, name in catalog.across.items() if key in across}


def _bare_titles(catalog: Catalog) -> Iterator[tuple[str, str]]:
    for key, title in catalog.titles.items():
        yield key, _OTHER_NAME.sub("", title.text)


def _described(catalog: Catalog) -> dict[str, str]:
    """The titles of records, and of tables in which the hit dice are a row."""
    titles = {key for shape in catalog.shapes if ("hit dice",) in map(phrase, shape.labels) for key in shape.titles}
    in_tables = {key: catalog.titles[key].text for key in titles & catalog.titles.keys()}
    return {**in_tables, **catalog.records}


def _has_combat_stats(shape: Shape) -> bool:
    labels = [phrase(label) for label in shape.labels]
    return _mentions_hit_dice(shape) and any("armor class" in label or label == ("armor",) for label in labels)


def _mentions_hit_dice(shape: Shape) -> bool:
    return any("hit dice" in phrase(label) for label in shape.labels)
