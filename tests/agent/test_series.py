"""Questions about the values of one line along years, months or numbered points."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

HARBOURS = book("""# Sornholm

**Fish landed by species (t)**

| Species | 2019 | 2020 | 2021 | 2022 |
|-|-|-|-|-|
| Cod | 41 | 36 | 33 | 29 |
| Hake | 8 | 9 | 12 | 15 |

# Verrin

**Fish landed by species (t)**

| Species | 2019 | 2020 | 2021 | 2022 |
|-|-|-|-|-|
| Cod | 12 | 9 | 10 | 7 |
| Hake | 21 | 25 | 24 | 30 |

# Mooring income

| Month | Boats | Income (€) |
|-|-|-|
| January | 12 | 1,400 |
| February | 15 | 1,900 |
| March | 31 | 4,050 |
| April | 28 | 3,800 |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("In which year was cod the lowest in Verrin?", "2022"),
        ("Which year had the most hake landed in Sornholm?", "2022"),
        ("How much cod was landed in Sornholm from 2020 to 2022 in total?", "98"),
        ("What was the average of hake landed in Verrin over the four years?", "25"),
        ("By how much did hake in Sornholm rise from 2019 to 2022?", "7"),
        ("How much did cod in Verrin fall between 2019 and 2022?", "5"),
        ("In how many years was hake in Verrin above 24?", "2"),
        ("In which years was cod in Sornholm below 35?", "2021, 2022"),
        ("How many boats came from January to March in total?", "58"),
        ("In which month was the income the lowest?", "January"),
    ],
)
def test_a_line_is_read_along_its_axis(question: str, verdict: str) -> None:
    told = answer(question, HARBOURS)

    assert told.finding.verdict == verdict
    assert not told.needs


@pytest.mark.parametrize(
    "question",
    [
        "By how much did cod rise from 2019 to 2022?",  # in which harbour
        "How much cod waste was landed in Verrin from 2020 to 2022 in total?",
        "In which year was cod in Verrin dearest?",
        "How much plaice was landed in Verrin from 2020 to 2022 in total?",
        "How much cod was landed in Verrin from 2020 to 2025 in total?",
    ],
)
def test_what_the_lines_do_not_tell_stays_open(question: str) -> None:
    assert answer(question, HARBOURS).needs
