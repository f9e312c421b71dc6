"""Tables with a column for each group, season or year: its values are compared, added and ranked as those of things."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

BEDS = """
| Bed type | {0} | {1} | Deposit |
|---|---|---|---|
| Dormitory bed | 14 € | 25 € | 7 € |
| Two-bed room | 27 € | 44 € | 15 € |
| Four-bed room | 21 € | 37 € | 11 € |
"""
GROUPS = {
    heads: book("# Hut\n" + BEDS.format(*heads))
    for heads in (("Members", "Guests"), ("Members", "Non-members"), ("Summer", "Winter"), ("2023", "2024"))
}


@pytest.mark.parametrize(
    ("heads", "question", "told"),
    [
        (("Members", "Guests"), "How much more do guests pay than members for a two-bed room?", "17 €"),
        (("Members", "Guests"), "How much less do members pay than guests for a dormitory bed?", "11 €"),
        (("Members", "Guests"), "How much more does a two-bed room cost for guests than for members?", "17 €"),
        (("Members", "Guests"), "Which bed type is cheapest for guests?", "Dormitory bed"),
        (("Members", "Guests"), "What do members and guests pay together for a four-bed room?", "58 €"),
        (("Members", "Non-members"), "How much more do non-members pay than members for a two-bed room?", "17 €"),
        (("Summer", "Winter"), "Which bed type is cheapest in the winter?", "Dormitory bed"),
        (("Summer", "Winter"), "Is a two-bed room dearer in the summer or in the winter?", "winter"),
        (("2023", "2024"), "Which bed type was the cheapest in 2024?", "Dormitory bed"),
        (("2023", "2024"), "How much more was a two-bed room in 2024 than in 2023?", "17 €"),
    ],
)
def test_the_values_of_groups_are_compared(heads: tuple[str, str], question: str, told: str) -> None:
    found = answer(question, GROUPS[heads])

    assert told == found.finding.verdict
    assert not found.needs


@pytest.mark.parametrize(
    ("heads", "question", "values"),
    [
        (("Members", "Guests"), "What does a two-bed room cost for members and for guests?", ("27 €", "44 €")),
        (("Members", "Non-members"), "What do members and non-members pay for a two-bed room?", ("27 €", "44 €")),
        (("Summer", "Winter"), "What does a dormitory bed cost in the summer and in the winter?", ("14 €", "25 €")),
    ],
)
def test_each_group_of_a_list_has_its_value(heads: tuple[str, str], question: str, values: tuple[str, str]) -> None:
    found = answer(question, GROUPS[heads])

    assert all(value in found.finding.claim for value in values)
    assert not found.needs


def test_one_group_of_two_is_no_whole_answer() -> None:
    houses = book("# North\n" + BEDS.format("Members", "Non-members") + "\n# South\n" + BEDS.format("Children", "Dogs"))

    found = answer("In the South, what does a two-bed room cost for members and for non-members?", houses)

    assert found.needs or ("27 €" in found.finding.claim and "44 €" in found.finding.claim)
