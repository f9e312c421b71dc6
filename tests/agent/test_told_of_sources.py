"""What a model says of its sources in other notations, and what it says of another thing, bound or unit."""

from __future__ import annotations

import pytest

from retrieval.types import Chunk, Table
from tests.agent.test_told_numbers import book, problems

RIVER = Chunk("river", "River\nA barge pays at least 9 crowns. It cannot carry more than 40 tons.", "River")
LOCK = Chunk("lock", "Lock\nHens on board: no more than six. It opens for 14 days after the frost.", "Lock")
CRAB = Chunk("crab", "Crab\nAttacks: 3 (claw/claw/bite)\nIt lives for (1d4+1) x 10 moons.", "Crab")
GAUGE = Chunk("gauge", "Gauge\nIt was read on April 6, 2024.", "Gauge")
HYDRA = Chunk("hydra", "Hydra\nCharm: 7\nIt bites as often as it has heads.\nA grown one has five heads.", "Hydra")
GLOW = Chunk("glow", "Glow\nIt reaches 30-ft per lamp level. It lasts 2 turns per level. A wick holds 3.7 V.", "Glow")
MAST = book("Masts", "", ("Mast", "Height (m)", "Stays"), ("Fore", "17.0", "0"), ("Main", "21.5", "6"))
TOLLS = tuple(
    Chunk(
        year,
        f"Tolls of {year}\nBoat | Toll\nPunt | {punt}\nBarge | {barge}",
        f"Tolls of {year}",
        tables=(Table("", (("Boat",), ("Toll",)), (("Punt", punt), ("Barge", barge))),),
    )
    for year, punt, barge in (("2023", "41", "62"), ("2024", "44", "71"))
)
CREW = book("Crew", "", ("Age", "Fare Jan 2023", "Fare Feb 2023"), ("Child to 14", "20", "26"), ("Rower", "50", "55"))
RAIN = book("Rain", "", ("Month", "Days"), ("Jul", "12"), ("Aug", "17"))
LOCKS = Chunk(
    "locks",
    "Locks\nNorth: A tall one. Fee: 9 p. Steps: 4.\nSouth: A new one. Fee: 5 p. Steps: 7.",
    "Locks",
    tables=(
        Table(
            "",
            ((), ()),
            (("North", "A tall one. Fee: 9 p. Steps: 4."), ("South", "A new one. Fee: 5 p. Steps: 7.")),
        ),
    ),
)
LEVELS = Chunk(
    "levels",
    "Saves - Level 5-8\nLevel: 5-8\nPoison: 11",
    "Saves - Level 5-8",
    tables=(Table("", (("Level",), ("Poison",)), (("5-8", "11"),)),),
)
PIERS = book("Piers", "", ("Pier", "Berths", "Gear"), ("Elm", "6", "4 hoists"), ("Oak", "9", "2 hoists"))
SPEED = Chunk("speed", "Link\nThe link runs at up to 10 Gbps. The d3.8xlarge has 32 ports.", "Link")

RIGHT = [
    ("Barges pay 9 crowns or more.", (RIVER,)),
    ("A barge may carry no more than 40 tons.", (RIVER,)),
    ("After the frost it opens for two weeks.", (LOCK,)),
    ("The crab has two claws.", (CRAB,)),
    ("It lives for 20 to 50 moons.", (CRAB,)),
    ("A grown hydra has five heads.", (HYDRA,)),
    ("At lamp level 7 it reaches 210 feet.", (GLOW,)),
    ("The Fore mast is 17 metres high and has no stays.", (MAST,)),
    ("A punt paid 41 in 2023 and pays 44 in 2024.", TOLLS),
    ("A barge pays 71 now, 9 more than the year before.", TOLLS),
    ("For a child the fare rose by 6 from January 2023 to February 2023.", (CREW,)),
    ("In August it rains on 17 days.", (RAIN,)),
    ("North and South together have 11 steps.", (LOCKS,)),
    ("At level 6 the save against poison is 11.", (LEVELS,)),
    ("Elm has 6 berths and four hoists.", (PIERS,)),
    ("Hiring North, one pays 9 p.", (LOCKS,)),
    ("Der Pegel wurde am 6. April 2024 gelesen.", (GAUGE,)),
]
WRONG = [
    ("Barges pay at most 9 crowns.", (RIVER,)),
    ("A barge must carry at least 40 tons.", (RIVER,)),
    ("Whoever keeps hens must have at least six on board.", (LOCK,)),
    ("After the frost it opens for three weeks.", (LOCK,)),
    ("The hydra has seven heads.", (HYDRA,)),
    ("At lamp level 7 it reaches 180 feet.", (GLOW,)),
    ("It lasts 2 rounds per lamp level.", (GLOW,)),
    ("Four wicks hold.", (GLOW,)),
    ("North has 7 steps.", (LOCKS,)),
    ("The fee is 9 p for South.", (LOCKS,)),
    ("North and South together have 12 steps.", (LOCKS,)),
    ("At level 3 the save against poison is 11.", (LEVELS,)),
    ("In July it rains on 17 days.", (RAIN,)),
    ("For a child the fare rose by 5 from January 2023 to February 2023.", (CREW,)),
    ("The link runs at up to 10 Mbps.", (SPEED,)),
]


@pytest.mark.parametrize(("sentence", "chunks"), RIGHT, ids=lambda each: str(each)[:60])
def test_what_a_source_says_in_another_notation_is_let_through(sentence: str, chunks: tuple[Chunk, ...]) -> None:
    assert problems(sentence, chunks) == []


@pytest.mark.parametrize(("sentence", "chunks"), WRONG, ids=lambda each: str(each)[:60])
def test_another_bound_unit_or_thing_is_found(sentence: str, chunks: tuple[Chunk, ...]) -> None:
    assert problems(sentence, chunks)
