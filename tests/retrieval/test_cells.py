"""Cells by name: which tables and records have a name, and where in them it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import StoreError
from retrieval.ingest.chunks import build_chunks
from retrieval.readers.documents.sections import Source
from retrieval.readers.markdown.reader import parse
from retrieval.stores.naming import Naming
from retrieval.tables.asked import Key, NameRequest
from retrieval.tables.bind import Binding, best, candidates
from retrieval.tables.index import CellIndex, Cells
from retrieval.tables.names import name_keys, short_spans_of, spans_of
from retrieval.tables.union import UnionCells
from retrieval.tables.writing import Kind
from retrieval.text.normal import normal
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
    return best(candidates(index, NameRequest(name_keys(name)[0], normal(words), keys)))


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

    assert "9%" == found.cell.text


def test_a_number_on_another_axis_chooses_nothing(index: CellIndex) -> None:
    assert [] == bound(index, "yield by grade", "waste", Key(("week",), "5"))


def test_rows_know_the_group_they_stand_in(index: CellIndex) -> None:
    (found,) = bound(index, "oak", "price")

    assert ("Hard woods", "Oak") == found.cell.row_path
    assert "Hard woods Oak / Price = 9 kr" == found.cell.quote


def test_a_word_that_no_cell_tells_is_left_over(index: CellIndex) -> None:
    assert {("smell",)} == {found.unmatched_words for found in bound(index, "oak", "smell")}


def test_an_index_in_a_file_reads_as_one_in_memory(yard: list[Chunk], index: CellIndex, tmp_path: Path) -> None:
    CellIndex.build(yard, tmp_path / "cells").close()
    read = CellIndex.open(tmp_path / "cells")

    assert index.places(["oak", "price"]) == read.places(["oak", "price"])
    assert index.heads == read.heads
    read.close()


def test_the_places_of_a_name_are_those_of_the_kinds_that_are_wanted() -> None:
    table = Table("Oak", (("Wood",), ("Oak",)), (("Oak", "3"), ("Elm", "4")))
    record = Table("", ((), ()), (("Oak", "5"),))
    index = CellIndex.build([Chunk("c", "", "Oak", tables=(table, record))])
    every = index.places(["oak"])
    assert {Kind.ROW, Kind.CAPTION, Kind.COLUMN, Kind.LABEL} < {place.kind for place in every}
    for kinds in ((Kind.ROW, Kind.TITLE), (Kind.COLUMN,), (Kind.LABEL, Kind.ROW)):
        assert [place for place in every if place.kind in kinds] == index.places(["oak"], kinds)


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
    assert {"oak", "ash"} == both.known_names(["oak", "ash", "fir"])


@given(st.lists(st.sampled_from("oak red pine m5.xlarge of the a 7 saw , winter".split()), max_size=14))
def test_every_stretch_that_is_a_name_is_found(tokens: list[str]) -> None:
    spans = spans_of(tuple(tokens))

    for key, places in spans.items():
        for start, end in places:
            *before, last = tokens[start:end]
            said = [token for token in before if token not in ("a", "the", ",")]
            said += [last] if last not in ("the", ",") else []  # an *a* that a name ends with is a letter
            assert key in {" ".join(sorted(said)), "".join(said), "".join(reversed(said))}


ZOO = """# Zoo

| Model | Params (M) | Top-1 (%) | Top-5 (%) |
|---|---|---|---|
| fir-256_3rdparty_in1k | 18.9 | 81.6 | 95.4 |
| fir121_8xb32_in1k | 7.9 | 74.9 | 92.2 |
| elm-b_8xb32_in1k | 5.0 | 70.1 | 90.0 |
| elm-b_4xb32_in1k | 5.0 | 71.2 | 90.5 |

# Pads

| Value | Identifier | Pin |
|---|---|---|
| 1 | LED0 | PC14 |
| 2 | BEEPER | PC13 |
"""


@pytest.fixture(scope="module")
def zoo() -> CellIndex:
    return CellIndex.build(build_chunks([Source("zoo.md", parse(ZOO, []))]))


def named(index: CellIndex, question: str) -> list[str]:
    tokens = tuple(normal(question))
    return sorted(index.known_names([*spans_of(tokens), *short_spans_of(tokens)]))


@pytest.mark.parametrize(
    ("question", "name"),
    [("how large is Fir-256", "~fir 256"), ("fir 121", "~fir 121"), ("fir121_8xb32_in1k", "fir121_8xb32_in1k")],
)
def test_an_identifier_is_found_by_its_first_parts(zoo: CellIndex, question: str, name: str) -> None:
    assert name in named(zoo, question)


def test_a_short_form_of_one_name_has_its_cells_and_that_of_several_has_none(zoo: CellIndex) -> None:
    asked = ("parameter",)

    assert ["18.9"] == [found.cell.text for found in best(candidates(zoo, NameRequest("~fir 256", asked)))]
    assert [] == candidates(zoo, NameRequest("~elm b 8", asked)) == candidates(zoo, NameRequest("~elm b", asked))


def test_a_number_in_a_label_is_no_number_that_chooses_a_row(zoo: CellIndex) -> None:
    (found,) = best(candidates(zoo, NameRequest("fir121_8xb32_in1k", ("accuracy",), (Key(("top", "accuracy"), "1"),))))

    assert "74.9" == found.cell.text


def test_a_row_with_a_number_for_its_key_is_named_by_the_cell_beside_it(zoo: CellIndex) -> None:
    (found,) = best(candidates(zoo, NameRequest("beeper", ("pin",))))

    assert ("PC13", ("2", "BEEPER")) == (found.cell.text, found.cell.row_path)
