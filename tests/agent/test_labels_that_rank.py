"""Superlatives in labels, totals, years in names, units by name, and words that name a sibling."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

YARD = book("""# Timber

| Species | Density (kg/m³) | Longest log we take (m) | Grade |
|-|-|-|-|
| Oak | 710 | 7.2 | A |
| Larch | 600 | 9.6 | B |
| Elm | 580 | 6.4 | A |

# Calls attended

| District | 2021 | 2022 |
|-|-|-|
| Harbour | 12 | 19 |
| Sill | 22 | 16 |
| Farms | 9 | 26 |
| All of them | 43 | 61 |

# Peals rung in 2022

| Date | Method | Time |
|-|-|-|
| 9 Jan | Plain | 45 |
| 20 Mar | Grandsire | 44 |

# Peals rung in 2023

| Date | Method | Time |
|-|-|-|
| 15 Jan | Plain | 47 |
| 6 May | Kent | 50 |
| 9 Jul | Stedman | 49 |

# Bells

| Bell | Founder | Weight (kg) |
|-|-|-|
| 2 | Harker | 228 |
| 4 | Tarrant | 205 |
| Tenor | Pym | 744 |

# Catalogue

| Ref | Costume | Period | Size | Pieces |
|-|-|-|-|-|
| C-014 | Doublet | 1590s | M | 4 |
| C-060 | Muslin dress | 1810s | S | 2 |
| C-061 | Muslin dress | 1810s | L | 2 |
| C-075 | Crinoline | 1860s | M | 6 |
| C-104 | Land girl | 1940s | M | 6 |
| C-118 | Demob suit | 1940s | L | 3 |

# Presets

| Preset | CT (°C) | Time |
|-|-|-|
| City | 195 | 9 |
| Decaf | 185 | 10 |

# Skill by lead time

| Lead time | Skill (deep) | Skill (linear) |
|-|-|-|
| 6 h | 0.87 | 0.71 |
| 12 h | 0.74 | 0.61 |

# Apiaries

| Apiary | Altitude (m) | Hives |
|-|-|-|
| Quarry | 210 | 14 |
| Orchard | 65 | 9 |
| Moss | 385 | 6 |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which species has the longest log we take?", "Larch"),
        ("Which species are grade A?", "Oak, Elm"),
        ("Which district had the most calls attended in 2022?", "Farms"),
        ("How many peals were rung in 2023?", "3"),
        ("Which apiaries lie higher than 100 metres?", "Quarry, Moss"),
        ("What do the three bells weigh on average?", "392.33"),
        ("Which costumes are of the 1940s?", "Land girl (C-104), Demob suit (C-118)"),
        ("How many costumes are size L?", "2"),
        ("Which presets have a charge temperature (CT) below 190?", "Decaf"),
        ("Which has the higher skill at a lead time of 12 h, the deep or the linear model?", "Skill (deep)"),
        ("How many more calls came from Farms in 2022 than in 2021?", "17"),
    ],
)
def test_what_labels_and_names_say_is_heeded(question: str, verdict: str) -> None:
    told = answer(question, YARD)

    assert told.finding.verdict == verdict
    assert not told.needs


@pytest.mark.parametrize(
    "question",
    ["How many peals were rung in 2021?", "How long did the calls in the Harbour take on average?"],
)
def test_what_they_do_not_say_stays_open(question: str) -> None:
    assert answer(question, YARD).needs
