"""Lines that are numbered alike are the rows of a table: which tier of lock keepers gets most coal."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

LOCKS = book("""# Coal Allowance

Keepers of every tier are given coal in winter:

- Tier 1: 4 sacks, delivered
- Tier 2 - 3: 6 sacks, delivered
- Tier 4: 9 sacks, delivered

# Lock House

- Opens: 6 am
- Closes: 9 pm
- Keepers: 4
""")


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Which tier gets the highest coal allowance?", "Tier 4 has the highest Coal Allowance: 9 sacks"),
        ("Which tiers get the biggest delivered coal allowance?", "Tier 4 has the highest Coal Allowance: 9 sacks"),
        ("Which tier gets the lowest coal allowance?", "Tier 1 has the lowest Coal Allowance: 4 sacks"),
        ("Which tiers get a coal allowance of at least 6 sacks?", "2: Tier 2 - 3"),
    ],
)
def test_a_series_of_lines_is_a_kind(question: str, claim: str) -> None:
    assert answer(question, LOCKS).finding.claim.startswith(claim)


@pytest.mark.parametrize("question", ["Which tier gets the highest rent?", "Which tier gets the most firewood?"])
def test_what_the_series_is_not_of_is_not_told(question: str) -> None:
    assert LOCKS.binder.bind_by_words(question) is None
