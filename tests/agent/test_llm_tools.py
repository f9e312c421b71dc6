"""The tools that a model may use: they calculate with numbers that stand in a source, and play duels that end."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest

from agent.llm.protocol import LLMRequest, Reply, ToolCall
from agent.llm.scripted import Line, ScriptedLLM
from agent.writing.wording.library import Library
from agent.writing.wording.tools import Toolbox
from retrieval.types import Chunk
from tests.agent.shelf import agent_on
from tests.agent.tool_users import FERRIES, NO_FERRY, cell, talking, told

PLAN = json.dumps({"kind": "open", "sub_queries": [{"id": "a", "text": "hexers rest before casting"}]})
SOURCED = "It needs 13, has 300 hit points, and rests eight hours."


def used(name: str, **arguments: Any) -> str:
    """What a tool says, but for its number, where nothing but `SOURCED` is known."""
    return said_by(Toolbox([], {}, lambda: [SOURCED]), name, **arguments)


def said_by(tools: Toolbox, name: str, **arguments: Any) -> str:
    """What a tool says, but for its number."""
    return tools.use(ToolCall("1", name, json.dumps(arguments))).removeprefix(f"[{len(tools.results)}] ")


@pytest.mark.parametrize(
    "expression", ["(21 - 13) / 20", "(21-13+1)/20*100", "13*2", "8*13", "round(13/300, 2)", "-13+20"]
)
def test_sourced_numbers_are_calculated_with(expression: str) -> None:
    assert used("calculate", expression=expression).startswith(f"{expression} = ")


@pytest.mark.parametrize(
    "expression",
    [
        "20*21+5*1",
        "1+1",
        "77*2",
        "13+20*21",
        "13+20+20",
        "max(20, 21)",
        "100",
        "13+(1+2)",
        "13**13",
        "round(13, -300)",
        "'a'*13",
    ],
)
def test_no_result_is_made_of_numbers_without_a_source(expression: str) -> None:
    assert used("calculate", expression=expression).startswith("error: ")


def test_free_numbers_do_not_become_sourced_by_use() -> None:
    tools = Toolbox([], {}, lambda: [SOURCED])
    said = [said_by(tools, "calculate", expression=each) for each in ("13*2", "26+20", "20+21")]
    assert ["13*2 = 26", "26+20 = 46"] == said[:2]
    assert said[2].startswith("error: ")


def side(**changed: Any) -> dict[str, Any]:
    return {"hit_points": "300", "needs": 13, "damage": ["1d8"], **changed}


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "changed",
    [
        {"attacks_per_round": "1e1000000000"},
        {"attacks_per_round": "1/1000"},
        {"attacks_per_round": "3/0"},
        {"damage": ["300d300"]},
        {"hit_points": "300d300"},
        {"hit_points": "9" * 180},
    ],
)
def test_a_duel_without_end_is_refused_at_once(changed: dict[str, Any]) -> None:
    supports = " ".join((SOURCED, "1000 1000000000 1e1000000000 20 3", "9" * 180))
    tools = Toolbox([], {}, lambda: [supports])
    arguments = {"first": side(**changed), "second": side(**changed)}
    assert tools.use(ToolCall("1", "duel_odds", json.dumps(arguments))).startswith("error: ")


def test_a_slow_duel_is_played_to_its_end() -> None:
    slow = side(hit_points="300", needs=20, damage=["1"])
    tools = Toolbox([], {}, lambda: [f"{SOURCED} 300 20"])
    said = said_by(tools, "duel_odds", first=slow, second=slow)
    assert said.startswith("the first side wins 50.0%, the second 50.0%")


def test_a_duel_that_the_sources_tell_is_played() -> None:
    said = used("duel_odds", first=side(attacks_per_round="3/2"), second=side(hit_points="8"))
    assert said.startswith("the first side wins 100.0%")


@pytest.mark.parametrize(("expression", "value"), [("2d6", "7"), ("2d6 + 13", "20"), ("3 * 1d8", "13.5")])
def test_dice_are_calculated_with_as_their_average(expression: str, value: str) -> None:
    tools = Toolbox([], {}, lambda: ["It does 2d6 or 1d8, thrice 3, with 13."])
    assert f"{expression} = {value}" == said_by(tools, "calculate", expression=expression)


def test_dice_without_a_source_are_not() -> None:
    assert used("calculate", expression="2d6 + 13").startswith("error: 2d6 stands in no source")


def using(name: str, arguments: dict[str, Any], answer: str) -> ScriptedLLM:
    """A model that uses one tool, and then writes an answer with `{n}` for the number that it was given."""

    def line(request: LLMRequest) -> Line:
        if request.purpose == "plan":
            return PLAN
        said = [each.content for each in request.messages if each.role == "tool"]
        if not said:
            return Reply("", (ToolCall("t", name, json.dumps(arguments)),))
        return answer.replace("{n}", said[-1].split("[")[1].split("]")[0] if "[" in said[-1] else "?")

    return ScriptedLLM(line)


async def test_a_passage_that_a_model_searches_for_can_be_cited(tmp_path: Path) -> None:
    llm = using("search", {"query": "bog ogre swamps fire"}, "A bog ogre lives in swamps and has 4+1 hit dice [{n}].")
    answer = await (await agent_on(tmp_path, llm)).ask("Describe how hexers rest.")
    assert answer.text.startswith("A bog ogre lives in swamps and has 4+1 hit dice [")
    assert "(un" not in answer.text
    assert ["Bog Ogre"] == [each.title for each in answer.citations]
    assert {each.chunk_id for each in answer.citations} <= {each.chunk.id for each in answer.evidence.passages}


async def test_a_cell_is_read_anywhere_in_the_collection(tmp_path: Path) -> None:
    asked = {"subject": "Bog Ogre", "keys": [], "want": "Hit Dice"}
    answer = await (await agent_on(tmp_path, using("lookup_cell", asked, "It has 4+1 hit dice [{n}]."))).ask(
        "Describe how hexers rest."
    )
    assert answer.text.startswith("It has 4+1 hit dice [")
    assert "(un" not in answer.text


async def test_a_search_that_finds_nothing_says_so() -> None:
    async def nothing(text: str) -> Sequence[Any]:
        return ()

    tools = Toolbox([], {}, lambda: [], Library(nothing, nothing))
    assert "not found" in await tools.answer(ToolCall("1", "search", json.dumps({"query": "dragons"})))
    assert (await tools.answer(ToolCall("1", "search", "{}"))).startswith("error: query")
    assert "not found" in await tools.answer(
        ToolCall("1", "lookup_cell", json.dumps({"subject": "elk", "want": "age"}))
    )


async def test_what_is_worked_out_is_cited_as_the_cells_that_went_into_it(tmp_path: Path) -> None:
    llm = talking(
        cell("Iris", "Lower", "Seats"),
        cell("Fern", "Upper", "Seats"),
        ("calculate", {"expression": "100 - 95"}),
        answer="The Iris has 95 seats below [{0}], the Fern 100 above [{1}]. That is 5 more [{2}].",
    )
    answer = await (await agent_on(tmp_path, llm, book=FERRIES)).ask(NO_FERRY)
    told_first, told_last = answer.text.split(". ")

    assert "[1], the Fern 100 above [2]" in told_first
    assert told_last.startswith("That is 5 more [2][1].")
    assert "(un" not in answer.text
    assert [("Iris", "Deck Lower / Seats = 95"), ("Fern", "Deck Upper / Seats = 100")] == [
        (each.title, each.quote) for each in answer.citations
    ]
    assert [(0, 1, 1), (0, 0, 1)] == [astuple(each.cell) for each in answer.citations if each.cell]
    assert [("tool", (1, 2))] == [(each.reasoner, each.steps[0].cites) for each in answer.findings]


async def test_a_result_of_a_result_is_cited_as_what_went_into_the_first(tmp_path: Path) -> None:
    llm = talking(
        cell("Willow", "Upper", "Seats"),
        ("calculate", {"expression": "60 * 2"}),
        ("calculate", {"expression": "120 + 1"}),
        answer="Two such ferries and one more have 121 seats [{2}].",
    )
    answer = await (await agent_on(tmp_path, llm, book=FERRIES)).ask(NO_FERRY)

    assert answer.text.startswith("Two such ferries and one more have 121 seats [1].")
    assert ["Deck Upper / Seats = 60"] == [each.quote for each in answer.citations]


async def test_a_wrong_result_is_marked_although_it_cites_the_right_one(tmp_path: Path) -> None:
    llm = talking(
        cell("Willow", "Upper", "Seats"),
        ("calculate", {"expression": "60 * 2"}),
        answer="The Willow has 60 seats above [{0}]. Two such ferries have 130 seats [{1}].",
    )
    answer = await (await agent_on(tmp_path, llm, book=FERRIES)).ask(NO_FERRY)

    assert "130 seats [1]. (unverified)" in answer.text


async def test_cells_that_fit_alike_are_all_told(tmp_path: Path) -> None:
    call = "lookup_cell", {"subject": "Osier", "keys": [], "want": "Seats"}
    llm = talking(call, answer="The Osier has 80 seats on its upper deck [{0}].")
    answer = await (await agent_on(tmp_path, llm, book=FERRIES)).ask(NO_FERRY)
    (said,) = told(llm.requests[-1])

    assert ["Osier: Deck Upper / Seats = 80", "Osier: Deck Lower / Seats = 85"] == [
        line.partition("] ")[2] for line in said.split("\n")
    ]
    assert "(un" not in answer.text


async def test_a_search_brings_what_was_not_shown_and_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    search = "search", {"query": "a ferry crosses the lake"}
    llm = talking(search, search, answer="The ferries cross the lake [{0}].")
    await (await agent_on(tmp_path, llm, book=FERRIES)).ask(NO_FERRY)
    shown = set(re.findall(r"<<passage \[(\d+)\]", llm.requests[-1].messages[1].content))
    first, second = (re.findall(r"^\[(\d+)\] ", said, re.MULTILINE) for said in told(llm.requests[-1]))

    assert (4, True) == (len(first), bool(second))
    assert set() == shown & {*first, *second}
    assert set() == {*first} & {*second}
    assert re.search(
        r"^\d+ more passages are near; the same search goes on with them$", told(llm.requests[-1])[0], re.M
    )
    assert "near too, and shown before: [1]" in told(llm.requests[-1])[0]


async def test_of_a_long_passage_it_is_told_how_much_is_not_shown() -> None:
    async def long(text: str) -> Sequence[Chunk]:
        return [Chunk("c", "The sun goes down. " * 200, "Sunset")]

    said = await Toolbox([], {}, lambda: [], Library(long, long)).answer(ToolCall("1", "search", '{"query": "sun"}'))

    assert said.endswith(" … (2300 more characters are not shown)")


async def test_where_there_is_no_such_cell_it_is_told_what_there_is(tmp_path: Path) -> None:
    llm = talking(
        ("lookup_cell", {"subject": "Osier", "keys": [], "want": "tonnage"}),
        answer="Not found: the tonnage.",
    )
    await (await agent_on(tmp_path, llm, book=FERRIES)).ask(NO_FERRY)

    assert ["not found: no table has such a cell; of Osier there are: Deck, Seats, Fare"] == told(llm.requests[-1])


async def test_a_cell_is_told_with_whose_it_is(tmp_path: Path) -> None:
    sheets = "\n\n".join(
        f"## {name}\n\nA hut.\n\n### Key data\n\n- Beds: {n}\n- Warden: Mx {name}"
        for n, name in enumerate(("Crag", "Fell", "Moor", "Tarn"), start=3)
    )
    call = "lookup_cell", {"subject": "Moor", "keys": [], "want": "Beds"}
    llm = talking(call, answer="The Moor has 5 beds [{0}].")
    answer = await (await agent_on(tmp_path, llm, book=f"# Huts\n\n{sheets}")).ask(NO_FERRY)
    (said,) = told(llm.requests[-1])

    assert said.endswith("Key data, of Moor: Beds = 5")
    assert "(un" not in answer.text


HALOS = """# Halo counts

| z | fiducial | Om_p | Om_m |
|---|---|---|---|
| 0.0 | 358 | 329 | 390 |
| 0.5 | 275 | 252 | 300 |

# Kinds

| Name | runs | simulations |
|---|---|---|
| Om_p | 500 | standard |
| Ob_m | 400 | paired fixed |
"""


def looked_up(subject: str, want: str, **keys: str) -> tuple[str, dict[str, Any]]:
    """A call that reads a cell under some keys."""
    return "lookup_cell", {
        "subject": subject,
        "keys": [{"name": name, "value": value} for name, value in keys.items()],
        "want": want,
    }


async def test_a_cell_is_found_where_its_subject_stands_over_a_column(tmp_path: Path) -> None:
    llm = talking(looked_up("Om_p", "number of halos", z="0.5"), answer="At z 0.5 Om_p has 252 halos [{0}].")
    answer = await (await agent_on(tmp_path, llm, book=HALOS)).ask(NO_FERRY)

    assert told(llm.requests[-1])[0].endswith("Halo counts: z 0.5 / Om_p = 252")
    assert "(un" not in answer.text
    assert ["z 0.5 / Om_p = 252"] == [each.quote for each in answer.citations]


async def test_where_a_key_has_another_value_that_is_told(tmp_path: Path) -> None:
    llm = talking(looked_up("Ob_m", "runs", simulations="standard"), answer="Ob_m is only paired fixed [{0}].")
    answer = await (await agent_on(tmp_path, llm, book=HALOS)).ask(NO_FERRY)
    (said,) = told(llm.requests[-1])

    assert "simulations of Ob_m is not 'standard' there, but" in said
    assert said.endswith("Kinds: Name Ob_m / simulations = paired fixed")
    assert ["Name Ob_m / simulations = paired fixed"] == [each.quote for each in answer.citations]
