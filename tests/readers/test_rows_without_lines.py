"""A table that no lines part stays text, where camelot does not infer it: its rows are no sentences to be sure of."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from retrieval.ingest.read import read_sources
from retrieval.readers.pdf.rows import rows_among
from versus import Agent, Answer, Settings, ingest

pytestmark = pytest.mark.skipif(find_spec("camelot") is not None, reason="camelot, which infers tables, is installed")

TOOLS = [
    ("Tool", "Reach", "Load", "Price"), ("Ladder, short", "3 m", "8 kg", "$25"),
    ("Ladder, long", "9 m", "31 kg", "$70"), ("Pulley block", "12 m", "5 kg", "$14"),
    ("Hand winch", "20 m", "17 kg", "$95"),
]  # fmt: skip
WAGES = [("Trade", "Wage"), ("Thatcher", "4 crowns"), ("Well digger", "7 crowns"), ("Sawyer", "5 crowns")]
PROSE = ("The rope of the yard is tarred every spring.", "A journeyman costs 3 crowns a day at the yard.")


def printed(path: Path, rows: Sequence[Sequence[str]], *, bold: int = 1) -> Path:
    """A page with a heading, two sentences, and rows that only white parts into cells; the first `bold` are bold."""
    canvas = Canvas(str(path))
    canvas.setFont("Helvetica", 16)
    canvas.drawString(60, 780, "The Builder's Yard")
    canvas.setFont("Helvetica", 10)
    for number, said in enumerate(PROSE):
        canvas.drawString(60, 750 - 30 * number, said)
    for number, row in enumerate(rows):
        canvas.setFont("Helvetica-Bold" if number < bold else "Helvetica", 10)
        for place, said in enumerate(row):
            canvas.drawString(60 + 110 * place, 680 - 13 * number, said)
    canvas.save()
    return path


def test_cells_that_little_white_parts_begin_where_others_of_the_table_do() -> None:
    def line(*words: tuple[str, float, float]) -> list[dict[str, Any]]:
        return [
            {"text": text, "fontname": "Serif", "x0": left, "x1": right, "top": 0.0, "bottom": 10.0}
            for text, left, right in words
        ]

    short = line(("Winch", 0, 30), ("17", 80, 90), ("$95", 120, 135))
    long = line(("Scaffolding", 0, 50), ("plank", 53, 74), ("4", 80, 85), ("$2", 120, 130))
    prose = line(("Of", 0, 10), ("oak", 13, 30), ("or", 33, 40), ("ash", 43, 60))
    assert [("Winch", "17", "$95"), ("Scaffolding plank", "4", "$2"), ()] == list(rows_among([short, long, prose]))


async def asked(path: Path, *questions: str) -> list[Answer]:
    settings = Settings(chroma=str(path.parent / "db"), planner="rules")
    await ingest([path], settings)
    async with Agent.open(settings) as agent:
        return [await agent.ask(question) for question in questions]


@pytest.mark.parametrize("rows", [TOOLS, WAGES])
def test_a_row_without_lines_is_a_line_of_its_own_with_its_cells_apart(
    tmp_path: Path, rows: Sequence[Sequence[str]]
) -> None:
    (chunk,) = read_sources([printed(tmp_path / "yard.pdf", rows, bold=0)]).chunks
    assert [" | ".join(row) for row in rows] == [line for line in chunk.text.split("\n") if " | " in line]
    assert not chunk.tables


def test_a_row_whose_name_ends_with_a_colon_is_no_label_with_a_value(tmp_path: Path) -> None:
    rows = [("Size:", "9 m", "12 m", "4 m"), ("Crew:", "two", "three", "one"), ("Price:", "$70", "$95", "$20")]
    chunks = read_sources([printed(tmp_path / "boats.pdf", rows, bold=0)]).chunks
    assert not [table.rows for chunk in chunks for table in chunk.tables]
    assert any("Crew | two | three | one" in chunk.text for chunk in chunks)


async def test_what_stands_in_a_row_without_lines_is_near_and_never_told_as_complete(tmp_path: Path) -> None:
    long, rope = await asked(
        printed(tmp_path / "yard.pdf", TOOLS), "What does a long ladder cost?", "How often is the rope tarred?"
    )
    assert "partial" == long.stop_reason
    assert "Ladder, long | 9 m | 31 kg | $70" in long.text
    assert "Pulley" not in long.text
    assert "complete" == rope.stop_reason


async def test_rows_of_two_cells_are_no_sentence_either(tmp_path: Path) -> None:
    (told,) = await asked(printed(tmp_path / "yard.pdf", WAGES), "How many crowns does a well digger cost?")
    assert "partial" == told.stop_reason
    assert "Well digger | 7 crowns" in told.text


def test_bold_words_over_two_lines_are_one_and_no_label_with_a_value(tmp_path: Path) -> None:
    heads = [("", "Load that is borne"), ("", "by all"), ("", "Load that is borne"), ("", "by one")]
    chunks = read_sources([printed(tmp_path / "yard.pdf", heads, bold=4)]).chunks
    assert not [table.rows for chunk in chunks for table in chunk.tables]
