"""Things side by side that one table or list has lines for: not every word of what is asked of them has to be told."""

from __future__ import annotations

import pytest

from agent.understanding.question.sides import listed_entities
from agent.understanding.question.tagged import tagged
from tests.agent.shelf import reading
from tests.kit import answer, library

HARBOUR = {
    "fees.md": """# Harbour fees

## Mooring

- Swing moorings: $9/day
- Pontoon/float berths: $14/day (free for members of the club)
- Winter cradles: $3/day

## Offices

- Hull office: 2 shared desks, 8 lamps
- Goole office: 4 shared desks, 6 lamps
""",
    "docks.md": """# Docks

## Rings

| Kind of dock | Number of bollards | Faces |
|---|---|---|
| Slipway dock, covered | 6 | north |
| Slipway dock, open | 3 | south |
| Lock basin | 8 | west |

## Waterways

| Feature | Main line | Feeder | Basin |
|---|---|---|---|
| Channel depth | 9 ft | 4 ft | 6 ft |
| Footpath width | 5 ft | 3 ft | none |
| Water width | 30 ft | 32 ft | 90 ft |
| Locks | 12 | 2 | 1 |
""",
    "crews/pilots.md": """# Pilots

| Rank | First and last name | Age | On leave |
|---|---|---|---|
| Master | Ada Finch | 44 | no |
| Mate | Bo Lind | 39 | yes |
| Mate | Cy Orr | 31 | no |
""",
    "tugs/index.md": """# Tidal Tugs

Everything about the tugs of the estuary.
""",
    "tugs/lines.md": """# Lines

## Limits

| Plan | Most towed barges | Most moored barges |
|---|---|---|
| Small | 20 | 4 |
| Large | 50 | 9 |
""",
    "voyages.md": """# Voyages

| Ship | Length [days] | Manned length [days] |
|---|---|---|
| Kite | 90 | 12 |
| Wren | 80 | 30 |
""",
    "east.md": """# Eastquay

| Shed | Floor (m2) |
|---|---|
| S | 120 |
| M | 340 |
""",
    "west.md": """# Westquay

We have two sheds for visitors, and no more.
""",
}
BOOK = library(HARBOUR)


@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("Which one costs me more, a swing mooring or a pontoon berth?", "Pontoon/float berths"),
        ("winter cradle or swing mooring, which is cheaper?", "Winter cradles"),
        ("Which of these deals costs the least: pontoon berths, swing moorings or winter cradles?", "Winter cradles"),
        ("Main line, feeder and basin: which of these stretches has the deepest channel?", "Main line"),
        ("Who was older when they were hired, Bo Lind or Ada Finch?", "Ada Finch"),
        ("Small vs Large (Tidal Tugs): which accepts more towed barges?", "Large"),
        ("is Ada Finch older than Bo Lind, or the other way round?", "Ada Finch"),
    ],
)
def test_the_line_is_chosen_by_what_words_tell(question: str, winner: str) -> None:
    told = answer(question, BOOK)
    assert ((), winner) == (told.needs, told.finding.verdict)


@pytest.mark.parametrize(
    "question",
    [
        "Which costs more, a swing mooring or a dry dock?",
        "Which costs more, a dry dock, a swing mooring or a winter cradle?",
        "Does a dry dock, a swing mooring or a winter cradle cost more?",
        "Which is heavier, a swing mooring or a pontoon berth?",
        "Which takes longer, Small or Large?",
        "Which has the bigger daily insurance fee, a swing mooring or a pontoon berth?",
        "Which is lit by more lamps, the Hull office or the Goole office, per desk?",
        "Which was away for more days, the Kite or the Wren?",
        "Which has more footpath locks, the main line or the feeder?",
    ],
)
def test_what_may_ask_for_something_else_is_not_told_as_complete(question: str) -> None:
    told = answer(question, BOOK)
    assert told.needs or told.finding.verdict is None


async def test_the_nearest_label_is_meant_where_a_word_tells_it_too(tmp_path_factory: pytest.TempPathFactory) -> None:
    agent = await reading(HARBOUR["docks.md"], tmp_path_factory.mktemp("docks"))
    told = await agent.ask("Is the way of the walkers wider on a feeder or on a main line?")
    assert ("complete", "Main line") == (told.stop_reason, told.verdict)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which is longer, the Kite, the old Wren or the Reed?", ["kite", "old wren", "reed"]),
        ("Which of the Kite, the Wren and the Reed is longest?", ["kite", "wren", "reed"]),
        ("Is it more for my small boat or for my barge?", ["small boat", "barge"]),
        ("In calm water, does a Kite or a Wren sail faster?", ["kite", "wren sail faster"]),
        ("Is the Kite in Hull heavier than the Reed?", ["kite in hull", "reed"]),
        ("How heavy is the Kite?", []),
    ],
)
def test_what_stands_side_by_side_is_all_of_it(question: str, names: list[str]) -> None:
    found = tagged(question)
    assert names == [" ".join(found.tokens[side.start : side.stop]) for side in listed_entities(found)]
