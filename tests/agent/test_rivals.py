"""A number that a model says of one thing, and that its source says of another, is found."""

from __future__ import annotations

import pytest

from agent.writing.checking import prose
from agent.writing.checking.cited import Source, cited
from retrieval.types import Chunk, Passage, Table

PUMPS = Chunk(
    "pumps",
    "Inlet | Maker | Flow (Tier I) | Flow (Tier II)\n"
    "40 mm | Osk | 210 l | 390 l\n40 mm | Brandt | 160 l | 310 l\n"
    "50 mm | Osk | 240 l | 420 l\nP.7 valve | Osk | 35 l | 64 l",
    "Pumps",
    tables=(
        Table(
            "",
            (("Inlet",), ("Maker",), ("Flow (Tier I)",), ("Flow (Tier II)",)),
            (
                ("40 mm", "Osk", "210 l", "390 l"),
                ("40 mm", "Brandt", "160 l", "310 l"),
                ("50 mm", "Osk", "240 l", "420 l"),
                ("P.7 valve", "Osk", "35 l", "64 l"),
            ),
        ),
    ),
)
NOTICE = Chunk(
    "notice",
    "- For 1 day you must give 3 days notice\n- For 2 days you must give 1 week notice\n"
    "- The meeting usually lasts 10 minutes, the visit before it starts at noon\n- The visit lasts 30 minutes\n"
    "- Socket 32 starts the recording\n- Socket 38 switches the lamp between 20 and 40 watts\n- The log is 78 kb\n"
    "A crew is drawn by lot on a roll of 1 or 2. It sails at dawn. Nothing happens on 3.\n- Every barge sleeps 12.",
    "Notice",
)
QUARRY = Chunk(
    "quarry",
    "Rank: 4\nTemper: calm\nSlides as rank 6\nClerks earn £900 to £1,100, with a night bonus £1,200 to £1,400.\n"
    "A cart rented by the week costs £40 over a season, compared to £65 through the guild.\n"
    "- Lime (100 kg)\n- Crushed flint (20 kg)\n- 12 barrowloads of gravel\n- 400 kg sand\n- 500 kg slate",
    "Slate Quarry",
)
RADIO = Chunk(
    "radio",
    "Field Kit > Radio (2)\nRed radio: Sealed well. Costs 40 + 300 = 340 crowns.\n"
    "Blue radio: Sealed badly. Costs 40 + 700 = 740 crowns.\n"
    "Output: 5 W (hand set) 20 W (base)\nHearing: 90 m at 3 GHz, 140 m at 5 GHz\n"
    "The club bills $20/seat, $10/GB of logs.\nA set is worn in at 45 and is old at 150 days.\nRange: 1.4-2.6 km",
    "Radio (2)",
)
STORES = Chunk(
    "stores",
    "Limit | Default\nToken storage | 100 GiB\nTokens in all | 20\nCores | 4 Prime at 3.0 GHz and 4 Gold at 2.4 GHz",
    "Stores",
    tables=(
        Table(
            "",
            (("Limit",), ("Default",)),
            (
                ("Token storage", "100 GiB"),
                ("Tokens in all", "20"),
                ("Cores", "4 Prime at 3.0 GHz and 4 Gold at 2.4 GHz"),
            ),
        ),
    ),
)
CRANES = Chunk(
    "cranes",
    "Jib. It swings 6 (1d8+2) loads an hour.\nArm (rear). It lifts 11 (2d8+2) loads an hour.\n"
    "A k5 and a k6 keep their charge for 8 days. A j2 has none to keep.\n"
    "A second motor takes it from 5 to 25 tons.\n"
    "In a port of two quays there are 60 permits: 12 northern permits and 48 southern permits, 24 for each quay.",
    "Cranes",
)
WINCHES = Chunk(
    "winches",
    " | Iron winch | Steel winch\nMark | iw1 | sw1\nMost loads (1 ton each) | 70 | 90\nMost weight | 70 tons | 90 tons",
    "Winches",
    tables=(
        Table(
            "",
            (("",), ("Iron winch",), ("Steel winch",)),
            (("Mark", "iw1", "sw1"), ("Most loads (1 ton each)", "70", "90"), ("Most weight", "70 tons", "90 tons")),
        ),
    ),
)
BARGEMEN = Chunk(
    "bargemen",
    "One man is the mate (as strong as 7 men, AC 3, a load of 5). The master pulls as 7 men, but lifts 1d10+4 stones "
    "and has an AC of 4. Ben Orr was mate of the Otter Line on the lake from 2010 to 2019. He was mate of the Heron "
    "Line from 2005 to 2010. He built the skiff Ada (1998), the punt Bea (2004), and two rafts (2011, 2012).\n"
    "The signal is seen in a circle of 15-foot radius.",
    "Bargemen",
)
HOISTS = Chunk(
    "hoists",
    "Size | Base load | Most load k5.a | 300 | 3200 k6.a | 400 | 4100\n"
    "j1 hoists get 30 spare ropes each, and j2 hoists get 15 spare ropes.\n"
    "After a year a hoist has 44 ropes (31 spare ropes + 13 worn ropes).",
    "Hoists",
)
DRAWS = Chunk(
    "draws",
    "Roll | Found\n1 | Flint\n2-8 | Chalk\n9-15 | Marl",
    "Draws",
    tables=(Table("", (("Roll",), ("Found",)), (("1", "Flint"), ("2-8", "Chalk"), ("9-15", "Marl"))),),
)
BUILDS = Chunk(
    "builds",
    "Build | Size | Score\nreed18_8xb_eu | 11.17 | 94.82\nreed34_8xb_eu | 21.28 | 95.34\nreed50_8xb_eu | 23.52 | 95.55",
    "Builds",
    tables=(
        Table(
            "",
            (("Build",), ("Size",), ("Score",)),
            (
                ("reed18_8xb_eu", "11.17", "94.82"),
                ("reed34_8xb_eu", "21.28", "95.34"),
                ("reed50_8xb_eu", "23.52", "95.55"),
            ),
        ),
    ),
)
VALLEY = Chunk(
    "valley",
    "Area:\ntotal: 4,200 ha\nwoods: 1,900 ha\n\nPaths:\ntotal: 88 km\nneighbours: Alm 12 km, Birk 31 km, Dorn 7 km\n\n"
    "Debt:\n41 percent of income (2012 est.)\n38 percent of income (2011 est.)\n\n"
    "A mill was paid $3 million. Wages declined by 6 percent over the year.",
    "Valley",
)
HOSTELS = Chunk(
    "hostels",
    "Hostel | Rooms / Beds | Store (Quantity x l)\nelk2 | 4 / 9 | 2x340\nfox3 | 9 / 25 | 3x120",
    "Hostels",
    tables=(
        Table(
            "",
            (("Hostel",), ("Rooms / Beds",), ("Store (Quantity x l)",)),
            (("elk2", "4 / 9", "2x340"), ("fox3", "9 / 25", "3x120")),
        ),
    ),
)
BERTHS = Chunk(
    "berths",
    "Number of MOBs | Berths\n2-16 | 5\n17-48 | 10\n49+ | 15",
    "Berths",
    tables=(Table("", (("Number of MOBs",), ("Berths",)), (("2-16", "5"), ("17-48", "10"), ("49+", "15"))),),
)
RIGHT = [
    ("The valley has 4,200 ha, 1,900 ha of them woods.", VALLEY),
    ("Its three neighbours are Alm (12 km), Birk (31 km) and Dorn (7 km).", VALLEY),
    ("Debt was 41% of income in 2012, 3 points more than the year before.", VALLEY),
    ("Wages fell by 6%.", VALLEY),
    ("One mill was paid $3 million.", VALLEY),
    ("It has 4,200 ha in all, less than half of them (1,900 ha) woods.", VALLEY),
    ("The elk2 has 4 rooms with 9 beds and two stores of 340 l.", HOSTELS),
    ("With 44 MOBs it is in the 17-48 row, which has 10 berths.", BERTHS),
    ("With 49 or more MOBs there are 15 berths.", BERTHS),
    ("reed34 scores 95.34 at a size of 21.28, reed18 94.82 at 11.17.", BUILDS),
    ("Chalk is brought up on 2-8, marl on 9-15.", DRAWS),
    ("The master has an AC of 4 and lifts 1d10+4 stones.", BARGEMEN),
    ("He was mate of the Heron Line from 2005 to 2010, then of the Otter Line from 2010 to 2019.", BARGEMEN),
    ("He built the Ada in 1998 and the Bea in 2004.", BARGEMEN),
    ("The signal has a radius of 15 feet.", BARGEMEN),
    ("The k5.a bears 300 or 3,200.", HOISTS),
    ("j1 hoists get 30 spare ropes, j2 ones 15.", HOISTS),
    ("After a year there are 31 spare and 13 worn ropes.", HOISTS),
    ("Its jib swings 6 loads an hour, its arm lifts 11.", CRANES),
    ("The k5 keeps its charge for 8 days.", CRANES),
    ("With a second motor it goes from 5 to 25 tons.", CRANES),
    ("Of the permits 12 are northern and 48 southern.", CRANES),
    ("iw1 lifts up to 70 tons a day, sw1 up to 90 tons.", WINCHES),
    ("The 40 mm Brandt pump has a flow of 160 l at Tier I and 310 l at Tier II.", PUMPS),
    ("At Tier I the 40 mm pump of Osk has 210 l, that of 50 mm 240 l.", PUMPS),
    ("The P.7 valve has 35 l at Tier I.", PUMPS),
    ("For two days you must give a week of notice.", NOTICE),
    ("The visit lasts half an hour; the meeting takes about ten minutes.", NOTICE),
    ("Socket 38 switches between 20 and 40 watts.", NOTICE),
    ("On a roll of 3 or more no crew is drawn by lot.", NOTICE),
    ("A barge sleeps at least 12.", NOTICE),
    ("The quarry has rank 4.", QUARRY),
    ("For sliding it counts as rank 6.", QUARRY),
    ("Clerks earn £900 to £1,100 without the night bonus.", QUARRY),
    ("With the night bonus clerks earn £1,200 to £1,400 instead of £900 to £1,100.", QUARRY),
    ("Through the guild a cart costs £65, else £40.", QUARRY),
    ("It takes 100 kg of lime and 20 kg of flint.", QUARRY),
    ("The quarry needs 500 kg of slate and 12 barrowloads of gravel.", QUARRY),
    ("There may be 20 tokens.", STORES),
    ("The blue radio costs 740 crowns, the red one 340.", RADIO),
    ("A hand set sends with 5 W, the base with 20 W.", RADIO),
    ("It hears for 140 m at 5 GHz.", RADIO),
    ("A seat costs $20, a GB of logs $10.", RADIO),
    ("It reaches 1.4 to 2.6 km.", RADIO),
    ("The Gold cores run at 2.4 GHz, the Prime ones at 3.0 GHz.", STORES),
]
WRONG = [
    ("The woods of the valley cover 4,200 ha.", VALLEY),
    ("The path to Birk is 7 km long.", VALLEY),
    ("Its four neighbours are Alm, Birk and Dorn.", VALLEY),
    ("Debt was 38% of income in 2012.", VALLEY),
    ("Wages rose by 6%.", VALLEY),
    ("The elk2 has more beds than the fox3, 9 to 25.", HOSTELS),
    ("The elk2 has 9 rooms and 4 beds.", HOSTELS),
    ("With 44 MOBs there are 5 berths.", BERTHS),
    ("reed34 has a score of 95.55.", BUILDS),
    ("Chalk is brought up on 9-15.", DRAWS),
    ("He was mate of the Heron Line from 2010 to 2019.", BARGEMEN),
    ("He built the Bea in 1998 and the Ada in 2004.", BARGEMEN),
    ("He built the Bea in 2012.", BARGEMEN),
    ("The signal has a range of 15 feet.", BARGEMEN),
    ("The k5.a bears 400.", HOISTS),
    ("j2 hoists get 30 spare ropes.", HOISTS),
    ("A j3 hoist gets 30 spare ropes.", HOISTS),
    ("After a year there are 13 spare and 31 worn ropes.", HOISTS),
    ("Its jib swings 11 loads an hour, its arm 6.", CRANES),
    ("The j2 keeps its charge for 8 days.", CRANES),
    ("With a second motor it goes from 25 to 5 tons.", CRANES),
    ("There are 48 northern permits and 12 southern ones.", CRANES),
    ("iw1 lifts up to 90 tons a day, sw1 up to 70 tons.", WINCHES),
    ("The 40 mm Brandt pump has a flow of 210 l at Tier I.", PUMPS),
    ("The 40 mm Brandt pump has a flow of 310 l at Tier I and 160 l at Tier II.", PUMPS),
    ("The P.7 valve has 64 l at Tier I.", PUMPS),
    ("The 40 mm Brandt pump has a flow of 160 ml at Tier I.", PUMPS),
    ("For one day you must give 1 week notice.", NOTICE),
    ("The meeting lasts about 30 minutes.", NOTICE),
    ("Socket 32 switches between 20 and 40 watts.", NOTICE),
    ("The log is 78 mb.", NOTICE),
    ("The quarry has rank 6.", QUARRY),
    ("With the night bonus clerks earn £900 to £1,100.", QUARRY),
    ("A cart costs £40 through the guild.", QUARRY),
    ("It takes 20 kg of lime and 100 kg of flint.", QUARRY),
    ("The quarry needs 400 kg of slate.", QUARRY),
    ("The quarry needs 12 buckets of gravel.", QUARRY),
    ("There may be 100 tokens.", STORES),
    ("The blue radio costs 340 crowns.", RADIO),
    ("The base sends with 5 W.", RADIO),
    ("It hears for 90 m at 5 GHz.", RADIO),
    ("Logs are $20 for a GB.", RADIO),
    ("A set is worn in at 150 days.", RADIO),
    ("The kit has 2 radios.", RADIO),
    ("The Gold cores run at 3.0 GHz.", STORES),
]


def problems(sentence: str, chunk: Chunk) -> list[str]:
    """What is wrong with a sentence that cites one chunk."""
    made = cited(f"{sentence.removesuffix('.')} [1].", {1: Source(chunk)})
    found = prose.verify(made.text, (), made.citations, [Passage(chunk, 0.9, 0.1, ("q1",))], "?")
    return [problem.reason for problem in (*made.problems, *found)]


@pytest.mark.parametrize(("sentence", "chunk"), RIGHT)
def test_a_number_beside_the_words_of_the_sentence_stands(sentence: str, chunk: Chunk) -> None:
    assert [] == problems(sentence, chunk)


@pytest.mark.parametrize(("sentence", "chunk"), WRONG)
def test_a_number_that_another_line_or_cell_has_instead_is_found(sentence: str, chunk: Chunk) -> None:
    assert problems(sentence, chunk)


def test_a_sentence_that_names_no_row_speaks_of_that_of_the_question() -> None:
    made = cited("It has two stores of 340 l each [1].", {1: Source(HOSTELS)})
    passages = [Passage(HOSTELS, 0.9, 0.1, ("q1",))]
    assert () == prose.verify(made.text, (), made.citations, passages, "What stores has elk2?")
    assert prose.verify(made.text, (), made.citations, passages, "What stores has fox3?")


def test_what_is_compared_with_need_not_be_told() -> None:
    assert [] == problems("The 50 mm pump has 240 l at Tier I, 205 l more than the P.7 valve.", PUMPS)
    assert problems("The 50 mm pump has 240 l at Tier I, 215 l more than the P.7 valve.", PUMPS)
