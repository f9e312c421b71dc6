"""Several tables of one kind of thing on a page, told apart by their headings alone: boats for hire at two harbours."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

_WHERRIES = """### Wherries

| Boat | Berths | Length<br/>(m) | Shillings<br/>/day |
|---|---|---|---|
"""
_BARGES = """### Barges

| Boat | Berths | Length<br/>(m) | Holds | Net<br/>Shillings<br/>/day |
|---|---|---|---|---|
"""
BOATS = book(f"""# Boats for hire and what they cost

## Northquay boats

These are for hire at Northquay.

{_WHERRIES}| wherry.small | 2 | 6 | 12 |
| wherry.large | 4 | 8 | 20 |
| wherry.wide | 4 | 7 | 25 |

{_BARGES}| barge.one | 4 | 20 | 1 | 60 |
| barge.two | 6 | 30 | 2 | 110 |

## Southquay boats

These are for hire at Southquay.

{_WHERRIES}| wherry.small | 2 | 6 | 12 |
| wherry.large | 4 | 8 | 22 |

{_BARGES}| barge.one | 4 | 20 | 1 | 65 |
| barge.three | 8 | 40 | 3 | 140 |
| barge.four | 8 | 45 | 4 | 190 |
""")


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Which Northquay boat has the most shillings per day?", "barge.two has the highest Shillings /day: 110"),
        ("Which Southquay boat has the most shillings per day?", "barge.four has the highest Shillings /day: 190"),
        ("Which Southquay boat is the longest?", "barge.four has the highest Length (m): 45 (of all 5"),
        ("Which Northquay boats have 4 berths?", "3: wherry.large (Berths: 4), wherry.wide (Berths: 4), barge.one"),
        ("How many Southquay boats are there?", "5: "),
        ("How many barges for Northquay are there?", "2: barge.one"),
        ("How many boats does Southquay lend?", "5: "),
    ],
)
def test_the_tables_of_a_section_are_one_kind(question: str, claim: str) -> None:
    assert answer(question, BOATS).finding.claim.startswith(claim)


@pytest.mark.parametrize(
    ("question", "better", "values"),
    [
        ("Has wherry.large more shillings per day at Northquay or at Southquay?", "Southquay", ("20", "22")),
        ("Has barge.one fewer shillings per day at Southquay than at Northquay?", "Northquay", ("60", "65")),
    ],
)
def test_one_row_is_compared_in_two_sections(question: str, better: str, values: tuple[str, ...]) -> None:
    found = answer(question, BOATS).finding
    assert found.verdict is not None
    assert better in found.verdict
    assert all(value in found.claim for value in values)


def test_a_section_without_the_row_is_not_compared() -> None:
    assert answer("Has barge.two more shillings per day at Northquay or at Southquay?", BOATS).finding.verdict is None


FARES = book("""# Ferries

| Ferry | Crew | Decks | Net price units / day |
|---|---|---|---|
| Reed | 4 | 1 | 12 |
| Gull | 9 | 2 | 40 |

# Pilots

| Pilot | Licence | Paid |
|---|---|---|
| Ann | Level 2 | 10 crowns * days |
| Bob | Level 10 | 14 crowns * days |
| Eve | Level 5 | 10 crowns * days |

# Moorings

| Mooring | Longest stay | Water |
|---|---|---|
| Upper lock | 14 days | 3 m |
| Lower lock | 3 days | 2 m |
| Mill | 14 days | none |
""")


def test_the_one_label_that_speaks_of_a_measure_ranks_by_it_and_that_is_told() -> None:
    assert answer("Which ferry is the dearest?", FARES).finding.claim.startswith("Gull")


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Rank Ann, Bob and Eve by licence", "Ranked from the highest: Bob Level 10, Eve Level 5, Ann Level 2."),
        ("Which pilot has the highest licence?", "Bob has the highest Licence: Level 10"),
        ("Which pilots have a licence of level 5?", "1: Eve"),
    ],
)
def test_levels_are_numbers_and_have_an_order(question: str, claim: str) -> None:
    assert answer(question, FARES).finding.claim.startswith(claim)


@pytest.mark.parametrize(
    ("question", "unmatched", "claim"),
    [
        ("Which pilots are remunerated at 10 crowns per day?", (), "2: Ann (Paid: 10 crowns * days), Eve"),
    ],
)
def test_a_verb_joins_a_kind_to_a_value_and_is_told_as_not_heeded_where_no_label_means_it(
    question: str, unmatched: tuple[str, ...], claim: str
) -> None:
    found = answer(question, FARES)
    bound = FARES.binder.bind_by_words(question)
    assert bound is not None
    assert unmatched == bound.unmatched_question_words
    assert found.finding.claim.startswith(claim)


@pytest.mark.parametrize(
    "question", ["Which moorings have a draught of 3 m?", "Which moorings with a toll at 14 crowns are there?"]
)
def test_a_measure_that_nobody_has_is_no_verb(question: str) -> None:
    assert FARES.binder.bind_by_words(question) is None


TUGS = book("""# Tugs for hire

## River tugs

| Tug | Pull | Crew |
|---|---|---|
| tug.small | 40 | 2 |
| tug.large | 90 | 3 |

## Harbour tugs

| Tug | Pull |
|---|---|
| tug.iron | 120 |
""")


def test_a_table_of_a_single_row_is_one_more_of_its_kind() -> None:
    assert answer("Which tug has the most pull?", TUGS).finding.claim.startswith("tug.iron has the highest Pull: 120")
