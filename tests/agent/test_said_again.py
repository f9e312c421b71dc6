"""Which end of ranges a question says besides that which it asks for, and an end that it says again in other words."""

from __future__ import annotations

import pytest

from tests.kit import answer, library

TEA = """# {name}

A leaf of the northern hills.

- Caffeine: {caffeine} mg
- Temperature: {heat} °C
- BRS: {bitter}
"""
ROWS = (
    ("Sencha", "20 - 45", "70 - 80", "3 - 6"),
    ("Assam", "50 - 90", "95 - 100", "8 - 9"),
    ("Rooibos", "1 - 2", "98 - 99", "1 - 4"),
    ("Pu-erh", "10 - 95", "85 - 99", "0 - 7"),
)
KEYS = ("name", "caffeine", "heat", "bitter")
PAGES = {f"{row[0].lower()}.md": TEA.format(**dict(zip(KEYS, row, strict=True))) for row in ROWS}
ABOUT = "# About\n\nEach leaf is rated on the Bitterness Rating Scale (BRS) by those who drink it.\n"
TEAS = library({**PAGES, "about.md": ABOUT})


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which tea has the highest lower limit for caffeine?", "Assam"),
        ("Which tea has the lowest upper limit for caffeine?", "Rooibos"),
        ("Which tea has the lowest upper limit for bitterness?", "Rooibos"),
        ("Which tea has the highest caffeine?", "Pu-erh"),
        ("Which is the hotter tea at its hottest, Sencha or Assam?", "Assam"),
        ("Who goes hotter at the hot end, Sencha or Pu-erh?", "Pu-erh"),
        ("How much caffeine can Assam have, from least to most?", "50 - 90 mg"),
        ("How hot does Assam get at its hottest?", "95 - 100 °C"),
    ],
)
def test_an_end_of_ranges_is_told_from_the_end_that_is_asked_for(question: str, verdict: str) -> None:
    told = answer(question, TEAS)

    assert (verdict, ()) == (told.finding.verdict, tuple(told.needs))


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which tea is the mildest, with the lowest caffeine of all?", "Rooibos"),
        ("What's the snappiest tea there is, the one whose caffeine starts lowest?", "Rooibos"),
        ("Which tea ends up the roughest, i.e. has the highest bitterness?", "Assam"),
    ],
)
def test_what_nobody_measures_by_is_asked_by_what_stands_behind_it(question: str, verdict: str) -> None:
    told = answer(question, TEAS)

    assert (verdict, ()) == (told.finding.verdict, tuple(told.needs))
    assert any("means" in step.text for step in told.finding.steps)


@pytest.mark.parametrize(
    "question",
    [
        "Which tea from Ceylon is the mildest, with the lowest caffeine?",
        "Which tea is the hottest, with the lowest caffeine?",
        "Which tea is the mildest, with the lowest caffeine on Sundays?",
    ],
)
def test_what_limits_or_measures_besides_is_not_left_out(question: str) -> None:
    assert answer(question, TEAS).needs


def test_what_compares_is_no_part_of_a_label() -> None:
    told = answer("Which has the higher scale, Sencha or Assam?", TEAS)

    assert told.needs or "higher scale means" not in str(told.finding.steps)
