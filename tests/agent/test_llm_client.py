"""Chat completions over real HTTP: what is asked, what is believed, what is tried again, and that no key leaks."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from agent.errors import LLMError
from agent.llm.client import OpenAILLM
from agent.llm.limits import RateLimiter
from agent.llm.prices import Price
from agent.llm.protocol import LLMRequest, Message, Tool, ToolCall
from agent.types import Usage
from tests.fake_chat import completion
from tests.fake_openai import FakeOpenAI, failure
from tests.loopback import Reply, Request

KEY = "sk-canary-7e2a"
HELLO = LLMRequest((Message("user", "Who wins?"),), "plan")
SCHEMA = {"type": "object", "properties": {"winner": {"type": "string"}, "rounds": {"type": "integer", "default": 1}}}
OBJECT = LLMRequest((Message("system", "Judge."), Message("user", "Who wins?")), "plan", schema=SCHEMA)
TOOL = Tool("look_up", "Find a table.", {"type": "object", "properties": {"title": {"type": "string"}}})
ATTEMPTS = 3


class Pauses(list[float]):
    """Notes how long it should have slept, and doesn't."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


class Heard(list[str | None]):
    """What was streamed."""

    def __call__(self, text: str | None) -> None:
        self.append(text)

    @property
    def text(self) -> str:
        """What a reader has before them: all since the last time that it was taken back."""
        last = max((place for place, piece in enumerate(self) if piece is None), default=-1)
        return "".join(piece or "" for piece in self[last + 1 :])


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


def impatient(server: FakeOpenAI, pauses: Pauses, attempts: int = ATTEMPTS) -> OpenAILLM:
    return OpenAILLM("small", base_url=server.base_url, api_key=KEY, attempts=attempts, timeout=0.2, sleep=pauses)


async def failing(llm: OpenAILLM, request: LLMRequest = HELLO, heard: Heard | None = None) -> str:
    """What a user gets to read; the log would show no more than the traceback."""
    with pytest.raises(LLMError) as caught:
        await llm.complete(request, heard)
    error: BaseException | None = caught.value
    assert KEY not in "".join(traceback.format_exception(caught.value)) + repr(llm)
    while error is not None:
        assert KEY not in f"{error} {error!r} {vars(error)}"
        error = error.__cause__ or error.__context__
    return f"{type(caught.value).__name__}: {caught.value}"


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
        (422, "Unprocessable"),
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


async def test_a_refusal_of_everything_is_not_remembered(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then(*[failure(422, "no")] * 3)

    assert "LLMRefused" in await failing(llm, OBJECT)
    await llm.complete(OBJECT)
    assert "json_schema" == server.requests[-1].json()["response_format"]["type"]


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


@pytest.mark.parametrize("fault", ["429", "500", "dropped", "html", "truncated", "cut", "no choices"])
@pytest.mark.parametrize("streaming", [False, True])
async def test_what_passes_is_tried_again(
    fault: str,
    streaming: bool,
    server: FakeOpenAI,
    llm: OpenAILLM,
    pauses: Pauses,
    retried: list[tuple[int, str]],
) -> None:
    server.then(fault, fault)
    heard = Heard()
    reply = await llm.complete(HELLO, heard if streaming else None)

    assert "You said: Who wins?" == reply.text
    assert not streaming or reply.text == heard.text
    assert (3, 2, [1, 2]) == (len(server.requests), len(pauses), [attempt for attempt, _ in retried])


@pytest.mark.parametrize("fault", ["hung", "dripping"])
@pytest.mark.parametrize("streaming", [False, True])
async def test_an_attempt_ends_when_its_time_is_over_whatever_trickles_in(
    fault: str, streaming: bool, server: FakeOpenAI, pauses: Pauses
) -> None:
    llm = impatient(server, pauses)
    server.then(*[fault] * ATTEMPTS)
    heard = Heard()
    began = asyncio.get_running_loop().time()

    assert "did not answer within 0.2 s (timed out) (asked 3 times)" in await failing(
        llm, HELLO, heard if streaming else None
    )
    assert 0.2 * ATTEMPTS + 0.5 > asyncio.get_running_loop().time() - began
    assert (ATTEMPTS, "") == (len(server.requests), heard.text)
    await llm.close()


async def test_a_stream_that_breaks_is_taken_back(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then("cut")
    heard = Heard()
    await llm.complete(HELLO, heard)

    assert ["You", " said:", " Who", None, "You", " said:", " Who", " wins?"] == heard


async def test_a_stream_that_reports_an_error_is_tried_again(
    server: FakeOpenAI, llm: OpenAILLM, retried: list[tuple[int, str]]
) -> None:
    error = b'data: {"error": {"message": "overloaded, %s", "code": 502}}\n\n' % KEY.encode()
    server.then(Reply(kind="text/event-stream", pieces=[error]))

    assert "You said: Who wins?" == (await llm.complete(HELLO, Heard())).text
    assert [(1, "broke off with an error: overloaded, ***")] == retried


async def test_an_error_page_that_breaks_off_is_tried_again(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then(Reply(status=500, pieces=[b"{"], drop=True))

    assert "You said: Who wins?" == (await llm.complete(HELLO, Heard())).text


async def test_what_fails_in_the_hearer_is_the_hearers_own(server: FakeOpenAI, llm: OpenAILLM) -> None:
    def break_down(text: str | None) -> None:
        raise TimeoutError(f"can't show {text}")

    with pytest.raises(TimeoutError, match="can't show You"):
        await llm.complete(HELLO, break_down)
    assert 1 == len(server.requests)


async def test_after_the_last_attempt_the_user_is_told(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then(*[failure(503, f"overloaded, says {KEY}")] * ATTEMPTS)

    assert "LLMError: the language model 'small' at " in (said := await failing(llm))
    assert "(HTTP 503: overloaded, says ***); try again later" in said
    assert ATTEMPTS == len(server.requests)


async def test_the_server_says_when_to_come_again(server: FakeOpenAI, llm: OpenAILLM, pauses: Pauses) -> None:
    server.then(failure(429, "not now", retry_after="7"))
    await llm.complete(HELLO)

    assert [pytest.approx(7, abs=0.3)] == list(pauses)


async def test_no_pause_begins_that_would_end_too_late(server: FakeOpenAI, llm: OpenAILLM, pauses: Pauses) -> None:
    server.then(failure(429, "not now", retry_after="7"))
    soon = asyncio.get_running_loop().time() + 5

    assert "LLMError" in await failing(llm, LLMRequest(HELLO.messages, "plan", give_up_at=soon))
    assert (1, []) == (len(server.requests), pauses)


async def test_an_attempt_ends_when_the_question_is_given_up_on(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then("hung")
    loop = asyncio.get_running_loop()
    end = loop.time() + 0.2

    assert "in the time that the question has (asked once)" in await failing(
        llm, LLMRequest(HELLO.messages, "plan", give_up_at=end)
    )
    assert end + 0.3 > loop.time()
    assert 1 == len(server.requests)


async def test_nothing_is_sent_when_the_time_is_over(server: FakeOpenAI, llm: OpenAILLM) -> None:
    await llm.complete(HELLO)
    past = asyncio.get_running_loop().time() - 1

    assert "in the time that the question has (asked 0 times); raise VERSUS_DEADLINE" in await failing(
        llm, LLMRequest(HELLO.messages, "plan", give_up_at=past)
    )
    assert 1 == len(server.requests)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (failure(401, f"Incorrect API key provided: {KEY}"), "set OPENAI_API_KEY"),
        (failure(403, "not for you"), "set OPENAI_API_KEY"),
        (failure(402, "Insufficient balance"), "has no quota left"),
        (failure(429, "You exceeded your current quota", "insufficient_quota"), "has no quota left"),
        (Reply({"error": {"message": "no", "type": "insufficient_quota"}}, 429), "has no quota left"),
        (failure(404, "The model does not exist"), "VERSUS_MODEL"),
        (failure(400, "maximum context length is 8192 tokens"), "maximum context length"),
        (failure(422, "what?"), "HTTP 422"),
    ],
    ids=str,
)
@pytest.mark.parametrize("streaming", [False, True])
async def test_what_does_not_pass_costs_one_request(
    reply: Reply, said: str, streaming: bool, server: FakeOpenAI, llm: OpenAILLM
) -> None:
    server.then(reply)

    complaint = await failing(llm, HELLO, Heard() if streaming else None)
    assert complaint.startswith("LLMRefused: the language model 'small' at http://127.0.0.1")
    assert said in complaint
    assert 1 == len(server.requests)


async def test_question_and_key_do_not_follow_a_redirect(server: FakeOpenAI, llm: OpenAILLM) -> None:
    with FakeOpenAI().running() as elsewhere:
        server.then(Reply(status=307, headers={"location": f"{elsewhere.base_url}/chat/completions"}))

        assert "has moved (HTTP 307" in await failing(llm)
        assert (1, []) == (len(server.requests), elsewhere.requests)


async def test_a_server_that_is_not_there_is_named_without_its_password(pauses: Pauses) -> None:
    with FakeOpenAI().running() as server:
        address = server.base_url.replace("http://", "http://me:secret@")
    llm = OpenAILLM("small", base_url=address, api_key=KEY, attempts=2, sleep=pauses)
    said = await failing(llm)
    await llm.close()

    assert "can't be reached" in said
    assert "***@127.0.0.1" in said
    assert "secret" not in said + repr(llm)


@pytest.mark.parametrize("key", [f"{KEY}\nx", f"{KEY} x", f"{KEY}ü"])
async def test_a_key_that_no_header_can_carry_is_refused_unsaid(key: str, server: FakeOpenAI) -> None:
    llm = OpenAILLM("small", base_url=server.base_url, api_key=key)

    assert "check its key" in await failing(llm)
    assert [] == server.requests


@pytest.mark.parametrize("address", ["http://127.0.0.1:notaport/v1", "http://[::1/v1"])
async def test_an_address_that_is_none_is_refused(address: str) -> None:
    assert "check its key and its address" in await failing(OpenAILLM("small", base_url=address, api_key=KEY))


async def test_openai_itself_is_not_asked_without_a_key() -> None:
    assert "set OPENAI_API_KEY" in await failing(OpenAILLM("small"))


async def test_a_key_from_the_environment_goes_nowhere(server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    llm = OpenAILLM("small", base_url=server.base_url)
    await llm.complete(HELLO)
    await llm.close()

    assert KEY not in server.requests[0].headers["authorization"]


async def test_nothing_is_logged_that_holds_the_key(
    server: FakeOpenAI, llm: OpenAILLM, retried: list[tuple[int, str]], caplog: pytest.LogCaptureFixture
) -> None:
    server.then(failure(500, f"internal {KEY}"), failure(401, f"wrong key {KEY}"))
    with caplog.at_level(logging.DEBUG):
        await failing(llm)

    assert [] == [record for record in caplog.records if KEY in record.getMessage()]
    assert [(1, "failed (HTTP 500: internal ***)")] == retried


async def test_connections_are_used_again(server: FakeOpenAI, llm: OpenAILLM) -> None:
    for heard in (None, Heard(), None, Heard()):
        await llm.complete(HELLO, heard)

    assert (4, 1) == (len(server.requests), server.accepted)


async def test_a_cancelled_call_closes_its_connection(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then("hung")
    call = asyncio.create_task(llm.complete(HELLO, Heard()))
    await until(lambda: len(server.requests) == 1)
    call.cancel()

    with pytest.raises(asyncio.CancelledError):
        await call
    await until(lambda: server.connections == 0)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - the server is in another thread
            await asyncio.sleep(0.01)


async def test_a_call_under_way_fails_when_the_client_is_closed(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then("hung")
    call = asyncio.create_task(failing(llm, HELLO, Heard()))
    await until(lambda: len(server.requests) == 1)
    await llm.close()

    async with asyncio.timeout(2):
        assert "was closed" in await call
    assert 1 == len(server.requests)


async def test_a_place_in_the_rate_limit_is_waited_for_no_longer_than_the_question_has(
    server: FakeOpenAI, pauses: Pauses
) -> None:
    llm = OpenAILLM("small", base_url=server.base_url, limiter=RateLimiter(requests_per_minute=1), sleep=pauses)
    await llm.complete(HELLO)
    end = asyncio.get_running_loop().time() + 0.2

    assert "(asked 0 times)" in await failing(llm, LLMRequest(HELLO.messages, "plan", give_up_at=end))
    assert 0.3 > asyncio.get_running_loop().time() - end
    assert 1 == len(server.requests)
    await llm.close()


async def test_every_attempt_counts_for_the_rate_limit(server: FakeOpenAI, pauses: Pauses) -> None:
    limiter = RateLimiter(requests_per_minute=2, minute=0.3)
    llm = OpenAILLM("small", base_url=server.base_url, limiter=limiter, sleep=pauses)
    began = asyncio.get_running_loop().time()
    server.then("500", "500")
    await llm.complete(HELLO)

    assert 0.3 <= asyncio.get_running_loop().time() - began
    await llm.close()


@pytest.mark.parametrize(("host", "cost"), [("127.0.0.1", 0.0), ("127.1", 10.0)], ids=["here", "elsewhere"])
async def test_tokens_have_their_price_where_they_are_sold(host: str, cost: float, server: FakeOpenAI) -> None:
    address = server.base_url.replace("127.0.0.1", host)  # the short form leads here too, but does not look like it
    llm = OpenAILLM("small-1", base_url=address, prices={"small": Price(1_000_000, 2_000_000)})

    assert cost == (await llm.complete(HELLO)).usage.cost_usd
    await llm.close()


async def test_a_closed_one_says_so(server: FakeOpenAI, llm: OpenAILLM) -> None:
    await llm.complete(HELLO)
    await llm.close()
    await llm.close()

    assert "was closed" in await failing(llm)
    await until(lambda: server.connections == 0)


def test_a_second_event_loop_gets_connections_of_its_own() -> None:
    async def ask(llm: OpenAILLM) -> str:
        return (await llm.complete(HELLO)).text

    with FakeOpenAI().running() as server:
        llm = OpenAILLM("small", base_url=server.base_url, api_key=KEY)
        assert ["You said: Who wins?"] * 2 == [asyncio.run(ask(llm)), asyncio.run(ask(llm))]
        asyncio.run(llm.close())


async def test_many_calls_through_bad_weather() -> None:
    """10 % rate limits, 5 % errors and 5 % silence: every call is answered, in time, with few requests."""
    loop = asyncio.get_running_loop()
    faults = {"429": 0.1, "500": 0.05, "hung": 0.05}
    late: list[float] = []
    tasks = asyncio.all_tasks()

    async def call(llm: OpenAILLM, number: int) -> str:
        request = LLMRequest((Message("user", f"question {number}"),), "plan", give_up_at=loop.time() + 5)
        async with gate:
            reply = await llm.complete(request, Heard() if number % 2 else None)
        late.append(loop.time() - (request.give_up_at or 0))
        return reply.text

    gate = asyncio.Semaphore(30)
    with FakeOpenAI(faults=faults, seed=7).running() as server:
        llm = OpenAILLM("small", base_url=server.base_url, api_key=KEY, timeout=0.3, attempts=8, sleep=shortened)
        answers = await asyncio.gather(*(call(llm, number) for number in range(300)))
        await llm.close()
        await until(lambda: server.connections == 0)

    assert [f"You said: question {number}" for number in range(300)] == answers
    assert 1.5 >= len(server.requests) / 300
    assert 0.5 > max(late)
    assert ([], tasks) == (server.complaints, asyncio.all_tasks())


async def shortened(seconds: float) -> None:
    await asyncio.sleep(seconds / 100)
