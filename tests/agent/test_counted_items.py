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
