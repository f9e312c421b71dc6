"""A value that lists labels with numbers tells each of them, and whole values are told as before."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

CREWS = book("""# Crews of the Fen

### Reed Gang

**Gifts:** STR 6, WIT 11
**Crafts:** Poling 40%, Songs (Old, New and Rude) 57%
**Pace:** 3 miles, poling 5 miles
**Founded:** March 5, 1911

### Sedge Gang

| | |
|:--|:--|
| Gifts: | STR 9, WIT 4 |
| Crafts: | Poling 55%, Songs (Old) 12% |
| Pace: | 2 miles, poling 6 miles |
| Founded: | April 9, 1920 |
""")


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("What is the wit of the Reed Gang?", "Reed Gang: 11 (Gifts: WIT)"),
        ("Which is stronger, the Reed Gang or the Sedge Gang?", "Sedge Gang (Reed Gang 6, Sedge Gang 9"),
        ("What are the gifts of the Sedge Gang?", "Sedge Gang: STR 9, WIT 4 (Gifts)"),
        ("When was the Reed Gang founded?", "Reed Gang: March 5, 1911 (Founded)"),
    ],
)
def test_each_part_of_a_value_is_told(question: str, claim: str) -> None:
    assert answer(question, CREWS).finding.claim.startswith(claim)


def test_a_part_has_all_of_its_label_and_no_value_is_torn() -> None:
    labels = {row[0] for chunk in CREWS.chunks for table in chunk.tables for row in table.rows}

    assert {"Crafts: Songs (Old, New and Rude)", "Pace: poling"} <= labels
    assert not any(label.startswith("Founded: ") for label in labels)
