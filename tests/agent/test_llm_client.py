"""Chat completions over real HTTP: what is asked, in which words, and what is made of the answer."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from agent.llm.client import OpenAILLM
from agent.llm.protocol import LLMRequest, Message, Tool, ToolCall
from agent.types import Usage
from tests.agent.asking import HELLO, KEY, Heard, Pauses, failing, impatient, until
from tests.fake_chat import completion
from tests.fake_openai import FakeOpenAI, failure
from tests.loopback import Reply, Request

SCHEMA = {"type": "object", "properties": {"winner": {"type": "string"}, "rounds": {"type": "integer", "default": 1}}}
OBJECT = LLMRequest((Message("system", "Judge."), Message("user", "Who wins?")), "plan", schema=SCHEMA)
TOOL = Tool("look_up", "Find a table.", {"type": "object", "properties": {"title": {"type": "string"}}})


async def test_a_question_is_asked_and_answered(server: FakeOpenAI, llm: OpenAILLM) -> None:
    reply = await llm.complete(HELLO)

    assert ("You said: Who wins?", "stop", "small") == (reply.text, reply.finish_reason, reply.model)
    assert Usage(1, 2, 4, 0.0) == reply.usage
    (request,) = server.requests
    assert {"model": "small", "messages": [{"role": "user", "content": "Who wins?"}], "max_tokens": 2000} == (
        request.json()
    )
    assert f"Bearer {KEY}" == request.headers["authorization"]


async def test_text_is_streamed_as_it_comes(server: FakeOpenAI, llm: OpenAILLM) -> None:
    heard = Heard()
    reply = await llm.complete(HELLO, heard)

    assert ["You", " said:", " Who", " wins?"] == heard
    assert ("You said: Who wins?", Usage(1, 2, 4, 0.0)) == (reply.text, reply.usage)
    assert {"include_usage": True} == server.requests[0].json()["stream_options"]


@pytest.mark.parametrize("heard", [None, Heard()])
async def test_usage_that_no_one_reports_is_estimated(heard: Heard | None, pauses: Pauses) -> None:
    with FakeOpenAI(usage=False).running() as server:
        llm = impatient(server, pauses)
        assert Usage(1, 3, 5, 0.0) == (await llm.complete(HELLO, heard)).usage
        await llm.close()


async def test_a_server_that_does_not_stream_is_taken_at_its_whole_answer(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then(completion({"model": "small", "messages": []}, "The owl."))
    heard = Heard()

    assert "The owl." == (await llm.complete(HELLO, heard)).text
    assert ["The owl."] == heard


async def test_a_server_that_knows_no_stream_options_is_not_sent_them_again(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then(failure(400, "Unrecognized request argument supplied: stream_options"))
    heard = Heard()
    await llm.complete(HELLO, heard)
    await llm.complete(HELLO, heard)

    assert [True, False, False] == ["stream_options" in request.json() for request in server.requests]


async def test_a_model_with_another_name_for_the_limit_is_understood(server: FakeOpenAI, llm: OpenAILLM) -> None:
    refusal = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'."
    server.then(failure(400, refusal, "unsupported_parameter"))
    await llm.complete(OBJECT)
    await llm.complete(OBJECT)

    assert [(True, False), (False, True), (False, True)] == [
        ("max_tokens" in request.json(), "max_completion_tokens" in request.json()) for request in server.requests
    ]
    assert "json_schema" == server.requests[-1].json()["response_format"]["type"]


async def test_an_object_is_asked_for_by_its_schema_in_strict_form(server: FakeOpenAI, llm: OpenAILLM) -> None:
    await llm.complete(OBJECT)

    sent = server.requests[0].json()["response_format"]["json_schema"]
    assert (True, False) == (sent["strict"], sent["schema"]["additionalProperties"])
    assert ["winner", "rounds"] == sent["schema"]["required"]


async def test_a_schema_whose_names_are_free_is_sent_as_it_is(server: FakeOpenAI, llm: OpenAILLM) -> None:
    schema = {"type": "object", "properties": {"sides": {"type": "object", "additionalProperties": {"type": "string"}}}}
    await llm.complete(LLMRequest(OBJECT.messages, "plan", schema=schema))

    sent = server.requests[0].json()["response_format"]["json_schema"]
    assert (False, schema) == (sent["strict"], sent["schema"])


def says_no_to(*forms: str, status: int = 400, message: str = "response_format is not supported") -> Any:
    def answer(request: Request) -> Reply:
        form = request.json().get("response_format", {}).get("type")
        return failure(status, message) if form in forms else completion(request.json(), "{}")

    return answer


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model"),
        (400, "This feature is unsupported"),
        (400, "Failed to generate JSON. Please adjust your prompt."),
        (422, "Unprocessable"),
        (501, "Not implemented"),
    ],
)
async def test_a_server_without_schemas_is_asked_for_any_object_then_in_words(
    status: int, message: str, server: FakeOpenAI, llm: OpenAILLM, pauses: Pauses
) -> None:
    server.then(*[says_no_to("json_schema", "json_object", status=status, message=message)] * 4)
    await llm.complete(OBJECT)
    await llm.complete(OBJECT)

    asked = [request.json() for request in server.requests]
    assert ["json_schema", "json_object", None, None] == [body.get("response_format", {}).get("type") for body in asked]
    assert [False, True, True, True] == ['"winner"' in body["messages"][0]["content"] for body in asked]
    assert ["system", "user"] == [message["role"] for message in asked[-1]["messages"]]
    assert [] == pauses


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "System role not supported"),
        (500, "Jinja Exception: System role not supported"),
        (400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."),
        (400, "Conversation roles must alternate user/assistant/user/assistant/..."),
    ],
)
async def test_a_server_that_knows_no_system_is_told_all_as_the_user_says_it(
    status: int, message: str, server: FakeOpenAI, llm: OpenAILLM, pauses: Pauses
) -> None:
    server.then(failure(status, message))
    request = replace(OBJECT, messages=(Message("system", "Be brief."), Message("user", "Who wins?")))
    await llm.complete(request)
    await llm.complete(request)

    sent = [request.json() for request in server.requests]
    assert [["system", "user"], ["user"], ["user"]] == [[each["role"] for each in body["messages"]] for body in sent]
    assert ["Be brief.\n\nWho wins?"] * 2 == [body["messages"][0]["content"] for body in sent[1:]]
    assert ["json_schema"] * 3 == [body["response_format"]["type"] for body in sent]
    assert [] == pauses


async def test_what_works_without_schemas_is_remembered(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then(*[says_no_to("json_schema")] * 3)
    await llm.complete(OBJECT)
    await llm.complete(LLMRequest((Message("user", "Who?"),), "plan", schema=SCHEMA))

    assert ["json_schema", "json_object", "json_object"] == [
        request.json()["response_format"]["type"] for request in server.requests
    ]
    assert "system" == server.requests[-1].json()["messages"][0]["role"]


async def test_what_was_learnt_is_not_undone_by_a_call_that_began_before(server: FakeOpenAI, llm: OpenAILLM) -> None:
    slow = completion({"model": "small", "messages": []}, "{}")
    server.then(replace(slow, delay=0.3), *[says_no_to("json_schema")] * 2)
    early = asyncio.create_task(llm.complete(HELLO))
    await until(lambda: len(server.requests) == 1)
    await llm.complete(OBJECT)
    assert not early.done()
    await early
    await llm.complete(OBJECT)

    assert "json_object" == server.requests[-1].json()["response_format"]["type"]
    assert 4 == len(server.requests)


async def test_what_is_refused_for_another_parameter_is_not_asked_in_other_words(
    server: FakeOpenAI, llm: OpenAILLM
) -> None:
    server.then(failure(400, "Unsupported parameter: 'temperature' is not supported with this model"))

    assert "RequestRefused" in await failing(llm, OBJECT)
    assert 1 == len(server.requests)


async def test_a_refusal_of_everything_is_not_remembered(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then(*[failure(422, "no")] * 3)

    assert "RequestRefused" in await failing(llm, OBJECT)
    await llm.complete(OBJECT)
    assert "json_schema" == server.requests[-1].json()["response_format"]["type"]


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (400, "`tools` is not supported with this model"),
        (400, "registry.ollama.ai/library/gemma:2b does not support tools"),
        (404, "No endpoints found that support tool use"),
        (500, "tools param requires --jinja flag"),
    ],
)
@pytest.mark.parametrize("heard", [None, Heard()])
async def test_a_server_that_knows_no_tools_answers_without_them_and_is_not_offered_any_again(
    status: int, message: str, heard: Heard | None, server: FakeOpenAI, llm: OpenAILLM, pauses: Pauses
) -> None:
    server.then(failure(status, message))
    request = LLMRequest(HELLO.messages, "synthesize", tools=(TOOL,))
    assert "You said: Who wins?" == (await llm.complete(request, heard)).text
    await llm.complete(request, heard)

    assert [True, False, False] == ["tools" in request.json() for request in server.requests]
    assert [] == pauses


@pytest.mark.parametrize("streaming", [False, True])
async def test_tools_are_offered_called_and_answered(streaming: bool, server: FakeOpenAI, llm: OpenAILLM) -> None:
    called = [{"name": "look_up", "arguments": {"title": "Fighters"}}, {"name": "look_up", "arguments": "{oops"}]
    server.respond = lambda chat: {"tool_calls": called} if len(chat["messages"]) == 1 else "It hits."
    heard = Heard() if streaming else None
    reply = await llm.complete(LLMRequest(HELLO.messages, "plan", tools=(TOOL,)), heard)

    assert (
        ToolCall("call_0", "look_up", '{"title": "Fighters"}'),
        ToolCall("call_1", "look_up", "{oops"),
    ) == reply.tool_calls
    assert ("", "tool_calls") == (reply.text, reply.finish_reason)
    answers = [Message("tool", "AC 3: 15", tool_call_id=call.id) for call in reply.tool_calls]
    turn = Message("assistant", "", tool_calls=reply.tool_calls)
    second = await llm.complete(LLMRequest((*HELLO.messages, turn, *answers), "plan", tools=(TOOL,)), heard)
    assert ("It hits.", ()) == (second.text, second.tool_calls)


def chunks(*deltas: dict[str, Any]) -> Reply:
    events = [b"data: %s\n\n" % Reply({"choices": [{"delta": delta}]}).body() for delta in deltas]
    last = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
    return Reply(kind="text/event-stream", pieces=[*events, last])


@pytest.mark.parametrize("index", [{}, {"index": 0}], ids=["no index", "always the same index"])
async def test_tool_calls_with_odd_indexes_are_told_apart_by_their_ids(
    index: dict[str, int], server: FakeOpenAI, llm: OpenAILLM
) -> None:
    calls = [{"id": f"id{n}", "function": {"name": "look_up", "arguments": f"[{n}]"}} | index for n in range(2)]
    server.then(chunks({"tool_calls": [calls[0]]}, {"tool_calls": [calls[1]]}))

    reply = await llm.complete(HELLO, Heard())
    assert [("id0", "[0]"), ("id1", "[1]")] == [(call.id, call.arguments) for call in reply.tool_calls]


async def test_a_refusal_of_the_model_is_said_as_one(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.respond = lambda chat: {"refusal": "I can't help with fights."}

    reply = await llm.complete(HELLO)
    assert ("I can't help with fights.", "content_filter") == (reply.text, reply.finish_reason)


async def test_content_may_come_in_parts_of_which_thoughts_are_none(server: FakeOpenAI, llm: OpenAILLM) -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "The owl."}]
    server.then(chunks({"content": parts}, {"content": " Yes."}))
    assert "The owl. Yes." == (await llm.complete(HELLO, Heard())).text

    choice = {"index": 0, "message": {"role": "assistant", "content": parts}, "finish_reason": "stop"}
    server.then(Reply({"choices": [choice]}))
    assert "The owl." == (await llm.complete(HELLO)).text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("<think>An orc? No.</think>\n\nThe owl.", "\n\nThe owl."),
        ("\n<think>\n</think><think>Hm.</think> The owl.", " The owl."),
        ("An orc? No. </think>The owl.", "The owl."),
        ("<think>An orc? An owl? And then", ""),
        ("<thin ice> bears an owl.", "<thin ice> bears an owl."),
        ("<thi", "<thi"),
    ],
)
@pytest.mark.parametrize("size", [1, 5, 1000])
async def test_thoughts_are_no_part_of_an_answer(
    written: str, text: str, size: int, server: FakeOpenAI, llm: OpenAILLM
) -> None:
    server.respond = lambda chat: written
    assert text == (await llm.complete(HELLO)).text

    server.then(chunks(*({"content": written[start : start + size]} for start in range(0, len(written), size))))
    heard = Heard()
    assert (text, text) == ((await llm.complete(HELLO, heard)).text, heard.text)


@pytest.mark.parametrize(
    ("message", "text", "arguments"),
    [
        ({"tool_calls": [{"id": "1", "function": {"name": "look_up", "arguments": {"n": 1}}}]}, "", ['{"n": 1}']),
        ({"content": [{"type": "thinking", "text": None}, {"type": "text", "text": "Owl."}]}, "Owl.", []),
        ({"content": "Owl.", "tool_calls": [{"id": "1", "function": None}]}, "Owl.", [""]),
        ({"content": "Ow\ud800l."}, "Ow?l.", []),
    ],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["bare", "marked"])
async def test_an_answer_in_an_odd_form_is_read(
    message: dict[str, Any], text: str, arguments: list[str], mark: bytes, server: FakeOpenAI, llm: OpenAILLM
) -> None:
    server.then(Reply(mark + json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()))
    reply = await llm.complete(HELLO)

    assert (text, arguments) == (reply.text, [call.arguments for call in reply.tool_calls])
    server.then(chunks(message))
    assert text == (await llm.complete(HELLO, Heard())).text


async def test_a_reply_says_that_it_was_cut_off(server: FakeOpenAI, llm: OpenAILLM) -> None:
    choice = {"index": 0, "message": {"content": "The ow"}, "delta": {"content": "The ow"}, "finish_reason": "length"}
    stream = Reply(kind="text/event-stream", pieces=[b"data: %s\n\n" % json.dumps({"choices": [choice]}).encode()])
    server.then(Reply({"choices": [choice]}), stream)

    assert ["length"] * 2 == [(await llm.complete(HELLO, heard)).finish_reason for heard in (None, Heard())]


async def test_usage_below_nothing_is_none(server: FakeOpenAI, llm: OpenAILLM) -> None:
    choice = {"message": {"content": "Owl."}, "finish_reason": "stop"}
    server.then(Reply({"choices": [choice], "usage": {"prompt_tokens": -1_000_000, "completion_tokens": 5}}))

    assert Usage(1, 0, 5) == (await llm.complete(HELLO)).usage


async def test_replies_that_come_at_once_are_worked_on_in_different_turns_of_the_event_loop(llm: OpenAILLM) -> None:
    turn, woken = 0, list[int]()

    async def ask() -> None:
        await llm.complete(HELLO)
        woken.append(turn)

    asked = asyncio.gather(*(ask() for _ in range(20)))
    while not asked.done():
        await asyncio.sleep(0)
        turn += 1
    assert 20 == len(set(woken))
