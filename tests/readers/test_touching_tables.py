"""Tables of a PDF that stand right below each other are several, also where a page ends between them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from retrieval.ingest.read import read_sources

Rows = Sequence[Sequence[str]]
FERRIES = (("Ferry", "Fare", "Cabins"), ("Reed", "3", "12"), ("Sedge", "5", "40"))
BARGES = (("Barge", "Toll"), ("Alder", "7"), ("Osier", "9"))
WINTER = (("Ferry", "Crew", "Coal"), ("Reed", "4", "80"), ("Sedge", "6", "95"))
WIDE, NARROW = (60, 160, 220, 280), (60, 200, 280)
HEIGHT = 18


def _draw(canvas: Canvas, top: float, edges: Sequence[float], rows: Rows, *, bold: Sequence[int] = (0,)) -> float:
    """Draw a table; where it ends."""
    canvas.grid(list(edges), [top - HEIGHT * row for row in range(len(rows) + 1)])
    for number, row in enumerate(rows):
        canvas.setFont("Helvetica-Bold" if number in bold else "Helvetica", 10)
        for left, text in zip(edges, row, strict=False):
            canvas.drawString(left + 3, top - HEIGHT * number - 12, text)
    return top - HEIGHT * len(rows)


def _tables(path: Path) -> list[tuple[tuple[str, ...], ...]]:
    """The tables of a file, each with its heads."""
    tables = [table for chunk in read_sources([path]).chunks for table in chunk.tables]
    assert not any(table.is_inferred for table in tables)
    rows: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for table in tables:
        rows.setdefault(tuple(" ".join(path) for path in table.columns), []).extend(table.rows)
    return [(heads, *body) for heads, body in rows.items()]


@pytest.mark.parametrize(
    ("edges", "below"),
    [(NARROW, BARGES), (WIDE, WINTER)],
    ids=["columns stand elsewhere", "the first head comes again"],
)
def test_a_row_of_bold_heads_begins_a_table(edges: Sequence[float], below: Rows, tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "both.pdf"))
    _draw(canvas, _draw(canvas, 700, WIDE, FERRIES), edges, below)
    canvas.save()

    assert [FERRIES, below] == _tables(tmp_path / "both.pdf")


def test_a_table_on_the_next_page_whose_heads_begin_alike_is_another_one(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "pages.pdf"))
    _draw(canvas, 700, WIDE, FERRIES)
    canvas.showPage()
    _draw(canvas, 700, WIDE, WINTER)
    canvas.save()

    assert [FERRIES, WINTER] == _tables(tmp_path / "pages.pdf")


def test_bold_sums_and_groups_within_a_table_part_nothing(tmp_path: Path) -> None:
    rows = (*FERRIES, ("All", "8", "52"), ("Rush", "4", "16"))
    canvas = Canvas(str(tmp_path / "sums.pdf"))
    foot = _draw(canvas, 700, WIDE, rows, bold=(0, 3))
    canvas.grid([60, 220, 280], [foot, foot - HEIGHT, foot - 2 * HEIGHT])
    canvas.setFont("Helvetica-Bold", 10)
    canvas.drawString(63, foot - 12, "Reed and Sedge")
    canvas.drawString(223, foot - 12, "52")
    canvas.setFont("Helvetica", 10)
    canvas.drawString(63, foot - 12 - HEIGHT, "Rush alone")
    canvas.drawString(223, foot - 12 - HEIGHT, "16")
    canvas.save()

    ((heads, *body),) = _tables(tmp_path / "sums.pdf")
    assert (FERRIES[0], [*rows[1:]]) == (heads, body[:-2])
    assert [("Reed and Sedge", "52"), ("Rush alone", "16")] == [(row[0], row[-1]) for row in body[-2:]]


def test_a_row_that_the_end_of_a_page_cuts_is_one_without_lines_there(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "open.pdf"))
    foot = _draw(canvas, 700, WIDE, FERRIES)
    _draw_open(canvas, foot, ("Rush", "4", "16 and two"))
    canvas.showPage()
    _draw_open(canvas, 718, ("", "", "more below"))
    _draw(canvas, 700, WIDE, [("Alder", "7", "20")], bold=())
    canvas.save()

    assert [(*FERRIES, ("Rush", "4", "16 and two more below"), ("Alder", "7", "20"))] == _tables(tmp_path / "open.pdf")


def _draw_open(canvas: Canvas, top: float, row: Sequence[str]) -> None:
    """Draw a row with nothing but its sides."""
    canvas.lines([(x, top, x, top - HEIGHT) for x in WIDE])
    canvas.setFont("Helvetica", 10)
    for left, text in zip(WIDE, row, strict=False):
        canvas.drawString(left + 3, top - 12, text)


def test_a_title_in_the_frame_of_a_table_is_no_row_of_it(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "framed.pdf"))
    _draw(canvas, 700, WIDE, FERRIES)
    canvas.lines([(x, 730, x, 700) for x in (60, 160, 280)])
    canvas.setFont("Helvetica", 10)
    canvas.drawString(170, 710, "By the day")
    canvas.save()

    assert [FERRIES] == _tables(tmp_path / "framed.pdf")
