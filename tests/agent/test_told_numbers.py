"""Numbers that no source has as a sentence tells them: differences, what a rate comes to, rolls, parts of names."""

from __future__ import annotations

import pytest

from agent.writing.checking import prose
from agent.writing.checking.cited import Source, cited
from retrieval.types import Chunk, Passage, Table


def book(name: str, text: str, *rows: tuple[str, ...], is_record: bool = False) -> Chunk:
    """A chunk with a table, whose head is the first row."""
    head, *others = rows or ((),)
    columns = ((), ()) if is_record else tuple((each,) for each in head)
    table = Table("", columns, tuple(rows if is_record else others))
    lines = [": ".join(row) if is_record else " | ".join(row) for row in rows]
    return Chunk(name, "\n".join([name, *lines, text]), name, tables=(table,) if rows else ())


BARGES = book(
    "Barges",
    "",
    ("Barge", "Oars", "Hold (casks)", "Crew (d4)"),
    ("Wren (tarred)", "12", "96", "3"),
    ("Rook (tarred)", "30", "240", "5"),
    ("Gull", "18", "144", "4"),
    ("Gull (old)", "16", "100", "2"),
)
HERON = book("Heron", "", ("Pace", "60 ft"), ("Weight", "9 lb"), is_record=True)
BITTERN = book("Bittern", "It nests in reeds.", ("Pace", "45 ft"), ("Weight", "4 lb"), is_record=True)
TOLLS = book(
    "Tolls",
    "",
    ("Toll", "Fee"),
    ("Bridge", ""),
    ("~ Calm", "2 gp"),
    ("~ Stormy", "7 gp"),
    ("Ferry", ""),
    ("~ Calm", "5 gp"),
    ("~ Stormy", "2 gp"),
)
FINDS = book("Finds", "", ("d20", "Find", "Worth (gp)"), ("1-5", "Amber", "40"), ("6-14", "Jet", "90"))
LOCKS = book("Locks", "", ("Setting", "Default"), ("lock.wait_time", "12"), ("lock.lamp", "40"))
GATES = Chunk(
    "gates",
    "Gates\n- North gate\n- Kept by the miller\n- Opens: 6 hours\n- South gate\n- Kept by the smith\n- Opens: 9 hours",
    "Gates",
)
GLOW = Chunk(
    "glow",
    "Glow\nGlow lasts 2 rounds+1 round per level. A lamp burns 3 candles an hour.\nWith its wand you may do one of "
    "these, each for some sparks: dazzle (5 sparks), blind (5 sparks), soothe (2 sparks), warm (5 sparks) or part a "
    "mist (9 sparks).",
    "Glow",
)
CRAB = Chunk("crab", "Crab\nShell: 5\nLimbs: 8\nClaws: none\nIt lives in rock pools.", "Crab")
CARGO = book(
    "Cargo",
    "",
    ("Barge", "Baseline (Mbps)", "Top speed (knots)"),
    ("k7.large", "16.00", "8"),
    ("k7.small", "8.00", "4"),
)
ARMS = Chunk(
    "arms",
    "Arms\nPike. To hit: +9, reach 10 ft. Hit: 14 (2d8+5) piercing damage plus 7 (2d6) cold damage.\n"
    "Sling. To hit: +6, reach 30/90 ft. Hit: 5 (1d6+2) blunt damage.\nA gem of 40 gp heals 1 wound for each 20 gp.",
    "Arms",
)
FAIRS = Chunk(
    "fairs",
    "Fairs\n- Under 50 guests: 4 cooks and 2 tents\n- 50 to 90 guests: 6 cooks and 3 tents\n- Over 90 guests: 8 cooks",
    "Fairs",
)
SQUIB = Chunk(
    "squib", "Squib\nScent: 90 feet\nWhen it dies it bursts and soaks all within 20 feet of the mud.", "Squib"
)

RIGHT = (
    ("The burst of a squib soaks all within 20 feet.", (SQUIB,)),
    ("Squibs scent you at 90 feet.", (SQUIB,)),
    ("A k7.large has twice the baseline of a k7.small: 16 Mbps instead of 8.", (CARGO,)),
    ("The pike does 2d8+5 piercing and 2d6 cold damage.", (ARMS,)),
    ("The sling reaches 90 feet at most.", (ARMS,)),
    ("Gems of 40 gp heal 2 wounds.", (ARMS,)),
    ("A fair of 70 guests has 6 cooks and 3 tents.", (FAIRS,)),
    ("The dual tents of a fair with 30 guests need 4 cooks.", (FAIRS,)),
    ("The Wren has 12 oars, which is 18 fewer than the Rook.", (BARGES,)),
    ("The Rook holds 240 casks, 144 more than the Wren.", (BARGES,)),
    ("A heron is 15 feet faster than a bittern.", (HERON, BITTERN)),
    ("At 60 feet a heron is 15 feet per turn faster than a bittern.", (HERON, BITTERN)),
    ("Calm and stormy bridges cost 2 gp and 7 gp.", (TOLLS,)),
    ("A roll of 9 brings jet worth 90 gp.", (FINDS,)),
    ("The wait time is 12 by default, the lamp 40.", (LOCKS,)),
    ("The north gate opens for 6 hours, the south gate for 9 hours.", (GATES,)),
    ("At level 7 the glow lasts 9 rounds.", (GLOW,)),
    ("At 3 candles an hour, 12 candles last 4 hours.", (GLOW,)),
    ("Soothe takes 2 sparks, dazzle 5 sparks.", (GLOW,)),
    ("Ein Fass wiegt 12,5 Pfund.", (Chunk("cask", "A cask weighs 12.5 lb.", "Cask"),)),
    ("A crab has 8 limbs and a shell of 5.", (CRAB,)),
)
WRONG = (
    ("The bursting of a squib goes 90 feet far.", (SQUIB,)),
    ("A k7.large has a speed of 16 knots.", (CARGO,)),
    ("A k7.large has a baseline of 8 Mbps.", (CARGO,)),
    ("Gems of 40 gp heal 3 wounds.", (ARMS,)),
    ("A fair of 70 guests has 8 cooks.", (FAIRS,)),
    ("A fair of 70 guests has 2 tents.", (FAIRS,)),
    ("The Rook holds 96 casks more than the Wren.", (BARGES,)),
    ("The Wren has 12 oars, which is 144 fewer than the Rook.", (BARGES,)),
    ("A heron is 45 feet faster than a bittern.", (HERON, BITTERN)),
    ("A heron is 5 feet faster than a bittern.", (HERON, BITTERN)),
    ("Calm and stormy bridges cost 7 gp and 2 gp.", (TOLLS,)),
    ("A roll of 15 brings jet worth 90 gp.", (FINDS,)),
    ("A roll of 9 brings amber worth 40 gp.", (FINDS,)),
    ("The wait time is 40 by default.", (LOCKS,)),
    ("The south gate opens for 6 hours.", (GATES,)),
    ("At level 7 the glow lasts 8 rounds.", (GLOW,)),
    ("Soothe takes 5 sparks.", (GLOW,)),
    ("A crab has 5 claws.", (CRAB,)),
)


def problems(sentence: str, chunks: tuple[Chunk, ...]) -> list[str]:
    """What is wrong with a sentence that cites some chunks."""
    sources = {n: Source(chunk) for n, chunk in enumerate(chunks, start=1)}
    made = cited(f"{sentence[:-1]} {''.join(f'[{n}]' for n in sources)}.", sources)
    passages = [Passage(chunk, 1.0, 0.0, ("q1",)) for chunk in chunks]
    return [each.reason for each in prose.verify(made.text, (), made.citations, passages, "")]


@pytest.mark.parametrize(("sentence", "chunks"), RIGHT, ids=lambda each: str(each)[:60])
def test_what_follows_from_the_sources_stands(sentence: str, chunks: tuple[Chunk, ...]) -> None:
    assert [] == problems(sentence, chunks)


@pytest.mark.parametrize(("sentence", "chunks"), WRONG, ids=lambda each: str(each)[:60])
def test_what_does_not_follow_is_found(sentence: str, chunks: tuple[Chunk, ...]) -> None:
    assert problems(sentence, chunks)
