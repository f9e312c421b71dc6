"""A model that can't be loaded is told before anything is changed or asked; PyTorch is what looks for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.ask import Agent
from agent.cli.app import app
from agent.settings.settings import Settings
from retrieval.errors import EmbeddingError

pytestmark = pytest.mark.slow
OWL = "# Owl\n\nOwls hunt at night.\n"


def test_an_embedding_model_that_can_not_be_loaded_leaves_no_collection(empty_place: Path) -> None:
    (empty_place / "owl.md").write_text(OWL, encoding="utf-8")
    ingest = ["ingest", "owl.md", "--chroma", "chroma"]
    result = CliRunner().invoke(app, ingest, env={"VERSUS_EMBEDDING_MODEL": "./nowhere"})

    assert 1 == result.exit_code
    assert "the embedding model './nowhere' can't be loaded" in result.stderr
    assert not Path("chroma").exists()
    listed = CliRunner().invoke(app, ["collections", "--chroma", "chroma", "--json"])
    assert [] == json.loads(listed.stdout)["collections"]


async def test_a_reranker_that_can_not_be_loaded_is_told_once_when_the_collection_is_opened(
    ingested: Callable[[str], Path],
) -> None:
    chroma = str(await asyncio.to_thread(ingested, OWL))
    with pytest.raises(EmbeddingError, match="the reranking model '/missing'"):
        async with Agent.open(Settings(collection="rules", chroma=chroma, reranker="/missing")):
            pass
