"""Sentences over running text: whom its clauses speak of, what it limits, bands, and what is worked out from it."""

from __future__ import annotations

import pytest

from retrieval.types import Chunk
from tests.agent.test_told_numbers import book, problems

LAMPS = Chunk(
    "lamps",
    "Lamps\nPit lamps shine 70 m far in a narrow beam and need a cup of fat every 3 hours. Loft lamps shine 25 m "
    "far. A plain wick burns out in 40 minutes, a waxed wick in 2 hours.\nThe box has two dozen hooks. Nets of "
    "12 kg or more are not dyed.",
    "Lamps",
)
HERON = Chunk(
    "heron", "Heron\nMove: 20 m; 55 m flying\nGuard 14 (17 with its wings shut)\nPeck: beak for 6, wing for 9", "Heron"
)
QUAY = Chunk(
    "quay",
    "Quay\nBarges of up to 10 tons pay 4 gp, of up to 25 tons 9 gp, and of over 25 tons 15 gp.\nThe crane takes a "
    "maximum of 30 bales, and a minimum of 2.",
    "Quay",
)
WAVE = Chunk(
    "wave",
    "Wave\nIt does 5d6 damage. The damage rises by 1d6 for each slot level above level 2.\n"
    "Cost: 3+1/additional Power\nThe mark to beat is 9 + the level of the spell.",
    "Wave",
)
INNS = book("Inns", "", ("Inn", "Price/Night"), ("Elk", "3 gp"), ("Fox", "8 gp"))
SNAIL = book("Snail", "", ("Time", "50 minutes"), ("Length", "40 mm"), is_record=True)
SLUG = book("Slug", "", ("Time", "2 hours"), ("Length", "9 cm"), is_record=True)
RIGHT = (
    ("The pit lamp lights up 70 m, the loft lamp 25.", (LAMPS,)),
    ("A waxed wick lasts three times as long as a plain wick.", (LAMPS,)),
    ("There are two dozen hooks in the box.", (LAMPS,)),
    ("Nets of 12 kg or more aren't dyed.", (LAMPS,)),
    ("Herons walk 20 m and fly 55.", (HERON,)),
    ("Its guard is 14, or 17 with its wings shut.", (HERON,)),
    ("Its beak does 6, its wing 9.", (HERON,)),
    ("A barge of 18 tons pays 9 gp.", (QUAY,)),
    ("For 40 tons it is 15 gp.", (QUAY,)),
    ("At most 30 bales go on the crane.", (QUAY,)),
    ("With a slot of level 4 it does 7d6 damage.", (WAVE,)),
    ("At Power 4 it costs 6.", (WAVE,)),
    ("Against a level 5 spell the mark is 14.", (WAVE,)),
    ("Five nights at the Fox come to 40 gp.", (INNS,)),
    ("Between the two, the Elk is 5 gp cheaper than the Fox.", (INNS,)),
    ("From the Elk to the Fox it is another 5 gp.", (INNS,)),
    ("The snail is faster than the slug (50 minutes against 2 hours).", (SNAIL, SLUG)),
    ("The slug is longer than the snail, 9 cm to 40 mm.", (SNAIL, SLUG)),
)
WRONG = (
    ("The loft lamp lights up 70 m, the pit lamp 25.", (LAMPS,)),
    ("A waxed wick lasts twice as long as a plain wick.", (LAMPS,)),
    ("There are three dozen hooks in the box.", (LAMPS,)),
    ("Nets of 12 kg or more are dyed.", (LAMPS,)),
    ("A plain wick burns out in 70 minutes.", (LAMPS,)),
    ("Herons fly 20 m.", (HERON,)),
    ("Its guard is 17, or 14 with its wings shut.", (HERON,)),
    ("Its wing does 6, its beak 9.", (HERON,)),
    ("A barge of 18 tons pays 4 gp.", (QUAY,)),
    ("For 40 tons it is 9 gp.", (QUAY,)),
    ("At least 30 bales go on the crane.", (QUAY,)),
    ("With a slot of level 4 it does 8d6 damage.", (WAVE,)),
    ("At Power 4 it costs 7.", (WAVE,)),
    ("Against a level 5 spell the mark is 15.", (WAVE,)),
    ("Five nights at the Fox come to 15 gp.", (INNS,)),
    ("Between the two, the Elk is 6 gp cheaper than the Fox.", (INNS,)),
    ("The slug is faster than the snail (2 hours against 50 minutes).", (SNAIL, SLUG)),
    ("The snail is longer than the slug, 40 mm to 9 cm.", (SNAIL, SLUG)),
)


@pytest.mark.parametrize(("sentence", "chunks"), RIGHT, ids=lambda each: str(each)[:60])
def test_what_running_text_says_or_leads_to_stands(sentence: str, chunks: tuple[Chunk, ...]) -> None:
    assert [] == problems(sentence, chunks)


@pytest.mark.parametrize(("sentence", "chunks"), WRONG, ids=lambda each: str(each)[:60])
def test_what_running_text_says_of_something_else_is_found(sentence: str, chunks: tuple[Chunk, ...]) -> None:
    assert problems(sentence, chunks)
