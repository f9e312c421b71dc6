"""What the README shows is what the command says, over the bundled rulebook."""

from __future__ import annotations

import re
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent.ask import Agent
from agent.settings.settings import Settings

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
TABLE = README.partition("| question | answer begins |\n|---|---|\n")[2].partition("\n\n")[0]
ROWS = [tuple(line.strip("| ").split(" | ")) for line in TABLE.splitlines()]


@pytest.fixture(scope="module")
async def agent(sample_chroma: str) -> AsyncIterator[Agent]:
    async with Agent.open(Settings(collection="rules", chroma=sample_chroma, planner="rules")) as agent:
        yield agent


@pytest.mark.parametrize(("question", "beginning"), ROWS)
async def test_the_answers_in_the_table_are_what_is_answered(agent: Agent, question: str, beginning: str) -> None:
    answer = await agent.ask(question)
    shown = beginning.replace("versus-demo", "rules")

    assert shown == answer.text[: len(shown)]


async def test_the_long_example_is_what_is_answered(agent: Agent) -> None:
    shown = README.partition("```console\n")[2].partition("```")[0]
    question = re.search(r'versus ask "(.*?)"', shown, re.DOTALL)
    assert question is not None
    answer = await agent.ask(re.sub(r"\s+", " ", question[1]))

    body = shown.partition("\n\n")[2].partition("\n\nSources")[0]
    assert textwrap.dedent(body) == answer.text
