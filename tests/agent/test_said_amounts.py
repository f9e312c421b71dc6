"""Things side by side of which sentences say one amount each: they are compared where the amounts are of one sort."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

LAMPS = book("""# Reed

The Reed is a lamp for sheds. It comes with a 900 mAh spare battery and a hook.

# Tern

The Tern is a lamp for halls. It comes with a 700 mAh spare battery and a shade.

# Gull

The Gull is a lamp for piers. It comes with a 40 mAh memory battery.

# Crane

The Crane is a lamp for yards. It has a battery, and was first lit by 12 men.

# Skua

The Skua is a lamp for boats, with 4 lenses. An older one came with 3 lenses.

# Fulmar

The Fulmar is a lamp for docks, with 6 lenses.
""")


def test_the_amounts_beside_what_is_asked_for_are_compared() -> None:
    told = answer("do they sell the Reed or the Tern with the larger battery?", LAMPS)
    assert ((), "Reed") == (told.needs, told.finding.verdict)
    assert "higher is asked for" in told.finding.claim


@pytest.mark.parametrize(
    "question",
    [
        "do they sell the Reed or the Gull with the larger battery?",
        "do they sell the Reed or the Crane with the larger battery?",
        "do they sell the Reed or the Petrel with the larger battery?",
        "do they sell the Reed or the Tern with the cheaper battery?",
        "do they sell the Reed or the Tern with the larger battery in winter?",
        "Which has more lenses, the Skua or the Fulmar?",
    ],
)
def test_amounts_of_another_sort_or_of_nobody_are_not(question: str) -> None:
    told = answer(question, LAMPS)
    assert told.needs and told.finding.verdict is None
