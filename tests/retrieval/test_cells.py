"""Cells by name: which tables and records have a name, and where in them it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import StoreError
from retrieval.ingest.chunks import Source, build_chunks
from retrieval.ingest.markdown import parse
from retrieval.naming import Naming
from retrieval.tables.bind import Asked, Binding, Key, best, candidates
from retrieval.tables.index import CellIndex, Cells
from retrieval.tables.names import name_keys, spans_of
from retrieval.tables.union import UnionCells
from retrieval.text import normal
from retrieval.types import Chunk, Table

YARD = """# Timber

| Plank | Width (mm) | Price |
|---|---|---|
| **Soft woods** |
| Larch | 20 | 4 kr |
| Pine, Red | 25 | 3 kr |
| **Hard woods** |
| Oak | 22 | 9 kr |

# Saws

## Band saw BX2.400

**Motor** 2 kW (3 hp)

**Blade** 2.4 m

## Yield by grade

| Grade | Boards | Waste |
|---|---|---|
| 1-3 | 40 | 5% |
| 4-6 | 31 | 9% |
"""


@pytest.fixture(scope="module")
def yard() -> list[Chunk]:
    return build_chunks([Source("yard.md", parse(YARD, []))])


@pytest.fixture(scope="module")
def index(yard: list[Chunk]) -> CellIndex:
    return CellIndex.build(yard)


def bound(index: Cells, name: str, words: str, *keys: Key) -> list[Binding]:
    return best(candidates(index, Asked(name_keys(name)[0], normal(words), keys)))


@pytest.mark.parametrize(
    ("name", "words", "value"),
    [
        ("oak", "price", "9 kr"),
        ("red pines", "width", "25"),
        ("band saw BX2.400", "blade", "2.4 m"),
        ("band saw BX2.400", "hp", "2 kW (3 hp)"),
    ],
)
def test_a_name_and_a_measure_find_one_cell(index: CellIndex, name: str, words: str, value: str) -> None:
    assert [value] == [binding.cell.text for binding in bound(index, name, words)]


def test_a_number_chooses_the_row_that_covers_it_on_the_axis_that_is_named(index: CellIndex) -> None:
    (found,) = bound(index, "yield by grade", "waste", Key(("grade",), "5"))

    assert ("9%", ()) == (found.cell.text, found.open_keys)


def test_a_number_on_another_axis_stays_open(index: CellIndex) -> None:
    key = Key(("week",), "5")

    assert {(key,)} == {found.open_keys for found in bound(index, "yield by grade", "waste", key)}


def test_rows_know_the_group_they_stand_in(index: CellIndex) -> None:
    (found,) = bound(index, "oak", "price")

    assert ("Hard woods", "Oak") == found.cell.row_path
    assert "Hard woods Oak / Price = 9 kr" == found.cell.quote


def test_a_word_that_no_cell_tells_is_left_over(index: CellIndex) -> None:
    assert {("smell",)} == {found.unheeded for found in bound(index, "oak", "smell")}


def test_an_index_in_a_file_reads_as_one_in_memory(yard: list[Chunk], index: CellIndex, tmp_path: Path) -> None:
    CellIndex.build(yard, tmp_path / "cells").close()
    read = CellIndex.open(tmp_path / "cells")

    assert index.places(["oak", "price"]) == read.places(["oak", "price"])
    assert index.heads == read.heads
    read.close()


def test_a_file_that_is_no_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cells").write_bytes(b"no database" * 100)

    with pytest.raises(StoreError, match="cells"):
        CellIndex.open(tmp_path / "cells")


def test_several_collections_are_read_as_one(yard: list[Chunk], index: CellIndex) -> None:
    price = Table("Planks", (("Plank",), ("Price",)), (("Ash", "7 kr"), ("Elm", "8 kr")))
    other = CellIndex.build([Chunk("c1", "", "Planks", "b.md", tables=(price,), chunk_type="table")])
    both = UnionCells([(Naming("yard"), index), (Naming("town"), other)])

    assert ["7 kr"] == [found.cell.text for found in bound(both, "ash", "price")]
    assert ["town:c1"] == [found.cell.chunk_id for found in bound(both, "ash", "price")]
    assert ["9 kr"] == [found.cell.text for found in bound(both, "oak", "price")]
    assert {"oak", "ash"} == both.known(["oak", "ash", "fir"])


@given(st.lists(st.sampled_from("oak red pine m5.xlarge of the a 7 saw , winter".split()), max_size=14))
def test_every_stretch_that_is_a_name_is_found(tokens: list[str]) -> None:
    spans = spans_of(tuple(tokens))

    for key, places in spans.items():
        for start, end in places:
            said = [token for token in tokens[start:end] if token not in ("a", "the", ",")]
            assert key in {" ".join(sorted(said)), "".join(said), "".join(reversed(said))}
