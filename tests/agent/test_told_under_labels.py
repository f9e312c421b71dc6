"""Numbers that a sentence tells under another label than the source, dates and ranges in pieces, and what follows."""

from __future__ import annotations

import pytest

from retrieval.types import Chunk, Table
from tests.agent.test_told_numbers import book, problems


def _record(title: str, *rows: tuple[str, str]) -> Chunk:
    """A thing with labels and values."""
    text = "\n".join((title, *(f"{label}: {value}" for label, value in rows)))
    return Chunk(title.lower(), text, title, tables=(Table("", ((), ()), rows),))


GLOW = _record(
    "Glow",
    ("Reach", "120 ft."),
    ("Area", "40 ft. Radius"),
    ("Making Time", "10 minutes"),
    ("Cost", "3 shells"),
    ("Wick", "Tallow tw12"),
    ("Skills", "Hide 52%, Swim 92%, Climb 70%"),
    ("Pace", "15 yards, 50 yards (in the swim)"),
)
ADA = _record(
    "Ada Reed",
    ("Born", "1815-12-10"),
    ("Died", "1852-11-27"),
    ("Apprenticed", "1833-1845"),
    ("Weight", "80-200 lbs (most 100-150 lbs)"),
    ("Age of the mill", "1.5-2 million years"),
    ("Strength", "income x5"),
)
HARBOURS = book(
    "Harbours",
    "",
    ("Harbour", "Berths", "Depth", "Shells per day"),
    ("Alba", "40", "9 m, by the old pier", "12"),
    ("Bern", "75", "6 m, at low water", "18"),
)
PARTS = book("Parts of a mole", "", ("1d20", "Part", "Points"), ("1-2", "Tail", "3"), ("3-8", "Left paw", "5"))
SHARES = book("Shares", "", ("Mill", "Bakery", "Smithy"), ("75% of all", "19% of all", "6% of all"))

RIGHT: tuple[tuple[str, tuple[Chunk, ...]], ...] = (
    ("Glow reaches 120 feet and lights a radius of 40 feet.", (GLOW,)),
    ("It takes ten minutes and 3 shells.", (GLOW,)),
    ("The Swim skill is 92%, the Hide skill 52%.", (GLOW,)),
    ("Glow swims 50 yards.", (GLOW,)),
    ("Ada Reed was born on 10 December 1815 and died in November 1852.", (ADA,)),
    ("She lived to be 36.", (ADA,)),
    ("She was apprenticed for twelve years.", (ADA,)),
    ("She weighed 80 to 200 pounds, most of the time 100 to 150.", (ADA,)),
    ("The mill is 1.5 to 2 million years old.", (ADA,)),
    ("Her strength is five times her income.", (ADA,)),
    ("In 10 days at Bern you pay 180 shells.", (HARBOURS,)),
    ("By the old pier it is 9 m deep.", (HARBOURS,)),
    ("A 5 hits the left paw.", (PARTS,)),
    ("Three quarters of all are mills, 19% bakeries.", (SHARES,)),
)
WRONG: tuple[tuple[str, tuple[Chunk, ...]], ...] = (
    ("The reach of Glow is 10.", (GLOW,)),
    ("Its making time is 120.", (GLOW,)),
    ("Its Hide skill is 92%.", (GLOW,)),
    ("The wick of Glow is 3.", (GLOW,)),
    ("Ada Reed was born on 27 November 1815.", (ADA,)),
    ("Ada Reed died on December 10, 1852.", (ADA,)),
    ("She lived to be 47.", (ADA,)),
    ("She was apprenticed for ten years.", (ADA,)),
    ("She weighed 100 to 200 pounds.", (ADA,)),
    ("In 10 days at Bern you pay 120 shells.", (HARBOURS,)),
    ("A 9 hits the left paw.", (PARTS,)),
    ("The smithy has 19%.", (SHARES,)),
)


@pytest.mark.parametrize(("sentence", "chunks"), RIGHT, ids=lambda each: str(each)[:60])
def test_what_stands_under_its_label_is_borne_out(sentence: str, chunks: tuple[Chunk, ...]) -> None:
    assert [] == problems(sentence, chunks)


@pytest.mark.parametrize(("sentence", "chunks"), WRONG, ids=lambda each: str(each)[:60])
def test_what_stands_under_another_label_is_found(sentence: str, chunks: tuple[Chunk, ...]) -> None:
    assert problems(sentence, chunks)


@pytest.mark.parametrize(
    "sentence",
    [
        "Bern is deeper than 45/375 and 1/2 of it.",
        "It lies between 10.0.0.1 and 10.0.0.9.",
        "From 1/2 to 3/4 it rose more than Alba, 9/9 to 1.2.3.",
        "It was 4 years x 9 and 1d6 to 2d6 per 3/4.",
    ],
)
def test_no_number_ends_the_check(sentence: str) -> None:
    assert isinstance(problems(sentence, (HARBOURS, ADA)), list)
