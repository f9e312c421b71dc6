"""Tables drawn with blanks, units in a row of their own, and items that tell several facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.ingest.read import read_sources
from retrieval.types import Table

NAMES_WITHOUT_A_HEAD = """CALLS

             2020   2021
             ----   ----
Old Town       31     28
Upper Farms     9     11
             ----   ----
All            40     39
"""
IN_A_FENCE = f"# Calls\n\n```\n{NAMES_WITHOUT_A_HEAD.removeprefix('CALLS')}```\n"
UNITS_BELOW = """# Canals

| Canal | Length | Lining | Area |
|-|-|-|-|
|       | km     |        | ha   |
| Main | 18.4 | concrete | 12 |
| North | 7.2 | earth | 410 |
"""
FACTS = """# Courses

- **Welsh A1** · teacher: Gwen Probert · Thursday 19:45 · room 3 · 8 weeks · back 3 May
- **Turkish A2** · teacher: Defne Aksoy · Monday 19:00 · room 1 · 10 weeks · back 9 June
- **Finnish A2** · teacher: Jukka Salo · Tuesday 17:30 · room 2 · 8 weeks · back 8 May
"""


def _table(folder: Path, name: str, text: str) -> Table:
    (folder / name).write_text(text)
    (table,) = [table for chunk in read_sources([folder / name]).chunks for table in chunk.tables]
    return table


@pytest.mark.parametrize(("name", "text"), [("calls.txt", NAMES_WITHOUT_A_HEAD), ("calls.md", IN_A_FENCE)])
def test_names_need_no_head(tmp_path: Path, name: str, text: str) -> None:
    table = _table(tmp_path, name, text)

    assert table.columns == ((), ("2020",), ("2021",))
    assert table.rows[0] == ("Old Town", "31", "28")


def test_code_stays_text(tmp_path: Path) -> None:
    (tmp_path / "run.md").write_text("# Run\n\n```\nversus ask   --top 3\nversus batch --top 4\n```\n")

    assert not [table for chunk in read_sources([tmp_path]).chunks for table in chunk.tables]


def test_units_belong_to_their_heads(tmp_path: Path) -> None:
    table = _table(tmp_path, "canals.md", UNITS_BELOW)

    assert table.columns == (("Canal",), ("Length (km)",), ("Lining",), ("Area (ha)",))
    assert table.rows[0] == ("Main", "18.4", "concrete", "12")


def test_facts_with_labels_and_numbers_are_columns(tmp_path: Path) -> None:
    table = _table(tmp_path, "courses.md", FACTS)

    assert table.columns[1:] == (("teacher",), ("room",), ("weeks",), ("back",), ("",))
    assert table.rows[0] == ("Welsh A1", "Gwen Probert", "3", "8 weeks", "3 May", "Thursday 19:45")
