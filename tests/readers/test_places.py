"""Where something stands is told as its reader knows it: a box on the page of a PDF, cells of a workbook."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import openpyxl
import pdfplumber
import pytest
from reportlab.pdfgen.canvas import Canvas

from agent.render.data import citation_data
from agent.types import CellRef, Citation
from retrieval.ingest.read import read_sources
from retrieval.stores.metadata import decode, encode
from retrieval.types import Chunk
from tests.kit import answer, book_of
from tests.readers.making import cones, pdf, workbook


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("places")


@pytest.fixture(scope="module")
def printed(folder: Path) -> tuple[Chunk, ...]:
    return read_sources([pdf(folder / "kilns.pdf", cones(60))]).chunks


def text_in_box(path: Path, citation: Citation) -> str:
    """What stands in the box of a citation, as another reader sees it."""
    assert citation.page is not None and citation.box is not None
    with pdfplumber.open(path) as book:
        left, top, right, bottom = citation.box
        return str(book.pages[citation.page - 1].crop((left - 1, top - 1, right + 1, bottom + 1)).extract_text())


@pytest.mark.parametrize(
    ("question", "page", "said"),
    [
        ("What is the slow temperature of cone 55?", 4, "1285"),
        ("What is the fast temperature of cone 2?", 2, "962"),
        ("How much does the Clinker 20 weigh?", 1, "48 kg"),
    ],
)
def test_a_citation_of_a_pdf_has_the_box_on_its_page_in_which_its_words_stand(
    question: str, page: int, said: str, printed: tuple[Chunk, ...], folder: Path
) -> None:
    (citation,) = answer(question, book_of(printed)).citations
    inside = text_in_box(folder / "kilns.pdf", citation)
    assert page == citation.page
    assert said in inside
    assert "Never open" not in inside and "Let it cool" not in inside and "second printing" not in inside
    assert citation.box == citation_data(citation)["box"]


def test_prose_has_its_boxes_and_no_heading_stands_in_them(printed: tuple[Chunk, ...], folder: Path) -> None:
    (chunk,) = [chunk for chunk in printed if "Let it cool" in chunk.text]
    assert "Let it cool for a day." == text_in_box(folder / "kilns.pdf", Citation.of(1, chunk, "Let it cool"))


def test_a_sentence_behind_the_end_of_a_page_is_cited_with_the_next_one(folder: Path) -> None:
    marked = "# Kilns\n\n<!-- page 7 -->\n\nKilns are hot.\n\n<!-- page 8 -->\n\nLids are heavy.\n\nGloves are thick.\n"
    (folder / "kilns.md").write_text(marked)
    (chunk,) = read_sources([folder / "kilns.md"]).chunks
    told = [Citation.of(1, chunk, words).page for words in ("Kilns are hot.", "Lids are heavy.", "Gloves", "nowhere")]
    assert [7, 8, 8, 7] == told
    assert chunk == decode(chunk.id, chunk.text, encode(chunk))[0]
    assert replace(chunk, turns=()) == decode(chunk.id, chunk.text, {**encode(chunk), "turns": "[7]"})[0]


def test_boxes_are_kept_with_a_chunk_and_a_table_and_a_row_has_those_of_its_page(printed: tuple[Chunk, ...]) -> None:
    for chunk in printed:
        assert chunk == decode(chunk.id, chunk.text, encode(chunk))[0]
    (last,) = [chunk for chunk in printed if any(row[0] == "cone 60" for table in chunk.tables for row in table.rows)]
    pages = {page for page, _ in last.tables[0].boxes}
    assert pages == set(last.tables[0].row_pages) and len(pages) < 3


def test_boxes_that_make_no_sense_are_left_out_and_the_chunk_stays(printed: tuple[Chunk, ...]) -> None:
    chunk = next(chunk for chunk in printed if chunk.boxes)
    for odd in ("[[1, [2, 3]]]", "7", "{", "[[1, null]]"):
        assert replace(chunk, boxes=()) == decode(chunk.id, chunk.text, {**encode(chunk), "boxes": odd})[0]


def beside(path: Path) -> Path:
    """A page with a ruled table, an unruled one to its right, and another below both."""
    canvas = Canvas(str(path))
    lids = (("Lid", "Weight"), ("brick", "7 kg"), ("steel", "9 kg"), ("clay", "4 kg"))
    glazes = (("Glaze", "Cone", "Use"), ("celadon", "9", "bowls"), ("shino", "10", "cups"), ("raku", "06", "vases"),
              ("tenmoku", "8", "jars"))  # fmt: skip
    shelves = (("Shelf", "Width", "Price"), ("low", "30 cm", "12 gp"), ("wide", "64 cm", "31 gp"),
               ("deep", "55 cm", "27 gp"), ("tall", "41 cm", "19 gp"))  # fmt: skip
    canvas.grid([60, 130, 200], [700 - 20 * r for r in range(5)])
    for left, top, wide, rows in ((66, 686, 70, lids), (320, 686, 70, glazes), (66, 500, 110, shelves)):
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                canvas.drawString(left + wide * c, top - 20 * r, text)
    canvas.save()
    return path


@pytest.mark.skipif(find_spec("camelot") is None, reason="needs the extra 'tables'")
def test_a_table_without_rules_is_inferred_beside_a_ruled_one_and_that_stays_exact(folder: Path) -> None:
    chunks = read_sources([beside(folder / "beside.pdf")]).chunks
    told = {table.columns[0]: (table.is_inferred, len(table.rows)) for chunk in chunks for table in chunk.tables}
    assert {("Lid",): (False, 3), ("Glaze",): (True, 4), ("Shelf",): (True, 4)} == told


@pytest.mark.skipif(find_spec("camelot") is not None, reason="camelot, which infers tables, is installed")
def test_a_table_without_rules_beside_a_ruled_one_is_told_where_nothing_infers_it(folder: Path) -> None:
    (said,) = read_sources([beside(folder / "beside.pdf")]).warnings
    assert "tables without lines stay text (page 1)" in said


def test_the_address_is_that_of_the_cell_where_tables_of_other_lengths_stand_side_by_side(folder: Path) -> None:
    path = workbook(folder / "kilns.xlsx", cones(20))
    book = openpyxl.load_workbook(path)
    for r, row in enumerate((("Lid", "Heft"), ("brick", 7), ("steel", 9)), start=9):
        for c, value in enumerate(row, start=6):
            book["Cones"].cell(r, c, value)
    book.save(path)
    chunks = read_sources([path]).chunks
    for question, address in (
        ("What is the price of a shelf?", "Cones!G4"),
        ("What is the heft of steel?", "Cones!G11"),
    ):
        assert [address] == [citation.address for citation in answer(question, book_of(chunks)).citations]


def test_what_is_cited_of_a_workbook_whole_has_the_address_of_all_its_cells(folder: Path) -> None:
    book = openpyxl.Workbook()
    for row in (("Clinker 20", None), ("Weight:", "48 kg"), ("Voltage:", "230 V")):
        book.active.append(row)
    book.save(folder / "record.xlsx")
    (chunk,) = read_sources([folder / "record.xlsx"]).chunks
    assert "Sheet!A2:B3" == Citation.of(1, chunk, "Weight: 48 kg; Voltage: 230 V").address
    assert "Sheet!B3" == Citation.of(1, chunk, "230 V", CellRef(0, 1, 1)).address


def test_a_column_that_only_counts_the_rows_is_no_key_under_any_head_and_its_cells_keep_their_addresses(
    folder: Path,
) -> None:
    book = openpyxl.Workbook()
    for row in (("Sl. No.", "Tree", "Height"), (1, "Oak", "21 m"), (2, "Ash", "17 m"), (3, "Elm", "25 m")):
        book.active.append(row)
    book.save(folder / "trees.xlsx")
    chunks = read_sources([folder / "trees.xlsx"]).chunks
    told = answer("Which tree is the tallest?", book_of(chunks))
    assert ("Elm", ["Sheet!C4"]) == (told.finding.verdict, [citation.address for citation in told.citations])
    assert "Sheet!A3" == chunks[0].address_of(0, 1, 2)
