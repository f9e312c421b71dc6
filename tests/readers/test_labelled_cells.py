"""A table whose cells are labels with their values is the record of what it stands below."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

CHARMS = book("""# Charms of the Ferry Wives

#### Calm Water

| | |
| :-- | :-- |
| **Circle:** Tide 2 | **Speaking time:** 1 breath |
| **Cost:** 3 shells | **Lasts:** 6 hours |

Calm Water stills the ferry's path.

#### Raise Fog

| **Circle:** Tide 4 | **Speaking time:** 9 breaths |
| :-- | :-- |
| **Cost:** 5 shells | **Lasts:** 1 hour |

Raise Fog hides the ferry.

#### Toll of the day

| | |
| :-- | :-- |
| Cart: 3 | Cart: 4 |
| Horse: 5 | Horse: 6 |
""")


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("What is the speaking time of Calm Water?", "Calm Water: 1 breath (Speaking time)"),
        ("What does Raise Fog cost?", "Raise Fog: 5 shells (Cost)"),
        ("Does Calm Water or Raise Fog cost more?", "Raise Fog (Calm Water 3 shells, Raise Fog 5 shells"),
    ],
)
def test_labels_beside_each_other_are_those_of_the_heading(question: str, claim: str) -> None:
    assert answer(question, CHARMS).finding.claim.startswith(claim)


def test_labels_that_come_again_are_no_record() -> None:
    tables = [chunk.tables[0] for chunk in CHARMS.chunks if chunk.title == "Toll of the day"]

    assert [table.rows[0] for table in tables] == [("Cart: 3", "Cart: 4")]
