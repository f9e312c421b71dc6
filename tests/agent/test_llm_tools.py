"""The tools that a model may use: they calculate with numbers that stand in a source, and play duels that end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.llm.protocol import LLMRequest, Reply, ToolCall
from agent.llm.scripted import Line, ScriptedLLM
from agent.writing.tools import Toolbox
from tests.agent.shelf import agent_on

PLAN = json.dumps({"kind": "open", "sub_queries": [{"id": "a", "text": "hexers rest before casting"}]})
SOURCED = "It needs 13, has 300 hit points, and rests eight hours."


def used(name: str, **arguments: Any) -> str:
    """What a tool says where nothing but `SOURCED` is known."""
    return Toolbox([], {}, lambda: [SOURCED]).use(ToolCall("1", name, json.dumps(arguments)))


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
    said = [tools.use(ToolCall("1", "calculate", json.dumps({"expression": e}))) for e in ("13*2", "26+20", "20+21")]
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
    said = tools.use(ToolCall("1", "duel_odds", json.dumps({"first": slow, "second": slow})))
    assert said.startswith("the first side wins 50.0%, the second 50.0%")


def test_a_duel_that_the_sources_tell_is_played() -> None:
    said = used("duel_odds", first=side(attacks_per_round="3/2"), second=side(hit_points="8"))
    assert said.startswith("the first side wins 100.0%")


@pytest.mark.parametrize(("expression", "value"), [("2d6", "7"), ("2d6 + 13", "20"), ("3 * 1d8", "13.5")])
def test_dice_are_calculated_with_as_their_average(expression: str, value: str) -> None:
    tools = Toolbox([], {}, lambda: ["It does 2d6 or 1d8, thrice 3, with 13."])
    said = tools.use(ToolCall("1", "calculate", json.dumps({"expression": expression})))
    assert f"{expression} = {value}" == said


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
    async def nothing(query: str) -> Sequence[Any]:
        return ()

    tools = Toolbox([], {}, lambda: [], nothing)
    assert "not found" in await tools.answer(ToolCall("1", "search", json.dumps({"query": "dragons"})))
    assert (await tools.answer(ToolCall("1", "search", "{}"))).startswith("error: query")
