"""A value of a list, a verb before a place, a line that repeats the question."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

FLEET = book("""# Fleet

## Boats

| Boat | Price | Rig | Home port |
|-|-|-|-|
| Tern | 20 gp | heavy, reach, twin | Saltholm |
| Plover | 15 gp | twin | Dune End |
| Curlew | 10 gp | reach, light | Saltholm |

## Crews

### Gulls

**Kind:** rowers
**Watch:** 10 minutes
**Rest:** 1 hour

### Stints

**Kind:** pilots
**Watch:** 2 hours
**Rest:** 10 minutes
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which boats have reach?", "Tern, Curlew"),
        ("Which boats sail from Saltholm?", "Tern, Curlew"),
        ("Which boat moors at Dune End?", "Plover"),
    ],
)
def test_a_value_chooses(question: str, verdict: str) -> None:
    assert verdict == answer(question, FLEET).finding.verdict


def test_a_line_with_a_value_of_the_question_is_no_answer() -> None:
    told = answer("Which crews are pilots?", FLEET)

    assert told.needs or "Stints" in told.finding.claim
    assert "Kind: pilots" != told.finding.claim
