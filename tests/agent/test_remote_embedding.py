"""A collection whose texts are embedded by an OpenAI-compatible endpoint, from ingestion to a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.ask import Agent
from agent.errors import AgentError
from agent.ingesting.ingest import ingest
from agent.settings.settings import Settings, load
from retrieval.errors import EmbeddingError
from tests.fake_openai import FakeOpenAI

pytestmark = pytest.mark.usefixtures("empty_place")
BOOK = "# Bears\n\nA bear sleeps in winter.\n\n# Owls\n\nAn owl hunts mice at night.\n"


async def test_a_remote_model_serves_ingestion_and_questions(empty_place: Path) -> None:
    (empty_place / "book.md").write_text(BOOK)
    with FakeOpenAI().running() as server:
        settings = load(
            {"embedding_model": "openai:small", "embedding_base_url": server.base_url, "embedding_api_key": "sk-1"}
        )
        report = await ingest([empty_place / "book.md"], settings)
        async with Agent.open(settings) as agent:
            evidence = await agent.search("An owl hunts mice")
        with pytest.raises(AgentError, match="is closed"):
            await agent.ask("What does an owl hunt?")
        with pytest.raises(EmbeddingError, match="'openai:small'"):
            async with Agent.open(Settings()):
                pass

    assert 2 == report.chunks
    assert "Owls" == evidence.passages[0].chunk.title
    assert {("Bearer sk-1", "small")} == {(r.headers["authorization"], r.json()["model"]) for r in server.requests}
