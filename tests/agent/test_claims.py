"""What a sentence claims of rows, columns, chunks and bounds: right values of the wrong thing are found."""

from __future__ import annotations

from functools import cache

import pytest

from agent.writing.checking import prose
from agent.writing.checking.cited import Source, cited
from retrieval.types import Passage
from tests.kit import Book, book

HARBOR = book("""# Harbor Guide

## Boats

| Boat | Deck length | Beam | Draft vs L | Draft vs M | Hire | Crew |
|---|---|---|---|---|---|---|
| Skiff | 12 feet | 4 feet | 2 | 1 | 15 gp | 2 |
| Cutter | 30 feet | 9 feet | 5 | 4 | 80 gp | 6 |
| Barge, river | 45 feet | 15 feet | 3 | 2 | 95 gp | 4 |
| Barge | 60 feet | 20 feet | 6 | 5 | 120 gp | 8 |

## Tides

| Weight of cargo | Hours to unload | Toll |
|---|---|---|
| up to 20 pounds | 1 | 3% |
| 21-60 pounds | 2 | 7% |
| 61-90 lbs | 4 | 12% |

## Lamps

| | Red lamp | Green lamp |
|---|---|---|
| Mark | rl1 | gl1 |
| Wicks | 30 | 40 |
| Oil | 7 | 9 |

## Wages

| Level | Pay |
|---|---|
| 3 | 3d6 |
| 5 | 5d6 |

## Rank limits

### Pilots

- Cutter 6
- Barge 9

## Heron

**Wingspan** 60 inches
**Eggs** 4
**Reach** 25 feet
**Nest** reeds

A heron waits in a circle of 9-foot radius, rests at least 8 hours and hunts no more than 3 hours.
Write to ponds@harbor.example for more.

## Stork

**Wingspan** 80 inches
**Eggs** 5
**Reach** 35 feet
""")


def wrong_with(sentence: str, titles: tuple[str, ...], of: Book = HARBOR) -> list[str]:
    """What is wrong with a sentence that cites the chunks of these titles."""
    chunks = [next(chunk for chunk in of.chunks if chunk.title == title) for title in titles]
    marks = "".join(f" [{n}]" for n in range(1, len(chunks) + 1))
    made = cited(f"{sentence.rstrip('.')}{marks}.", {n: Source(chunk) for n, chunk in enumerate(chunks, start=1)})
    passages = [Passage(chunk, 0.9, 0.1, ("q1",)) for chunk in chunks]
    return [each.reason for each in prose.verify(made.text, (), made.citations, passages, "?")]


@cache
def titles() -> frozenset[str]:
    return frozenset(chunk.title for chunk in HARBOR.chunks)


RIGHT = [
    ("Boats", "A cutter is hired for 80 gp and a skiff for 15 gp."),
    ("Boats", "The cutter and the skiff cost 80 gp and 15 gp respectively."),
    ("Boats", "For 15 gp you get a skiff, for 80 gp a cutter."),
    ("Boats", "A river barge has a beam of 15 feet and a crew of 4."),
    ("Boats", "The hire of a cutter (80 gp) and a skiff (15 gp) is 95 gp together, a difference of 65 gp."),
    ("Boats", "The deck length of the skiff is 12 feet, its hire 15 gp."),
    ("Boats", "A skiff has a crew of 2 and a beam of 4 feet; a cutter has a crew of 6 and one of 9."),
    ("Boats", "A barge has a crew of 8, twice as many as the river barge (4)."),
    ("Boats", "Of the two, the skiff is shorter (12 feet) than the barge (60 feet)."),
    ("Boats", "A skiff draws 2 against large waves and 1 against mild ones."),
    ("Boats", "The hire of a skiff (15 gp) is 19% of that of a cutter (80 gp)."),
    ("Boats", "A skiff (15 gp) is 81% cheaper than a cutter (80 gp)."),
    ("Wages", "The pay is 3d6 at 3rd level and 5d6 at 5th."),
    ("Wages", "The pay grows from 3d6 at 3rd level to 5d6 at 5th."),
    ("Boats", "A river barge has a beam of 15 feet and costs 95 gp, a barge one of 20 feet and costs 120 gp."),
    ("Boats", "A skiff is hired for 15 gp, 65 gp less than a cutter (80 gp)."),
    ("Tides", "With 70 pounds one is in the 61-90 lbs row and pays 12%."),
    ("Tides", "Unloading 30 pounds takes 2 hours."),
    ("Lamps", "The red lamp has 30 wicks and the green lamp 40."),
    ("Lamps", "gl1 has 40 wicks."),
    ("Pilots", "A barge may be steered up to rank 9."),
    ("Heron", "It has a reach of 25 feet and circles within a 9-foot radius."),
    ("Heron", "It rests for 8 hours or more."),
    ("Heron", "It has 4 eggs; write to ponds@harbor.example for more."),
    ("Heron Stork", "The heron has a wingspan of 60 inches, the stork one of 80 inches."),
    ("Heron Stork", "The stork has 5 eggs and the heron 4."),
]
WRONG = [
    ("Boats", "A cutter is hired for 15 gp and a skiff for 80 gp."),
    ("Boats", "The cutter and the skiff cost 15 gp and 80 gp respectively."),
    ("Boats", "For 80 gp you get a skiff, for 15 gp a cutter."),
    ("Boats", "A river barge has a beam of 20 feet."),
    ("Boats", "A river barge has a beam of 45 feet."),
    ("Boats", "A cutter has a crew of 9."),
    ("Boats", "The hire of a cutter (80 gp) and a skiff (15 gp) is 105 gp together."),
    ("Boats", "The deck length of the skiff is 4 feet."),
    ("Boats", "A barge has a crew of 8, three times as many as the river barge (4)."),
    ("Boats", "A skiff draws 1 against large waves."),
    ("Boats", "The hire of a skiff (15 gp) is 81% of that of a cutter (80 gp)."),
    ("Wages", "The pay is 3d6 at 5th level and 5d6 at 3rd."),
    ("Tides", "Unloading 70 pounds takes 2 hours."),
    ("Tides", "With 30 pounds one pays 12%."),
    ("Lamps", "The red lamp has 40 wicks and the green lamp 30."),
    ("Lamps", "rl1 has 40 wicks."),
    ("Pilots", "A barge may be steered up to rank 6."),
    ("Heron", "It has a reach of 9 feet."),
    ("Heron", "It has a nest of 9 feet."),
    ("Heron", "Its nest has 9 feet."),
    ("Heron", "It circles within a 25-foot radius."),
    ("Heron", "It hunts for at least 3 hours."),
    ("Heron", "It has 4 eggs, see https://herons.example/eggs."),
    ("Heron", "It has 4 eggs ![eggs](http://a.example/e.png)"),
    ("Heron", "It has 4 eggs <img src=x onerror=1>."),
    ("Heron", "Its wingspan is 60 inches, or " + "6" * 200_000 + "."),
    ("Heron Stork", "The heron has a wingspan of 80 inches, the stork one of 60 inches."),
    ("Heron Stork", "The stork has 4 eggs and the heron 5."),
]


@pytest.mark.parametrize(("about", "sentence"), RIGHT)
def test_a_right_sentence_is_let_through(about: str, sentence: str) -> None:
    assert [] == wrong_with(sentence, named(about))


@pytest.mark.parametrize(
    ("sentence", "is_right"),
    [
        ("The stork, unlike the heron with its 4 eggs [1], has a wingspan of 80 inches [2].", True),
        ("The stork, unlike the heron with its 4 eggs [1], has a wingspan of 70 inches [2].", False),
        ("The heron has a wingspan of 80 inches [2], the stork one of 60 inches [1].", False),
    ],
)
def test_a_number_may_stand_in_what_is_cited_right_behind_it(sentence: str, is_right: bool) -> None:
    chunks = [next(chunk for chunk in HARBOR.chunks if chunk.title == title) for title in ("Heron", "Stork")]
    made = cited(sentence, {n: Source(chunk) for n, chunk in enumerate(chunks, start=1)})
    passages = [Passage(chunk, 0.9, 0.1, ("q1",)) for chunk in chunks]
    assert is_right == (() == prose.verify(made.text, (), made.citations, passages, "?"))


@pytest.mark.timeout(20)
@pytest.mark.parametrize(("about", "sentence"), WRONG, ids=lambda each: each[:60])
def test_a_wrong_sentence_is_found(about: str, sentence: str) -> None:
    assert wrong_with(sentence, named(about))


def named(about: str) -> tuple[str, ...]:
    """The titles: one of several words, or several of one."""
    return (about,) if about in titles() else tuple(about.split())
