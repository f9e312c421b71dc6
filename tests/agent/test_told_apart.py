"""What a sentence names among things that are alike: sections, plans, rows of a roll; and what bounds allow."""

from __future__ import annotations

import pytest

from tests.agent.test_claims import wrong_with
from tests.kit import book

QUAY = book("""# Quay

## Berths

| Feature | Basic | Basic Plus | Grand |
|---|---|---|---|
| Public berths | 12 m | 30 m | 80 m |
| Mooring crew | 2 | 3 | 9 |

## Winter route

- Crossing: 40 minutes
- Seats: 90

## Summer route

- Passage: 25 minutes
- Places: 140

## Storms

| d12 | What happens |
|---|---|
| 1-6 | No lasting damage |
| 7-9 | A torn sail, and the boat loses a day |
| 10-11 | A torn sail, a cracked mast, and the boat loses a day |
| 12 | The boat sinks |

## Ropes

| Tier | Most loops | Ropes |
|---|---|---|
| 1 | 2 | Hemp, sisal |
| 2 | 4 | Nylon |
| 3 | 5 | Steel |

## Boats

| Boat | Ferry | Kind | Price | Speed (kn) | Perk |
|---|---|---|---|---|---|
| Heron Ferry | 7 | Swift | $40 | 12 | Sails with a Draught of 3 or less |
| Egret Ferry | 8 | Draught | $90 | 15 | none |

## Lanterns

The lantern has to hang within 18 feet of the stern. Brass holds 60 - 70 % of copper.
Loads are from 2 kg to 5 kg. It is 20 °C warm below. The chest holds 3M beads.
A barge takes at most 6 lads per wharf.

A pilot costs an extra 70 gp. Those of 16 years of age and older may steer. The glass costs $45-100.
The tun holds 12,000mB of water.

## Moorings

| Mooring | Hourly price | Rings |
|---|---|---|
| Long Oakpost | $3 | 7 |
| Long Ironring | $5 | 9 |

## Ox

- Horns: 9
- Legs: 4
- Weight: 3

## Elk

- Horns: 5
- Legs: 4
- Weight: 8
""")
RIGHT = [
    ("Berths", "With Basic, public berths are 12 m."),
    ("Winter route,Summer route", "The winter route takes 40 minutes, the summer route 25."),
    ("Storms", "On a roll of 10 the sail is torn and the mast is cracked."),
    ("Storms", "A roll of 8 means a torn sail."),
    ("Ropes", "Nylon is of tier 2, which allows 4 loops."),
    ("Ropes", "Steel (tier 3) takes up to 5 loops, three more than hemp in tier 1."),
    ("Boats", "The Heron Ferry costs $40 and makes 12 knots."),
    ("Boats", "The Heron Ferry wants a draught of 3 or less."),
    ("Lanterns", "The lantern hangs no more than 18 feet from the stern."),
    ("Lanterns", "Brass holds at least 60% of copper."),
    ("Lanterns", "It is 20 degrees Celsius warm below."),
    ("Lanterns", "The chest holds 3 million beads."),
    ("Lanterns", "With 3 wharfs, a barge takes 18 lads."),
    ("Lanterns", "One lantern hangs within 18 feet."),
    ("Lanterns", "A pilot comes at an extra 70 gp."),
    ("Lanterns", "A lad of at least 16 years of age may steer."),
    ("Lanterns", "The glass is at least $45."),
    ("Lanterns", "The tun takes 12,000 mB of water."),
    ("Moorings", "The Long Oakpost costs $12 for four hours."),
    ("Moorings", "The ironring costs $5 an hour and the oakpost $3."),
    ("Ox,Elk", "The ox has more horns than the elk (9 vs. 5), but both have 4 legs."),
    ("Ox,Elk", "The ox has more horns than the elk (9 against 5), but the elk is heavier (8 against 3)."),
]
WRONG = [
    ("Berths", "With Basic, public berths are 30 m."),
    ("Winter route,Summer route", "The winter route takes 25 minutes."),
    ("Storms", "On a roll of 8 the sail is torn and the mast is cracked."),
    ("Storms", "A roll of 7 does no lasting damage."),
    ("Ropes", "Nylon is of tier 2, which allows 2 loops."),
    ("Lanterns", "The lantern hangs more than 18 feet from the stern."),
    ("Lanterns", "Brass holds at most 60% of copper."),
    ("Lanterns", "A load is at least 5 kg."),
    ("Lanterns", "The chest holds 2 million beads."),
    ("Lanterns", "With 3 wharfs, a barge takes 21 lads."),
    ("Lanterns", "A lad under 16 years of age may steer."),
    ("Lanterns", "The glass costs less than $45."),
    ("Moorings", "The Long Oakpost costs $20 for four hours."),
    ("Moorings", "The oakpost costs $5 an hour and the ironring $3."),
    ("Ox,Elk", "The ox has more horns than the elk (5 vs. 9), but both have 4 legs."),
]


@pytest.mark.parametrize(("titles", "sentence"), RIGHT)
def test_what_is_told_of_the_one_that_is_named_stands(titles: str, sentence: str) -> None:
    assert [] == wrong_with(sentence, tuple(titles.split(",")), QUAY)


@pytest.mark.parametrize(("titles", "sentence"), WRONG)
def test_what_another_has_that_is_alike_is_found(titles: str, sentence: str) -> None:
    assert wrong_with(sentence, tuple(titles.split(",")), QUAY)
