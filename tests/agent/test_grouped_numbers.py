"""Numbers as several countries write them are ranked, limited and computed with as those of English are."""

from __future__ import annotations

import pytest

from agent.reasoning.values.quantities import quantities_of
from tests.kit import answer, book

FORMS = {
    "a blank": ("12 500", "9 800", "120 000"),
    "a narrow blank": ("12\u202f500", "9\u00a0800", "120\u2009000"),
    "an apostrophe": ("12'500", "9\u2019800", "120'000"),
    "a comma": ("12,500", "9,800", "120,000"),
}
_TOLD = (
    ("Which town has the most people?", ("Holm",)),
    ("Which towns have more than 10 000 people?", ("Reed", "Holm")),
    ("How many towns have fewer than 100'000 people?", ("2",)),
    ("Which has more people, Reed or Tarn?", ("Reed",)),
    ("How many more people does Reed have than Tarn?", ("2,700",)),
    ("What is the total number of people of all towns?", ("142,300",)),
    ("What is the average area of the towns?", ("1.7 km²",)),
    ("Which town has the largest area?", ("Tarn",)),
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("question", "told"), _TOLD)
def test_groups_of_digits_are_one_number(form: str, question: str, told: tuple[str, ...]) -> None:
    reed, tarn, holm = FORMS[form]
    heads = "# Towns\n\n| Town | People | Area |\n|-|-|-|\n"
    rows = f"| Reed | {reed} | 1,75 km² |\n| Tarn | {tarn} | 1,85 km² |\n| Holm | {holm} | 1,5 km² |\n"
    found = answer(question, book(heads + rows))

    assert not found.needs
    assert all(each in found.finding.claim for each in told)


def test_thousands_and_millions_by_their_letters_are_ranked() -> None:
    assert [each.number for each in quantities_of(["12.5k", "0.12M"]) or ()] == [12_500, 120_000]
    assert quantities_of(["350M", "1.3B"]) is None  # bytes, or thousands of millions
    assert [each.unit for each in quantities_of(["3 m", "5 m"]) or ()] == ["m", "m"]
