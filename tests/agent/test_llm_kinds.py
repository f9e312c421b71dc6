"""What is asked of a whole kind is read from its cells, whoever made the plan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.llm.scripted import ScriptedLLM
from tests.agent.shelf import reading
from tests.agent.test_structure import ROLLING_STOCK


@pytest.mark.parametrize("kind", ["open", "compare"])
async def test_a_plan_of_a_model_is_bound_to_all_of_a_kind(tmp_path: Path, kind: str) -> None:
    plan = {"kind": kind, "entities": [], "attribute": "cost", "sub_queries": [{"id": "a", "text": "cost of wagons"}]}
    said = "Osprey has the highest Cost: 66,000 kr."
    llm = ScriptedLLM(lambda request: json.dumps(plan) if request.purpose == "plan" else said)
    agent = await reading(ROLLING_STOCK, tmp_path, llm)

    answer = await agent.ask("Which wagon has the highest cost?")

    assert "llm" == answer.plan.planner
    assert "cost of wagons" == answer.plan.sub_queries[0].text
    assert "Osprey" == answer.findings[0].values["better"]
    assert "complete" == answer.stop_reason
