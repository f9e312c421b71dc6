"""The days of the week are points of an axis, as months are."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

SHOPS = book("""# Our two shops

## Quay Lane

| Day | Customers | Takings (£) |
|---|---|---|
| Monday | 64 | 612 |
| Tuesday | 71 | 688 |
| Wednesday | 83 | 845 |
| Thursday | 97 | 930 |

## Mill Gate

| Day | Customers | Takings (£) |
|---|---|---|
| Monday | 38 | 355 |
| Tuesday | 45 | 472 |
| Wednesday | 90 | 1010 |
| Thursday | 76 | 741 |
""")
VERDICTS = {
    "What was the total number of customers at Quay Lane from Monday to Wednesday?": "218",
    "What were the total takings of Mill Gate from Tuesday to Thursday?": "2,223",
    "On which day did Mill Gate have the most customers?": "Wednesday",
    "On which days did Quay Lane have more than 80 customers?": "Wednesday, Thursday",
    "How many customers did Mill Gate have on Tuesday?": "45",
    "How many more customers did Quay Lane have on Thursday than on Monday?": "33",
    "Which shop had more customers on Wednesday?": "Mill Gate",
}


@pytest.mark.parametrize("question", VERDICTS)
def test_a_span_of_days_has_the_days_within_it(question: str) -> None:
    found = answer(question, SHOPS)

    assert found.finding.verdict == VERDICTS[question]
    assert not found.needs
