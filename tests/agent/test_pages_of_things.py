"""Things that have a page or a folder each and are named by nothing else: kilns and ferries no code knows."""

from __future__ import annotations

import pytest

from tests.kit import Book, answer, library

KILNS = {
    "ember": ("**Gas**", "620mm", "4.5kW", "90 l", "03/14", "Type K probe"),
    "cinder": ("Electric", "480mm", "9kW", "40 l", "05/17", "Type S probe"),
    "clinker_2019": ("Wood", "910mm", "0.2kW", "240 l", "11/19", "none"),
    "spark": ("Electric", "300mm", "2kW", "8 l", "02/20", "Type S probe"),
}


def _kiln(width: str, power: str, chamber: str, built: str, sensor: str) -> str:
    rows = {"Width": width, "Power": power, "Chamber": chamber, "Built": built, "Sensor": sensor}
    table = "".join(f"{label} | {value}\n" for label, value in rows.items())
    specs = f"## Specifications\n\n* Door clearance: {width}.\n* Fuse: 16A.\n* Lid torque: 9 Nm.\n"
    return f"![](front.jpg)\n\n[TOC]\n\n## Key data\n\nParameter | Value\n---|---\n{table}\n{specs}\n"


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


FERRIES = library(
    {
        f"fleet/{name}.md": f"## Overview\n\nA ferry.\n\n## Figures\n\n**Crew** {crew}\n\n**Deck length** {deck}\n"
        for name, crew, deck in (("reed", "4", "31 m"), ("rush", "6", "45 m"), ("sedge", "9", "28 m"))
    }
)


def test_a_page_without_a_title_is_called_as_its_file() -> None:
    assert "45 m" == verdict("What is the deck length of the Rush?", FERRIES)
    assert "sedge" == verdict("Which of the fleet has the largest crew?", FERRIES)
