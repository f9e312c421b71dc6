"""A maker's page with a section for each product: its sentences say what all of them are, its tables what each has."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

LATHES = book("""# Brightwell

Brightwell has made machines since 1902.

## About us

Our shop lamps shine in every corner.

| Shop lamps | Meaning |
|---|---|
| Green | Open |
| Red | Closed |

## Products

### F2

The F2 is a small and handy lathe for the bench.

| Key data of F2 | |
|---|---|
| Weight | 12 kg (lathe) |
| Reach | 40 cm |
| Drive | Belt, single speed |

### F8

With two belts, the F8 is a fast lathe that works all day.

| Key data of F8 | |
|---|---|
| Weight | 9 kg (lathe) and 3 kg of stand, to be screwed to any bench (stand) |
| Reach | 60 cm |
| Drive | Belt, two speeds |

### G1

The G1 is a quiet, sturdy lathe.

| Key data of G1 | |
|---|---|
| Weight | 45 kg (lathe) |
| Reach | 60 cm |
| Drive | Gears, two speeds |

# Brightlight Lamps

| Lamp | Weight |
|---|---|
| Moth | 2 kg |
| Firefly | 1 kg |
""")


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("What is the heaviest Brightwell lathe?", "G1"),
        ("lightest Brightwell lathe and its weight", "F8"),
        ("How many of the Brightwell lathes use gears?", "1"),
    ],
)
def test_the_sections_of_a_page_are_what_their_sentences_say(question: str, claim: str) -> None:
    told = answer(question, LATHES)
    assert () == told.needs and told.finding is not None
    assert claim in told.finding.claim


def test_what_the_values_of_several_share_is_no_answer_to_who_they_are() -> None:
    assert answer("Which Brightwell lathes have two speeds?", LATHES).needs


def test_what_some_values_say_in_brief_and_others_at_length_sets_nobody_apart() -> None:
    told = answer("What is the lightest Brightwell stand?", LATHES)
    assert told.needs
