"""Kinds that a whole book is of: their members stand under headings of which only some have the word for the kind."""

from __future__ import annotations

import pytest

from tests.kit import Book, answer, book

_RIGS = {
    "Harbour Boat": "Pale Gaff",
    "Old River Boat": "Dark Lug",
    "Steam Launch": "Red Yawl",
    "Sea Ketch": "Blue Sloop",
}
_FAMILIES = ("wide-family", "narrow-family", "tall-family")


def _pages() -> str:
    """Six boats under each of four headings, of which only two say *boat*; the numbers grow from each to the next."""
    lines, number = ["# Boats of the North", ""], 0
    for heading, names in _RIGS.items():
        lines += [f"## {heading}", ""]
        for n in range(6):
            number += 1
            name = f"{heading.split()[0]} {names} Boat" if n < 3 else names
            family = _FAMILIES[number % 3]
            lines += [f"### {name} {'ABCDEF'[n]}", "", "**Comments:** A boat that many know.", ""]
            lines += [f"**Length:** {number + 10} m", "", f"**Crew:** {30 - number}", ""]
            lines += [f"**Tags:** {'oak' if number % 5 else 'elm'}-built, {family}, northern\n"]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def boats() -> Book:
    return book(_pages())


def test_the_best_of_what_the_book_is_about_is_that_of_all(boats: Book) -> None:
    assert "Blue Sloop F" == answer("Which boat has the greatest length?", boats).finding.verdict


def test_a_heading_that_only_some_stand_under_still_chooses_them(boats: Book) -> None:
    assert "Red Yawl F" == answer("Which launch has the greatest length?", boats).finding.verdict


def test_those_who_have_a_value_are_all_that_have_it(boats: Book) -> None:
    found = answer("How many boats have the tag elm-built?", boats).finding

    assert "4" == found.verdict


@pytest.mark.parametrize("verb", ["belong to", "sail in"])
def test_a_verb_that_nobody_has_is_told_and_decides_nothing(boats: Book, verb: str) -> None:
    found = answer(f"Which boats {verb} the wide family?", boats).finding

    assert 8 == len(found.verdict.split(", ")) if found.verdict else found.claim.startswith("8:")
    assert any(verb.split()[0] in step.text for step in found.steps if "not heeded" in step.text)
