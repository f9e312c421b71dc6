"""What fails over real HTTP: what is tried again and what is not, when it ends, and that no key leaks."""

from __future__ import annotations

import asyncio
import logging

import pytest

from agent.errors import LLMError, LLMRefused
from agent.llm.client import OpenAILLM
from agent.llm.limits import RateLimiter
from agent.llm.protocol import LLMRequest, Message
from agent.settings.prices import Price
from tests.agent.asking import ATTEMPTS, HELLO, KEY, Heard, Pauses, failing, impatient, until
from tests.fake_openai import FakeOpenAI, failure
from tests.loopback import Reply
from tests.stalls import stalls


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
    await llm.complete(HELLO)  # the first call loads the client, which may take as long as an attempt
    server.then(*[fault] * ATTEMPTS)
    heard, before = Heard(), len(server.requests)
    with stalls() as stalled:
        began = asyncio.get_running_loop().time()
        said = await failing(llm, HELLO, heard if streaming else None)
        seconds = asyncio.get_running_loop().time() - began

    assert "did not answer within 0.2 s (asked 2 times); raise VERSUS_LLM_TIMEOUT, and VERSUS_DEADLINE" in said
    assert 0.2 * 2 + 0.5 + stalled() > seconds
    assert "" == heard.text
    # An attempt that fell into a stall may have ended before the server read of it.
    assert 2 - len(stalled) <= len(server.requests) - before <= 2
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
    assert [(1, "failed (HTTP 502: overloaded, ***)")] == retried


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


async def test_a_server_that_wants_no_requests_for_long_is_sent_none(
    server: FakeOpenAI, llm: OpenAILLM, pauses: Pauses
) -> None:
    server.then(failure(429, "slow down", retry_after="3600"))
    first, second = await failing(llm), await failing(llm, HELLO, Heard())

    assert "(HTTP 429: slow down; it wants no request for 3600 s); try again later" in first
    assert "wants no request for 3600 s; it is turned off and is tried again in 60 s; try again later" in second
    assert (1, []) == (len(server.requests), pauses)


async def test_a_server_that_was_turned_off_is_tried_again_after_a_minute(server: FakeOpenAI) -> None:
    times = iter([*[1000.0] * 3, 1059.0, 1061.0])
    llm = OpenAILLM("small", base_url=server.base_url, clock=lambda: next(times))
    server.then(failure(429, "slow down", retry_after="3600"))
    await failing(llm)

    assert "tried again in 60 s" in await failing(llm)
    assert "tried again in 1 s" in await failing(llm)
    assert "You said: Who wins?" == (await llm.complete(HELLO)).text
    assert 2 == len(server.requests)
    await llm.close()


async def test_a_server_is_asked_again_by_who_has_the_time_to_wait(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then(failure(429, "not now", retry_after="7"))
    hurried = LLMRequest(HELLO.messages, "plan", give_up_at=asyncio.get_running_loop().time() + 5)

    assert "wants no request for 7 s" in await failing(llm, hurried)
    assert "wants no request for 7 s" in await failing(llm, hurried)
    await llm.complete(HELLO)
    assert 2 == len(server.requests)


async def test_an_error_in_place_of_an_answer_may_pass_as_any_other(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then(Reply({"error": {"message": "upstream", "code": 503}}), Reply({"error": "overloaded"}))

    assert "You said: Who wins?" == (await llm.complete(HELLO)).text
    assert 3 == len(server.requests)


async def test_an_attempt_ends_when_the_question_is_given_up_on(server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then("hung")
    loop = asyncio.get_running_loop()
    with stalls() as stalled:
        end = loop.time() + 0.5
        said = await failing(llm, LLMRequest(HELLO.messages, "plan", give_up_at=end))
        late = loop.time() - end

    assert "in the time that the question has (asked once)" in said
    assert 0.3 + stalled() > late
    await until(lambda: len(server.requests) == 1)


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
        (failure(400, "too much", "context_length_exceeded"), "lower VERSUS_MAX_CHUNKS"),
        (failure(413, "Payload too large"), "lower VERSUS_MAX_CHUNKS"),
        (failure(422, "what?"), "HTTP 422"),
        (Reply({"error": "model 'x' not found"}, 404), "(HTTP 404: model 'x' not found); check the model"),
        (Reply({"detail": "Not Found"}, 404), "(HTTP 404: Not Found)"),
        (Reply("<html>403</html>", 403, kind="text/html"), "does not take the key (HTTP 403); set"),
        (Reply({"error": "Insufficient credits"}), "has no quota left (HTTP 402: Insufficient credits)"),
        (Reply({"error": {"message": "no money", "code": 402}}), "has no quota left (HTTP 402: no money)"),
        (Reply({"error": {"message": "no such key", "code": "401"}}), "set OPENAI_API_KEY"),
    ],
    ids=str,
)
@pytest.mark.parametrize("streaming", [False, True])
async def test_what_does_not_pass_costs_one_request(
    reply: Reply, said: str, streaming: bool, server: FakeOpenAI, llm: OpenAILLM
) -> None:
    server.then(reply)

    complaint = await failing(llm, HELLO, Heard() if streaming else None)
    kind = "RequestRefused" if reply.status in (400, 413, 422) else "LLMRefused"
    assert complaint.startswith(f"{kind}: the language model 'small' at http://127.0.0.1")
    assert said in complaint
    assert 1 == len(server.requests)


async def test_question_and_key_do_not_follow_a_redirect(server: FakeOpenAI, llm: OpenAILLM) -> None:
    with FakeOpenAI().running() as elsewhere:
        server.then(Reply(status=307, headers={"location": f"{elsewhere.base_url}/chat/completions"}))

        assert "has moved (HTTP 307" in await failing(llm)
        assert (1, []) == (len(server.requests), elsewhere.requests)


@pytest.mark.parametrize("password", ["secret", "p@secret", "p@se@cret"])
async def test_a_server_that_is_not_there_is_named_without_its_password(password: str, pauses: Pauses) -> None:
    with FakeOpenAI().running() as server:
        address = server.base_url.replace("http://", f"http://me:{password}@") + "?api-key=s3cret"
    llm = OpenAILLM("small", base_url=address, api_key=KEY, attempts=2, sleep=pauses)
    said = await failing(llm)
    await llm.close()

    assert "can't be reached" in said
    assert "***@127.0.0.1" in said
    assert not [each for each in ("secret", "cret@", "p@", "s3cret") if each in said + repr(llm)]


async def test_a_key_of_one_letter_leaves_words_as_they_are(server: FakeOpenAI) -> None:
    server.then(failure(400, "the next context exceeds x"))
    llm = OpenAILLM("small", base_url=server.base_url, api_key="x")
    with pytest.raises(LLMRefused, match=r"the next context exceeds \*\*\*"):
        await llm.complete(HELLO)
    await llm.close()


@pytest.mark.parametrize(
    "said",
    ["1 Jan 99999999999999999999 00:00:00 GMT", "1 Jan 2026 00:00:00 -9999999999999999999", "nan", "-5", "1e999", ","],
)
async def test_a_pause_that_makes_no_sense_is_not_taken(said: str, server: FakeOpenAI, llm: OpenAILLM) -> None:
    server.then(failure(429, "not now", retry_after=said))

    assert "You said: Who wins?" == (await llm.complete(HELLO)).text


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
    with stalls() as stalled:
        end = asyncio.get_running_loop().time() + 0.2
        said = await failing(llm, LLMRequest(HELLO.messages, "plan", give_up_at=end))
        late = asyncio.get_running_loop().time() - end

    assert "(asked 0 times)" in said
    assert 0.3 + stalled() > late
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


async def test_a_server_on_this_machine_has_no_price(server: FakeOpenAI) -> None:
    llm = OpenAILLM("gpt-4o-latest", base_url=server.base_url)

    assert 0.0 == (await llm.complete(HELLO)).usage.cost_usd
    await llm.close()


async def test_a_server_elsewhere_has_a_price_also_through_a_proxy(
    server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", server.base_url.removesuffix("/v1"))
    llm = OpenAILLM("gpt-4o-latest", base_url="http://models.example/v1")

    assert 45e-6 == pytest.approx((await llm.complete(HELLO)).usage.cost_usd)
    await llm.close()


async def test_prices_that_are_given_count_wherever_the_server_is(server: FakeOpenAI) -> None:
    llm = OpenAILLM("small", base_url=server.base_url, prices={"small": Price(1_000_000, 2_000_000)})

    assert 10.0 == (await llm.complete(HELLO)).usage.cost_usd
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
    """10 % rate limits, 5 % errors and 5 % silence: who does not meet silence twice is answered, in time."""
    loop = asyncio.get_running_loop()
    faults = {"429": 0.1, "500": 0.05, "hung": 0.05}
    late: list[float] = []
    tasks = asyncio.all_tasks()

    async def call(llm: OpenAILLM, number: int) -> str:
        request = LLMRequest((Message("user", f"question {number}"),), "plan", give_up_at=loop.time() + 5)
        async with gate:
            try:
                text = (await llm.complete(request, Heard() if number % 2 else None)).text
            except LLMError as error:
                assert "did not answer within 0.3 s" in str(error)
                text = ""
        late.append(loop.time() - (request.give_up_at or 0))
        return text

    gate = asyncio.Semaphore(30)
    with stalls() as stalled, FakeOpenAI(faults=faults, seed=7).running() as server:
        llm = OpenAILLM("small", base_url=server.base_url, api_key=KEY, timeout=0.3, attempts=8, sleep=shortened)
        answers = await asyncio.gather(*(call(llm, number) for number in range(300)))
        await llm.close()
        await until(lambda: server.connections == 0)

    wrong = [text for number, text in enumerate(answers) if text != f"You said: question {number}"]
    assert set() == set(wrong) - {""}
    assert 6 > len(wrong)
    assert 1.5 >= len(server.requests) / 300
    assert 0.5 + stalled() > max(late)
    assert ([], tasks) == (server.complaints, asyncio.all_tasks())


async def shortened(seconds: float) -> None:
    await asyncio.sleep(seconds / 100)
