"""`python -m benchmarks.formats` writes a book as others would, and tells what was read of it from what was printed."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from benchmarks import printing
from benchmarks.formats import formats, of_tables, tables_of
from benchmarks.judging import class_by_truth

BOOK = """# Ferries

The fare is paid on board.

**Crew:** four

**Deck:** oak

## Reed

<table><tr><th rowspan="2">Month</th><th colspan="2">Fare</th></tr><tr><th>adult</th><th>child</th></tr>
<tr><td>May</td><td>3</td><td>1</td></tr><tr><td>June</td><td>4</td><td>2</td></tr></table>

## Sedge: night [2]

| Berth | Price |
|---|---|
| upper | 7 |
| lower | 9 |
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    place = tmp_path / "book"
    place.mkdir()
    (place / "ferries.md").write_text(BOOK, encoding="utf-8")
    return place


@pytest.mark.parametrize("name", ["HTML", "Word", "Excel"])
def test_a_table_with_merged_heads_is_exact_in_each_format(name: str, book: Path, tmp_path: Path) -> None:
    (each,) = formats([name])
    written = tmp_path / "written"
    written.mkdir()
    each.write(book / "ferries.md", written / f"ferries{each.suffix}")

    is_row = of_tables(book)
    wanted, found = tables_of(book, is_row), tables_of(written, is_row)
    assert 2 == wanted.whole.total()
    assert wanted.whole == found.whole
    assert wanted.cells == found.cells


def test_labels_of_prose_are_no_rows_of_tables(book: Path) -> None:
    is_row = of_tables(book)

    assert [False, False, True] == [is_row(row) for row in (("Crew", "four"), ("Deck: aft", "pine"), ("upper", "7"))]


def test_a_sheet_is_called_as_its_section_where_excel_allows_it(book: Path, tmp_path: Path) -> None:
    printing.write_workbook(book / "ferries.md", tmp_path / "ferries.xlsx")

    sheets = openpyxl.load_workbook(tmp_path / "ferries.xlsx").sheetnames
    assert ["Ferries", "Reed", "Sedge  night  2"] == sheets


@pytest.mark.parametrize(
    ("stop", "value", "expected"),
    [("complete", "7", "right"), ("partial", "7", "part"), ("complete", "9", "sure-wrong"), ("partial", "9", "open")],
)
def test_an_answer_is_held_against_the_truth_where_that_is_known(stop: str, value: str, expected: str) -> None:
    record = {"stop_reason": stop, "text": "", "findings": [{"steps": [{"value": value}], "values": {}}]}

    assert expected == class_by_truth(record, {"question": "?", "answer": "7", "values": {"upper": 7}})
    assert class_by_truth(record, {"question": "?"}) is None
