"""Numbers, bounds and comparisons that a sentence tells in another form than its source, or turned round."""

from __future__ import annotations

import pytest

from retrieval.types import Chunk
from tests.agent.test_told_numbers import book, problems

DRILL = Chunk(
    "drill",
    "Drill\nGuards of 3rd to 5th level march twice a week (2/1 marches); at 6th to 8th level, they march thrice every "
    "two weeks (3/2 marches); at 9th level they march four times a week.\nAt dawn each squad rolls for its watch on a "
    "d8. "
    "A squad that rolls a 5 for its watch may sleep. A mired squad loses one D4 of its rations. "
    "Marches of less than 9 miles cause no blisters; marches of up to 20 miles cause 3 blisters.\n"
    "The yard may be either a long strip 6 yards wide and 50 yards long, or a square plot 20 yards wide and 20 yards "
    "long.",
    "Drill",
)
CRANE = Chunk("crane", "Crane\nThe jib turns by 12.5^\\circ/min (half of it in gusts above 9^\\circ C).", "Crane")
HERD = book("Herd", "", ("Beast", "HP", "Coat", "Bulk"), ("Ox", "21", "4 pt. wool", "30"), ("Ram", "8", "2 pt.", "9"))
POST = Chunk(
    "post",
    "Post\nLetters over the pass are limited to 40 grams. The rider has to clear at least a 7 mile stretch a day. "
    "The office opened in 1931, and the new stable in 1946.\nInk has to stay above 4 degrees.",
    "Post",
)
RATES = book("Rates", "", ("Parcel", "Fee"), ("Crate", "12 gp minimum"), ("Roll", "3 gp or less"))
MARE = Chunk("mare", "Mare\nShe trots 12 knots and finds her way with a 70% chance.", "Mare")
MULE = Chunk("mule", "Mule\nHe trots 8 knots and finds his way with a 45% chance.", "Mule")
GAUGES = book(
    "Gauges", "", ("Wind", "Reef (in m)", "Wage"), ("3", "+9", "4 cp"), ("5", "-2", "6 cp"), ("Big gale", "0", "7 cp")
)
BALES = Chunk(
    "bales",
    "Bales\nBound bale - of the first harvest, dried in the loft or in the yard for half a summer: 9 kg / 20 lbs\n"
    "Loose bale: 14 kg / 31 lbs",
    "Bales",
)
KILN = Chunk(
    "kiln",
    "Kiln\nA kiln with 2 or 3 vents counts as low and burns 1d4 logs. One with 4 to 6 vents counts as common and burns "
    "1d8 logs. One with 7 to 9 vents counts as tall and burns 1d12 logs.\n"
    "A stoker of 1st to 4th level feeds 2 kilns, at 5th to 9th level 3 kilns, and from 10th level on he feeds 5 kilns.",
    "Kiln",
)
_HEAD = ("Tool", "Cut", "Weight")
TOOLS = (
    book("Tools (1 of 2)", "", _HEAD, ("Adze", "1d4", "3"), ("Bill", "1d10", "7")),
    book("Tools (2 of 2)", "", _HEAD, ("Saw", "1d10", "4"), ("Scythe", "1d4", "9")),
)
QUOTAS = book("Quotas", "", ("Quota", "Default"), ("VMs", "900"), ("Public VMs", "40"))
SWAN = book("Swan", "", ("Pace", "15 m; 70 m swimming (CX)"), is_record=True)

RIGHT = (
    ("In a wind of 3 the reef may be 9 m wider.", (GAUGES,)),
    ("A loose bale has 14 kg, 5 kg above the bound bale of 9 kg.", (BALES,)),
    ("A kiln with 4 to 6 vents burns 1d8 logs.", (KILN,)),
    ("With 8 vents it burns 1d12 logs.", (KILN,)),
    ("A stoker of 7th level feeds 3 kilns.", (KILN,)),
    ("An adze does 1d4 and a saw 1d10.", TOOLS),
    ("You may have 900 VMs and 40 public VMs.", (QUOTAS,)),
    ("A swan goes 15 m on land and makes 70 m in the water.", (SWAN,)),
    ("A swan swims 70 m.", (SWAN,)),
    ("A letter over the pass may weigh up to 40 grams.", (POST,)),
    ("The stretch has 7 miles at least.", (POST,)),
    ("A crate costs 12 gp or more.", (RATES,)),
    ("A roll costs at most 3 gp.", (RATES,)),
    ("Ink stays at 4 degrees at least.", (POST,)),
    ("The office opened in 1931, well before the new stable of 1946.", (POST,)),
    ("Yes, the mare is the faster one, with 12 knots against 8 knots for the mule.", (MARE, MULE)),
    ("The mule is slower: 8 knots instead of 12.", (MARE, MULE)),
    ("A mare is better at finding the way than a mule: 70% versus 45%.", (MARE, MULE)),
    ("A 7th level guard marches three times in two weeks.", (DRILL,)),
    ("At 6th to 8th level guards march three times every two weeks.", (DRILL,)),
    ("At dawn each squad rolls a d8 for its watch.", (DRILL,)),
    ("A mired squad loses 1d4 of its rations.", (DRILL,)),
    ("Marches of up to 20 miles cause 3 blisters.", (DRILL,)),
    ("The yard is either a strip 6 yards wide and 50 yards long or a plot 20 yards wide.", (DRILL,)),
    ("The jib turns by 12.5 degrees per minute.", (CRANE,)),
    ("Ox: 21 HP, 4-point wool coat.", (HERD,)),
)
WRONG = (
    ("In a wind of 5 the reef may be 9 m wider.", (GAUGES,)),
    ("A loose bale has 14 kg, 6 kg above the bound bale of 9 kg.", (BALES,)),
    ("A kiln with 4 to 6 vents burns 1d12 logs.", (KILN,)),
    ("With 8 vents it burns 1d8 logs.", (KILN,)),
    ("A stoker of 7th level feeds 5 kilns.", (KILN,)),
    ("An adze does 1d10 and a saw 1d4.", TOOLS),
    ("You may have 40 VMs and 900 public VMs.", (QUOTAS,)),
    ("On land a swan goes 70 m.", (SWAN,)),
    ("Letters over the pass weigh 40 grams at least.", (POST,)),
    ("The stretch of a day has at most 7 miles.", (POST,)),
    ("A crate costs at most 12 gp.", (RATES,)),
    ("A roll costs 3 gp or more.", (RATES,)),
    ("The office opened in 1931, some years after the new stable of 1946.", (POST,)),
    ("No, the mare is the slower one, with 12 knots against 8 knots for the mule.", (MARE, MULE)),
    ("The mule is faster: 8 knots instead of 12.", (MARE, MULE)),
    ("A mare is worse at finding the way than a mule: 70% versus 45%.", (MARE, MULE)),
    ("A 7th level guard marches four times in two weeks.", (DRILL,)),
    ("At dawn each squad rolls a d6 for its watch.", (DRILL,)),
    ("A mired squad loses 2d4 of its rations.", (DRILL,)),
    ("Marches of less than 9 miles cause 9 blisters.", (DRILL,)),
    ("The jib turns by 12.5 degrees per second.", (CRANE,)),
    ("Ox: 4 HP, 21-point wool coat.", (HERD,)),
)


@pytest.mark.parametrize(("sentence", "chunks"), RIGHT, ids=lambda each: str(each)[:60])
def test_what_is_told_in_another_form_stands(sentence: str, chunks: tuple[Chunk, ...]) -> None:
    assert [] == problems(sentence, chunks)


@pytest.mark.parametrize(("sentence", "chunks"), WRONG, ids=lambda each: str(each)[:60])
def test_what_is_turned_into_something_else_is_found(sentence: str, chunks: tuple[Chunk, ...]) -> None:
    assert problems(sentence, chunks)
