"""Replies of models in all their temperaments, and of servers in all their moods, through the real HTTP client.

The replies are written as real models wrote theirs: careful, sloppy, verbose, planning too much, fencing. The fake
server gives them by what the request is for; marks are numbered as the request shows its passages.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from agent.errors import LLMError
from agent.llm.client import OpenAILLM
from agent.settings.settings import Settings
from agent.types import Answer
from tests.agent.asking import HELLO, KEY, Heard
from tests.agent.shelf import agent_on
from tests.fake_chat import Said
from tests.fake_openai import FakeOpenAI
from tests.fault_kinds import KINDS

QUESTION = "Describe how hexers rest and where a bog ogre lives."
QUERIES = [
    {"id": "a", "text": "how long must a hexer rest before casting again"},
    {"id": "b", "text": "bog ogre swamps"},
]
MANY = json.dumps({"kind": "open", "sub_queries": [{"id": f"q{n}", "text": f"hexer {n}"} for n in range(20)] + QUERIES})
PLAN = json.dumps({"kind": "open", "sub_queries": QUERIES})


async def no_pause(seconds: float) -> None:
    """Sleep is for others."""


def responding(plan: str, *answers: str) -> Any:
    """What a model says: its plan, and then these, with `{Title}` for the number of a passage."""
    rest = list(answers)

    def respond(chat: Mapping[str, Any]) -> Said:
        if "response_format" in chat:
            return plan
        asked = chat["messages"][1]["content"].split("\n")
        numbers = {
            asked[i + 1]: line.split("[")[1].split("]")[0]
            for i, line in enumerate(asked)
            if line.startswith("<<passage")
        }
        text = rest.pop(0) if len(rest) > 1 else rest[0]
        return re.sub(r"\{([A-Z][\w ]+)\}", lambda match: numbers.get(match[1], "999"), text)

    return respond


@asynccontextmanager
async def opened(server: FakeOpenAI, **settings: Any) -> AsyncIterator[OpenAILLM]:
    llm = OpenAILLM("small", base_url=server.base_url, api_key=KEY, attempts=2, sleep=no_pause, **settings)
    yield llm
    await llm.close()


async def replayed(server: FakeOpenAI, folder: Path, plan: str, *answers: str) -> Answer:
    server.respond = responding(plan, *answers)
    async with opened(server) as llm:
        return await (await agent_on(folder, llm, Settings(collection="small", planner="llm", absolute_min=0.0))).ask(
            QUESTION
        )


CAREFUL = "A hexer must rest for 8 hours before casting again [{Hexer}].\n- A bog ogre lives in swamps [{Bog Ogre}]."


@pytest.mark.parametrize(
    ("persona", "plan", "answer"),
    [
        ("careful", PLAN, CAREFUL),
        ("fencing", f"Sure!\n```json\n{PLAN}\n```", CAREFUL),
        ("verbose", f"<think>Two things.</think>{PLAN}", f"**Answer:**\n\n{CAREFUL}\n\nSources:"),
        ("in other marks", PLAN, CAREFUL.replace("[{Hexer}]", "【{Hexer}】").replace("[{Bog Ogre}]", "[^{Bog Ogre}]")),
        (
            "planning too much",
            MANY,
            CAREFUL,
        ),
    ],
    ids=lambda each: each if len(each) < 20 else "",
)  # fmt: skip
async def test_a_right_answer_is_given_as_it_was_written(
    persona: str, plan: str, answer: str, server: FakeOpenAI, tmp_path: Path
) -> None:
    given = await replayed(server, tmp_path, plan, answer)
    assert "A hexer must rest for 8 hours before casting again [" in given.text
    assert "A bog ogre lives in swamps [" in given.text
    assert not re.search(r"Not found|\(un", given.text)
    assert ("complete", ()) == (given.stop_reason, given.unanswered)
    assert 2 == len(given.citations)


async def test_a_sloppy_answer_gets_its_citations_by_one_repair(server: FakeOpenAI, tmp_path: Path) -> None:
    given = await replayed(server, tmp_path, PLAN, re.sub(r" \[\{[^}]+\}\]", "", CAREFUL), CAREFUL)
    assert "complete" == given.stop_reason
    assert 3 == given.usage.llm_calls


async def test_a_denial_in_another_language_is_one(server: FakeOpenAI, tmp_path: Path) -> None:
    given = await replayed(server, tmp_path, PLAN, "Wo der Oger lebt, wurde in den Passagen nicht gefunden.")
    assert "partial" == given.stop_reason
    assert 2 == given.usage.llm_calls


async def test_an_answer_in_another_language_is_checked_all_the_same(server: FakeOpenAI, tmp_path: Path) -> None:
    right = "Ein Hexer muss acht Stunden ruhen [{Hexer}]."
    given = await replayed(server, tmp_path, PLAN, right)
    assert ("complete", "(un" in given.text) == (given.stop_reason, False)
    wrong = f"{right}\nEin Hexer muss neun Stunden ruhen [{{Hexer}}]."
    assert "neun Stunden ruhen [1]. (unverified)" in (await replayed(server, tmp_path, PLAN, wrong)).text


@pytest.mark.timeout(30)
@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("kind", KINDS)
async def test_whatever_a_server_does_is_an_answer_or_a_reason(kind: str, streaming: bool, server: FakeOpenAI) -> None:
    async with opened(server, timeout=0.4) as llm:
        await llm.complete(HELLO)
        server.then(kind, kind)
        try:
            reply = await llm.complete(HELLO, Heard() if streaming else None)
        except LLMError as error:
            assert KEY not in str(error)
            assert 600 > len(str(error))
        else:
            assert reply.usage.prompt_tokens < 10_000_001
            assert 101 > len(reply.model)


@pytest.mark.timeout(30)
@pytest.mark.parametrize("kind", KINDS)
async def test_whatever_a_server_does_a_question_is_answered(kind: str, server: FakeOpenAI, tmp_path: Path) -> None:
    server.respond = responding(PLAN, "The bog ogre has armor class 5 [{Bog Ogre}].")
    server.then(*[kind] * 40)
    async with opened(server, timeout=0.4) as llm:
        settings = Settings(collection="small", planner="llm", absolute_min=0.0, deadline=8.0)
        given = await (await agent_on(tmp_path, llm, settings)).ask("What is the armor class of the bog ogre?")
    assert "5" in given.text
    assert "7777" not in given.text
    assert given.notes or "llm" == given.plan.planner


def test_there_are_forty_kinds() -> None:
    assert 40 <= len(KINDS)
