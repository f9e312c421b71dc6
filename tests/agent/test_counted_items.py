"""How many there are of what a label says is the number of the items that stand under it, be there a digit or none."""

from __future__ import annotations

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


def test_the_most_that_there_may_be_is_told_as_it_is_written() -> None:
    rows = "| Tier 3 | Maximum 3 | Hull |\n| Tier 4 | Maximum 5 | York |\n"
    oars = book(f"# Oars\n\n| Team | Spare oars | Port |\n|-|-|-|\n{rows}")

    assert not answer("How many spare oars may a tier 3 team have at most?", oars).needs
