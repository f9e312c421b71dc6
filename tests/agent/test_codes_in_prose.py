"""A code stands for itself: of a model that the pages don't have no sentence about another one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent.shelf import agent_on

BOARDS = """# Pebble 4D

Equipped with the Flint RK76 chip and a powerful 6 TOPS engine, the Pebble 4D uses a fan that turns slowly.

# Pebble 5B

The Pebble 5B uses a Flint RK88 chip and needs no fan at all.
"""


@pytest.mark.parametrize("question", ["Which chip does the Pebble 6A use?", "Which chip does the Pebble 4B use?"])
async def test_another_model_is_not_told_of(question: str, tmp_path: Path) -> None:
    answer = await (await agent_on(tmp_path, book=BOARDS)).ask(question)
    assert "partial" == answer.stop_reason


@pytest.mark.parametrize(
    ("question", "chip"),
    [("Which chip does the Pebble 4D use?", "RK76"), ("Which chip does the Pebble 5B use?", "RK88")],
)
async def test_its_own_sentence_is(question: str, chip: str, tmp_path: Path) -> None:
    answer = await (await agent_on(tmp_path, book=BOARDS)).ask(question)
    assert chip in answer.text
