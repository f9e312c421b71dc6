"""Pages of HTML are read as people see them: tables that only lay out a page, and tables within tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.ingest.read import read_sources
from retrieval.types import Chunk, Table
from tests.kit import answer, book_of

FRAMED = """\
<html><head><title>Ferries</title></head><body>
<table><tr><td><a href="/">Home</a><br><a href="/old">Old ferries</a></td><td>
<h2>Reed</h2><p>A ferry of the north.</p>
<div><b>Length:</b> 31 m<br><b>Crew:</b> 4<br><b>Built:</b> 1931<br></div>
<h2>Crossings</h2>
<table><tr><td><table><tr><th>Harbour</th><th>Fare</th></tr><tr><td>Tarn</td><td>3</td></tr>
<tr><td>Holm</td><td>5</td></tr></table></td></tr></table>
</td></tr></table></body></html>
"""
BOXES = """\
<h1>Reed</h1>
<table>
<tr><td><table><tr><th colspan="2">Reed, young</th></tr><tr><th>Length</th><td>31 m</td></tr>
<tr><td colspan="2"><table><tr><th>Fare:</th><td>adults @</td><td>3 marks</td></tr></table></td></tr>
<tr><th colspan="2">Piers</th></tr>
<tr><td colspan="2"><table><tr><th>Pier</th><th>Depth</th></tr><tr><td>North</td><td>4 m</td></tr>
<tr><td>South</td><td>6 m</td></tr></table></td></tr>
<tr><th colspan="2">Needs</th></tr><tr><td colspan="2">Coal (3)</td></tr>
<tr><th>Crew</th><td>4</td></tr></table></td></tr>
<tr><td><table><tr><th colspan="2">Reed, old</th></tr><tr><th>Length</th><td>29 m</td></tr>
<tr><th>Crew</th><td>5</td></tr></table></td></tr>
</table>
"""


def read(text: str, tmp_path: Path, name: str = "page.html") -> list[Chunk]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return list(read_sources([path]).chunks)


def tables(text: str, tmp_path: Path, name: str = "page.html") -> list[Table]:
    return [table for chunk in read(text, tmp_path, name) for table in chunk.tables]


def test_a_table_that_lays_out_a_page_is_the_page(tmp_path: Path) -> None:
    chunks = read(FRAMED, tmp_path)

    told = {chunk.title: chunk.tables[0].rows for chunk in chunks if chunk.tables}
    assert (("Length", "31 m"), ("Crew", "4"), ("Built", "1931")) == told["Reed"]
    assert (("Tarn", "3"), ("Holm", "5")) == told["Crossings"]


@pytest.mark.parametrize(
    ("question", "value"),
    [("What is the length of the Reed?", "31 m"), ("What is the fare to Holm?", "5"), ("Fare to Tarn?", "3")],
)
def test_what_stands_in_a_frame_is_found_by_name(question: str, value: str, tmp_path: Path) -> None:
    assert value == answer(question, book_of(read(FRAMED, tmp_path))).finding.verdict


def test_tables_in_rows_of_their_own_are_called_by_the_heads_above_them(tmp_path: Path) -> None:
    found = {table.caption: table.rows for table in tables(BOXES, tmp_path)}

    young = (("Length", "31 m"), ("Fare", "adults @ 3 marks"), ("Needs", "Coal (3)"), ("Crew", "4"))
    assert young == found["Reed, young"]
    assert (("Length", "29 m"), ("Crew", "5")) == found["Reed, old"]
    assert (("North", "4 m"), ("South", "6 m")) == found["Reed, young: Piers"]


def test_several_values_below_a_head_are_no_value_of_it_alone(tmp_path: Path) -> None:
    rows = '<tr><th colspan="2">Ports</th></tr><tr><td colspan="2">Tarn</td></tr><tr><td colspan="2">Holm</td></tr>'
    (table,) = tables(f"<h1>Reed</h1><table><tr><th>Crew</th><td>4</td></tr>{rows}</table>", tmp_path)

    assert (("Crew", "4"), ("Ports", ""), ("Tarn", ""), ("Holm", "")) == table.rows


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>Reed</td><td>31</td></tr><tr><td>Sedge</td><td>24</td></tr></table>",
        "<table><tr><th>Boat</th><th>Ports</th></tr><tr><td>Reed</td><td><ul><li>Tarn</li></ul></td></tr>"
        "<tr><td>Rush</td><td><table><tr><td>Holm</td></tr></table></td></tr></table>",
    ],
)
def test_a_table_of_data_stays_one(html: str, tmp_path: Path) -> None:
    assert 1 == len(tables(f"<h1>Boats</h1>{html}", tmp_path))


def test_frames_in_markdown_are_none_either(tmp_path: Path) -> None:
    inner = "<table><tr><th>Boat</th><th>Crew</th></tr><tr><td>Reed</td><td>4</td></tr></table>"
    (table,) = tables(f"# Boats\n\n<table><tr><td>{inner}</td></tr></table>\n", tmp_path, "page.md")

    assert ((("Boat",), ("Crew",)), (("Reed", "4"),)) == (table.columns, table.rows)


def test_a_head_that_the_table_marks_is_one_also_above_bold_names(tmp_path: Path) -> None:
    body = "<tr><td><b>Reed</b></td><td>coal</td></tr><tr><td><b>Rush</b></td><td>oil</td></tr>"
    (table,) = tables(f"<h1>Boats</h1><table><tr><th>Boat</th><th>Burns</th></tr>{body}</table>", tmp_path)

    assert (("Boat",), ("Burns",)) == table.columns


def test_columns_without_a_word_are_none(tmp_path: Path) -> None:
    rows = "<tr><th>Boat</th><th></th><th>Crew</th></tr><tr><td>Reed</td><td><img src='r.png'></td><td>4</td></tr>"
    (table,) = tables(f"<h1>Boats</h1><table>{rows}</table>", tmp_path)

    assert (("Reed", "4"),) == table.rows


def test_a_number_before_a_heading_is_written_as_it_stands(tmp_path: Path) -> None:
    chunks = read("<h1>Boats</h1><h2>1. Reed</h2><p>Old.</p><p>2. May was the day.</p>", tmp_path)

    assert "1. Reed" == chunks[0].title
    assert "2. May was the day." in chunks[0].text


@pytest.mark.parametrize("name", ["page.html", "page.md"])
def test_powers_of_units_are_told_and_marks_of_footnotes_are_not(name: str, tmp_path: Path) -> None:
    text = "<h1>Reed</h1>\n\n<p>It covers 30 km<sup>2</sup> at 2 m/s<sup>2</sup> for Holm<sup>2</sup> alone.</p>\n"
    (chunk,) = read(text, tmp_path, name)

    assert "It covers 30 km² at 2 m/s² for Holm alone." in chunk.text


BOXED = """\
<h1>Reed</h1>
<div><div class="row"><div>Length</div><div>31 m</div></div>
<div class="row"><div>Home</div><div><a href="/tarn">Tarn</a></div></div></div>
<ul><li><span>Fare</span><span>3 marks</span></li><li><span>Built</span> <span>1931</span></li></ul>
<div><b>250</b><p>Members</p></div><div><b>12</b><p>Piers</p></div>
<p>The Reed is old.</p>
"""


def test_boxes_of_a_label_and_a_value_are_pairs_and_the_word_below_an_amount_is_its_label(tmp_path: Path) -> None:
    told = {row for table in tables(BOXED, tmp_path) for row in table.rows}

    assert {("Length", "31 m"), ("Home", "Tarn"), ("Fare", "3 marks"), ("Built", "1931")} <= told
    assert {("Members", "250"), ("Piers", "12")} <= told


def test_boxes_of_names_and_sentences_are_none(tmp_path: Path) -> None:
    cards = "".join(
        f"<div><h3>{name}</h3><p>A ferry of the {side}.</p></div>"
        for name, side in (("Reed", "north"), ("Rush", "south"))
    )
    chunks = read(f"<h1>Ferries</h1>{cards}", tmp_path)

    assert ["Reed", "Rush"] == [chunk.title for chunk in chunks]


def test_a_box_beside_the_text_that_tells_of_its_thing_is_read_and_one_that_leads_elsewhere_is_not(
    tmp_path: Path,
) -> None:
    rows = "<div><h3>Length</h3><div>31 m</div></div><div><h3>Crew</h3><div>4</div></div>"
    box = f"<aside><h2>Reed</h2><h2>Build</h2>{rows}</aside>"
    links = "<li><a href='/a'>All other ferries</a></li><li><a href='/b'>Harbours</a></li>"
    menu = f"<aside><h2>More</h2><ul>{links}</ul></aside>"
    (chunk,) = read(f"<h1>Reed</h1>{box}<p>The Reed is old.</p>{menu}", tmp_path)

    assert ("Length", "31 m") in chunk.tables[0].rows
    assert "The Reed is old." in chunk.text and "Harbours" not in chunk.text


def test_a_record_with_names_of_groups_is_one(tmp_path: Path) -> None:
    head, row = '<tr><th colspan="2">{}</th></tr>', "<tr><th>{}</th><td>{}</td></tr>"
    picture = '<tr><td colspan="2">The Reed in 1931</td></tr>'
    rows = [
        row.format("Type", "Ferry"),
        head.format("Past"),
        row.format("Built", "1931"),
        head.format("Size"),
        row.format("Crew", "4"),
    ]
    (table,) = tables(f"<h1>Reed</h1><table>{picture}{''.join(rows)}</table>", tmp_path)

    assert table.is_record
    assert [("Type", "Ferry"), ("Built", "1931"), ("Crew", "4")] == [row for row in table.rows if row[1]]


def test_a_page_of_a_generator_has_its_front_matter_and_none_of_its_commands(tmp_path: Path) -> None:
    page = (
        "---\nlayout: page\ntitle: Ferry office\nphone: 555-0199\n---\n{% include menu.html %}\n"
        "<p>Tickets are sold at the pier.</p>\n{% comment %}\n<p>Never on Sundays.</p>\n{% endcomment %}\n"
        "<h2>Fares</h2>\n<p>{{ site.fares }} A child pays 2 marks.</p>\n"
    )
    chunks = read(page, tmp_path)
    said = "\n".join(chunk.text for chunk in chunks)
    assert {chunk.title for chunk in chunks} == {"Ferry office", "Fares"}
    assert "555-0199" in said and "Tickets are sold" in said and "2 marks" in said
    assert not any(mark in said for mark in ("{", "%", "include", "Sundays"))
    assert [chunk.line for chunk in chunks if chunk.title == "Fares"] == [11]


def test_braces_in_a_page_that_nobody_generates_are_text(tmp_path: Path) -> None:
    assert "{{ fare }}" in read("<h1>Templates</h1><p>Write {{ fare }} for the fare.</p>", tmp_path)[0].text
