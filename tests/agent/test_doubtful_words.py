"""Words that nothing around a value tells, and that make another thing of it: the answer is told in part."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

KITES = book(
    """# Kites

## Sails

| Kite | Area | Price |
|---|---|---|
| Swift | 3 m2 | $40 |
| Petrel | 7 m2 | $55 |

## Lights

| Light | Duration |
|---|---|
| Lamp | 15 minutes |
| Glow | 40 minutes |

## Runs

| Run | w_p | drag |
|---|---|---|
| Alder | fixed | 0.3 |
| Birch | free | 0.4 |
"""
)


@pytest.mark.parametrize(
    ("question", "is_whole"),
    [
        ("Is the Swift or the Petrel the larger collection?", False),
        ("Which is the bigger fleet, Swift or Petrel?", False),
        ("Which is the larger kite, Swift or Petrel?", True),
        ("Which is larger, Swift or Petrel?", True),
        ("Which is the dearer bargain, Swift or Petrel?", True),
        ("We have a single candle. How long will its lamp last?", False),
        ("We carry a torch. How long does it give lamp light?", False),
        ("We sail with a lamp. How long does it last?", True),
        ("We sail tonight. What is the duration of the lamp?", True),
        ("What drag of q_a does Alder have?", False),
        ("What drag does Alder have?", True),
    ],
)
def test_what_makes_another_thing_of_it_is_told(question: str, is_whole: bool) -> None:
    reasoned = answer(question, KITES)
    assert any(map(str.isdigit, reasoned.finding.claim))
    assert bool(reasoned.needs) != is_whole
