"""Embeddings over real HTTP: what is asked, what is believed, what is tried again, and that no key leaks."""

from __future__ import annotations

import base64
import logging
import traceback
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import numpy as np
import pytest

from retrieval.embedding.models import QuickEmbedder, close_embedder, embedder_for
from retrieval.embedding.protocol import SentenceTransformerEmbedder
from retrieval.embedding.remote import OpenAIEmbedder
from retrieval.embedding.retrying import ATTEMPTS, retry_after
from retrieval.errors import EmbeddingError
from tests.fake_openai import DIMENSION, FakeOpenAI, embedded, failure, vector_of
from tests.loopback import Reply

KEY = "sk-canary-5d1f"


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI().running() as fake:
        yield fake


class Pauses(list[float]):
    """Notes how long it should have slept."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest.fixture
async def embedder(server: FakeOpenAI, pauses: Pauses) -> AsyncIterator[OpenAIEmbedder]:
    embedder = OpenAIEmbedder("small", base_url=server.base_url, api_key=KEY, sleep=pauses, timeout=5)
    yield embedder
    await embedder.close()


def unit(text: str, size: int = DIMENSION) -> Any:
    vector = np.asarray(vector_of(text, size), dtype=np.float32)
    return pytest.approx(vector / np.linalg.norm(vector), abs=1e-6)


async def failing(embedder: OpenAIEmbedder) -> str:
    """What a user gets to read; the log would show no more than the traceback."""
    with pytest.raises(EmbeddingError) as caught:
        await embedder.embed(["a bear"])
    assert KEY not in "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    return str(caught.value)


async def test_vectors_come_in_the_order_of_the_texts_and_have_length_one(
    server: FakeOpenAI, embedder: OpenAIEmbedder
) -> None:
    vectors = await embedder.embed(["a bear", "two bears", "an owl"])

    assert ((3, DIMENSION), np.dtype(np.float32)) == (vectors.shape, vectors.dtype)
    assert [unit("a bear"), unit("two bears"), unit("an owl")] == list(vectors)
    assert (DIMENSION, "openai:small") == (embedder.dimension, embedder.name)
    (request,) = server.requests
    assert ("small", ["a bear", "two bears", "an owl"]) == (request.json()["model"], request.json()["input"])
    assert f"Bearer {KEY}" == request.headers["authorization"]


async def test_no_texts_need_no_request(server: FakeOpenAI, embedder: OpenAIEmbedder) -> None:
    assert (0, 0) == (await embedder.embed([])).shape
    assert ([], None) == (server.requests, embedder.dimension)


async def test_many_texts_go_in_several_requests(server: FakeOpenAI) -> None:
    embedder = OpenAIEmbedder("small", base_url=server.base_url, api_key=KEY, batch_size=2)
    texts = ["one", "two", "three", "four", "five"]
    vectors = await embedder.embed(texts)
    await embedder.close()

    assert [unit(text) for text in texts] == list(vectors)
    assert [["one", "two"], ["three", "four"], ["five"]] == [request.json()["input"] for request in server.requests]


async def test_shorter_vectors_can_be_asked_for(server: FakeOpenAI) -> None:
    embedder = OpenAIEmbedder("small", base_url=server.base_url, api_key=KEY, dimensions=4)
    assert 4 == embedder.dimension
    vectors = await embedder.embed(["a bear"])
    server.then(embedded([[1.0] * 5]))
    with pytest.raises(EmbeddingError, match="vectors of 5 numbers, not of 4"):
        await embedder.embed(["an owl"])
    await embedder.close()

    assert [unit("a bear", 4)] == list(vectors)


@pytest.mark.parametrize("encoding", ["float", "base64"])
async def test_both_encodings_are_understood_whatever_was_asked_for(
    encoding: str, server: FakeOpenAI, embedder: OpenAIEmbedder
) -> None:
    server.then(embedded([[3.0, 4.0]], encoding))

    assert [pytest.approx([0.6, 0.8])] == list(await embedder.embed(["a bear"]))


async def test_a_server_that_leaves_the_index_out_is_taken_at_its_order(
    server: FakeOpenAI, embedder: OpenAIEmbedder
) -> None:
    server.then(Reply({"data": [{"embedding": [1.0, 0.0]}, {"embedding": [0.0, 2.0]}]}))

    assert [[1, 0], [0, 1]] == (await embedder.embed(["a", "b"])).tolist()


def rows(*embeddings: object, **fields: object) -> Reply:
    return Reply({"data": [{"index": n, "embedding": e} | fields for n, e in enumerate(embeddings)]})


NAN = base64.b64encode(np.array([np.nan, 1], dtype="<f4").tobytes()).decode()


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (rows(), "0 vectors for 1 texts"),
        (rows([1.0], [1.0]), "2 vectors for 1 texts"),
        (rows([1.0], index=7), "not one for each"),
        (rows(NAN), "not finite"),
        (rows([0.0, 0.0]), "length 0"),
        (rows([]), "length 0"),
        (rows([1e200, 1e200]), "not finite"),
        (rows("not base 64!"), "can't be used"),
        (rows(base64.b64encode(b"12345").decode()), "can't be used"),
        (rows([None]), "none of an OpenAI-compatible endpoint"),
        (Reply(b'{"data": [{"index": 0, "embedding": [NaN]}]}'), "not finite"),
        (Reply({"data": None}), "none of an OpenAI-compatible endpoint"),
        (Reply("<html>Welcome</html>", kind="text/html"), "none of an OpenAI-compatible endpoint"),
        (Reply(b""), "none of an OpenAI-compatible endpoint"),
    ],
    ids=str,
)
async def test_an_answer_that_makes_no_sense_is_an_error_at_once(
    reply: Reply, said: str, server: FakeOpenAI, embedder: OpenAIEmbedder
) -> None:
    server.then(reply)

    assert said in await failing(embedder)
    assert 1 == len(server.requests)


async def test_vectors_of_different_lengths_are_refused(server: FakeOpenAI, embedder: OpenAIEmbedder) -> None:
    server.then(embedded([[1.0], [1.0, 2.0]]))

    with pytest.raises(EmbeddingError, match="can't be used"):
        await embedder.embed(["a", "b"])


async def test_a_model_that_changes_its_dimension_is_refused(server: FakeOpenAI, embedder: OpenAIEmbedder) -> None:
    await embedder.embed(["a bear"])
    server.then(embedded([[1.0, 2.0]]))

    assert f"vectors of 2 numbers, not of {DIMENSION}" in await failing(embedder)


@pytest.mark.parametrize("passing", [408, 409, 429, 500, 503, 529])
async def test_what_passes_is_tried_again(
    passing: int, server: FakeOpenAI, embedder: OpenAIEmbedder, pauses: Pauses
) -> None:
    server.then(failure(passing, "not now"), failure(passing, "not yet"))

    assert [unit("a bear")] == list(await embedder.embed(["a bear"]))
    assert (3, 2) == (len(server.requests), len(pauses))
    assert all(0 <= pause <= 8 for pause in pauses)


async def test_a_connection_that_is_dropped_is_tried_again(server: FakeOpenAI, embedder: OpenAIEmbedder) -> None:
    server.then(Reply(drop=True))

    assert [unit("a bear")] == list(await embedder.embed(["a bear"]))
    assert 2 == len(server.requests)


async def test_attempts_are_counted_anew_for_each_call(server: FakeOpenAI, embedder: OpenAIEmbedder) -> None:
    for _ in range(3):
        server.then(*[failure(500, "not now")] * (ATTEMPTS - 1))
        assert (1, DIMENSION) == (await embedder.embed(["a bear"])).shape


async def test_after_the_last_attempt_the_user_is_told(server: FakeOpenAI, embedder: OpenAIEmbedder) -> None:
    server.then(*[failure(503, f"overloaded, says {KEY}")] * ATTEMPTS)

    assert "(HTTP 503" in (said := await failing(embedder))
    assert "overloaded, says ***" in said
    assert ATTEMPTS == len(server.requests)


async def test_the_server_says_when_to_come_again(server: FakeOpenAI, embedder: OpenAIEmbedder, pauses: Pauses) -> None:
    server.then(failure(429, "not now", retry_after="7"))
    await embedder.embed(["a bear"])

    assert [pytest.approx(7, abs=0.3)] == list(pauses)


async def test_a_server_that_wants_us_to_wait_for_hours_is_not_waited_for(
    server: FakeOpenAI, embedder: OpenAIEmbedder, pauses: Pauses
) -> None:
    server.then(failure(429, "come back tomorrow", retry_after="86400"))

    assert "come back tomorrow" in await failing(embedder)
    assert (1, []) == (len(server.requests), pauses)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("3", 3.0), ("0.5", 0.5), ("-1", 0.0), ("", None), ("soon", None), ("nan", None), ("inf", None)],
)
def test_the_time_to_wait_is_read_or_left(said: str, seconds: float | None) -> None:
    assert seconds == retry_after({"retry-after": said})


def test_the_time_to_wait_may_be_a_date() -> None:
    in_a_minute = format_datetime(datetime.now(UTC) + timedelta(minutes=1), usegmt=True)

    assert pytest.approx(60, abs=2) == retry_after({"retry-after": in_a_minute})
    assert 0 == retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"})


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (failure(401, f"Incorrect API key provided: {KEY}"), "set OPENAI_API_KEY"),
        (failure(403, "not for you"), "VERSUS_EMBEDDING_API_KEY"),
        (failure(429, "You exceeded your current quota", "insufficient_quota"), "has no quota left"),
        (failure(400, "maximum context length is 8192 tokens"), "maximum context length"),
        (failure(404, "no such model"), "VERSUS_EMBEDDING_MODEL"),
        (failure(422, "what?"), "HTTP 422"),
    ],
    ids=str,
)
async def test_what_does_not_pass_costs_one_request(
    reply: Reply, said: str, server: FakeOpenAI, embedder: OpenAIEmbedder
) -> None:
    server.then(reply)

    assert said in await failing(embedder)
    assert 1 == len(server.requests)


async def test_texts_and_key_do_not_follow_a_redirect(server: FakeOpenAI, embedder: OpenAIEmbedder) -> None:
    with FakeOpenAI().running() as elsewhere:
        server.then(Reply(status=307, headers={"location": f"{elsewhere.base_url}/embeddings"}))

        assert "has moved (HTTP 307" in await failing(embedder)
        assert (1, []) == (len(server.requests), elsewhere.requests)


async def test_a_server_that_says_nothing_is_given_up_on(server: FakeOpenAI, pauses: Pauses) -> None:
    embedder = OpenAIEmbedder("small", base_url=server.base_url, api_key=KEY, sleep=pauses, timeout=0.1)
    server.then(*[Reply(hang=True)] * ATTEMPTS)

    assert "timed out" in await failing(embedder)
    assert ATTEMPTS == len(server.requests)
    await embedder.close()


async def test_a_server_that_is_not_there_is_named(pauses: Pauses) -> None:
    with FakeOpenAI().running() as server:
        address = server.base_url.replace("http://", "http://me:secret@")
    embedder = OpenAIEmbedder("small", base_url=address, api_key=KEY, sleep=pauses)
    said = await failing(embedder)
    await embedder.close()

    assert "can't be reached" in said
    assert "secret" not in said


@pytest.mark.parametrize("key", [f"{KEY}\nx", f"{KEY} x", f"{KEY}ü"])
async def test_a_key_that_no_header_can_carry_is_refused_unsaid(key: str, server: FakeOpenAI) -> None:
    assert "check its key" in await failing(OpenAIEmbedder("small", base_url=server.base_url, api_key=key))
    assert [] == server.requests


async def test_the_line_break_at_the_end_of_a_key_is_not_part_of_it(server: FakeOpenAI) -> None:
    embedder = OpenAIEmbedder("small", base_url=server.base_url, api_key=f"{KEY}\n")
    await embedder.embed(["a bear"])
    await embedder.close()

    assert f"Bearer {KEY}" == server.requests[0].headers["authorization"]


async def test_openai_itself_is_not_asked_without_a_key() -> None:
    assert "set OPENAI_API_KEY" in await failing(OpenAIEmbedder("small"))


async def test_a_key_from_the_environment_goes_nowhere(server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    embedder = OpenAIEmbedder("small", base_url=server.base_url)
    await embedder.embed(["a bear"])
    await embedder.close()

    assert KEY not in server.requests[0].headers["authorization"]


@pytest.mark.parametrize("address", ["http://127.0.0.1:notaport/v1", "http://[::1/v1"])
async def test_an_address_that_is_none_is_an_error(address: str) -> None:
    assert "check its key and its address" in await failing(OpenAIEmbedder("small", base_url=address, api_key=KEY))


async def test_nothing_is_logged_that_holds_the_key(
    server: FakeOpenAI, embedder: OpenAIEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    server.then(failure(401, f"wrong key {KEY}"))
    with caplog.at_level(logging.DEBUG):
        await failing(embedder)

    assert [] == [record for record in caplog.records if KEY in record.getMessage()]


async def test_a_closed_one_says_so(embedder: OpenAIEmbedder) -> None:
    await embedder.embed(["a bear"])
    await close_embedder(embedder)
    await close_embedder(embedder)

    assert "was closed" in await failing(embedder)


async def test_the_name_of_a_model_says_where_it_is(server: FakeOpenAI) -> None:
    embedder = embedder_for("openai:small", base_url=server.base_url, api_key=KEY)

    assert isinstance(embedder, OpenAIEmbedder)
    assert "openai:small" == embedder.name
    assert [unit("a bear")] == list(await embedder.embed(["a bear"]))
    assert "small" == server.requests[0].json()["model"]
    await close_embedder(embedder)
    assert isinstance(embedder_for(), QuickEmbedder)
    assert isinstance(embedder_for("all-mpnet-base-v2"), SentenceTransformerEmbedder)
    await close_embedder(embedder_for())
