"""Conditions on a kind: what is so and what is not, grades, units in a head, families of names, the first few."""

from __future__ import annotations

import pytest

from agent.reasoning.execution.execute import execute
from agent.types import Reasoned
from tests.kit import book

BOOK = book("""# Looms

| Loom | Width (cm) | Portable | Tension | Price (Th) | Warm-up |
|---|---|---|---|---|---|
| Inkle | 10 | ✅ | 2 | 40 | 90 s |
| Rigid heddle | 60 | ✅ | 2+ | 180 | 2 m |
| Table | 70 | ❌ | 3 | 420 | 300 ms |
| Jack | 120 | ❌ | 3+ | 900 | 4 m |
| Countermarch | 140 | ❌ | 2 | 1,300 | 6 m |

# Dyes

| Dye | Fastness | Mordant |
|---|---|---|
| Woad | Good | No mordant |
| Weld | Fair | alum |
| Madder | Good | alum, iron |

# Spinners' motors

| Motor | Torque (Nm) | Noise (dB) |
|---|---|---|
| k5.small | 2 | 40 |
| k5.large | 6 | 52 |
| k5a.large | 7 | 51 |
| k7.large | 9 | 60 |

# Motors in stock

| Motor | Torque (Nm) | Shelf |
|---|---|---|
| k5.small | 2 | A |
| k5.large | 6 | B |

# Carding Levels

The carding level of a fleece is what the sheet of fleeces calls CL.

# Fleeces

| Fleece | CL | Shine |
|---|---|---|
| Romney | 3 | high |
| Merino | 5 | low |
| Teeswater | 3 | high |

# Yarns

**Dyed:** Yarns that lay in the vat are dull when they come out.

**Table of yarns**

| Yarn | Sort | Steeping time | Duration |
|---|---|---|---|
| Sett | Dyed | 8 hours | Instant |
| Twill | Raw | 1 hour | 8 hours |
| Plain | Dyed | 1 hour | Instant |
| Tweed | Raw | 1 hour | Instant |

# Old Heddle (Beast)

**Age:** 80 **Grip:** 12 (iron)

**Siege Beast.** The beast deals double damage to looms.

# Young Heddle (Beast)

**Age:** 9 **Grip:** 7 (brass)

# Stone Reed (Beast)

**Age:** 31 **Grip:** 15 (iron)
""")


def told(question: str) -> Reasoned | None:
    """What the cells of the book answer."""
    bound = BOOK.binder.bind_by_words(question)
    return None if bound is None else execute(bound, BOOK.chunks)


def names(question: str) -> list[str]:
    """Those that the answer names."""
    found = told(question)
    assert found is not None
    values = found.finding.values["values"]
    assert isinstance(values, list)
    return [value["name"] for value in values]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which looms are portable?", ["Inkle", "Rigid heddle"]),
        ("Which looms are not portable?", ["Table", "Jack", "Countermarch"]),
        ("Which dyes have no mordant?", ["Woad"]),
        ("Which k5 motors have a torque of at least 3 Nm?", ["k5.large"]),
        ("Which fleeces have a carding level of 3?", ["Romney", "Teeswater"]),
        ("Which yarns are dyed?", ["Sett", "Plain"]),
        ("Which yarns have a duration of 8 hours?", ["Twill"]),
        ("Name all looms below 100 cm", ["Inkle", "Rigid heddle", "Table"]),
        ("Which fleeces have a high shine?", ["Romney", "Teeswater"]),
        ("Which kinds of looms are exactly 70 cm wide?", ["Table"]),
        ("Which beasts have a grip of at least 12?", ["Old Heddle (Beast)", "Stone Reed (Beast)"]),
    ],
)
def test_those_that_meet_a_condition_are_listed(question: str, expected: list[str]) -> None:
    assert expected == names(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What are the two widest looms?", ["Countermarch", "Jack"]),
        ("Name the three cheapest looms", ["Inkle", "Rigid heddle", "Table"]),
        ("Which loom has the shortest warm-up?", ["Table"]),
        ("Which motor has the most torque?", ["k7.large"]),
    ],
)
def test_the_first_of_a_kind_are_told_in_their_order(question: str, expected: list[str]) -> None:
    assert expected == names(question)[: len(expected)]


def test_how_many_are_asked_for_may_stand_before_the_kind() -> None:
    assert ["Romney", "Teeswater"] == names("Which two fleeces have the lowest carding level?")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("How many looms are portable?", "2"),
        ("How many motors have a torque of 6 Nm?", "1"),
        ("What is the average width of the Table and the Jack?", "95"),
    ],
)
def test_values_are_counted_and_averaged(question: str, verdict: str) -> None:
    found = told(question)
    assert found is not None
    assert verdict == found.finding.verdict


@pytest.mark.parametrize(
    "question",
    [
        "Which looms cost less than 200 miles?",
        "Which looms have a tension of 2 bar?",
        "Which k9 motors have a torque of at least 3 Nm?",
        "How many looms are washable?",
    ],
)
def test_what_nothing_tells_is_no_condition(question: str) -> None:
    assert told(question) is None
