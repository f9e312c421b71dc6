"""Numbers that a sentence tells in another notation, by other words, or of a whole table; and such that are swapped."""

from __future__ import annotations

import pytest

from retrieval.types import Chunk
from tests.agent.test_told_numbers import book, problems

FERRIES = book(
    "Ferries",
    "",
    ("Ferry", "First trip", "Trip", "Shore time"),
    ("Ida 1", "1871-04-12", "1h 48m", "7,5 min"),
    ("Ida 2", "1874-08-06", "2h 5m", "9,25 min"),
    ("Ida 3", "1879-03-01", "1h 2m", "8,75 min"),
)
CREW = book(
    "Crew",
    "",
    ("Measure", "Span", "Unit"),
    ("Standing height", "150 - 190", "cm"),
    ("Chest depth", "20 - 41", "cm"),
    ("Chest width", "30 - 52", "cm"),
    ("Body mass", "50 - 95", "kg"),
)
CODES = book(
    "Codes",
    "",
    ("Flag", "Meaning"),
    ("311", "The lock has failed"),
    ("312", "The lock is open"),
    ("404", "Nobody is at the gate, which is shut"),
)
EVENTS = book(
    "Events",
    "",
    ("Day", "What was done"),
    ("May 3, 1981", "Quay built after plan 8"),
    ("June 9, 1984", "Roof mended"),
    ("July 7, 1990", "Roof mended again"),
)
FARES = book(
    "Fares",
    "",
    ("Fare", "Bags", "Price", "Refunded"),
    ("Plain", "1", "$38", "no"),
    ("Sea", "2", "$72", "no"),
    ("Isle (6 days)", "3", "$90", "yes, twice"),
)
MOLE = book("1A. Grey Mole (2)", "", ("LB", "12 - 18"), ("Grip", "30"), ("Coat", "5 cm"), is_record=True)
VOLE = book("1B. Red Vole (3)", "", ("LB", "7 - 9"), ("Grip", "24"), ("Coat", "4 cm"), is_record=True)
SAW = book("Weapon Long Saw", "", ("Tool", "Teeth"), ("Long Saw", "36"))
AXE = book("Weapon Axe Saw", "", ("Tool", "Teeth"), ("Axe Saw", "32"))
CHARM = Chunk(
    "charm",
    "Charm\nIt binds up to 100 reeds.\n5th level charm: It binds up to 140 reeds.\n9th level charm: It binds up to 240 "
    "reeds.\nDoors may be opened 100 times per minute. Spindles are sold for $2.5 million.",
    "Charm",
)
GUILDS = Chunk(
    "guilds",
    "Guilds\nThe fee is waived for:\n- Alder Guild\n- Birch Guild\n- Cedar Union\n- Elm Guild\n\nFees are raised by 20 "
    "percent in winter.",
    "Guilds",
)
BROOK = Chunk(
    "brook",
    "Ada Brook\nAda Brook (3 May 1871 – 2 June 1942) was a painter. She painted 40 signs and has mended over 90 signs. "
    "Her pay went from 300 crowns to 425 crowns, so she got 125 crowns more (the difference between 425 and 300).",
    "Ada Brook",
)
REED = Chunk("reed", "Ole Reed\nOle Reed (9 May 1869 – 1 June 1930) was a smith.", "Ole Reed")
DRAWS = book(
    "Draws",
    "",
    ("d%", "Find"),
    ("85-88", "spiked pit"),
    ("89-92", "stair that folds, rolling"),
    ("93-00", "sluice"),
)
SAILINGS = book(
    "Sailings", "", ("Day", "Mate", "Boat"), ("1901-05-02", "Ada", "Wren 30"), ("1902-06-07", "Ole", "Wren 36")
)
CARDS = Chunk(
    "cards",
    "Cards\n- New members should get their card within 10-14 working days.\n- A lost card is made anew within 48 hours "
    "of the request.\n\nPipes are thirty feet long for single doors and fifty feet long for shared doors.",
    "Cards",
)

RIGHT = (
    ("Ada sailed on the Wren 30 on 2 May 1901.", (SAILINGS,)),
    ("New members get their card within 14 days.", (CARDS,)),
    ("A shared door needs 50 feet, 20 more than a single door.", (CARDS,)),
    ("Reed, born in 1869, was two years older than Brook, who was born in 1871.", (BROOK, REED)),
    ("She painted 40 signs and mended more than 90.", (BROOK,)),
    ("Her pay rose from 300 to 425 crowns.", (BROOK,)),
    ("On a roll of 89 or 90 there is a stair that folds.", (DRAWS,)),
    ("The Ida 1 first crossed on 12 April 1871; a trip took 1 hour and 48 minutes.", (FERRIES,)),
    ("Ida 3 waits 8.75 minutes at the shore.", (FERRIES,)),
    ("The three ferries were taken up from 1871 to 1879.", (FERRIES,)),
    ("You must be 150 to 190 cm tall and weigh 50 to 95 kg.", (CREW,)),
    ("The chest may be 20 to 41 cm deep and 30 to 52 cm wide.", (CREW,)),
    ("311 says that the lock failed, 312 that it is open.", (CODES,)),
    ("The quay was built on 3 May 1981 and the roof mended on June 9, 1984.", (EVENTS,)),
    ("The Sea fare takes 2 bags and costs $34 more than Plain, $72 instead of $38.", (FARES,)),
    ("The Plain fare of $38 is not refunded.", (FARES,)),
    ("The Isle fare lasts 6 days and costs 90 dollars, i.e. 15 dollars a day.", (FARES,)),
    ("The Grey Mole has a lower bite of 12 to 18.", (MOLE,)),
    ("The Grey Mole grips with 30, 6 more than the Red Vole.", (MOLE, VOLE)),
    ("The long saw has 36 teeth, 4 more than the axe saw.", (SAW, AXE)),
    ("As a 5th level charm it binds at most 140 reeds.", (CHARM,)),
    ("Spindles sell for 2,500,000 dollars.", (CHARM,)),
    ("Four guilds pay no fee.", (GUILDS,)),
    ("In winter fees are a fifth of the sum higher, 20 percent.", (GUILDS,)),
)
WRONG = (
    ("New members get their card within 48 hours.", (CARDS,)),
    ("A shared door needs 50 feet, 30 more than a single door.", (CARDS,)),
    ("Brook was born in 1869 and Reed in 1871.", (BROOK, REED)),
    ("She painted over 90 signs.", (BROOK,)),
    ("A roll of 88 gives a sluice.", (DRAWS,)),
    ("The Ida 2 first crossed on 12 April 1871.", (FERRIES,)),
    ("A trip of the Ida 3 takes 1 hour and 48 minutes.", (FERRIES,)),
    ("The four ferries were taken up from 1871 to 1879.", (FERRIES,)),
    ("You must weigh 150 to 190 kg.", (CREW,)),
    ("The chest may be 30 to 52 cm deep.", (CREW,)),
    ("404 says that the lock has failed.", (CODES,)),
    ("The quay was built on 9 June 1984.", (EVENTS,)),
    ("The Sea fare takes 2 bags and costs $34 more than Plain, $38 instead of $72.", (FARES,)),
    ("The Grey Mole has a lower bite of 5 cm.", (MOLE,)),
    ("The Red Vole has a grip of 30.", (MOLE, VOLE)),
    ("The axe saw has 36 teeth.", (SAW, AXE)),
    ("As a 5th level charm it binds at most 240 reeds.", (CHARM,)),
    ("Doors may be opened 100 times per hour.", (CHARM,)),
    ("In winter fees are a third of the sum higher.", (GUILDS,)),
)


@pytest.mark.parametrize(("sentence", "chunks"), RIGHT, ids=lambda each: str(each)[:60])
def test_what_is_told_otherwise_stands(sentence: str, chunks: tuple[Chunk, ...]) -> None:
    assert [] == problems(sentence, chunks)


@pytest.mark.parametrize(("sentence", "chunks"), WRONG, ids=lambda each: str(each)[:60])
def test_what_is_told_of_something_else_is_found(sentence: str, chunks: tuple[Chunk, ...]) -> None:
    assert problems(sentence, chunks)
