"""Counts, lists and superlatives over all of a table: of the table that is named, whose rows may have a number before
their names, and say *no* where they have nothing.
"""

from __future__ import annotations

import pytest

from tests.kit import answer, book, library

LOCKS = book("""# Canal Handbook

## Crew Roster

The roster goes by watch.

| Watch | Sailor | Post | Origin |
|---|---|---|---|
| 1 | Anna Brook | deckhand | north |
| 1 | Ben Cole | stoker | south |
| 2 | Cy Dorn | deckhand | north |
| 2 | Dot Eames | pilot | east |
| 3 | Eve Falk the Younger of Hollow Lane | deckhand | east |
| 3 | Fay Gull | stoker | north |
| 4 | Gus Hale | cook | south |
| 4 | Hal Roy Ives | cook | west |

## Deckhand Ladder

| Deckhand | Pay |
|---|---|
| First | 4 |
| Second | 6 |
| Third | 9 |

## Lock Gates

| Gate | Crane | Fee share (%) | Depth |
|---|---|---|---|
| Alder | no | 10 | 3 m |
| Birch | 2 t, steam | 25 | 4 m |
| Cedar | n/a | 10 | 5 m |
| Elm | 5 t, hand | 40 | 2 m |
""")


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many deckhands are there in the crew roster?", "3"),
        ("How many different deckhands does the crew roster hold?", "3"),
        ("How many stokers are on the crew roster?", "2"),
        ("How many gates in the lock gates table have a fee share of 10 percent?", "2"),
    ],
)
def test_rows_of_the_table_that_is_named_are_counted(question: str, count: str) -> None:
    reasoned = answer(question, LOCKS)

    assert (count, ()) == (reasoned.finding.verdict, reasoned.needs)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which gates have a crane?", "Birch, Elm"),
        ("Which gates have no crane?", "Alder, Cedar"),
    ],
)
def test_what_says_no_or_nothing_is_had_by_nobody(question: str, names: str) -> None:
    reasoned = answer(question, LOCKS)

    assert (names, ()) == (reasoned.finding.verdict, reasoned.needs)


def test_all_rows_of_one_number_are_told() -> None:
    claim = answer("Which sailors in the crew roster are watch 4?", LOCKS).finding.claim

    assert "Gus Hale" in claim
    assert "Hal Roy Ives" in claim


def test_a_number_before_the_names_ranks_them() -> None:
    finding = answer("Which person has the lowest watch in the crew roster?", LOCKS).finding

    assert "Anna Brook and Ben Cole share the lowest Watch: 1 (of all 8 in Crew Roster)." == finding.claim


@pytest.mark.parametrize(
    "question", ["How many crowns do I need for a depth of 4 m?", "How many barges are there in the crew roster?"]
)
def test_what_is_no_number_of_these_is_in_doubt(question: str) -> None:
    assert answer(question, LOCKS).needs


PAGES = {
    f"notices/{n:03}.md": f"---\ntitle: {name}\nweight: {n}\n---\n# {name}\n\nIt is so.\n"
    for n, name in enumerate("Ashes Beds Coal Dues Eels Fish".split())
}


def test_the_best_of_a_few_pages_is_not_that_of_all() -> None:
    dated = {
        f"notices/1{n}.md": f"# {name}\n\n| Date | Note |\n|---|---|\n| May {n}, 2021 | Notice {n} posted |\n"
        for n, name in enumerate(("Gates", "Hulls"), 1)
    }

    assert answer("Which is the newest notice?", library(dated)).finding.verdict == "Hulls"
    assert answer("Which is the newest notice?", library({**PAGES, **dated})).needs


def test_nobody_has_what_only_his_name_says() -> None:
    tolls = library(
        {
            f"tolls/{n}.md": f"---\ntitle: {n}\nkeeper: {n[:1]}.\n---\n# {n}\n\nA page.\n"
            for n in ("Canal Toll Law", "Canal Bridge Toll", "Canal Map")
        }
    )

    assert answer("Which canals have no bridge toll?", tolls).needs


MARKET = book("""# Market

## Tools

| Item | Price |
|---|---|
| Adze | 5 sp |
| Awl | 12 sp |
| Maul | 5 gp |
| Saw | 9 gp |

## Barge Crews

| Watch | Sailor | Post | Origin |
|---|---|---|---|
| 1 | Red Stoker Anna | pilot | north |
| 2 | Ben | stoker | south |
| 3 | Cy | stoker | north |
| 3 | Dot | pilot | east |

## Errands

| Item | Price |
|---|---|
| Loan (price per 100 gp) | 5 gp |
| Letter | 2 gp |
| Parcel | 2 gp |
""")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which tools cost 5 gp?", "Maul"),
        ("Which tools cost less than 5 gp?", "Adze, Awl"),
        ("Which tools cost more than 4 sp?", "Adze, Awl, Maul, Saw"),
        ("Which stokers are on watch 3?", "Cy"),
        ("How many stokers are in the barge crews?", "2"),
        ("How many errands cost 2 gp?", "2"),
    ],
)
def test_values_say_what_somebody_is_and_coins_what_it_costs(question: str, names: str) -> None:
    reasoned = answer(question, MARKET)

    assert (names, ()) == (reasoned.finding.verdict, reasoned.needs)


SHIPS = book("""# Harbour

## Gold Crown (gc)

It is worth ten marks.

## Coins

| Coin | Marks |
|---|---|
| 1 Gold Crown (gc) | 10 |
| 1 Silver Crown (sc) | 1 |

## Tern Boats

| Boat | Hull | Load limit (t) | Fee |
|---|---|---|---|
| Tern A | oak | 10 | 4 gc |
| Tern B | elm | 20 | 6 gc |
| Tern C | oak | 36 | 4 gc |
""")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which boats can I get for exactly 4 gold crowns?", "Tern A, Tern C"),
        ("Which Tern boat lets you operate with the highest load limit?", "Tern C"),
        ("How many Terns are built on an oak hull?", "2"),
    ],
)
def test_a_unit_in_words_and_a_verb_before_a_preposition_are_told(question: str, names: str) -> None:
    reasoned = answer(question, SHIPS)

    assert (names, ()) == (reasoned.finding.verdict, reasoned.needs)


def test_what_the_asker_calls_things_that_are_called_otherwise_is_in_doubt() -> None:
    reasoned = answer("How many Tern coins are built on an oak hull?", SHIPS)

    assert reasoned.needs
