"""The catalog of several collections is made from their catalogs, and is that of all their chunks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrieval.catalogs.catalog import Catalog, merged
from retrieval.types import Chunk, QueryMust, RangeRule, Table
from tests.retrieval.books import together

TITLES = st.sampled_from(["Owlbear", "owlbears", "Black Dragon", "Dragon, Black", "Orc", "orcs", "Fighters", "Matrix"])
TERMS = st.sampled_from(["orc", "Orcs", "fighter", "dragon, black", "black dragons", "armor class 3", "owlbear"])


def listing(head: str) -> st.SearchStrategy[Table]:
    """Tables that list things, one a row."""
    names = st.lists(TITLES, min_size=1, max_size=3, unique=True)
    return names.map(lambda rows: Table("", (("Name",), (head,)), tuple((name, "3") for name in rows)))


CHUNKS = st.builds(
    Chunk,
    id=st.sampled_from(["a", "b", "c/1", "z"]),
    text=st.just(""),
    title=TITLES,
    source=st.sampled_from(["", "one.md", "two.md", "rules:one.md"]),
    chunk_type=st.sampled_from(["section", "record", "table", "row"]),
    tags=st.lists(st.sampled_from(["combat", "class"]), unique=True).map(tuple),
    query_must=st.none()
    | st.builds(
        QueryMust,
        contain_one_of=st.lists(st.lists(TERMS, min_size=1, max_size=3).map(tuple), max_size=2).map(tuple),
        contain_range=st.none()
        | st.builds(RangeRule, st.just(1), st.just(3), st.sampled_from([(), ("level",), ("ac",)])),
    ),
    tables=st.lists(listing("Hit Dice") | listing("Damage"), max_size=2).map(tuple),
)
LIBRARIES = st.dictionaries(
    st.sampled_from(["rules", "rules2", "rul", "Monsters"]),
    st.lists(CHUNKS, max_size=4, unique_by=lambda chunk: chunk.id),
    min_size=1,
)


@given(LIBRARIES)
def test_merged_catalogs_are_the_catalog_of_all_chunks(books: dict[str, list[Chunk]]) -> None:
    catalogs = {name: Catalog.from_chunks(chunks) for name, chunks in books.items()}

    assert Catalog.from_chunks(together(books)) == merged(catalogs)


@given(LIBRARIES)
def test_a_catalog_survives_being_written(books: dict[str, list[Chunk]]) -> None:
    catalog = Catalog.from_chunks(together(books))

    assert catalog == Catalog.from_json(catalog.to_json())
