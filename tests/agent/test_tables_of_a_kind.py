"""Several tables of one kind of thing on a page, told apart by their headings alone: boats for hire at two harbours."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

_WHERRIES = """### Wherries

| Boat | Berths | Length<br/>(m) | Shillings<br/>/day |
|---|---|---|---|
"""
_BARGES = """### Barges

| Boat | Berths | Length<br/>(m) | Holds | Net<br/>Shillings<br/>/day |
|---|---|---|---|---|
"""
BOATS = book(f"""# Boats for hire and what they cost

## Northquay boats

These are for hire at Northquay.

{_WHERRIES}| wherry.small | 2 | 6 | 12 |
| wherry.large | 4 | 8 | 20 |
| wherry.wide | 4 | 7 | 25 |

{_BARGES}| barge.one | 4 | 20 | 1 | 60 |
| barge.two | 6 | 30 | 2 | 110 |

## Southquay boats

These are for hire at Southquay.

{_WHERRIES}| wherry.small | 2 | 6 | 12 |
| wherry.large | 4 | 8 | 22 |

{_BARGES}| barge.one | 4 | 20 | 1 | 65 |
| barge.three | 8 | 40 | 3 | 140 |
| barge.four | 8 | 45 | 4 | 190 |
""")


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Which Northquay boat has the most shillings per day?", "barge.two has the highest Shillings /day: 110"),
        ("Which Southquay boat has the most shillings per day?", "barge.four has the highest Shillings /day: 190"),
        ("Which Southquay boat is the longest?", "barge.four has the highest Length (m): 45 (of all 5"),
        ("Which Northquay boats have 4 berths?", "3: wherry.large (Berths: 4), wherry.wide (Berths: 4), barge.one"),
        ("How many Southquay boats are there?", "5: "),
        ("How many barges for Northquay are there?", "2: barge.one"),
    ],
)
def test_the_tables_of_a_section_are_one_kind(question: str, claim: str) -> None:
    assert answer(question, BOATS).finding.claim.startswith(claim)
