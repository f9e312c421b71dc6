"""A statement is no question: searched for, it leads to passages, and to no cell that its words happen to name."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.understanding.words.statements import is_statement
from tests.agent.shelf import reading

BOATS = """# Boats

| Boat | Crew | Length |
|---|---|---|
| Heron | 4 | 12 m |
| Plover | 6 | 20 m |

The Heron has a crew of fishermen, who sleep on deck.
"""


SAILS = """# Boats

| Boat | Maximum crew | Length |
|---|---|---|
| Heron | 4 | 12 m |
| Plover | 6 | 20 m |

The Heron has a maximum sail weight of 90 kg when it is wet.

# Sails

| Sail | Sail weight |
|---|---|
| Jib | 12 kg |
| Spinnaker | 15 kg |
"""


@pytest.mark.parametrize(
    "text",
    [
        "The crew of the Heron is small.",
        "It takes a day to reach the island",
        "If you hire the Plover, mind the mast",
        "A beacon allows the boats to come home at night",
        "Harbours. You can moor here.",
        "Fan. If you are on a boat, the wind will turn",
        "Grey mould (rare): When touched, grey mould spreads to the deck",
        "The time for a crossing will be told at noon",
        "Ada Holt (born 1912, at sea) was a pilot",
        "Der Kahn ist im Hafen.",
    ],
)
def test_a_clause_in_which_nothing_asks_is_a_statement(text: str) -> None:
    assert is_statement(text)


@pytest.mark.parametrize(
    "text",
    [
        "crew of the Heron",
        "Heron crew, length",
        "The crew of the Heron is small, is it?",
        "the crew a boat has",
        "boats you can hire at night",
        "boats allowed in the harbour",
        "length of the boats that can carry a horse",
        "the mean length",
        "fees in May 2014",
        "cargo of the boat whose mast is broken",
        "when is the Heron at sea",
        "On Sunday, is the harbour open",
        "who can sail the Plover",
        "which boat is at sea",
        "the Heron is longer than the Plover",
        "Find the boats that can sail",
        "I know the Heron has a crew",
        "the Heron is ours, and my crew is small",
        "the total of all crews is wanted",
        "List all of these: the boats that can sail",
        "boats: the length",
        "",
    ],
)
def test_a_noun_and_what_asks_is_none(text: str) -> None:
    assert not is_statement(text)


async def test_a_statement_is_searched_for_without_its_cells(tmp_path: Path) -> None:
    agent = await reading(BOATS, tmp_path)
    told, named = await agent.search("The crew of the Heron is small."), await agent.search("crew of the Heron")
    assert (None, True) == (told.plan and told.plan.bound, bool(named.plan and named.plan.bound))


async def test_a_passage_with_its_path_is_searched_for_as_it_stands(tmp_path: Path) -> None:
    agent = await reading(BOATS, tmp_path)
    found = await agent.search("Boats > Heron crew of")
    assert found.plan and [found.plan.question] == [each.text for each in found.plan.sub_queries]


async def test_a_statement_that_is_asked_is_answered_as_before(tmp_path: Path) -> None:
    agent = await reading(BOATS, tmp_path)
    assert "4" in (await agent.ask("The crew of the Heron is.")).text


async def test_a_search_reads_no_sentence_that_may_tell_what_a_cell_leaves_in_doubt(tmp_path: Path) -> None:
    agent = await reading(SAILS, tmp_path)
    found = await agent.search("What is the maximum jib of a Heron?")
    told = await agent.ask("What is the maximum jib of a Heron?")
    assert found.plan and found.plan.bound and told.unanswered
    assert {passage.chunk.id for passage in found.passages} >= {passage.chunk.id for passage in told.evidence.passages}
