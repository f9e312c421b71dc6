"""What stands in the lines of a cell, label by label, are columns of the table."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

BOATS = book("""# Boats

| Boat  | Facts                                     | Remarks          |
|-------|-------------------------------------------|------------------|
| Reed  | Length: 9 m<br>Port: Hull<br>**Crew:** 3  | Leaks.<br>Often. |
| Sedge | Length: 12 m<br/>Port: York<br />Crew: 8  | Note: is sold    |
| Rush  | Length: 7 m<br>Port: Hull                 |                  |
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the length of the Sedge?", "12 m"),
        ("Which boat has the largest crew?", "Sedge"),
        ("How many boats have Hull as their port?", "2"),
    ],
)
def test_lines_of_labels_are_columns(question: str, told: str) -> None:
    said = answer(question, BOATS)

    assert told in said.finding.claim
    assert not said.needs


def test_other_lines_stay_a_cell() -> None:
    [table] = [table for chunk in BOATS.chunks for table in chunk.tables]

    assert ["Boat", "Length", "Port", "Crew", "Remarks"] == [path[-1] for path in table.columns]
    assert ("Reed", "9 m", "Hull", "3", "Leaks. Often.") == table.rows[0]


KILNS = """\
<table><thead><tr><th>Kiln</th><th>Details</th></tr></thead><tbody>
<tr><td>Ash</td><td><p><b>Heat</b>: 1,280 °C</p><p><b>Fuel</b>: oil</p><p>Bricks by hand</p></td></tr>
<tr><td>Elm</td><td><ul><li><b>Fuel</b>: wood</li><li>Heat: 900 °C</li><li><b>Fuel</b>: wood</li></ul></td></tr>
<tr><td>Yew</td><td>Heat: 1,100 °C<br>Bricks<br>by machine</td></tr></tbody></table>
"""
IN_BARS = "| Kiln | Details |\n|---|---|\n" + "\n".join(
    f"| **{name}** | <p><strong>Heat</strong>: {heat}</p><p>Fuel: oil</p><p>Bricks by hand</p> |"
    for name, heat in (("Ash", "1,280 °C"), ("Elm", "900 °C"))
)


def test_paragraphs_and_items_of_a_cell_are_lines_and_what_is_no_label_stays_under_its_head() -> None:
    [table] = [table for chunk in book(f"# Kilns\n\n{KILNS}").chunks for table in chunk.tables]

    assert ["Kiln", "Heat", "Fuel", "Details"] == [path[-1] for path in table.columns]
    assert ("Ash", "1,280 °C", "oil", "Bricks by hand") == table.rows[0]
    assert ("Elm", "900 °C", "wood", "") == table.rows[1]
    assert ("Yew", "1,100 °C", "", "Bricks; by machine") == table.rows[2]


def test_paragraphs_in_a_table_of_bars_are_lines() -> None:
    [table] = [table for chunk in book(f"# Kilns\n\n{IN_BARS}").chunks for table in chunk.tables]

    assert ["Kiln", "Heat", "Fuel", "Details"] == [path[-1] for path in table.columns]
    assert ("Elm", "900 °C", "oil", "Bricks by hand") == table.rows[1]


def test_cells_of_mostly_other_lines_stay_whole() -> None:
    rows = [f"| {name} | Note: old<br>See: {name}<br>Dry it.<br>Fire it.<br>Wait. |" for name in ("Ash", "Elm")]
    [table] = [
        table for chunk in book("\n".join(["| Kiln | How |", "|---|---|", *rows])).chunks for table in chunk.tables
    ]

    assert ("Ash", "Note: old See: Ash Dry it. Fire it. Wait.") == table.rows[0]


def test_sentences_of_a_line_that_are_labels_are_apart() -> None:
    rows = [
        f"| {name} | Range: 5 to 9 bar. Advised: {heat} bar.<br>Fuel: oil |" for name, heat in (("Ash", 7), ("Elm", 8))
    ]
    [table] = [
        table for chunk in book("\n".join(["| Kiln | How |", "|---|---|", *rows])).chunks for table in chunk.tables
    ]

    assert ["Kiln", "Range", "Advised", "Fuel"] == [path[-1] for path in table.columns]
    assert ("Elm", "5 to 9 bar", "8 bar.", "oil") == table.rows[1]
