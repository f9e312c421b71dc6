"""A head of initials is asked for by the words that they stand for, small words among them."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

MILLS = book("""# Mills of the Fen

| Mill | Max. RPS (100) | Cost and Freight | Reach | RD code |
|---|---|---|---|---|
| mill.small | 20 | 5 | 3 | 811 |
| mill.large | 75 | 9 | 4 | 812 |

*RPS* are rings per second.
""")


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("How many rings per second does mill.large have?", "mill.large: 75 (Max. RPS (100))"),
        ("Which has more rings per second, mill.small or mill.large?", "mill.large (mill.small 20, mill.large 75"),
        ("What are the rings per second of mill.small?", "mill.small: 20 (Max. RPS (100))"),
    ],
)
def test_the_words_are_told_by_their_initials(question: str, claim: str) -> None:
    assert answer(question, MILLS).finding.claim.startswith(claim)


def test_a_small_word_at_the_end_has_no_initial() -> None:
    assert MILLS.binder.bind_by_words("Which rope does Fen mill.small have?") is None
