"""A number with its unit is looked up in the table of bands that the other words of the question choose."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

STORES = book("""# Stores rules

## Who signs an order

| Order value | Signed by | Copies of the form |
|---|---|---|
| up to £150 | stores clerk | 1 |
| over £150 to £500 | workshop foreman | 2 |
| over £500 to £2,000 | engineering manager | 2 |
| over £2,000 | depot director | 3 |

## Charges for late return

| Days late | Charge per toy |
|---|---|
| 1 to 3 | nothing |
| 4 to 10 | £1.00 |
| 11 to 28 | £2.50 |
| more than 28 | £6.00 |

## Feed

| Outside temperature | Dry food (g) | Meat (g) |
|---|---|---|
| above 0 °C | 420 | 350 |
| 0 to -9 °C | 480 | 430 |
| -10 to -19 °C | 530 | 500 |

## Flood gate

| Flow at the weir | Machines running | Flood gate |
|---|---|---|
| below 0.30 m³/s | none | shut |
| 0.30 to under 0.70 m³/s | Turbine 2 | shut |
| 0.70 to under 1.30 m³/s | Turbine 1 | shut |
| 1.30 m³/s and above | both | open |

## Parking

| Time parked | Fee |
|---|---|
| up to 1 hour | free |
| 1 to 3 hours | £4 |
| 3 to 6 hours | £7 |
""")
VERDICTS = {
    "Who signs an order of £640?": "engineering manager",
    "I have an order worth £640 here, who has to sign it?": "engineering manager",
    "How many copies of the form are needed for an order of £3,000?": "3",
    "An order of £500: who signs?": "workshop foreman",
    "What is the charge for a toy that is 10 days late?": "£1.00",
    "How much dry food is given at -15 °C?": "530",
    "How much meat is fed at an outside temperature of -5 °C?": "430",
    "Is the flood gate open at a flow of 1.50 m³/s?": "open",
    "Is the flood gate open when the flow at the weir is 0.9 m³/s?": "shut",
    "Flow at the weir is exactly 1.30 m³/s now. Flood gate open or shut?": "open",
    "What is the fee for a time parked of 45 minutes?": "free",
    "At what order value does the depot director sign?": "over £2,000",
}


@pytest.mark.parametrize("question", VERDICTS)
def test_the_band_that_holds_the_number_is_read(question: str) -> None:
    found = answer(question, STORES)

    assert found.finding.verdict == VERDICTS[question]
    assert not found.needs


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("What is the parking fee for 8 hours?", "no band holds it"),
        ("Who signs an order of 640 kg?", "no band is in this unit"),
        ("How much dry food is given at -25 °C?", "no band holds it"),
        ("How many toys are 10 days late?", "a charge is no number of toys"),
    ],
)
def test_what_no_band_tells_is_not_told(question: str, why: str) -> None:
    assert answer(question, STORES).needs, why
