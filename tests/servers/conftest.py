"""The servers, each started once: litellm's proxy before models that say a fixed thing, and before a fake of OpenAI;
and `transformers serve` with a random model.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from agent.llm.client import OpenAILLM
from tests.fake_openai import FakeOpenAI
from tests.loopback import Answer, Loopback, Reply, Request, loopback
from tests.retrieval.conftest import free_port, wait_for

PYTHON = os.environ.get("VERSUS_SERVERS_PYTHON", "")
"""The Python of the environment in which the servers are installed."""
KEY = "sk-canary-real-1f"
SENTENCE = "A hexer must rest for 8 hours before casting again [1]."
STARTS = 6000
"""How often it is looked whether a server runs, a twentieth of a second or more apart."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs servers where nobody made them."""
    for item in items:
        if not PYTHON and item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.skip(reason="no servers are installed; `make servers` installs and runs them"))


@asynccontextmanager
async def opened(url: str, model: str, key: str = KEY, **settings: Any) -> AsyncIterator[OpenAILLM]:
    """A client for a model of a server, that gives up soon."""
    llm = OpenAILLM(model, base_url=f"{url}/v1", api_key=key, **{"timeout": 20.0, "attempts": 2, **settings})
    yield llm
    await llm.close()


@contextmanager
def dropping(url: str, at: int) -> Iterator[Loopback]:
    """The server behind a wire that breaks after so many bytes of an answer."""
    with loopback(_dropped(url, at)) as broken:
        yield broken


def _dropped(url: str, at: int) -> Answer:
    def answer(request: Request) -> Reply:
        got = httpx.post(url + request.path, content=request.body, headers=_own(request), timeout=60)
        return Reply(kind=got.headers["content-type"], pieces=[got.content[:at]], drop=True)

    return answer


def _own(request: Request) -> dict[str, str]:
    names = ("authorization", "content-type")
    return {name: request.headers[name] for name in names if name in request.headers}


@pytest.fixture(scope="session")
def upstream() -> Iterator[FakeOpenAI]:
    """What the proxy's `relayed` model asks; a test says what it answers."""
    with FakeOpenAI().running() as running:
        yield running


@pytest.fixture(scope="session")
def litellm(upstream: FakeOpenAI, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a litellm proxy that takes `KEY`."""
    folder, port = tmp_path_factory.mktemp("litellm"), free_port()
    models = {
        "answering": {"model": "openai/gpt-4o", "mock_response": SENTENCE},
        "limited": {"model": "openai/gpt-4o", "mock_response": "litellm.RateLimitError"},
        "broken": {"model": "openai/gpt-4o", "mock_response": "litellm.InternalServerError"},
        "simple": {"model": "replicate/meta/llama-2-7b-chat", "mock_response": SENTENCE},
        "relayed": {"model": "openai/gpt-4o", "api_base": upstream.base_url},
    }
    listed = [{"model_name": name, "litellm_params": {**each, "api_key": "sk-up"}} for name, each in models.items()]
    config = {
        "model_list": listed,
        "general_settings": {"master_key": KEY},
        "litellm_settings": {"num_retries": 0},
        "router_settings": {"num_retries": 0, "disable_cooldowns": True},
    }
    (folder / "config.yaml").write_text(json.dumps(config), encoding="utf-8")  # JSON is YAML
    arguments = ["--config", "config.yaml", "--host", "127.0.0.1", "--port", str(port)]
    with _running(["litellm", *arguments], folder, f"http://127.0.0.1:{port}", "/health/liveliness") as url:
        yield url


@pytest.fixture(scope="session")
def transformers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of `transformers serve`, and the model that it serves."""
    folder, port = tmp_path_factory.mktemp("transformers"), free_port()
    model = str(folder / "tiny")
    maker = Path(__file__).with_name("tiny_model.py")
    subprocess.run([PYTHON, str(maker), model], check=True, cwd=folder, env=_environment(folder), timeout=300)
    arguments = ["serve", model, "--device", "cpu", "--host", "127.0.0.1", "--port", str(port)]
    with _running(["transformers", *arguments], folder, f"http://127.0.0.1:{port}", "/health") as url:
        yield url, model


@contextmanager
def _running(command: list[str], folder: Path, url: str, ready: str) -> Iterator[str]:
    program = str(Path(PYTHON).with_name(command[0]))
    with (folder / "said.txt").open("wb") as said:
        server = subprocess.Popen(
            [program, *command[1:]], stdout=said, stderr=said, cwd=folder, env=_environment(folder)
        )
        try:
            wait_for(f"{url}{ready}", server, STARTS)
            yield url
        finally:
            server.terminate()
            server.wait(timeout=30)


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of the user's, and nothing that fetches."""
    own = {"HOME": str(folder), "HF_HUB_OFFLINE": "1", "LITELLM_LOCAL_MODEL_COST_MAP": "True", "DO_NOT_TRACK": "1"}
    return {"PATH": f"{Path(PYTHON).parent}:{os.environ['PATH']}", **own}
