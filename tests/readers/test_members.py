"""Lists of things that have no labels are tables: what each item names is a row, in whatever form it is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.ingest.read import read_sources
from retrieval.types import Table
from tests.kit import answer, book, chunks_of

_ROOMS = (("Alder", 12, "ground floor"), ("Birch", 30, "annex"), ("Cedar", 8, "attic"), ("Damson", 55, "annex"))
_FORMS: dict[str, Callable[[str, int, str], str]] = {
    "a dash": lambda name, seats, place: f"- {name} - {seats} seats",
    "a long dash": lambda name, seats, place: f"* {name} — {seats} seats",
    "a colon": lambda name, seats, place: f"- {name}: {seats} seats",
    "bold": lambda name, seats, place: f"- **{name}** {seats} seats",
    "bold with a colon": lambda name, seats, place: f"- **{name}:** {seats} seats",
    "a bracket": lambda name, seats, place: f"- {name} ({seats} seats)",
    "a sign": lambda name, seats, place: f"- The {name} = {seats} seats",
    "a comma": lambda name, seats, place: f"- {name}, {seats} seats, {place}",
    "numbers": lambda name, seats, place: f"1. {name} – {seats} seats – {place}",
    "another fact": lambda name, seats, place: f"- **{name}**, {place}: {seats} seats",
    "a link": lambda name, seats, place: f"- [{name}](rooms/{name}.md) - {seats} seats",
    "below": lambda name, seats, place: f"- {name}\n  - {seats} seats\n  - {place}",
    "lines": lambda name, seats, place: f"**{name}** {seats} seats\n",
    "elements": lambda name, seats, place: f"<li>{name} - {seats} seats</li>",
}
_ABOVE = {"a heading": "## Rooms\n", "a line": "## Visitors\n\nThe house lets the following rooms:\n", "a title": ""}
_ASKED = {
    "How many seats does the Birch have?": "30",
    "Which has more seats, the Alder or the Cedar?": "Alder",
    "Which room has the most seats?": "Damson",
    "Which room has the fewest seats?": "Cedar",
    "How many rooms have more than 20 seats?": "2",
    "How many rooms are there?": "4",
    "How many seats do all rooms have together?": "105",
}


def _page(above: str, items: list[str]) -> str:
    title = "# Visitors' guide\n\nOpen in summer.\n" if above else "# Rooms\n"
    gardens = "## Gardens\n\n- Rose garden - 3 gates\n- Orchard - 1 gate\n- Lawn - 2 gates\n"
    return "\n".join([title, above, *items, "\n", gardens, "## Rules\n", "- No smoking.", "- Please shut the gates."])


@pytest.mark.parametrize("above", _ABOVE)
@pytest.mark.parametrize("form", _FORMS)
def test_what_items_tell_is_asked_for_as_of_a_table(form: str, above: str) -> None:
    if above == "a line" and form in ("lines", "elements"):
        pytest.skip("what leads to lines of bold words says nothing of them")
    items = [_FORMS[form](*room) for room in _ROOMS]
    told = book(_page(_ABOVE[above], ["<ul>", *items, "</ul>"] if form == "elements" else items))

    found = {question: answer(question, told) for question in _ASKED}

    assert [] == [question for question, one in found.items() if one.needs]
    said = {question: f"{one.finding.verdict} {one.finding.claim}" for question, one in found.items()}
    assert {} == {question: said[question] for question, text in _ASKED.items() if text not in said[question]}


@pytest.mark.parametrize("items", [
    ["- Alder", "- Birch", "- Cedar"],
    ["1. **Alder**", "2. **Birch**", "3. **Cedar**"],
    ["- [Alder](a.md)", "- [Birch](b.md)", "- [Cedar](c.md)"],
    ["- **Alder** - 12 Mill Lane, York", "- **Birch** - 3 Quay Road, Hull", "- **Cedar** - 40 High Street, York"],
])  # fmt: skip
def test_mere_names_are_counted_and_listed(items: list[str]) -> None:
    told = book(_page(_ABOVE["a heading"], items))

    assert "3" == str(answer("How many rooms are there?", told).finding.claim).split(":")[0]
    listed = answer("Which rooms are there?", told)
    assert {"Alder", "Birch", "Cedar"} == {*str(listed.finding.verdict).split(", ")}
    assert answer("How many cellars are there?", told).needs


@pytest.mark.parametrize("form", ["- {}: {}", "- **{}** {}", "- {} - {}", "- {} ({})"])
def test_amounts_in_one_unit_rank_what_they_are_of(form: str) -> None:
    fares = [form.format(name, fare) for name, fare in (("Adult", "$12"), ("Child", "$5"), ("Senior", "$8"))]
    told = book("\n".join(["# Guide\n\nOpen in summer.\n\n## Tickets\n", *fares, "\n## Rules\n\n- No smoking."]))

    found = [answer(f"Which ticket {asked}?", told).finding.verdict for asked in ("is the cheapest", "costs the most")]
    assert ["Child", "Adult"] == found
    assert answer("How much is a senior ticket?", told).finding.verdict == "$8"


@pytest.mark.parametrize("items", [
    ["- Open the gate.", "- Ring twice.", "- Wait for the porter."],
    ["- Length: 9 m", "- Weight: 3 t", "- Built: 1912"],
    ["- Alder - 12 seats", "- Birch - 30 seats"],
    ["- Alder - 12 seats", "- Alder - 30 seats", "- Birch - 4 seats"],
    ["- if it rains", "- when it snows", "- unless it thaws"],
    ["- Alder has the best view of all the rooms that we let", "- Birch", "- Cedar"],
])  # fmt: skip
def test_sentences_measures_and_repeats_are_no_things(items: list[str]) -> None:
    tables = [table for chunk in chunks_of(_page(_ABOVE["a heading"], items)) for table in chunk.tables]

    assert [] == [table.rows for table in tables if table.caption == "Rooms" and _has_heads(table)]


@pytest.mark.parametrize(("name", "text"), [
    ("a.rst", "Rooms\n=====\n\n* Alder - 12 seats\n* Birch - 30 seats\n* Cedar - 8 seats\n"),
    ("a.adoc", "= House\n\n== Rooms\n\n* Alder - 12 seats\n* Birch - 30 seats\n* Cedar - 8 seats\n"),
    ("a.html", "<h1>Rooms</h1><ol><li><b>Alder</b> (12 seats)<li>Birch (30 seats)<li>Cedar (8 seats)</ol>"),
    ("b.html", "<h1>Rooms</h1><dl><dt>Alder<dd>12 seats<dt>Birch<dd>30 seats<dt>Cedar<dd>8 seats</dl>"),
])  # fmt: skip
def test_other_formats(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)

    tables = [table for chunk in read_sources([tmp_path / name]).chunks for table in chunk.tables]

    (things,) = (table for table in tables if _has_heads(table))
    assert ("seats",) == things.columns[1]
    assert (("Alder", "12 seats"), ("Birch", "30 seats"), ("Cedar", "8 seats")) == things.rows


def _has_heads(table: Table) -> bool:
    return not table.is_record
