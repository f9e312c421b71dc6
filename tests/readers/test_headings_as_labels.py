"""Headings that come back under several things, above brief values, are labels of these things."""

from __future__ import annotations

import pytest

from tests.kit import answer, book, library

_LABELS = ("Length", "Built", "Home port", "Crew")
_FACTS = {
    "Reed": ("9 m", "1912", "Hull", "3"),
    "Sedge": ("12 m", "1931", "York", "8"),
    "Rush": ("7 m", "1898", "Hull", "2"),
}


def _told(name: str, depth: int) -> str:
    parts = [f"{'#' * (depth + 1)} {label}\n\n{value}" for label, value in zip(_LABELS, _FACTS[name], strict=True)]
    return "\n\n".join([f"{'#' * depth} {name}", *parts, f"{'#' * (depth + 1)} Past\n\nThe {name} was lost once.", ""])


BOATS = book("# Boats\n\n" + "\n".join(_told(name, 2) for name in _FACTS))
PAGES = library({f"{name.lower()}.md": _told(name, 1) for name in _FACTS})
BY_LABEL = book(
    "# Boats\n\n"
    + "\n".join(
        f"## {label}\n\n" + "\n\n".join(f"### {name}\n\n{told[at]}" for name, told in _FACTS.items()) + "\n"
        for at, label in enumerate(_LABELS)
    )
)
QUESTIONS = [
    ("What is the length of the Sedge?", "12 m"),
    ("Which has the larger crew, the Reed or the Rush?", "Reed"),
    ("What is the home port of the Rush?", "Hull"),
]


@pytest.mark.parametrize(("question", "told"), [*QUESTIONS, ("How many boats have Hull as their home port?", "2")])
def test_headings_that_come_back_are_labels(question: str, told: str) -> None:
    said = answer(question, BOATS)

    assert told in said.finding.claim
    assert not said.needs


@pytest.mark.parametrize(("question", "told"), QUESTIONS)
def test_so_are_those_of_pages(question: str, told: str) -> None:
    assert told in answer(question, PAGES).finding.claim


def test_what_is_no_value_stays_a_section_of_its_own() -> None:
    assert ["Past"] * 3 == [chunk.title for chunk in BOATS.chunks if "was lost" in chunk.text]


def test_things_below_their_measure_are_no_labels() -> None:
    assert [] == [table for chunk in BY_LABEL.chunks for table in chunk.tables]


def test_steps_and_questions_are_no_labels() -> None:
    steps = "\n".join(f"## {name}\n\n### Before\n\nWash it\n\n### After\n\nDry it\n" for name in _FACTS)

    assert [] == [table for chunk in book("# Care\n\n" + steps).chunks for table in chunk.tables]


@pytest.mark.parametrize("form", ["### {label}: {value}", "**{label}: {value}**"])
def test_headings_that_hold_their_value_are_told_of_the_one_above(form: str) -> None:
    told = {
        name: "\n\n".join(form.format(label=label, value=value) for label, value in zip(_LABELS, values, strict=True))
        for name, values in _FACTS.items()
    }
    boats = book("# Boats\n\n" + "\n\n".join(f"## {name}\n\n{facts}" for name, facts in told.items()))

    assert "12 m" in answer("What is the length of the Sedge?", boats).finding.claim
    assert "2" == answer("How many boats have Hull as their home port?", boats).finding.verdict


def test_a_heading_with_text_below_is_no_value() -> None:
    chapters = book("# Tides\n\n## Chapter 1: Ebb\n\nIt falls.\n\n## Chapter 2: Flood\n\nIt rises.\n")

    assert ["Chapter 1: Ebb", "Chapter 2: Flood"] == [chunk.title for chunk in chapters.chunks]
