"""Models side by side: the first column has their measures, even where things elsewhere are called so."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

BUOYS = book("""# Buoys

| Key data | Tern | Gull |
|---|---|---|
| Lamp | halogen | xenon |
| Range | 4 miles | 7 miles |

# Lightships

## Skua

- **Range:** 9 miles
- **Crew:** 4

## Fulmar

- **Range:** 5 miles
- **Crew:** 7

# Spare parts

| Lamp | Price |
|---|---|
| Halogen | 3 EUR |
| Xenon | 9 EUR |
""")


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("What lamp is inside the Gull?", "xenon"),
        ("Which shines farther, the Skua or the Fulmar?", "Skua"),
        ("How far does the Tern shine?", "4 miles"),
    ],
)
def test_a_row_or_label_is_the_measure_of_what_is_named(question: str, claim: str) -> None:
    told = answer(question, BUOYS)
    assert () == told.needs and told.finding is not None
    assert claim in told.finding.claim
