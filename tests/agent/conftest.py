"""What tests of the agent share: the sample, ingested once by `versus demo`; an empty folder without anyone's settings;
a client on a fake server of models.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from pydantic import SecretStr
from typer.testing import CliRunner

from agent.application.application import Application
from agent.cli.app import app
from agent.ingesting.ingest import ingest
from agent.llm.client import OpenAILLM
from agent.settings.settings import Settings
from tests.agent.asking import ATTEMPTS, KEY, Pauses
from tests.agent.not_yet import missing
from tests.fake_openai import FakeOpenAI
from tests.loopback import Reply

FERRIES = """# Ferries

| Ferry | Fare | Seats |
|---|---|---|
| Reed | 3 | 40 |
| Heron | 5 | 12 |

The Reed was built in 1931.
"""
FEN = """# The Fen

Roll a d20 and add the attack bonus. The attack hits when the total is equal to or above the armor class of the foe.

| Monster | Armor Class | Hit Dice | Attack Bonus | No. of Attacks | Damage |
|---|---|---|---|---|---|
| Orc | 13 | 1d8 | +1 | 1 | 1d8 |
| Ogre | 14 | 4d8+1 | +4 | 1 | 1d10 |
| Troll | 15 | 6d8+6 | +6 | 3 | 1d6 |
"""
TRAMS = "# Trams\n\n| Tram | Fare |\n|---|---|\n| Lark | 2 |\n"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is not yet answered: it has to fail, and to be struck out once it does not."""
    for item in items:
        if (reason := missing(item.nodeid)) is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


@pytest.fixture(scope="session")
def demonstrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where `versus demo --json` ran, once for all workers: its collection is in `chroma`, its end in `said.json`."""
    base = tmp_path_factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "demonstrated"
    said = place / "said.json"
    place.mkdir(exist_ok=True)
    with FileLock(place / "lock"):
        if not said.exists():
            arguments = ["demo", "--json", "--collection", "rules", "--chroma", str(place / "chroma")]
            result = CliRunner().invoke(app, arguments, env={"VERSUS_LOG_DIR": str(place / "logs")})
            ended = {"exit_code": result.exit_code, "stdout": result.stdout, "stderr": result.stderr}
            said.write_text(json.dumps(ended), encoding="utf-8")
    return place


@pytest.fixture(scope="session")
def sample_chroma(demonstrated: Path) -> str:
    """A folder in which the bundled rulebook is the collection `rules`; who wants to change it makes a copy."""
    return str(demonstrated / "chroma")


@pytest.fixture(scope="session")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Gives a book's folder of collections, in which it is `rules`: ingested once, for that starts a process.

    Who wants to change it makes a copy; who only reads it had better not, for a copy is examined when it is opened.
    """

    @cache
    def chroma(book: str) -> Path:
        folder = tmp_path_factory.mktemp("ingested")
        (folder / "book.md").write_text(book, encoding="utf-8")
        arguments = ["ingest", str(folder / "book.md"), "--chroma", str(folder / "chroma"), "--collection", "rules"]
        result = CliRunner().invoke(app, arguments, env={"VERSUS_LOG_TO": "none"})
        assert 0 == result.exit_code, result.output
        return folder / "chroma"

    return chroma


@pytest.fixture(scope="session")
def ferries_and_trams(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two small collections, `ferries` and `trams`; who wants to change one makes a copy."""
    place = tmp_path_factory.mktemp("ferries_and_trams")
    for name, book in (("ferries", FERRIES), ("trams", TRAMS)):
        (place / f"{name}.md").write_text(book, encoding="utf-8")
        settings = Settings(chroma=str(place / "chroma"), collection=name)
        asyncio.run(ingest([place / f"{name}.md"], settings))
    return place / "chroma"


@pytest.fixture
def two_books(ferries_and_trams: Path, empty_place: Path) -> Settings:
    """Settings for the collection of ferries, beside which there is one of trams."""
    return Settings(chroma=str(ferries_and_trams), collection="ferries", planner="rules", log_to="none")


@pytest.fixture
def fen(ingested: Callable[[str], Path], empty_place: Path) -> Settings:
    """Settings for a book of monsters that may fight."""
    return Settings(chroma=str(ingested(FEN)), collection="rules", planner="rules", log_to="none")


@pytest.fixture
async def browser() -> AsyncIterator[Any]:
    """A Chromium of this machine; what needs it is skipped where there is none, or nothing that drives it."""
    driver = pytest.importorskip("playwright.async_api", reason="pip install 'versus-rag[browser]' drives a browser")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no Chromium on this machine")
    async with driver.async_playwright() as playwright:
        launched = await playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield launched
        await launched.close()


@pytest.fixture
async def page(browser: Any) -> Any:
    """An empty page of it."""
    return await browser.new_page()


@pytest.fixture
async def application(two_books: Settings) -> AsyncIterator[Application]:
    async with Application.open(two_books) as opened:
        yield opened


@pytest.fixture
def empty_place(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current directory without `.env` and `versus.toml`, no variable that is a setting, and no user's own file."""
    for name in list(os.environ):
        if name.upper().startswith(("VERSUS_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("configuration")))
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


@pytest.fixture
def hanging(two_books: Settings, server: FakeOpenAI) -> Settings:
    """Settings with a language model that never answers, so that a question is under way until somebody ends it."""
    server.then(*[Reply(hang=True)] * 20)
    return Settings(
        chroma=two_books.chroma,
        collection="ferries",
        planner="llm",
        openai_base_url=server.base_url,
        openai_api_key=SecretStr(KEY),
        log_to="none",
    )
