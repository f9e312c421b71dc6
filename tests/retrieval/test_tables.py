"""HTML and grids become tables: spans, heads, records, and nothing raises."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from retrieval.readers.documents.tables import Cell, build, clean
from retrieval.readers.html.tables import html_blocks
from retrieval.types import Table


def tables_in(html: str) -> list[Table]:
    return [block for block in html_blocks(html, []) if isinstance(block, Table)]


def only(html: str) -> Table:
    (table,) = tables_in(html)
    return table


def row(*cells: str, tag: str = "td") -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


PLAIN = row("A", "B") + row("1", "2")
AB = (("A",), ("B",))


def test_a_spanning_head_becomes_the_outer_part_of_each_columns_path() -> None:
    head = '<tr><th rowspan="2">Level</th><th colspan="2">Armor Class</th></tr>' + row("-3", "4", tag="th")
    table = only(f"<table>{head}{row('1-3', '18', '11')}</table>")

    assert (("Level",), ("Armor Class", "-3"), ("Armor Class", "4")) == table.columns
    assert (("1-3", "18", "11"),) == table.rows


def test_a_spanning_cell_counts_for_every_row_and_column_it_covers() -> None:
    body = '<tr><td rowspan="2">1</td><td>2</td><td>3</td></tr><tr><td colspan="2">4</td></tr>'
    table = only(f"<table>{row('A', 'B', 'C', tag='th')}{body}</table>")

    assert (("1", "2", "3"), ("1", "4", "4")) == table.rows


def test_spans_in_both_directions_at_once() -> None:
    body = '<tr><td rowspan="3">a</td><td colspan="2" rowspan="2">b</td></tr><tr></tr><tr><td>c</td><td>d</td></tr>'
    table = only(f"<table>{row('H', 'I', 'J', tag='th')}{body}</table>")

    assert (("a", "b", "b"), ("a", "b", "b"), ("a", "c", "d")) == table.rows


@pytest.mark.parametrize("span", ["99999999", "9" * 5000, "3"])
def test_a_span_beyond_the_table_makes_no_columns(span: str) -> None:
    table = only(f'<table><tr><th>A</th><th colspan="{span}">B</th></tr>{row("1", "2")}</table>')

    assert AB == table.columns
    assert (("1", "2"),) == table.rows


@pytest.mark.parametrize("span", ["0", "-1", "x", "", "1.5", " 1 ", "1;2"])
def test_a_span_that_makes_no_sense_is_one(span: str) -> None:
    head = f'<tr><th colspan="{span}">A</th><th rowspan="{span}">B</th></tr>'

    assert AB == only(f"<table>{head}{row('1', '2')}</table>").columns


@pytest.mark.parametrize(
    "html",
    [
        f"<table>{row('A', 'B', tag='th')}{row('1', '2')}</table>",
        f"<table><thead>{row('A', 'B')}</thead><tbody>{row('1', '2')}</tbody></table>",
        f"<table>{row('<b>A</b>', '<strong>B</strong>')}{row('1', '2')}</table>",
        f"<table>{row('<strong>A</strong>', '')}{row('1', '2')}</table>".replace("<td></td>", "<td><b>B</b></td>"),
        f"<TABLE>{PLAIN}</TABLE>",
        "<table><tr><td>A<td>B<tr><td>1<td>2</table>",
        f"<table>{PLAIN}",
    ],
)
def test_the_header_is_found_without_a_thead(html: str) -> None:
    assert Table("", AB, (("1", "2"),)) == only(html)


def test_two_leading_bold_rows_are_one_header() -> None:
    html = f"<table>{row('<b>Class</b>', '<b>Save</b>')}{row('<b> </b>', '<b>Roll</b>')}{row('Thief', '13')}</table>"

    assert (("Class",), ("Save", "Roll")) == only(html).columns


@pytest.mark.parametrize(
    ("cell", "text"),
    [("<strong>-</strong><strong>10</strong>", "-10"), ("\\-3", "-3"), ("−3", "-3"), ("–3", "-3"), ("7–9", "7–9"),
     ("A<br>B", "A B"), ("<p>A</p><p>B</p>", "A B"), ("<ul><li>A</li><li>B</li></ul>", "A, B"), ("&frac12;", "½"),
     ("10<sup>1</sup>", "10"), ("10<sup><a href='#f'>*</a></sup>", "10"), ("1<sup>st</sup>", "1st"),
     ("a&nbsp;b", "a b"),
     ("<b>A</b>lso", "Also"), ("x<div>y</div>z", "x y z")],
)  # fmt: skip
def test_the_text_of_a_cell(cell: str, text: str) -> None:
    assert ((text, "2"),) == only(f"<table>{row('A', 'B', tag='th')}{row(cell, '2')}</table>").rows


def test_the_caption_is_the_caption_tag_or_a_first_row_across_the_table() -> None:
    title = '<tr><td colspan="2">The Title</td></tr>'

    assert "Cap X" == only(f"<table><caption>Cap <b>X</b></caption>{PLAIN}</table>").caption
    assert Table("The Title", AB, (("1", "2"),)) == only(f"<table>{title}{PLAIN}</table>")


def test_a_row_across_the_table_in_its_middle_stays_a_row() -> None:
    group = '<tr><td colspan="2">Swords</td></tr>'
    table = only(f"<table>{row('A', 'B', tag='th')}{group}{row('1', '2')}</table>")

    assert (("Swords", ""), ("1", "2")) == table.rows


def test_a_table_within_a_cell_is_that_cells_text() -> None:
    inner = f"<table>{row('x', 'y')}</table>"

    assert (("1", "x y"),) == only(f"<table>{row('A', 'B', tag='th')}{row('1', inner)}</table>").rows


def test_text_around_tables_is_kept_in_its_place() -> None:
    table = Table("", AB, (("1", "2"),))
    html = f"<p>Before <i>it</i>.</p><table>{PLAIN}</table>between<table>{PLAIN}</table> after <!-- not --> it"

    assert ["Before it.", table, "between", table, "after it"] == html_blocks(html, [])


def test_a_table_without_a_body_is_text() -> None:
    assert ["A"] == html_blocks("<table><tr><td></td></tr></table>A", [])
    assert [] == html_blocks("<table></table>", [])


def test_labels_with_colons_or_in_bold_make_a_record() -> None:
    colons = only(f"<table>{row('AC:', '5')}{row('HD:', '5+2')}{row('Move:', '12')}</table>")
    bold = only(f"<table>{row('<b>AC</b>', '5')}{row('<b>HD</b>', '5+2')}</table>")

    assert colons.is_record
    assert (("AC", "5"), ("HD", "5+2"), ("Move", "12")) == colons.rows
    assert bold.is_record


def test_words_above_numbers_are_a_header_and_words_above_words_are_none() -> None:
    words = [[Cell("Level"), Cell("Roll")], [Cell("1-3"), Cell("10")]]
    plain = [[Cell("red"), Cell("fire")], [Cell("white"), Cell("frost")]]
    numbers = build(words)
    names = build(plain)

    assert numbers is not None
    assert (("Level",), ("Roll",)) == numbers.columns
    assert names is not None
    assert ((), ()) == names.columns


def test_short_rows_are_filled_up() -> None:
    table = build([[Cell("A"), Cell("B"), Cell("C")], [Cell("1")]], header_rows=1)

    assert table is not None
    assert (("1", "", ""),) == table.rows


@pytest.mark.parametrize("grid", [[], [[]], [[Cell("")]], [[Cell(""), Cell("")], []]])
def test_nothing_makes_no_table(grid: list[list[Cell]]) -> None:
    assert None is build(grid)


PIECES = st.sampled_from(
    ["<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>", '<td colspan="3">', '<td rowspan="2">', "<th>", "<thead>",
     "<b>", "</b>", "<caption>", "<br>", "<sup>", "A", "1", "-3", " ", "<p>", "</p>", "\0", "\ud800", "&lt;", "<", "é"]
)  # fmt: skip
HTML = st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=40)


@given(HTML)
@example("<table><tr><td><sup><td>")
def test_no_html_raises_and_every_row_is_as_wide_as_its_table(html: str) -> None:
    for table in tables_in(html):
        assert table.rows
        assert {len(table.columns)} == {len(cells) for cells in table.rows}


@given(st.text(max_size=60))
def test_cleaning_twice_changes_nothing_but_escapes(text: str) -> None:
    once = clean(text.replace("\\", ""))

    assert once == clean(once)
    assert once == " ".join(once.split())


@pytest.mark.parametrize(
    ("first", "columns"),
    [(["", "0", "1"], (("Town",), ("Count",))), (["", "1", "2"], (("Town",), ("Count",)))],
)
def test_a_column_that_only_counts_the_rows_is_none(first: list[str], columns: tuple[tuple[str, ...], ...]) -> None:
    rows = zip(first, ("Town", "Hull", "York"), ("Count", "7", "9"), strict=True)
    table = build([[Cell(text) for text in row] for row in rows])
    assert table is not None
    assert (columns, (("Hull", "7"), ("York", "9"))) == (table.columns, table.rows)


@pytest.mark.parametrize("first", [["", "1", "3"], ["Rank", "1", "2"]])
def test_a_column_of_numbers_that_says_something_stays(first: list[str]) -> None:
    rows = zip(first, ("Town", "Hull", "York"), ("Count", "7", "9"), strict=True)
    table = build([[Cell(text) for text in row] for row in rows])
    assert table is not None
    assert 3 == len(table.columns)
