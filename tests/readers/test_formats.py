"""Every format is read as its author meant it: heads that cover several columns, pages, addresses, numbers as shown."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from datetime import datetime, timedelta
from importlib.util import find_spec
from pathlib import Path

import docx
import openpyxl
import pytest
from reportlab.pdfgen.canvas import Canvas

from agent.render.data import citation_data
from agent.render.words import where
from retrieval.ingest.read import read_sources
from retrieval.readers.documents.tables import Cell, Grid, build
from retrieval.readers.office.number_formats import displayed_value
from retrieval.readers.pdf.tables import PageTable, TableCell
from retrieval.types import Chunk, Table
from tests.kit import answer, book_of
from tests.readers.making import COLUMN, cones, laid_out, pdf, slides, word, workbook
from versus import Agent, Settings, ingest

PATHS = (("Cone",), ("Temperature", "slow"), ("Temperature", "fast"))
ROWS = cones(60)


def chunks_of(path: Path) -> tuple[Chunk, ...]:
    return read_sources([path]).chunks


def built(grid: Grid) -> Table:
    table = build(grid)
    assert table is not None
    return table


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("formats")


@pytest.fixture(scope="module")
def printed(folder: Path) -> tuple[Chunk, ...]:
    return chunks_of(pdf(folder / "kilns.pdf", ROWS))


def rows_of(chunks: tuple[Chunk, ...], columns: tuple[tuple[str, ...], ...] = PATHS) -> list[tuple[str, ...]]:
    """The rows of all pieces of the table with these heads."""
    return [row for chunk in chunks for table in chunk.tables if table.columns == columns for row in table.rows]


def test_a_ruled_table_of_a_pdf_is_exact_over_all_its_pages_and_its_heads_are_told_once(
    printed: tuple[Chunk, ...],
) -> None:
    assert ROWS == rows_of(printed)


def test_each_row_of_a_pdf_is_cited_with_its_own_page(printed: tuple[Chunk, ...]) -> None:
    told = answer("What is the slow temperature of cone 55?", book_of(printed))
    assert "1285" == told.finding.verdict
    assert [4] == [citation.page for citation in told.citations]
    told = answer("What is the fast temperature of cone 2?", book_of(printed))
    assert ("962", [2]) == (told.finding.verdict, [citation.page for citation in told.citations])


def test_a_row_that_runs_on_over_the_page_is_one() -> None:
    def table(*rows: tuple[str, ...]) -> PageTable:
        cells = [tuple(TableCell(text, False, r, c) for c, text in enumerate(row)) for r, row in enumerate(rows)]
        return PageTable((0, 0, 90, 90), (0, 30, 60, 90), tuple(cells))

    upper, lower = (
        table(("Cone", "Heat", "Use"), ("7", "900", "For tiles,")),
        table(("Cone", "Heat", "Use"), ("", "", "and bricks"), ("8", "", "")),
    )
    upper, lower = upper.with_end_of_row(lower)
    assert ["7", "900", "For tiles, and bricks"] == [cell.text for cell in upper.rows[-1]]
    assert [["Cone", "Heat", "Use"], ["8", "", ""]] == [[cell.text for cell in row] for row in lower.rows]
    assert (upper, lower) == upper.with_end_of_row(lower)


def test_labels_of_a_pdf_are_a_record_and_running_feet_are_gone(printed: tuple[Chunk, ...]) -> None:
    assert "48 kg" == answer("How much does the Clinker 20 weigh?", book_of(printed)).finding.verdict
    assert not any("second printing" in chunk.text for chunk in printed)


@pytest.mark.skipif(find_spec("camelot") is not None, reason="camelot, which infers tables, is installed")
def test_a_table_without_rules_stays_text_and_the_extra_that_infers_its_structure_is_named(folder: Path) -> None:
    read = read_sources([pdf(folder / "unruled.pdf", cones(5), ruled=False)])
    assert not any(len(table.columns) == 3 for chunk in read.chunks for table in chunk.tables)
    assert any("cone 3" in chunk.text for chunk in read.chunks)
    (said,) = read.warnings
    assert "tables without lines stay text (page 2)" in said and "pip install 'versus-rag[tables]'" in said


@pytest.mark.skipif(find_spec("camelot") is None, reason="needs the extra 'tables'")
def test_the_rows_and_columns_of_a_table_without_rules_are_inferred_and_marked(folder: Path) -> None:
    chunks = chunks_of(pdf(folder / "unruled.pdf", cones(20), ruled=False))
    assert cones(20) == rows_of(chunks)
    assert all(table.is_inferred for chunk in chunks for table in chunk.tables if len(table.columns) == 3)


@pytest.mark.skipif(find_spec("camelot") is not None, reason="camelot, which infers tables, is installed")
def test_a_row_of_a_table_without_lines_is_no_label_with_a_value(folder: Path) -> None:
    canvas = Canvas(str(folder / "rows.pdf"))
    for y, words in ((700, ("Ash", "900", "12", "7")), (685, ("Elm", "910", "14", "8")), (670, ("Oak", "", "", "9"))):
        for place, said in enumerate(words):
            canvas.setFont("Helvetica" if place else "Helvetica-Bold", 10)
            canvas.drawString(60 + 90 * place, y, said)
    for place, said in enumerate(("STR", "16", "DEX", "12", "CON", "14")):
        canvas.setFont("Helvetica" if place % 2 else "Helvetica-Bold", 10)
        canvas.drawString(60 + 45 * place, 600, said)
    canvas.save()
    chunks = chunks_of(folder / "rows.pdf")
    rows = [row for chunk in chunks for table in chunk.tables if not table.is_inferred for row in table.rows]
    assert not any(row[0] in ("Ash", "Elm") for row in rows)
    assert ("DEX", "12") in rows


def test_heads_that_are_turned_are_read_along_their_letters_and_dots_that_lead_the_eye_are_gone(folder: Path) -> None:
    canvas = Canvas(str(folder / "turned.pdf"))
    canvas.grid([100, 200, 260], [420, 500, 580, 600, 620])
    for y, kiln, weight in ((605, "Clinker 20 ........", "48 kg"), (585, "Clinker 30 ........", "71 kg")):
        canvas.drawString(105, y - 20, kiln)
        canvas.drawString(205, y - 20, weight)
    canvas.drawString(105, 605, "Kiln")
    canvas.saveState()
    canvas.translate(220, 425)
    canvas.rotate(90)
    canvas.drawString(0, 0, "upwards")
    canvas.restoreState()
    canvas.save()
    told = [row for chunk in chunks_of(folder / "turned.pdf") for table in chunk.tables for row in table.rows]
    assert "Clinker 20" in str(told) and "...." not in str(told)
    assert "upwards" in str(told)


def test_columns_and_tables_are_read_as_other_programs_lay_them_out(folder: Path) -> None:
    read = read_sources([laid_out(folder / "laid_out.pdf")])
    chunks = read.chunks
    assert any("page 3 is a picture without text" in warning for warning in read.warnings)
    text = "\n".join(chunk.text for chunk in chunks)
    assert 2 == text.count(" ".join(COLUMN))
    assert "Small words apart" in text and "stamped 1977" in text
    heat, weight = (("Kiln",), ("Heat",), ("Hours",)), (("Lid",), ("Weight",))
    assert [("Ash", "900", "12"), ("Elm", "910", "14"), ("Oak", "920", "16")] == rows_of(chunks, heat)
    assert [("brick", "7 kg"), ("steel", "9 kg")] == rows_of(chunks, weight)
    inferred = {table.columns: table.is_inferred for chunk in chunks for table in chunk.tables}
    assert {heat: True, weight: False} == inferred
    told = answer("What is the weight of the steel lid?", book_of(chunks))
    assert {None} == {citation_data(citation)["line"] for citation in told.citations}
    assert ["laid_out.pdf, page 2 (printed viii)"] == [where(citation) for citation in told.citations]
    assert text.index("Lids by weight") > text.index("stamped 1977")
    assert [(11, heat), (20, weight)] == sorted((c.line, c.tables[0].columns) for c in chunks if c.tables)


def test_merged_heads_and_labels_of_a_word_document(folder: Path) -> None:
    chunks = chunks_of(word(folder / "kilns.docx", ROWS))
    assert ROWS == rows_of(chunks)
    assert "230 V" == answer("What is the voltage of the Clinker 20?", book_of(chunks)).finding.verdict
    assert {None} == {citation.page for citation in answer("How hot is cone 7, slow?", book_of(chunks)).citations}


def test_bold_rows_of_a_form_and_a_table_that_is_all_bold_have_no_such_heads() -> None:
    form = [[Cell(str(n), head=True), Cell("", head=True)] for n in range(9)] + [[Cell("Lid"), Cell("brick")]]
    assert 10 == len(built(form).rows)
    bold = [[Cell(text, head=True) for text in row] for row in (("Lid", "Weight", "Use"), ("brick", "7", "tiles"))]
    assert (("Lid",), ("Weight",), ("Use",)) == built(bold).columns


def test_a_row_that_the_style_of_a_word_table_makes_bold_is_of_heads(folder: Path) -> None:
    document = docx.Document()
    rows = [("Lid", "Use"), ("brick", "tiles"), ("steel", "pots")]
    for style in ("Light Grid Accent 1", "Table Grid"):
        table = document.add_table(rows=3, cols=2, style=style)
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                table.cell(r, c).text = text
        document.add_paragraph("Between.")
    document.save(str(folder / "styled.docx"))
    tables = [table for chunk in chunks_of(folder / "styled.docx") for table in chunk.tables]
    assert {(("Lid",), ("Use",)), ((), ())} == {table.columns for table in tables}


def test_a_sheet_is_cited_by_the_address_of_the_cell_and_what_is_hidden_is_said(folder: Path) -> None:
    read = read_sources([workbook(folder / "kilns.xlsx", ROWS)])
    assert [row for row in ROWS if row[0] != "cone 2"] == rows_of(read.chunks)
    told = answer("What is the fast temperature of cone 3?", book_of(read.chunks))
    assert ("968", ["Cones!D7"]) == (told.finding.verdict, [citation.address for citation in told.citations])
    assert "1,250 gp" == answer("What is the price of a shelf?", book_of(read.chunks)).finding.verdict
    assert [
        f"{folder / 'kilns.xlsx'}:1: Cones: 1 hidden row left out",
        f"{folder / 'kilns.xlsx'}:5: Cones!G5 has a formula without a value; left empty",
    ] == list(read.warnings)


@pytest.mark.parametrize(
    ("value", "code", "told"),
    [
        (0.025, "0%", "3%"),
        (0.125, "0.00", "0.13"),
        (-1599.99, "$#,##0.00;[Red]($#,##0.00)", "($1,599.99)"),
        (1_250_000, "#,##0,", "1,250"),
        (1_234_567, '0.0,,"M"', "1.2M"),
        (501, "00000", "00501"),
        (0, '_($* #,##0_);_($* (#,##0);_($* "-"??_);_(@_)', "$-"),
        (0, '0.0;-0.0;"none"', "none"),
        (1.5, "0.##", "1.5"),
        (12, "[$€-407] #,##0", "€ 12"),
        (0.1 + 0.2, "General", "0.3"),
        (1 / 3, "General", "0.333333333"),
        (1_234_567_890_123_450, "General", "1234567890123450"),
        (2.5, "# ?/?", "2.5"),
        (datetime(2009, 10, 3, 6, 15, 0, 703_000), "h:mm AM/PM", "06:15"),
        (datetime(2009, 10, 3, 6, 15, 0, 703_000), "m/d/yy h:mm:ss", "2009-10-03 06:15:01"),
        (datetime(2009, 10, 3, 6, 15), "d-mmm-yy", "2009-10-03"),
        (datetime(2009, 10, 1), "mmm-yy", "2009-10"),
        (timedelta(hours=30, minutes=4), "[h]:mm:ss", "30:04"),
    ],
)
def test_a_value_is_told_as_its_sheet_shows_it(value: object, code: str, told: str) -> None:
    assert told == displayed_value(value, code)


def test_slides_are_pages(folder: Path) -> None:
    read = read_sources([slides(folder / "kilns.pptx")])
    chunks = read.chunks
    assert (f"{folder / 'kilns.pptx'}:3: slide 3 is hidden, and left out",) == read.warnings
    assert not any("1977" in chunk.text for chunk in chunks)
    told = answer("What is the weight of the Clinker 30?", book_of(chunks))
    assert ("71 kg", [1]) == (told.finding.verdict, [citation.page for citation in told.citations])
    assert [2] == [chunk.page for chunk in chunks if "Wear gloves" in chunk.text]


PAGE = """<html><head><title>Kilns | Shop</title></head><body>
<nav><a href="/">Home 99</a></nav>
<main><h2>Clinker 20</h2><ul><li><b>Weight:</b> 48 kg</li><li><b>Voltage:</b> 230 V</li></ul>
<table><tr><th rowspan="2">Cone</th><th colspan="2">Temperature</th></tr><tr><th>slow</th><th>fast</th></tr>
<tr><td>cone 1</td><td>907</td><td>956</td></tr><tr><td>cone 2</td><td>914</td><td>962</td></tr></table></main>
<footer>Call 555</footer></body></html>"""


def test_a_page_of_html_is_its_main_part_with_the_lines_of_the_file(folder: Path) -> None:
    (folder / "kilns.html").write_text(PAGE)
    chunks = chunks_of(folder / "kilns.html")
    assert [("cone 1", "907", "956"), ("cone 2", "914", "962")] == rows_of(chunks)
    assert "230 V" == answer("What is the voltage of the Clinker 20?", book_of(chunks)).finding.verdict
    assert not any(word in chunk.text for chunk in chunks for word in ("Home", "555"))
    assert {3, 4} == {chunk.line for chunk in chunks}


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_delimited_values_are_a_table_whatever_parts_them(folder: Path, mark: str) -> None:
    rows = [("Kiln", "Weight", "Note"), ("Clinker 20", "48 kg", '"small; light, neat"'), ("Clinker 30", "71 kg", "big")]
    (folder / "kilns.csv").write_text("\n".join(mark.join(row) for row in rows))
    chunks = chunks_of(folder / "kilns.csv")
    assert "71 kg" == answer("What is the weight of the Clinker 30?", book_of(chunks)).finding.verdict
    assert "small; light, neat" in rows_of(chunks, (("Kiln",), ("Weight",), ("Note",)))[0]


def test_a_ragged_row_of_values_is_text_and_said(folder: Path) -> None:
    (folder / "ragged.csv").write_text("Kiln,Weight\nClinker 20,48 kg\nClinker 30,71 kg,3\nClinker 40,90 kg\n")
    read = read_sources([folder / "ragged.csv"])
    assert 2 == len(rows_of(read.chunks, (("Kiln",), ("Weight",))))
    assert [f"{folder / 'ragged.csv'}:3: a row with more or fewer cells than the table's 2; kept as text"] == list(
        read.warnings
    )


def test_plain_text_has_paragraphs_and_underlined_headings_and_no_marks(folder: Path) -> None:
    (folder / "kilns.txt").write_text(
        "Kilns\n=====\n\nA *hot* one_two | three.\n\nClinker 20\n----------\n\n* Lid: brick\n"
    )
    chunks = chunks_of(folder / "kilns.txt")
    assert [("Kilns",), ("Kilns", "Clinker 20")] == [chunk.headings for chunk in chunks]
    assert "A *hot* one_two | three." in chunks[0].text


def test_a_form_feed_in_plain_text_begins_a_page(folder: Path) -> None:
    (folder / "paged.txt").write_text("Kilns\n=====\n\nHot.\n\fLids\n====\n\nHeavy.\n")
    assert [("Kilns", 1, 1), ("Lids", 2, 5)] == [(c.title, c.page, c.line) for c in chunks_of(folder / "paged.txt")]


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)])
def test_a_compressed_file_is_the_file_in_it(folder: Path, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    path = folder / f"packed.csv.{suffix}"
    path.write_bytes(pack(b"Kiln,Weight\nClinker 20,48 kg\nClinker 30,71 kg\n"))
    assert [("Clinker 20", "48 kg"), ("Clinker 30", "71 kg")] == rows_of(chunks_of(path), (("Kiln",), ("Weight",)))


INFERRED = """<h1>Cones</h1><table data-inferred><tr><th>Cone</th><th>Heat</th></tr>
<tr><td>cone 1</td><td>907</td></tr><tr><td>cone 2</td><td>914</td></tr></table>"""


async def test_what_is_read_from_an_inferred_table_is_told_as_such_and_never_as_complete(tmp_path: Path) -> None:
    (tmp_path / "kilns.md").write_text(INFERRED)
    settings = Settings(chroma=str(tmp_path / "db"), planner="rules")
    await ingest([tmp_path / "kilns.md"], settings)
    async with Agent.open(settings) as agent:
        told = await agent.ask("What is the heat of cone 2?")
    assert ("914", "partial") == (told.verdict, told.stop_reason)
    assert {True} == {citation.is_inferred for citation in told.citations}
    assert ("check it there, for the table has no lines: kilns.md, table structure inferred",) == told.notes


def test_heads_of_a_sheet_go_on_beside_a_column_of_nothing(folder: Path) -> None:
    book = openpyxl.Workbook()
    for row in (("", "Kilns", "Kilns", "Kilns", "Yards", "Yards"), ("", "old", "new", "", "old", "new"),
                ("Reed", 12, 3, "", 7, 9), ("Sedge", 14, 4, "", 8, 6)):  # fmt: skip
        book.active.append(row)
    book.save(folder / "kilns.xlsx")
    (table,) = (table for chunk in chunks_of(folder / "kilns.xlsx") for table in chunk.tables)

    assert [("Kilns", "new"), ("Yards", "old")] == [table.columns[2], table.columns[4]]
    assert ("Reed", "12", "3", "", "7", "9") == table.rows[0]


def test_what_stands_above_the_second_of_two_columns_is_its_head(folder: Path) -> None:
    book = openpyxl.Workbook()
    for row in (("", "Heat"), ("Reed", 1200), ("Sedge", 980)):
        book.active.append(row)
    book.save(folder / "heat.xlsx")
    (table,) = (table for chunk in chunks_of(folder / "heat.xlsx") for table in chunk.tables)

    assert (((), ("Heat",)), ("Sedge", "980")) == (table.columns, table.rows[1])


def test_what_stands_in_brackets_above_a_table_of_a_sheet_is_no_name_of_it(folder: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Reed Warden"
    for row in ("(seen by night)", "", "Wage|12 gp", "Boots|tarred"):
        book.active.append(row.split("|"))
    tolls = book.create_sheet("Yard")
    for row in ("Tolls", "(in silver)", "Boat|Toll", "Punt|3", "Barge|9"):
        tolls.append(row.split("|"))
    book.save(folder / "wardens.xlsx")
    titles = {table.rows[0]: chunk.title for chunk in chunks_of(folder / "wardens.xlsx") for table in chunk.tables}

    assert {("Wage", "12 gp"): "Reed Warden", ("Punt", "3"): "Tolls"} == titles
