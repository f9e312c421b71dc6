"""Data that dialects of Markdown have in forms of their own: fields of notes, tables of dashes, front matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.ingest.read import read_sources
from retrieval.types import Chunk
from tests.kit import answer, book_of

SIMPLE = """\
# Fleet

The boats of the harbour:

  Name      Crew     Fee
--------  -------  -----
Reed      3        5 Mark
Sedge     4        6 Mark

Table: What a crossing costs.
"""
MULTILINE = """\
# Ports

-----------------------------------------
 Port      Depth     Remarks
---------- --------- --------------------
 Kiel      9 m       Deep, and
                     sheltered.

 Rostock   7 m       Shallow.
-----------------------------------------
"""
LISTED = """\
---
title: Reed
crew: 3
fares:
  - kind: Adult
    price: 5 Mark
  - kind: Child
    price: 2 Mark
tags: [old, slow]
---
A ferry.
"""
TOML = """\
+++
title = "Reed"
crew = 3
[[fares]]
kind = "Adult"
price = "5 Mark"
[[fares]]
kind = "Child"
price = "2 Mark"
+++
A ferry.
"""


def read(text: str, tmp_path: Path) -> list[Chunk]:
    path = tmp_path / "boats.md"
    path.write_text(text, encoding="utf-8")
    return list(read_sources([path]).chunks)


def tables(text: str, tmp_path: Path) -> dict[str, tuple[tuple[str, ...], ...]]:
    return {table.caption: table.rows for chunk in read(text, tmp_path) for table in chunk.tables}


@pytest.mark.parametrize("text", ["Crew:: 3\nHome:: [[Kiel]]\n", "- Crew:: 3\n- **Home**:: Kiel\n"])
def test_a_field_of_a_note_is_a_label_with_its_value(text: str, tmp_path: Path) -> None:
    assert {"": (("Crew", "3"), ("Home", "Kiel"))} == tables(f"# Reed\n\n{text}", tmp_path)


def test_names_joined_by_colons_are_no_fields(tmp_path: Path) -> None:
    assert not tables("# Reed\n\nstd::vector is used\nmap :: Int\n\n```\nCrew:: 3\n```\n", tmp_path)


def test_a_table_drawn_with_dashes_is_one_and_is_called_as_the_line_below_says(tmp_path: Path) -> None:
    assert {"What a crossing costs": (("Reed", "3", "5 Mark"), ("Sedge", "4", "6 Mark"))} == tables(SIMPLE, tmp_path)
    assert "6 Mark" == answer("What is the fee of the Sedge?", book_of(read(SIMPLE, tmp_path))).finding.verdict


def test_rows_of_several_lines_between_dashes_are_whole(tmp_path: Path) -> None:
    assert {"Ports": (("Kiel", "9 m", "Deep, and sheltered."), ("Rostock", "7 m", "Shallow."))} == (
        tables(MULTILINE, tmp_path)
    )
    assert ["Ports"] == [chunk.title for chunk in read(MULTILINE, tmp_path)]


@pytest.mark.parametrize(
    "text",
    [
        "It sails\n-- and so on -- at\nnine.\n",
        "The boat that we had\n----- -----\nsank in the spring\n",
        "--------\n\nA text between lines.\n\n--------\n",
        "```\nName  Crew\n----  ----\nReed  3\n```\n",
    ],
)
def test_dashes_around_text_draw_no_table(text: str, tmp_path: Path) -> None:
    assert not tables(f"# Reed\n\n{text}", tmp_path)


@pytest.mark.parametrize("text", [LISTED, TOML])
def test_things_listed_in_front_matter_are_a_table_and_keep_what_is_theirs(text: str, tmp_path: Path) -> None:
    found = tables(text, tmp_path)

    assert (("Adult", "5 Mark"), ("Child", "2 Mark")) == found["fares"]
    assert ("crew", "3") in found[""]
    assert "2 Mark" == answer("What is the price for a child?", book_of(read(text, tmp_path))).finding.verdict


def test_front_matter_that_is_no_toml_stays_text(tmp_path: Path) -> None:
    assert "crew is 3" in read("+++\ncrew is 3\n+++\nA ferry.\n", tmp_path)[0].text


def test_the_raised_mark_of_a_note_is_no_part_of_a_name(tmp_path: Path) -> None:
    rows = "| Port¹ | Sail² |\n|---|---|\n| Kiel² | 4 m² |\n| **Rostock²** | 5 m² |\n"
    text = f"# Ports\n\n{rows}\n¹ Open in May.  \n² Old.\n"

    assert (("Kiel", "4 m²"), ("Rostock", "5 m²")) == tables(text, tmp_path)["Ports"]
    assert "4 m²" == answer("What is the sail of Kiel?", book_of(read(text, tmp_path))).finding.verdict
