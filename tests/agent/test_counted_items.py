"""How many there are of what a label says is the number of the items that stand under it, be there a digit or none."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

OARS = book("""# Oar Guide

## Lark oar

**Currently made types:** Oak, Elm, Black Ash

**Finish:** varnish, or oil on the blade

## Wren oar

**Currently made types:** Pine
""")


def test_the_items_under_a_label_are_counted() -> None:
    reasoned = answer("How many types of the Lark oar are currently made?", OARS)

    assert ("3", ()) == (reasoned.finding.verdict, reasoned.needs)


def test_what_is_no_list_is_not_counted() -> None:
    assert answer("How many finishes of the Lark oar are there?", OARS).needs


BOATS = book("""# Boats

| Boat | Cargo | Crew |
|-|-|-|
| Reed | peat, coal, salt | 3 |
| Sedge | peat | 8 |
| Rush | coal; grain | 2 |
""")


def test_the_items_under_a_head_are_counted() -> None:
    reasoned = answer("How many cargoes does the Reed carry?", BOATS)

    assert ("3", ()) == (reasoned.finding.verdict, reasoned.needs)


def test_those_of_one_thing_or_another_are_those_of_both() -> None:
    told = answer("Which boats carry coal or grain?", BOATS)
    counted = answer("How many boats carry coal or grain?", BOATS)

    assert ("Reed, Rush", ()) == (told.finding.verdict, told.needs)
    assert ("2", ()) == (counted.finding.verdict, counted.needs)
    assert answer("Which boats carry coal or wine?", BOATS).needs


@pytest.mark.parametrize(
    "question", ["Which boats have the cargoes coal or grain?", "Which boats with the cargo peat or coal?"]
)
def test_one_of_two_items_is_not_both(question: str) -> None:
    """Those who have both are some of those who have one of them: they are not told as all."""
    told = answer(question, BOATS)
    assert told.needs or told.finding.verdict in ("Reed, Rush", "Reed, Sedge, Rush")


def test_who_has_both_of_two_items_is_chosen_by_both() -> None:
    assert "Reed" == answer("Which boats have the cargo coal and salt?", BOATS).finding.verdict


def test_the_most_that_there_may_be_is_told_as_it_is_written() -> None:
    rows = "| Tier 3 | Maximum 3 | Hull |\n| Tier 4 | Maximum 5 | York |\n"
    oars = book(f"# Oars\n\n| Team | Spare oars | Port |\n|-|-|-|\n{rows}")

    assert not answer("How many spare oars may a tier 3 team have at most?", oars).needs


def test_numbers_and_commas_in_brackets_count_nothing() -> None:
    rows = "| Play | Bribe (0 to 3 eggs, a hen) | Free if nobody rules |\n| Move | Free | - |\n| Tax | Free | - |\n"
    pax = book(f"# Pax Second Edition\n\n## Costs\n\n| Action | Cost | Notes |\n|-|-|-|\n{rows}")

    reasoned = answer("How many actions have the cost Free in Pax Second Edition?", pax)

    assert reasoned.needs or "2" == reasoned.finding.verdict
