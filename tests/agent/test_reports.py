"""Reports as they are printed: heads in several rows, years across, losses in brackets; and titles with a frame."""

from __future__ import annotations

import pytest

from tests.kit import answer, book, library

LEDGER = book(
    """# Ledger of the ferry company

<table>
<tr><td></td><td>Harbour</td><td>Harbour</td><td>Company</td><td>Company</td></tr>
<tr><td></td><td>2021</td><td>2020</td><td>2021</td><td>2020</td></tr>
<tr><td></td><td>kr</td><td>kr</td><td>kr</td><td>kr</td></tr>
<tr><td>Wharfage</td><td>410</td><td>390</td><td>1,204</td><td>1,166</td></tr>
<tr><td>Dredging</td><td>(75)</td><td>(60)</td><td>(98)</td><td>(91)</td></tr>
<tr><td>Pilotage</td><td>(12)</td><td>(14)</td><td>(33)</td><td>(35)</td></tr>
</table>

## Five summers

| | 2021 | 2020 | 2019 | 2018 |
|---|---|---|---|---|
| Income | | | | |
| Fares | 512 | 498 | 530 | 471 |
| Cost | | | | |
| Fuel | 205 | 211 | 190 | 176 |
| Surplus | 20 | (8) | 28 | 39 |
"""
)
GUIDE = library(
    {
        f"stones/{name.lower()}.md": f"# Species: {name} — Field Guide\n\n### Identity\n\n- **Hardness:** {hard}\n"
        f"- **Gravity:** {heavy}\n\n### Looks\n\n- **Luster:** {luster}\n"
        for name, hard, heavy, luster in (
            ("Fluorite", 4, 3.18, "glassy"),
            ("Galena", 2.5, 7.58, "metallic"),
            ("Halite", 2, 2.17, "greasy"),
        )
    }
)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What was the Company's wharfage in 2020?", "1,166"),
        ("Which year had the highest fares?", "2019"),
        ("Which was more for the Company in 2021, dredging or pilotage?", "dredging"),
    ],
)
def test_a_report_is_read_under_all_its_heads(question: str, verdict: str) -> None:
    assert verdict == answer(question, LEDGER).finding.verdict


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the gravity of galena?", "7.58"),
        ("Which is softer, fluorite or halite?", "halite"),
    ],
)
def test_a_name_is_found_within_the_frame_that_titles_share(question: str, verdict: str) -> None:
    assert verdict == answer(question, GUIDE).finding.verdict


def test_what_is_written_as_a_name_stands_side_by_side() -> None:
    spells = book("# Spells\n\n## Protection from Normal Missiles\n\nA magic spell. Its range is 30 ft.\n")

    assert answer("What is the range of the Magic Missile spell?", spells).needs
