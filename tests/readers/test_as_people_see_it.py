"""Pages that no standard foresees are read as people see them: headings, labels, lists, links and names in cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.ingest.read import read_sources
from retrieval.tables.index import CellIndex
from retrieval.tables.names import key_of
from retrieval.text.normal import phrase
from retrieval.types import Chunk
from tests.kit import answer, book_of

BARE = """\
#3. Ferries

##3A. **Reed**

A ferry of the north, tagged
#north #old

**Figures:**
GT:320 - 340
DR:2.1 - 2.4 m *(empty)*
DR:2.9 - 3.3 m *(laden)*

##3B. Sedge

**Figures:**
GT:510 - 530
DR:3.1 m
"""


def read(text: str, tmp_path: Path) -> list[Chunk]:
    path = tmp_path / "ferries.md"
    path.write_text(text, encoding="utf-8")
    return list(read_sources([path]).chunks)


def rows(text: str, tmp_path: Path) -> list[tuple[str, ...]]:
    return [row for chunk in read(text, tmp_path) for table in chunk.tables for row in table.rows]


def named(text: str, name: str, tmp_path: Path) -> set[str]:
    """What stands in the rows that have a name."""
    index = CellIndex.build(read(text, tmp_path))
    found = [place for place in index.places([key_of(phrase(name))]) if place.grid and place.at is not None]
    return {cell for place in found for cell in index.grid(place.grid or 0).table.rows[place.at or 0][1:]}


def test_headings_without_a_blank_are_headings_and_labels_without_one_are_labels(tmp_path: Path) -> None:
    chunks = read(BARE, tmp_path)

    assert ["3A. Reed", "3B. Sedge"] == [chunk.title for chunk in chunks]
    assert {("3. Ferries",)} == {chunk.headings[:1] for chunk in chunks}
    assert (("GT", "320 - 340"), ("DR (empty)", "2.1 - 2.4 m"), ("DR (laden)", "2.9 - 3.3 m")) == (
        chunks[0].tables[0].rows
    )
    assert "#north #old" in chunks[0].text


@pytest.mark.parametrize(
    ("question", "value"), [("What is the GT of the Reed?", "320 - 340"), ("GT of the Sedge?", "510 - 530")]
)
def test_the_number_of_a_section_is_no_part_of_the_name_in_it(question: str, value: str, tmp_path: Path) -> None:
    assert value == answer(question, book_of(read(BARE, tmp_path))).finding.verdict


@pytest.mark.parametrize(
    "text", ["# Reed\n\n#north\n", "Fixed in\n#12 and\n#13.\n", "It is\n#1 here.\n", "# Reed\n\n```\n##loop\n```\n"]
)
def test_tags_numbers_and_code_are_no_headings(text: str, tmp_path: Path) -> None:
    assert 1 == len(read(text, tmp_path))


@pytest.mark.parametrize("text", ["Open from:Kiel\nAt 8:30\n", "See:https://a.example\nOr:https://b.example\n"])
def test_colons_within_words_make_no_labels(text: str, tmp_path: Path) -> None:
    assert [] == rows(text, tmp_path)


def test_links_of_notes_are_their_texts_also_in_cells(tmp_path: Path) -> None:
    text = (
        "---\nharbour: '[[Ports/Kiel|Kiel]]'\n---\n\n# Reed\n\nRuns to [[Ports/Kiel]]. %% check %%\n\n"
        "| Boat | Fee |\n|---|---|\n| [[Boats/Reed\\|Reed]] | 5 |\n^fees\n"
    )
    chunks = read(text, tmp_path)

    assert {("harbour", "Kiel"), ("Reed", "5")} == set(rows(text, tmp_path))
    assert any("Runs to Kiel." in chunk.text for chunk in chunks)
    assert not any(sign in chunk.text for sign in ("[[", "%%", "^fees") for chunk in chunks)


def test_a_label_within_the_values_of_another_is_told_with_it(tmp_path: Path) -> None:
    text = "# Reed\n\n- **Hull**\n  - Oak\n  - Weight: 40 t\n- **Ports**\n  - Kiel\n  - Rostock\n"

    assert [("Hull", "Oak"), ("Hull: Weight", "40 t"), ("Ports", "Kiel; Rostock")] == rows(text, tmp_path)


def test_things_with_labels_below_them_are_a_table(tmp_path: Path) -> None:
    text = "# Ferries\n\n- Reed\n  - Crew: 3\n  - Fee: 5\n- Sedge\n  - Crew: 4\n  - Fee: 6\n"

    assert [("Reed", "3", "5"), ("Sedge", "4", "6")] == rows(text, tmp_path)


def test_numbers_with_what_they_are_of_in_brackets_are_labelled(tmp_path: Path) -> None:
    text = "# Office\n\n- 555-0100 (from the island)\n- 555-0199 (from the sea)\n- [Timetable](fares.md)\n"

    assert [("from the island", "555-0100"), ("from the sea", "555-0199")] == rows(text, tmp_path)


@pytest.mark.parametrize(
    "text", ["Ports:\n\n- Kiel\n- Rostock\n", "Ports\n<ol>\n  <li>Kiel</li>\n  <li>Rostock</li>\n</ol>\n"]
)
def test_a_line_above_names_is_their_label(text: str, tmp_path: Path) -> None:
    assert [("Ports", "Kiel; Rostock")] == rows(text, tmp_path)


@pytest.mark.parametrize("text", ["Then sail:\n\n- Out of the port.\n- Home.\n", "Ports\n\n- Kiel\n- Rostock\n"])
def test_sentences_below_a_line_and_names_apart_from_it_have_no_label(text: str, tmp_path: Path) -> None:
    assert [] == rows(text, tmp_path)


def test_a_page_of_markdown_that_imports_components_is_mdx(tmp_path: Path) -> None:
    text = (
        'import Fold from "@site/fold";\n\n# Reed\n\n<Fold question="How long does the crossing take?">\n'
        "Two hours.\n</Fold>\n\n<div style={{gap: '1rem'}}>\n\n| Port | Fee |\n|---|---|\n| Kiel | 5 |\n</div>\n"
    )
    chunks = read(text, tmp_path)

    assert any("How long does the crossing take? Two hours." in chunk.text for chunk in chunks)
    assert not any("import" in chunk.text for chunk in chunks)
    assert [("Kiel", "5")] == [row for row in rows(text, tmp_path) if len(row) == 2 and row[0] == "Kiel"]


def test_a_table_right_below_a_tag_is_one(tmp_path: Path) -> None:
    assert [("Kiel", "5")] == rows("<div>\n**north**\n| Port | Fee |\n|---|---|\n| Kiel | 5 |\n</div>\n", tmp_path)


def test_cells_that_are_missing_at_the_end_of_a_row_are_empty(tmp_path: Path) -> None:
    text = "| Pin | Port | Remark |\n|---|---|---|\n| A1 | 4 | free |\n| A2 | 5 |\n| A3 | 6 | taken |\n"

    assert [("A1", "4", "free"), ("A2", "5", ""), ("A3", "6", "taken")] == rows(text, tmp_path)


def test_a_table_that_goes_on_beside_itself_is_one_below_the_other(tmp_path: Path) -> None:
    text = "| Score | Cost | Score | Cost |\n|---|---|---|---|\n| 18 | 16 | 13 | 5 |\n| 17 | 12 | 12 | 4 |\n"

    assert [("18", "16"), ("17", "12"), ("13", "5"), ("12", "4")] == rows(text, tmp_path)


MOTORS = "| Motor | Boats |\n|---|---|\n| V8 | Rook 3, Rook 4 |\n| V9 | Rook 5, Crow 2, Daw |\n"
_NAMES = "Ahus Bergen Coruna Dover Elba Faro Graz Hull Ipso Ipso".split()
PORTS = "| Code | Port | Fee |\n|---|---|---|\n" + "".join(
    f"| P{n} | {name} | {n} |\n" for n, name in enumerate(_NAMES)
)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        (MOTORS, "Crow 2", "Rook 5, Crow 2, Daw"),
        (PORTS, "Dover", "3"),
        ("| Item | Fee |\n|---|---|\n| Oar/paddle | 2 |\n| Sail | 9 |\n", "paddle", "2"),
        ("| Item | Fee |\n|---|---|\n| ꜱᴀɪʟ | 9 |\n| Oar | 2 |\n", "Sail", "9"),
    ],
)
def test_rows_are_found_by_each_name_in_their_cells(text: str, name: str, value: str, tmp_path: Path) -> None:
    assert value in named(text, name, tmp_path)


def test_a_block_of_data_is_a_record_and_what_it_lists_is_told_by_name(tmp_path: Path) -> None:
    text = (
        "# Reed\n\n```vessel\nname: Reed\ncrew: 3\nsails:\n  - name: Jib\n    use: In a storm.\n"
        "    reefs:\n      - name: First\n        use: From force 6.\nfee: 5\n```\n"
    )
    (chunk,) = read(text, tmp_path)

    assert [(("name", "Reed"), ("crew", "3"), ("fee", "5")), (("Jib", "In a storm."),)] == [
        table.rows for table in chunk.tables
    ]
    assert "- Jib: In a storm.\n  reefs:\n  - First: From force 6." in chunk.text


def test_a_picture_beside_a_name_is_no_part_of_it(tmp_path: Path) -> None:
    table = "| Tool | Cost |\n|-|-|\n| ![icon](a.png)<br>Adze | 3 |\n| ![drawing of a saw](b.png) | 4 |\n"
    (chunk,) = [each for each in read(f"# Tools\n\n{table}", tmp_path) if each.tables]
    assert [("Adze", "3"), ("drawing of a saw", "4")] == [tuple(row) for row in chunk.tables[0].rows]


def test_a_quote_behind_a_comma_and_a_blank_begins_a_cell(tmp_path: Path) -> None:
    path = tmp_path / "limits.csv"
    path.write_text('"Measure", "Range", "Unit"\n"Weight", "50 - 95, dressed", "kg"\n', encoding="utf-8")
    (chunk,) = [each for each in read_sources([path]).chunks if each.tables]
    assert [("Weight", "50 - 95, dressed", "kg")] == [tuple(row) for row in chunk.tables[0].rows]


FEES = """\
# Fees

Fees of 2023 (those of the old quay).

| Boat | Fee |
|---|---|
| Reed | 3 |

Fees of 2024, which all boats pay.

| Boat | Fee |
|---|---|
| Reed | 5 |
"""


def test_tables_that_look_alike_are_called_by_what_stands_above_each(tmp_path: Path) -> None:
    captions = [table.caption for chunk in read(FEES, tmp_path) for table in chunk.tables]
    assert ["Fees of 2023 (those of the old quay)", "Fees of 2024, which all boats pay"] == captions


def test_where_nothing_stands_above_one_of_them_nobody_can_tell(tmp_path: Path) -> None:
    text = FEES.replace("Fees of 2023 (those of the old quay).\n", "")
    assert {"Fees"} == {table.caption for chunk in read(text, tmp_path) for table in chunk.tables}
