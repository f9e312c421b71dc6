"""What the asker calls the members of a kind: a sort that some of them are of, or a word that no page has."""

from __future__ import annotations

import pytest

from tests.agent.at_hand import answered_at_hand
from tests.kit import answer, book, library


def page(title: str, tags: str, hours: int, seats: int) -> str:
    return f"---\ntitle: {title}\ntags: [{tags}]\n---\n\nA boat.\n\n- Crossing: {hours} h\n- Seats: {seats}\n"


FLEET = library(
    {
        "a.md": page("Reed", "northern, open", 3, 40),
        "b.md": page("Gull", "northern, night", 9, 200),
        "c.md": page("Old Barge", "southern", 14, 12),
        "d.md": page("Tern", "southern, open", 2, 40),
    }
)


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Which northern vessel has the shortest crossing?", "Reed has the lowest Crossing: 3 h (of all 2"),
        ("Which vessel has the longest crossing?", "Old Barge has the highest Crossing: 14 h (of all 4"),
        ("Which vessel carries the most seats?", "Gull has the highest Seats: 200 (of all 4"),
        ("Which vessels have 40 seats?", "2: Reed (Seats: 40), Tern (Seats: 40)."),
        ("How many vessels have 40 seats?", "2: Reed"),
        ("Which vessels are southern?", "2: Old Barge"),
    ],
)
def test_a_sort_is_heeded_and_an_unknown_word_is_everybody(question: str, claim: str) -> None:
    found = answered_at_hand(question, FLEET.chunks)
    assert found is not None
    assert found.finding.claim.startswith(claim)


@pytest.mark.parametrize(
    "question", ["Which vessels are eastern?", "Which vessel has the most masts?", "How many vessels have 40 masts?"]
)
def test_what_nobody_has_is_not_told_of_anybody(question: str) -> None:
    assert answered_at_hand(question, FLEET.chunks) is None


CAMPS = book("""# Camps

| Camp | Grade | Beds | Lake |
|---|---|---|---|
| Alder | 3 | 12 | yes |
| Birch | 4 | 20 | no |
| Cedar | 4 | 8 | yes |
| Dogwood | 5 | 30 | no |

# Pumps

| Pump | Voltage | Weight |
|---|---|---|
| Heron | 12 V | 12 kg |
| Stork | 24 V | 19 kg |
| Ibis | 12 V | 21 kg |

# Targets

| Target | Ring | Width |
|---|---|---|
| Bale | 4 | 120 cm |
| Disc | 5 | 80 cm |
| Post | 4 | 60 cm |
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("List the targets of ring 4", "Bale, Post"),  # a word that only asks where games are told of
    ],
)
def test_a_number_before_the_kind_says_which_of_it_are_meant(question: str, told: str) -> None:
    assert told == answer(question, CAMPS).finding.verdict


@pytest.mark.parametrize("question", ["How many grade 7 camps are there?", "List the grade 4 pumps", "List 2 camps"])
def test_a_number_that_chooses_none_of_the_kind_is_not_answered(question: str) -> None:
    assert [] != list(answer(question, CAMPS).needs)
