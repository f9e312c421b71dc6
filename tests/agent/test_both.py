"""Members that meet two conditions, the second of which may deny."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

HUTS = book("""# Huts

| Hut | Beds | Shower | Kitchen | Wi-Fi |
|-|-|-|-|-|
| Alder | 12 | yes | yes | no |
| Birch | 20 | yes | no | no |
| Cedar | 8 | no | yes | yes |
| Dogwood | 16 | no | no | no |

# What the passes include

| Service | Day | Week | Season |
|-|:-:|:-:|:-:|
| Sledge | ✓ | ✓ | ✓ |
| Lift | | ✓ | ✓ |
| Locker | | | ✓ |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which huts have a shower but no kitchen?", "Birch"),
        ("Which huts have a kitchen and no Wi-Fi?", "Alder"),
        ("How many huts have a kitchen but no shower?", "1"),
        ("Which services are in the Season pass but not in the Week pass?", "Locker"),
        ("Which services are not in the Day pass?", "Lift, Locker"),
        ("How many services does the Season pass have that the Day pass does not have?", "2"),
        ("Which services does the Week pass not have?", "Locker"),
        ("Does the Day pass include a locker?", "No"),
        ("Does the Week pass include the lift?", "✓"),
    ],
)
def test_two_conditions_are_met_by_the_members_of_both_lists(question: str, verdict: str) -> None:
    told = answer(question, HUTS)

    assert told.finding.verdict == verdict
    assert not told.needs


def test_a_condition_that_nothing_tells_stays_open() -> None:
    assert answer("Which huts have a shower but no sauna?", HUTS).needs
