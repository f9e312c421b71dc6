"""The *A* of *Cabinet A* is a letter, not an article, where no noun follows."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

ROOM = book("""# Room 4

| Paint | Code | Location | Limit |
|-|-|-|-|
| Umber | U2 | Cabinet A | 25 L |
| Ochre | O5 | Cabinet A | 50 L |
| Cobalt | C1 | Cabinet B | 10 L |
| Viridian | V7 | Cabinet C | 2 L |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which paints are in Cabinet A?", "Umber, Ochre"),
        ("How many paints are in Cabinet A?", "2"),
        ("Which paint is in Cabinet B?", "Cobalt"),
    ],
)
def test_the_letter_chooses(question: str, verdict: str) -> None:
    assert verdict == answer(question, ROOM).finding.verdict


def test_a_participle_that_may_be_a_condition_leaves_a_doubt() -> None:
    told = answer("Which paints are banned in Cabinet A?", ROOM)

    assert "Umber, Ochre" == told.finding.verdict
    assert ["whether these are what banned means"] == [need.need for need in told.needs]
