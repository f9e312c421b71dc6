"""Values and sentences that have the words of a question, and answer another one."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

CLUB = book("""# Huts

| Hut | Altitude (m) | Beds |
|-|-|-|
| Alta | 2140 | 64 |
| Nera | 2585 | 38 |
| Storto | 1870 | 52 |

# Walking times

| From / to | Alta | Nera | Storto |
|-|-|-|-|
| Alta | - | 2:10 | 1:30 |
| Nera | 1:50 | - | 3:40 |
| Storto | 2:00 | 4:30 | - |

# Yarns

| Yarn | Ball (g) | Fibre |
|-|-|-|
| Sock | 100 | wool |
| Lace | 50 | alpaca |

# Frames

| Code | Name | Sent by |
|-|-|-|
| 0x2 | WELCOME | spool |
| 0x5 | ASK | spool |
| 0xA | TUNE | reader |

# Stock

A centre raises an alert when its stock falls below 30 units.

## Tollan

Village: Tollan. Milk: sheep.
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the walking time from Storto to Nera?", "4:30"),
        ("What is the walking time from Nera to Storto?", "3:40"),
        ("Which frames are sent by the spool?", "WELCOME (0x2), ASK (0x5)"),
    ],
)
def test_the_way_and_the_name_are_heeded(question: str, verdict: str) -> None:
    told = answer(question, CLUB)

    assert told.finding.verdict == verdict
    assert not told.needs


@pytest.mark.parametrize(
    "question",
    [
        "How much does a ball of the Sock cost?",
        "Which centres have a stock below 30 units?",
        "What does Tollan go with?",
        "Which fibre is used in the greatest number of yarns?",
    ],
)
def test_another_question_stays_open(question: str) -> None:
    assert answer(question, CLUB).needs


CONDITIONS = book("""# Conditions

## Poisoned

A poisoned creature has disadvantage on attack rolls and ability checks.

# Gifts

## Stone Heart

You are immune to the poisoned condition and have immunity to poison damage.
""")


def test_what_a_thing_does_is_told_by_its_own_section() -> None:
    told = answer("What does the poisoned condition do?", CONDITIONS)

    assert "disadvantage on attack rolls" in told.finding.claim
    assert not told.needs
