"""Tables of rulebooks, handbooks and guides alike: groups, two keys, bands on both axes; and what they don't tell."""

from __future__ import annotations

import pytest

from tests.kit import answer, book, values_of

BOOK = book("""# Reeds and Ferries

## Trades

| Guild | Trades | Badge |
|---|---|---|
| Haulers | Stoker, Bargee | anchor |
| Healers | Herbalist, Bonesetter | leaf |

## Tuition

Marks of silver needed to enter a grade.

| Grade | Haulers | Healers |
|---|---|---|
| 1 | 10 | 15 |
| 2 | 30 | 45 |

## Trials

| Guild | Grade | Fire | Flood |
|---|---|---|---|
| Haulers | 1-2 | 12 | 9 |
| Haulers | 3+ | 10 | 7 |
| Healers | 1-2 | 15 | 13 |
| Healers | 3+ | 14 | 11 |

## Draughts and salves per day

| Grade | Draughts, weak brew | Salves, weak brew |
|---|---|---|
| 1-2 | 2 | 1 |
| 3-4 | 5 | 3 |

## School fees

Monthly fee by the yearly income and the age of the child.

| Yearly income (£) | Under 4 years | 4 to 7 years |
|---|---|---|
| up to 9,000 | £20 | £10 |
| over 9,000 up to 20,000 | £60 | £35 |

## Ferry pass

| Passenger | Zone 1 | Zones 1-2 |
|---|---|---|
| Child (5-12) | £3 | £4 |
| Student | £6 | £9 |

## Orphan grant

The grant is paid on the first of each month.

| Orphan | Amount per month |
|---|---|
| First orphan | £70 |
| Second orphan | £55 |

## Dates

| Application | Send by | Fee |
|---|---|---|
| Orphan grant | 3 May | none |
| School place | 9 June | £8 |

## Ropes

| Rope | Lowest temperature (°C) | Highest temperature (°C) |
|---|---|---|
| Hemp | -10 | 60 |
| Sisal | -25 | 45 |

## Tools

| Tool | Weight | Hands |
|---|---|---|
| Adze | 3 lb | two |
| Awl | 1 lb | one |
| Peavey | 7 lb | two |

## Seer

<table><tr><td><strong>Hit Die:</strong></td><td>d6</td></tr>
<tr><td><strong>Weapons Permitted:</strong></td><td>Staff, sling</td></tr>
<tr><td><strong>Alignment:</strong></td><td>any</td></tr></table>

### Seer Saving Throw Table

<table>
<tr><th rowspan="2">Level</th><th colspan="2">Type of Saving Throw</th></tr>
<tr><th>Poison</th><th>Spells for unlisted categories</th></tr>
<tr><td>1</td><td>13</td><td>15</td></tr>
<tr><td>2</td><td>12</td><td>14</td></tr>
</table>
""")


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("How much silver does a bargee need for grade 2?", ["30"]),
        ("How much silver does a herbalist need for grade 2?", ["45"]),
        ("Stoker vs Bonesetter at grade 3: trial of flood?", ["7", "11"]),
        ("How many more draughts than salves of weak brew are there per day at grade 4?", ["5", "3"]),
        ("What is the school fee for a 4 year old at an income of 9,001?", ["£35"]),
        ("What is the school fee for a child of 3 years at an income of 20,000?", ["£60"]),
        ("What does a student pay for zones 1-2?", ["£9"]),
        ("What does a child of 12 pay for zone 1?", ["£3"]),
        ("How much orphan grant is paid for a second orphan?", ["£55"]),
        ("What weapons may a seer use?", ["Staff, sling"]),
        ("What does a 2nd level seer need to save against spells?", ["14"]),
        ("How many tools need two hands?", ["two", "two"]),
    ],
)
def test_the_cells_that_are_meant_are_values_of(question: str, values: list[str]) -> None:
    result = answer(question, BOOK)
    assert (values, ()) == (values_of(result), result.needs)


@pytest.mark.parametrize(
    "question",
    [
        "How much silver does a lamplighter need for grade 2?",
        "What does a hauler need in a trial of fire?",
        "What does a child of 13 pay for zone 1?",
        "What does a student pay for zones 2-3?",
        "What is the school fee for a child of 9 years at an income of 20,000?",
        "What is the school fee at an income of 9,001?",
        "What was the orphan grant of the first orphan in 2019?",
        "How many spells does a seer of 2nd level have?",
        "What weapons may a seer bless?",
    ],
)
def test_what_the_tables_do_not_tell_stays_open(question: str) -> None:
    assert answer(question, BOOK).needs


def test_the_group_that_a_member_is_of_is_cited() -> None:
    result = answer("How much silver does a bargee need for grade 2?", BOOK)
    assert "Bargee: Haulers (Trades)" == result.finding.steps[0].text
    assert "Guild Haulers / Trades = Stoker, Bargee" in {citation.quote for citation in result.citations}
