"""The endpoint for clients of OpenAI: by their own client, by the command `llm`, and by what Open WebUI sends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from click.testing import CliRunner
from llm.cli import cli as llm_command
from openai import AsyncOpenAI, AuthenticationError, BadRequestError, NotFoundError, RateLimitError

from agent.doors.http.limits import Limits
from agent.settings.settings import Settings
from tests.agent.asking import until
from tests.agent.http_door import ALICE, FARE, Opened, asking, opened, running, with_keys
from tests.agent.test_mcp import without_own
from tests.fake_openai import FakeOpenAI

OPEN_WEBUI = Path(__file__).with_name("open_webui.json")
USER: Any = [{"role": "user", "content": FARE}]
TOOL = {"type": "function", "function": {"name": "f"}}
TITLE_PROMPT = (
    "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Output:\n"
    'JSON format: { "title": "your concise title here" }\n### Chat History:\n<chat_history>\n'
    "USER: What is the fare of the Reed?\n</chat_history>"
)


@pytest.fixture
async def http(two_books: Settings) -> AsyncIterator[Opened]:
    async with opened(two_books) as door:
        yield door


def client_of(door: Opened, key: str = "none") -> AsyncOpenAI:
    transport: Any = door.client  # of httpx, where the client's own is of httpx2, which is the same to it
    return AsyncOpenAI(base_url="http://localhost/v1", api_key=key, http_client=transport, max_retries=0)


async def test_collections_are_models(http: Opened) -> None:
    listed = [model.id async for model in client_of(http).models.list()]
    assert ["versus", "versus/ferries", "versus/trams"] == listed
    assert "versus/trams" == (await client_of(http).models.retrieve("versus/trams")).id


async def test_a_completion_has_the_answer_its_sources_and_their_addresses(http: Opened) -> None:
    completion: Any = await client_of(http).chat.completions.create(model="versus", messages=USER)
    message = completion.choices[0].message
    assert "stop" == completion.choices[0].finish_reason
    (annotation,) = message.annotations
    cited = annotation.url_citation
    assert "[1]" == message.content[cited.start_index : cited.end_index]
    assert cited.url.endswith("#marked") and f"]({cited.url})" in message.content
    chunk = (await http.client.get(cited.url)).json()
    assert ("3", cited.title) == (chunk["marked"]["value"], chunk["title"])
    asked = (await http.client.post("/v1/ask", json={"question": FARE})).json()
    assert without_own(asked) == without_own(completion.versus)


async def test_a_stream_reasons_then_writes_then_annotates(http: Opened) -> None:
    whole: Any = await client_of(http).chat.completions.create(model="versus", messages=USER)
    wanted: Any = {"messages": USER, "stream": True, "stream_options": {"include_usage": True}}
    stream: Any = await client_of(http).chat.completions.create(model="versus/ferries", **wanted)
    chunks = [chunk async for chunk in stream]
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert "assistant" == deltas[0].role
    reasoned = [at for at, delta in enumerate(deltas) if getattr(delta, "reasoning_content", None)]
    written = [at for at, delta in enumerate(deltas) if delta.content]
    (annotated,) = [at for at, delta in enumerate(deltas) if getattr(delta, "annotations", None)]
    assert max(reasoned) < min(written) <= max(written) < annotated
    text = "".join(delta.content or "" for delta in deltas)
    assert whole.choices[0].message.content == text
    finished = [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices]
    assert ["stop"] == [reason for reason in finished if reason]
    assert (0, []) == (chunks[-1].usage.total_tokens, chunks[-1].choices)


async def test_a_question_goes_on_from_the_messages_before_it(http: Opened) -> None:
    messages: Any = [
        {"role": "system", "content": "You are a pirate."},
        *USER,
        {"role": "assistant", "content": "The fare of the Reed is 3."},
        {"role": "user", "content": [{"type": "text", "text": "And of the Heron?"}]},
    ]
    completion: Any = await client_of(http).chat.completions.create(model="versus", messages=messages)
    assert "5" == completion.versus["verdict"]


async def test_another_collection_is_another_model(http: Opened) -> None:
    messages: Any = [{"role": "user", "content": "What is the fare of the Lark?"}]
    completion: Any = await client_of(http).chat.completions.create(model="versus/trams", messages=messages)
    assert "2" == completion.versus["verdict"]


@pytest.mark.parametrize("options", [[], ["--no-stream"]], ids=["stream", "whole"])
async def test_the_command_llm_asks_and_shows_the_answer_with_its_sources(
    options: list[str], two_books: Settings, tmp_path: Path
) -> None:
    async with running(two_books, Limits()) as served:
        model = {"model_id": "ferries", "model_name": "versus/ferries", "api_base": f"{served.url}/v1"}
        (tmp_path / "extra-openai-models.yaml").write_text(yaml.safe_dump([model]), encoding="utf-8")
        command = ["prompt", "-m", "ferries", "--no-log", *options, FARE]
        said = await asyncio.to_thread(CliRunner().invoke, llm_command, command, env={"LLM_USER_PATH": str(tmp_path)})
    assert (0, True) == (said.exit_code, "3" in said.stdout), said.output
    assert f"]({served.url}/v1/collections/ferries/chunks/" in said.stdout


async def test_what_open_webui_sends_is_answered(http: Opened) -> None:
    """A chat of two questions as Open WebUI 0.12.4 asked it, in order; two of the 36 tools that it offers are kept."""
    bodies: list[dict[str, Any]] = json.loads(OPEN_WEBUI.read_text(encoding="utf-8"))
    title, first, follow_ups, tags, second = [await http.client.post("/v1/chat/completions", json=b) for b in bodies]
    assert FARE == of_task(title)["title"]
    assert ([], []) == (of_task(follow_ups)["follow_ups"], of_task(tags)["tags"])
    for said, fare in ((first, "3"), (second, "5")):
        shown = open_webui(said)
        assert f"fare: {fare}" in shown["content"]
        assert "q1" in shown["reasoning"]
        assert ["Ferries"] == [source["url_citation"]["title"] for source in shown["sources"]]
    assert 'route="completions",status="200"} 5.0' in (await http.client.get("/metrics")).text


def of_task(said: httpx.Response) -> dict[str, Any]:
    """The object in the answer to a prompt for a title, tags or follow-ups, which is no answer of a question."""
    assert said.json()["versus"] is None
    told: dict[str, Any] = json.loads(said.json()["choices"][0]["message"]["content"])
    return told


def open_webui(said: httpx.Response) -> dict[str, Any]:
    """What its page shows of a stream: it reads lines that begin with `data:`, deltas, annotations and usage."""
    shown: dict[str, Any] = {"content": "", "reasoning": "", "sources": []}
    for line in said.text.split("\n"):
        data = line.strip().removeprefix("data:").strip()
        if not line.startswith("data:") or data == "[DONE]":
            continue
        for choice in json.loads(data).get("choices", []):
            shown["content"] += choice["delta"].get("content") or ""
            shown["reasoning"] += choice["delta"].get("reasoning_content") or ""
            shown["sources"] += choice["delta"].get("annotations") or []
    return shown


@pytest.mark.parametrize("stream", [False, True])
async def test_a_prompt_for_a_title_or_tags_is_no_question(http: Opened, stream: bool) -> None:
    body = {"model": "versus", "messages": [{"role": "user", "content": TITLE_PROMPT}], "stream": stream}
    said = await http.client.post("/v1/chat/completions", json=body)
    if stream:
        lines = [line.removeprefix("data: ") for line in said.text.split("\n") if line.startswith("data: {")]
        text = "".join(json.loads(line)["choices"][0]["delta"].get("content", "") for line in lines)
    else:
        text = said.json()["choices"][0]["message"]["content"]
    assert {"title", "tags", "follow_ups"} <= set(json.loads(text))


async def test_a_stream_is_read_by_lines_that_begin_with_data_alone(http: Opened) -> None:
    """As Open WebUI does: no line has an event, and each has an object or the end."""
    body = {"model": "versus", "messages": USER, "stream": True, "metadata": {}, "temperature": 0.7, "max_tokens": 99}
    said = await http.client.post("/v1/chat/completions", json=body)
    lines = [line for line in said.text.split("\n") if line]
    assert all(line.startswith("data: ") for line in lines)
    assert "data: [DONE]" == lines[-1]
    assert all(json.loads(line.removeprefix("data: "))["choices"] for line in lines[:-1])


@pytest.mark.parametrize(
    ("changes", "param", "code"),
    [
        ({"n": 2}, "n", "unsupported_parameter"),
        ({"tools": [TOOL], "tool_choice": "required"}, "tool_choice", "unsupported_parameter"),
        ({"tools": [TOOL], "tool_choice": TOOL}, "tool_choice", "unsupported_parameter"),
        ({"logprobs": True}, "logprobs", "unsupported_parameter"),
        ({"response_format": {"type": "json_object"}}, "response_format", "unsupported_parameter"),
        ({"messages": [{"role": "system", "content": "x"}]}, "messages", None),
        ({"messages": [{"role": "user", "content": " "}]}, "messages", None),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "messages", None),
    ],
)
async def test_what_can_not_be_done_is_refused_by_its_name(
    http: Opened, changes: dict[str, Any], param: str, code: str | None
) -> None:
    arguments: Any = {"model": "versus", "messages": USER, **changes}
    with pytest.raises(BadRequestError) as caught:
        await client_of(http).chat.completions.create(**arguments)
    assert (param, code) == (caught.value.param, caught.value.code)
    assert "invalid_request_error" == caught.value.type


@pytest.mark.parametrize(("model", "stream"), [("gpt-4", False), ("versus/boats", False), ("versus/boats", True)])
async def test_an_unknown_model_is_not_found_in_a_stream_too(http: Opened, model: str, stream: bool) -> None:
    arguments: Any = {"model": model, "messages": USER, "stream": stream}
    with pytest.raises(NotFoundError) as caught:
        await client_of(http).chat.completions.create(**arguments)
    assert "model_not_found" == caught.value.code


async def test_a_wrong_key_and_too_many_requests_are_errors_of_the_client(two_books: Settings) -> None:
    messages: Any = USER
    async with opened(with_keys(two_books), Limits(per_minute=1)) as door:
        with pytest.raises(AuthenticationError, match="Authorization: Bearer KEY"):
            await client_of(door, "wrong").chat.completions.create(model="versus", messages=messages)
        assert 3 == len((await client_of(door, ALICE).models.list()).data)
        with pytest.raises(RateLimitError):
            await client_of(door, ALICE).chat.completions.create(model="versus", messages=messages)


@pytest.mark.parametrize("stream", [False, True])
async def test_a_client_that_goes_away_ends_the_completion(stream: bool, hanging: Settings, server: FakeOpenAI) -> None:
    body = {"model": "versus", "messages": USER, "stream": stream}
    async with running(hanging, Limits()) as served:
        async with asking(served.url, body, path="/v1/chat/completions"):
            await until(lambda: len(server.requests) == 1)
        await until(lambda: (served.application.gate.running, server.connections) == (0, 0))
