"""What tests of the agent share: the sample, ingested once; an empty folder without anyone's settings; a client on a
fake server of models.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from agent.demo import sample
from agent.ingesting import ingest
from agent.llm.client import OpenAILLM
from agent.settings import Settings
from tests.agent.asking import ATTEMPTS, KEY, Pauses
from tests.fake_openai import FakeOpenAI


@pytest.fixture(scope="session")
def sample_chroma(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder in which the bundled rulebook is the collection `rules`; nobody changes it."""
    folder = tmp_path_factory.mktemp("sample") / "chroma"
    with sample() as book:
        asyncio.run(ingest([book], Settings(collection="rules", chroma=str(folder))))
    return str(folder)


@pytest.fixture
def empty_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current directory without `.env` and `versus.toml`, and no variable that is a setting."""
    for name in list(os.environ):
        if name.upper().startswith(("VERSUS_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI().running() as fake:
        yield fake
    assert [] == fake.complaints


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest.fixture
def retried() -> list[tuple[int, str]]:
    return []


@pytest.fixture
async def llm(server: FakeOpenAI, pauses: Pauses, retried: list[tuple[int, str]]) -> AsyncIterator[OpenAILLM]:
    llm = OpenAILLM(
        "small",
        base_url=server.base_url,
        api_key=KEY,
        attempts=ATTEMPTS,
        timeout=5,
        sleep=pauses,
        on_retry=lambda attempt, error: retried.append((attempt, error)),
    )
    yield llm
    await llm.close()
