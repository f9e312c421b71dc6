"""Things that have a page or a folder each and are named by nothing else: kilns and ferries no code knows."""

from __future__ import annotations

import pytest

from tests.kit import Book, answer, book, library

KILNS = {
    "ember": ("**Gas**", "620mm", "4.5kW", "90 l", "03/14", "Type K probe"),
    "cinder": ("Electric", "480mm", "9kW", "40 l", "05/17", "Type S probe"),
    "clinker_2019": ("Wood", "910mm", "0.2kW", "240 l", "11/19", "none"),
    "spark": ("Electric", "300mm", "2kW", "8 l", "02/20", "Type S probe"),
}


def _kiln(width: str, power: str, chamber: str, built: str, sensor: str) -> str:
    rows = {"Width": width, "Power": power, "Chamber": chamber, "Built": built, "Sensor": sensor}
    table = "".join(f"{label} | {value}\n" for label, value in rows.items())
    parts = "## Chamber door\n\n* **HINGE** steel, two\n* **ALL LOCKS** 3\n"
    specs = f"## Specifications\n\n* Door clearance: {width}.\n* Fuse: 16A.\n* Lid torque: 9 Nm.\n"
    return f"![](front.jpg)\n\n[TOC]\n\n## Key data\n\nParameter | Value\n---|---\n{table}\n{specs}\n{parts}"


def _workshop() -> Book:
    pages = {}
    for name, (fuel, *values) in KILNS.items():
        pages[f"docs/kilns/{name}/index.md"] = _kiln(*values)
        pages[f"docs/kilns/{name}/manual.md"] = f"## Installation\n\nBurns {fuel}.\n\n## Firing\n\nLight it.\n"
    pages["docs/history.md"] = "# History\n\nThe workshop opened long ago.\n"
    return library(pages)


WORKSHOP = _workshop()


def verdict(question: str, book: Book = WORKSHOP) -> str | None:
    return answer(question, book).finding.verdict


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How wide is Ember?", "620mm"),
        ("What is the power of Clinker 2019?", "0.2kW"),
        ("Power, Cinder", "9kW"),
        ("Which sensor does the Spark have?", "Type S probe"),
        ("What is the lid torque of the Ember?", "9 Nm."),
        ("What are the key data of Spark: chamber?", "8 l"),
    ],
)
def test_a_page_without_a_title_is_called_as_its_folder(question: str, expected: str) -> None:
    assert expected == verdict(question)


@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("Which kiln is the widest?", "clinker 2019"),
        ("Which kiln is the widest of all?", "clinker 2019"),
        ("Which kiln has the highest power?", "cinder"),
        ("What kiln has the lowest power?", "clinker 2019"),
        ("Is Ember or Spark wider?", "Ember"),
    ],
)
def test_the_best_of_those_that_have_a_folder_each(question: str, winner: str) -> None:
    assert winner == verdict(question)


def test_those_that_have_a_folder_each_are_counted_and_listed() -> None:
    assert "2" == verdict("How many kilns have a Type S probe?")
    assert "cinder, spark" == verdict("Which kilns have a Type S probe?")


def test_a_part_of_a_thing_is_none_of_its_kind() -> None:
    bound = WORKSHOP.binder.bind_by_words("How many kilns are there?")
    assert bound is not None
    assert sorted(name.replace("_", " ") for name in KILNS) == [each.subject.text for each in bound.readings]


BOATS = library(
    {
        f"{boat}/More_on_it/{page}.md": f"---\ntitle: {page}\n---\n\n## Figures\n\n- Draught: {draught} m\n"
        f"- Crew: {crew}\n\n## Speeds\n\nSail | Speed\n---|---\nfull | {speed} kn\nstorm | {speed - 4} kn\n"
        for boat, page, draught, crew, speed in (
            ("Skiff_One", "Specification", 2, 3, 9),
            ("Barge-Two", "Specifications", 4, 7, 6),
            ("Punt_Pro", "Specifications", 1, 2, 5),
        )
    }
    | {"Skiff_One/Repairs.md": "---\ntitle: Repairs\n---\n\n- Tar needed: 12 kg\n- Days: 3\n"}
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the draught of the Skiff One?", "2 m"),
        ("Which has the larger crew, the Skiff One or the Barge-Two?", "Barge-Two"),
        ("How much tar is needed for the Skiff One?", "12 kg"),
        ("What is the speed of the Punt Pro with storm sail?", "1 kn"),
    ],
)
def test_a_page_deep_in_the_folder_of_a_thing_is_called_as_that_folder(question: str, expected: str) -> None:
    assert expected == verdict(question, BOATS)


def test_a_page_that_opens_every_folder_makes_no_thing_of_it() -> None:
    pages = {
        f"{part}/{page}.md": f"# {page.title()} of {part}\n\n- Length: {n} m\n"
        for part in ("yard", "canal", "office")
        for n, page in enumerate(("index", f"{part} one", f"{part} two", f"{part} three"), start=2)
    }
    assert {"One", "Two", "Three"} == {
        chunk.headings[0].split()[1] for chunk in library(pages).chunks if chunk.headings[0].split()[0] != "Index"
    }


FERRIES = library(
    {
        f"fleet/{name}.md": f"## Overview\n\nA ferry.\n\n## Figures\n\n**Crew** {crew}\n\n**Deck length** {deck}\n"
        for name, crew, deck in (("reed", "4", "31 m"), ("rush", "6", "45 m"), ("sedge", "9", "28 m"))
    }
)


def test_a_page_without_a_title_is_called_as_its_file() -> None:
    assert "45 m" == verdict("What is the deck length of the Rush?", FERRIES)
    assert "sedge" == verdict("Which of the fleet has the largest crew?", FERRIES)


LAWS = library(
    {
        f"{code}.md": f"# {code}. {name}\n\nOf gates.\n\n## Figures\n\n- Term: {term}\n- Fee: {fee} EUR\n- Copies: 2\n"
        for code, name, term, fee in (
            ("5B", "Lock Keeping", "4 years", 30),
            ("5C", "Weir Keeping", "9 years", 45),
            ("6A", "Keeping of Ferries", "2 years", 12),
        )
    }
)


def test_the_number_before_a_name_may_be_left_out() -> None:
    assert "9 years" == verdict("What is the term of Weir Keeping?", LAWS)
    assert "12 EUR" == verdict("What's the fee for Keeping of Ferries?", LAWS)


RAILS = library(
    {
        f"supplies/{name}/{page}.md": text
        for name, plus, minus in (("arc", "90mA", "30mA"), ("bolt", "60mA", "80mA"), ("coil", "20mA", "50mA"))
        for page, text in (
            ("index", f"## Figures\n\n**+12V current** {plus}\n\n**-12V current** {minus}\n\n**Weight** 2 kg\n"),
            ("notes", "## Installation\n\nScrew it in.\n"),
        )
    }
)


def test_a_number_in_a_label_says_which_label_is_meant() -> None:
    assert "arc" == verdict("Which of the supplies has the highest +12V current?", RAILS)
    assert "bolt" == verdict("Which of the supplies has the highest -12V current?", RAILS)
    assert "bolt, coil" == verdict("Which supplies have a -12V current of more than 40mA?", RAILS)
    assert "arc, bolt" == verdict("Which supplies have a +12V current of more than 40mA?", RAILS)


FIGURES = {"reed": ("31 m", "4", "Elbe"), "rush": ("45 m", "6", "Weser"), "sedge": ("28 m", "9", "Elbe")}
FORMS = {
    "one file, a table with common heads below a heading of each": book(
        "# Ferries\n\n"
        + "".join(
            f"## {name.title()}\n\nA ferry.\n\n### Technical data\n\n"
            f"| Property | Value |\n|---|---|\n| Length | {length} |\n| Crew | {crew} |\n| River | {river} |\n\n"
            for name, (length, crew, river) in FIGURES.items()
        )
    ),
    "the first line of the record stands where the heads do": library(
        {
            f"ferries/{name}.md": f"# {name.title()}\n\n| Name | {name.title()} |\n|---|---|\n"
            f"| Length | {length} |\n| Crew | {crew} |\n| River | {river} |\n\n## History\n\nOld.\n"
            for name, (length, crew, river) in FIGURES.items()
        }
    ),
    "each page has the same title": library(
        {
            f"ferries/{name}/README.md": f"# Overview\n\nA ferry.\n\n## Facts\n\n| Fact | |\n|---|---|\n"
            f"| **Length** | {length} |\n| **Crew** | {crew} |\n| **River** | {river} |\n"
            for name, (length, crew, river) in FIGURES.items()
        }
    ),
}


@pytest.mark.parametrize("ferries", FORMS.values(), ids=FORMS)
def test_a_table_of_the_same_labels_on_each_page_is_its_record(ferries: Book) -> None:
    assert "31 m" == verdict("How long is the Reed?", ferries)
    assert "rush" == str(verdict("Which ferry is the longest?", ferries)).casefold()
    assert "2" == verdict("How many ferries have a crew of more than 5?", ferries)
    assert "reed, sedge" == str(verdict("Which ferries sail on the river Elbe?", ferries)).casefold()


def test_a_list_of_prices_is_no_record() -> None:
    prices = {"Elbe": ("2 gp", "5 sp", "9 sp"), "Ems": ("3 gp", "6 sp", "8 sp"), "Oder": ("1 gp", "4 sp", "7 sp")}
    rows = "| Goods | Cost |\n|---|---|\n| Grain | {} |\n| Salt | {} |\n| Rope | {} |\n\n"
    harbours = book("# Harbours\n\n" + "".join(f"## {name}\n\n{rows.format(*each)}" for name, each in prices.items()))
    assert "6 sp" == verdict("What is the cost of salt in Ems?", harbours)


HARBOURS = library(
    {
        f"{name.lower()}.md": f"# {name} harbour\n\n## Berth list\n\n| Berth | Depth (m) |\n|---|---|\n"
        + "".join(f"| {name[:2].upper()}{n} | {n + deep} |\n" for n in range(1, 4))
        + f"\n## Crane list\n\n| Crane | Depth (m) | Lift (t) |\n|---|---|---|\n| C{name[0]}1 | 2 | 9 |\n"
        for name, deep in (("Elbe", 4), ("Weser", 6), ("Ems", 3))
    }
)


def test_a_role_that_nothing_tells_contradicts() -> None:
    assert "7" == verdict("What is the depth of EL3 in the berth list?", HARBOURS)
    assert "7" != verdict("What is the depth of EL3 in the crane list?", HARBOURS)


COUNTRIES = library(
    {
        f"wiki/{name}.md": f"# {name}\n\n{name} is a {look} country in the {side}.\n\n## People\n\n"
        f"- Currency: {coin}\n- Population: {people} million\n- Tongue: {name}ish\n"
        for name, look, side, coin, people in (
            ("Arland", "flat", "north", "crown", 3),
            ("Boria", "hot", "south", "mark", 11),
            ("Cesta", "cold", "east", "crown", 1),
        )
    }
)


def test_pages_are_what_most_of_them_say_they_are() -> None:
    assert "Arland, Cesta" == verdict("Which countries use the crown?", COUNTRIES)
    assert "2" == verdict("How many countries have a population of more than 2 million?", COUNTRIES)
