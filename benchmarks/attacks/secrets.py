"""Secrets as canaries: keys in the environment, in addresses and in files never come out again.

Each way to give a key is tried with the commands, against a server that is not there and against one that refuses the
key by quoting it. A try holds when the key is in no output and in no file that was written.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.attacks.row import Row
from tests.fake_openai import FakeOpenAI, failure
from tests.loopback import Reply, Request

CANARY = "canary0123456789abcdef"
BOOK = "# Hexer\n\nA hexer must rest for 8 hours before casting again.\n\n# Bog Ogre\n\nA bog ogre fears fire.\n"
QUESTION = "How long must a hexer rest, and what does a bog ogre fear?"
NOWHERE = "127.0.0.1:9"
ASK = ("ask", QUESTION, "--planner", "llm")
ALONE = (("config",), ("config", "--json"), ASK, ("collections",), ("doctor",))
"""Commands where no server is."""
SERVED = (
    ASK,
    (*ASK, "--json", "--debug"),
    ("plan", QUESTION, "--planner", "llm", "--json"),
    ("batch", "questions.txt", "-o", "answers.jsonl", "--planner", "llm"),
)
"""Commands before a server that refuses."""
Given = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to give a key: variables for a server at an address, and files."""

    name: str
    variables: Callable[[str], Given] = lambda host: {}
    files: Callable[[str], Given] = field(default=lambda host: {})


WAYS = (
    Way("a key of a model", lambda host: {"OPENAI_API_KEY": CANARY, "OPENAI_BASE_URL": f"http://{host}/v1"}),
    Way("a password in a model's address", lambda host: {"OPENAI_BASE_URL": f"http://me:{CANARY}@{host}/v1"}),
    Way(
        "a key of a Chroma server",
        lambda host: {"VERSUS_CHROMA_API_KEY": CANARY, "VERSUS_CHROMA": f"http://{host}", "OPENAI_API_KEY": CANARY},
    ),
    Way("a password in Chroma's address", lambda host: {"VERSUS_CHROMA": f"http://me:{CANARY}@{host}"}),
    Way(
        "a key of embeddings",
        lambda host: {
            "VERSUS_EMBEDDING_MODEL": "openai:text-embedding-3-small",
            "VERSUS_EMBEDDING_BASE_URL": f"http://{host}/v1",
            "VERSUS_EMBEDDING_API_KEY": CANARY,
        },
    ),
    Way(
        "a key in versus.toml",
        files=lambda host: {"versus.toml": f'openai_api_key = "{CANARY}"\nopenai_base_url = "http://{host}/v1"\n'},
    ),
    Way(
        "a key in .env",
        files=lambda host: {".env": f"OPENAI_API_KEY={CANARY}\nOPENAI_BASE_URL=http://{host}/v1\n"},
    ),
    Way(
        "a key that is no setting's",
        lambda host: {"VERSUS_OPENAI_APIKEY": CANARY},
        lambda host: {"versus.toml": f'openai_apikey = "{CANARY}"\n'},
    ),
)


def run() -> list[Row]:
    """Give the key in each way, and look for it everywhere."""
    with tempfile.TemporaryDirectory() as name, Quoting().running() as server:
        place = Path(name)
        (place / "book.md").write_text(BOOK, encoding="utf-8")
        _versus(place, ("ingest", "book.md"), {})
        refusing = server.base_url.removeprefix("http://").removesuffix("/v1")
        return [_tried(way, place / ".versus", refusing) for way in WAYS]


def _tried(way: Way, collections: Path, refusing: str) -> Row:
    leaks: list[str] = []
    tries = [*((command, NOWHERE) for command in ALONE), *((command, refusing) for command in SERVED)]
    for command, host in tries:
        leaks += [f"{command[0]}: {where}" for where in _leaks(way, command, host, collections)][:1]
    return Row(way.name, len(tries), len(tries) - len(leaks), leaks[0] if leaks else "nowhere")


class Quoting(FakeOpenAI):
    """A server that refuses everything, and quotes all that it was told."""

    def answer(self, request: Request) -> Reply:
        """Refuse."""
        return failure(401, f"Incorrect API key provided: {CANARY} ({dict(request.headers)})")


def _leaks(way: Way, command: tuple[str, ...], host: str, collections: Path) -> Iterator[str]:
    """Where the key came out."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(collections, Path(folder) / ".versus")
        yield from _where(way, Path(folder), command, host)


def _where(way: Way, folder: Path, command: tuple[str, ...], host: str) -> Iterator[str]:
    planted = way.files(host)
    for name, text in {**planted, "book.md": BOOK, "questions.txt": f"{QUESTION}\n"}.items():
        (folder / name).write_text(text, encoding="utf-8")
    said = _versus(folder, command, way.variables(host))
    yield from (f"on {name}" for name, text in said.items() if CANARY in text)
    written = (path for path in folder.rglob("*") if path.is_file() and path.name not in planted)
    yield from (f"in {path.relative_to(folder)}" for path in written if CANARY.encode() in path.read_bytes())


def _versus(folder: Path, command: tuple[str, ...], variables: Given) -> Given:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("VERSUS_", "OPENAI_"))}
    wanted = {"VERSUS_LOG_LEVEL": "debug", "VERSUS_DEADLINE": "5", "HOME": str(folder / "home")}
    program = [sys.executable, "-c", "from agent.cli.app import app; app()", *command]
    path = os.pathsep.join((str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")))
    environment = {**kept, **wanted, **variables, "PYTHONPATH": path}
    ended = subprocess.run(
        program, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=120
    )
    return {"stdout": ended.stdout, "stderr": ended.stderr}
