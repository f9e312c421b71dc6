"""Which column a number limits: by the unit behind it, by an adjective before it, or by the words nearest to it."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

TOWERS = book("""# Towers

| Tower | Visitors per year | Height | Price (£) | Milk bar | Milk |
|---|---|---|---|---|---|
| Ash | 11000 | 21.5 m | 4 | yes | goat |
| Beck | 5400 | 44.0 m | 9 | no | cow |
| Crag | 21100 | 45.0 m | 7 | yes | cow |
| Dale | 3400 | 46.5 m | 5 | no | goat |
""")
VERDICTS = {
    "Which towers are more than 42 m tall and have fewer than 20000 visitors per year?": "Beck, Dale",
    "Which towers have fewer than 20000 visitors per year and are more than 45 m tall?": "Dale",
    "Which towers are more expensive than £5?": "Beck, Crag",
    "Which towers are less expensive than £5?": "Ash",
    "Which towers have goat milk?": "Ash, Dale",
}


@pytest.mark.parametrize("question", VERDICTS)
def test_a_number_limits_the_column_that_is_meant(question: str) -> None:
    found = answer(question, TOWERS)

    assert found.finding.verdict == VERDICTS[question]
    assert not found.needs
