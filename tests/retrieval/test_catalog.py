"""The catalog names what a collection holds."""

from __future__ import annotations

from dataclasses import replace

from retrieval.catalogs.catalog import Catalog
from retrieval.types import Chunk, QueryMust, Table

FIGHTER = Chunk("c1", "a", "The Fighter", "book.md", tags=("class",), tables=(Table("", ((), ()), ()),))
MATRIX = Chunk(
    "c2",
    "b",
    "Matrix",
    "book.md",
    chunk_type="row",
    tags=("class", "combat"),
    query_must=QueryMust(contain_one_of=(("fighter", "ranger"), ("armor class 3",))),
)


def test_it_counts_types_tags_sources_tables_and_rules() -> None:
    catalog = Catalog.from_chunks([MATRIX, FIGHTER])

    assert 2 == catalog.chunks
    assert {"row": 1, "section": 1} == catalog.chunk_types
    assert {"class": 2, "combat": 1} == catalog.tags
    assert {"book.md": 2} == catalog.sources
    assert (1, 1) == (catalog.rules, catalog.tables)


def test_the_vocabulary_is_what_the_rules_are_about() -> None:
    catalog = Catalog.from_chunks([MATRIX, replace(MATRIX, id="c3"), FIGHTER])

    assert ("armor class 3", "fighter", "ranger") == catalog.vocabulary
    assert (("armor class 3",), ("fighter", "ranger")) == catalog.groups


def test_titles_are_found_whatever_their_order_and_number() -> None:
    catalog = Catalog.from_chunks([Chunk("c1", "a", "Dragon, Black"), Chunk("c2", "b", "Black Dragons"), FIGHTER])
    title = catalog.title("black dragon")

    assert title is not None
    assert ("Dragon, Black", ("c1", "c2")) == (title.text, title.ids)
    assert None is catalog.title("owlbear")


def test_the_order_of_chunks_does_not_matter_and_none_are_fine() -> None:
    assert Catalog.from_chunks([FIGHTER, MATRIX]) == Catalog.from_chunks([MATRIX, FIGHTER])
    assert Catalog() == Catalog.from_chunks([])
