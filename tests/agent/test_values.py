"""Values that a later sub-query takes from a cell: a whole number is taken whole, and nothing else for one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.llm.scripted import ScriptedLLM
from tests.agent.shelf import BOOK, agent_on


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("5", "5"),
        ("-2", "-2"),
        ("1,500 gp", "1500"),
        ("5 (4 with shield)", "5"),
        ("12 ft.", "12"),
        ("3.5", None),
        ("1/2", None),
        ("10-40", None),
        ("10 to 40", None),
        ("4+1", None),
        ("none", None),
    ],
)
async def test_a_later_sub_query_has_the_whole_number_of_the_cell(cell: str, value: str | None, tmp_path: Path) -> None:
    reads = {"subject": "bog ogre", "attribute": "armor class", "type": "integer"}
    steps = [
        {"id": "a", "text": "bog ogre armor class", "reads": reads},
        {"id": "b", "text": "level 4 reaver roll to hit armor class {a}", "depends_on": ["a"]},
    ]
    llm = ScriptedLLM([json.dumps({"sub_queries": steps}), "Nothing is said of it.", "Nothing is said of it."])
    agent = await agent_on(tmp_path, llm, book=BOOK.replace("| Armor Class | 5 |", f"| Armor Class | {cell} |"))
    answer = await agent.ask("What does a 4th level reaver need to hit a bog ogre, tell me all about it?")
    second = next(each for each in answer.evidence.retrieved if "roll to hit" in each.sub_query.text)

    if value is None:
        assert ("no_value", "the armor class of bog ogre was not found") == (second.stop, second.error)
    else:
        assert f"level 4 reaver roll to hit armor class {value}" == second.sub_query.text
