"""Chroma over HTTP: keys, tenants and databases, certificates, patience, and servers that are none.

Most tests put a recording server between us and a real Chroma, so that both sides of each request are seen.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import httpx
import pytest

from retrieval.collections.chroma import ChromaServer, Location, delete_collection, list_collections, open_collection
from retrieval.collections.chroma.server import _base
from retrieval.errors import CollectionNotFound, StoreError
from tests.loopback import SELF_SIGNED, Answer, Loopback, Reply, Request, loopback
from tests.retrieval.doubles import BagOfWords
from tests.retrieval.store_contract import DIMENSION, corpus, fill, vectors

KEY = "ck-canary-77aa"
EMBEDDER = BagOfWords(dimension=DIMENSION)
NAMES = (f"wire-{number}" for number in count())
DATABASE = "/api/v2/tenants/default_tenant/databases/default_database"


def forward(target: str) -> Answer:
    """Hand a request on to a real server, under the path behind the first `/api/`."""
    client = httpx.Client(base_url=target, trust_env=False)

    def answer(request: Request) -> Reply:
        path = request.path[request.path.index("/api/") :]
        got = client.request(request.method, path, content=request.body, headers={"content-type": "application/json"})
        return Reply(got.content, got.status_code, kind=got.headers.get("content-type", "application/json"))

    return answer


@contextmanager
def before(chroma_server: str, *, tls: bool = False, **special: Reply) -> Iterator[Loopback]:
    """A recording server before Chroma; requests whose path ends with a `special` name are answered with its reply."""
    real = forward(chroma_server)
    with loopback(lambda request: special.get(request.path.rpartition("/")[2]) or real(request), tls=tls) as server:
        yield server


async def complaint(location: Location) -> str:
    """What a user reads when a collection can't be opened; neither it nor the log's traceback holds the key."""
    with pytest.raises(StoreError) as caught:
        await open_collection(location, "rules")
    assert KEY not in "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    return str(caught.value)


def asked(server: Loopback, end: str) -> list[Request]:
    return [request for request in server.requests if request.path.endswith(end)]


async def test_two_clients_at_once_never_mix_their_keys(chroma_server: str) -> None:
    async def use(location: ChromaServer) -> None:
        async with await open_collection(location, next(NAMES), create=True, embedder=EMBEDDER) as store:
            await fill(store, 10)
            await asyncio.gather(*(store.query(vector, n) for n, vector in enumerate(vectors(20), 1)))

    with before(chroma_server) as server:
        keys = {name: f"ck-{name}" for name in ("one", "two", "three")}
        settings = [ChromaServer(f"{server.url}/{name}", key) for name, key in keys.items()]
        await asyncio.gather(*map(use, settings))

    sent = {(request.path.split("/")[1], request.headers["x-chroma-token"]) for request in server.requests}
    assert set(keys.items()) == sent
    assert 3 * 20 == len(asked(server, "/query"))


async def test_a_server_without_a_key_is_sent_none(chroma_server: str) -> None:
    with before(chroma_server) as server:
        await list_collections(server.url)

    assert [f"{DATABASE}", f"{DATABASE}/collections?limit=100&offset=0"] == [r.path for r in server.requests]
    assert not any("x-chroma-token" in request.headers for request in server.requests)


async def test_tenant_and_database_are_separate_from_all_others(chroma_server: str) -> None:
    async with httpx.AsyncClient(base_url=f"{chroma_server}/api/v2", trust_env=False) as admin:
        (await admin.post("/tenants", json={"name": "acme"})).raise_for_status()
        (await admin.post("/tenants/acme/databases", json={"name": "books"})).raise_for_status()
    place, name = ChromaServer(chroma_server, tenant="acme", database="books"), next(NAMES)
    async with await open_collection(place, name, create=True, embedder=EMBEDDER) as store:
        await fill(store, 3)

        assert 3 == len(await store.query(vectors(1)[0], 5))
    assert (name,) == await list_collections(place)
    assert name not in await list_collections(chroma_server)
    await delete_collection(place, name)
    with pytest.raises(CollectionNotFound):
        await delete_collection(place, name)


@pytest.mark.parametrize(("tenant", "database"), [("nobody", None), (None, "nothing")])
async def test_a_tenant_or_database_that_is_not_there_names_the_settings(
    chroma_server: str, tenant: str | None, database: str | None
) -> None:
    said = await complaint(ChromaServer(chroma_server, tenant=tenant, database=database))

    assert "VERSUS_CHROMA_TENANT and VERSUS_CHROMA_DATABASE" in said
    assert (tenant or database or "") in said


async def test_what_a_key_opens_is_taken_where_nothing_was_set(chroma_server: str) -> None:
    mine = Reply({"user_id": "me", "tenant": "default_tenant", "databases": ["default_database"]})
    with before(chroma_server, identity=mine) as server:
        await list_collections(ChromaServer(server.url, KEY))

    assert ["/api/v2/auth/identity", DATABASE] == [request.path for request in server.requests][:2]


@pytest.mark.parametrize(
    ("tenant", "databases", "setting"),
    [
        ("acme", ["books", "maps"], "(books, maps); set VERSUS_CHROMA_DATABASE"),
        ("acme", ["*"], "VERSUS_CHROMA_DATABASE"),
        ("*", ["books"], "VERSUS_CHROMA_TENANT"),
        (None, None, "VERSUS_CHROMA_TENANT"),
    ],
)
async def test_a_key_that_opens_several_needs_a_choice(
    chroma_server: str, tenant: str | None, databases: list[str] | None, setting: str
) -> None:
    identity = Reply({"user_id": "me", "tenant": tenant, "databases": databases})
    with before(chroma_server, identity=identity) as server:
        assert setting in await complaint(ChromaServer(server.url, KEY))


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply({"error": "AuthError", "message": f"no {KEY}"}, 401), "does not take the key (HTTP 401"),
        (Reply("<h1>Forbidden</h1>", 403, kind="text/html"), "set VERSUS_CHROMA_API_KEY"),
        (Reply({"error": "RateLimitError", "message": "slow down"}, 429), "wait, or lower VERSUS_CONCURRENCY"),
        (Reply({"error": "InternalError", "message": "sqlite is gone"}, 500), "sqlite is gone"),
        (Reply("<h1>Bad gateway</h1>", 502, kind="text/html"), "failed (HTTP 502"),
        (Reply(status=301, headers={"location": "https://elsewhere"}, kind="text/html"), "not a Chroma server"),
        (Reply("<html>Welcome</html>", kind="text/html"), "not a Chroma server (HTTP 200, text/html)"),
        (Reply("<html>Not found</html>", 404, kind="text/html"), "not a Chroma server (HTTP 404"),
        (Reply({"hello": "world"}), "not a Chroma server"),
        (Reply(b"{"), "not a Chroma server"),
        (Reply([]), "not a Chroma server"),
        (Reply({"error": "InvalidArgumentError", "message": f"odd key {KEY}"}, 400), "odd key ***"),
        (Reply(drop=True), "no Chroma server answers"),
        (Reply(hang=True), "timed out"),
    ],
    ids=str,
)
async def test_what_is_wrong_is_said_with_what_to_do(chroma_server: str, reply: Reply, said: str) -> None:
    with before(chroma_server, default_database=reply) as server:
        place = ChromaServer(server.url, KEY, "default_tenant", "default_database", patience=0.3)

        assert said in await complaint(place)


async def test_without_a_key_a_closed_door_says_that_one_is_wanted(chroma_server: str) -> None:
    with before(chroma_server, default_database=Reply(status=401)) as server:
        assert "wants a key (HTTP 401" in await complaint(server.url)


async def test_every_call_has_its_patience_and_its_words(chroma_server: str) -> None:
    name = next(NAMES)
    async with await open_collection(chroma_server, name, create=True, embedder=EMBEDDER) as store:
        await fill(store, 3)
    with before(chroma_server, query=Reply(hang=True), get=Reply(status=503)) as server:
        place = ChromaServer(server.url, patience=0.3)
        async with await open_collection(place, name) as store:
            with pytest.raises(StoreError, match=r"nothing for 0\.3 s"):
                await store.query(vectors(1)[0], 3)
            with pytest.raises(StoreError, match="HTTP 503"):
                await store.get(["c000"])


async def test_an_error_in_a_shared_call_reaches_each_as_its_own(chroma_server: str) -> None:
    name = next(NAMES)
    async with await open_collection(chroma_server, name, create=True, embedder=EMBEDDER) as store:
        await fill(store, 3)
    with before(chroma_server, query=Reply(status=503)) as server:
        async with await open_collection(server.url, name) as store:
            errors = await asyncio.gather(*(store.query(v, 3) for v in vectors(5)), return_exceptions=True)

    assert [StoreError] * 5 == [type(error) for error in errors]
    assert 5 == len(set(map(id, errors)))


async def test_queries_that_wait_together_share_calls_and_get_their_own_results(chroma_server: str) -> None:
    with before(chroma_server) as server:
        async with await open_collection(server.url, next(NAMES), create=True, embedder=EMBEDDER) as store:
            await fill(store, 40)
            expected = [await store.query(vector, 5) for vector in vectors(12, seed=3)]
            server.requests.clear()
            actual = await asyncio.gather(*(store.query(vector, 5) for vector in vectors(12, seed=3)))

    assert expected == actual
    assert [3, 3, 3, 3] == [len(request.json()["query_embeddings"]) for request in asked(server, "/query")]


async def test_queries_that_differ_are_not_joined(chroma_server: str) -> None:
    vector = vectors(1)[0]
    with before(chroma_server) as server:
        async with await open_collection(server.url, next(NAMES), create=True, embedder=EMBEDDER) as store:
            await fill(store, 40)
            wheres = [None, {"chunk_type": "row"}, {"chunk_type": "table"}]
            expected = [await store.query(vector, n, where) for n in (3, 4) for where in wheres]
            server.requests.clear()
            actual = await asyncio.gather(*(store.query(vector, n, where) for n in (3, 4) for where in wheres))

    assert expected == actual
    assert 6 == len(asked(server, "/query"))


async def test_no_answer_is_asked_to_hold_more_than_the_server_allows(chroma_server: str) -> None:
    name, vector = next(NAMES), vectors(1, seed=2)[0]
    async with await open_collection(chroma_server, name, create=True, embedder=EMBEDDER) as store:
        await fill(store, 60)
        expected = await store.query(vector, 45, {"chunk_type": ["row", "section"]}, ["c000", "c001"])
    with before(chroma_server) as server:
        async with await open_collection(ChromaServer(server.url, page=10), name) as store:
            actual = await store.query(vector, 45, {"chunk_type": ["row", "section"]}, ["c000", "c001"])
            everything = [chunk async for chunk in store.scan()]

    assert expected == actual
    assert corpus(60) == sorted(everything, key=lambda chunk: chunk.id)
    assert 10 == max(request.json()["n_results"] for request in asked(server, "/query"))
    assert {10} == {request.json()["limit"] for request in asked(server, "/get")}


async def test_an_immutable_collection_sends_each_chunk_once(chroma_server: str) -> None:
    name = next(NAMES)
    async with await open_collection(chroma_server, name, create=True, embedder=EMBEDDER) as store:
        await fill(store, 5)
    with before(chroma_server) as server:
        async with await open_collection(server.url, name, immutable=True) as store:
            first = await store.query(vectors(1)[0], 4)
            again = await store.query(vectors(1)[0], 4)
            await store.query(vectors(1)[0], 5)

    assert first == again
    assert [["distances"]] * 3 == [request.json()["include"] for request in asked(server, "/query")]
    assert [4, 1] == [len(request.json()["ids"]) for request in asked(server, "/get")]


async def test_a_chunk_that_left_an_immutable_collection_is_missed(chroma_server: str) -> None:
    name, nothing = next(NAMES), Reply({name: [] for name in ("ids", "documents", "metadatas", "include")})
    async with await open_collection(chroma_server, name, create=True, embedder=EMBEDDER) as store:
        await fill(store, 5)
    with before(chroma_server, get=nothing) as server:
        async with await open_collection(server.url, name, immutable=True) as store:
            with pytest.raises(StoreError, match="is gone, though nobody should change it"):
                await store.query(vectors(1)[0], 4)


async def test_a_certificate_that_nobody_vouches_for_is_refused(chroma_server: str) -> None:
    with before(chroma_server, tls=True) as server:
        said = await complaint(ChromaServer(server.url, KEY))

    assert "no safe connection" in said
    assert "CERTIFICATE_VERIFY_FAILED" in said
    assert "SSL_CERT_FILE" in said
    assert [] == server.requests


async def test_an_authority_of_ones_own_can_be_named(chroma_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(SELF_SIGNED))
    name = next(NAMES)
    with before(chroma_server, tls=True) as server:
        async with await open_collection(server.url, name, create=True, embedder=EMBEDDER) as store:
            await fill(store, 3)

            assert 3 == await store.count()


async def test_https_to_a_server_that_speaks_http_is_told(chroma_server: str) -> None:
    said = await complaint(chroma_server.replace("http://", "https://"))

    assert "check that the address is right and speaks https" in said


async def test_the_environment_sends_nobody_elsewhere(
    chroma_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy, and settings of chromadb's own, in variables and in a `.env` of the current folder."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CHROMA_SERVER_HOST", "elsewhere")
    monkeypatch.setenv("CHROMA_CLIENT_AUTH_PROVIDER", "nonsense")
    (tmp_path / ".env").write_text("CHROMA_API_IMPL=nonsense\nCHROMA_SERVER_HTTP_PORT=9\n")
    monkeypatch.chdir(tmp_path)
    name = next(NAMES)
    async with await open_collection(chroma_server, name, create=True, embedder=EMBEDDER) as store:
        assert 0 == await store.count()
    async with await open_collection(str(tmp_path / "folder"), name, create=True, embedder=EMBEDDER) as store:
        assert 0 == await store.count()


async def test_name_and_password_in_the_address_are_used_and_not_shown(chroma_server: str) -> None:
    with before(chroma_server, default_database=Reply(status=503)) as server:
        said = await complaint(server.url.replace("http://", "http://me:secret@"))

    assert "secret" not in said
    assert "Basic bWU6c2VjcmV0" == server.requests[0].headers["authorization"]


@pytest.mark.parametrize("key", [f"{KEY}\nx", f"{KEY} x", f"{KEY}ü"])
async def test_a_key_that_no_header_can_carry_is_refused_unsaid(chroma_server: str, key: str) -> None:
    with before(chroma_server) as server:
        assert "check VERSUS_CHROMA_API_KEY" in await complaint(ChromaServer(server.url, key))
    assert [] == server.requests


async def test_the_line_break_at_the_end_of_a_key_is_not_part_of_it(chroma_server: str) -> None:
    with before(chroma_server) as server:
        await list_collections(ChromaServer(server.url, f"{KEY}\n"))

    assert {KEY} == {request.headers["x-chroma-token"] for request in server.requests}


async def test_the_key_is_in_no_log_and_no_repr(chroma_server: str, caplog: pytest.LogCaptureFixture) -> None:
    place = ChromaServer(chroma_server, KEY)
    with caplog.at_level(logging.DEBUG):
        await list_collections(place)

    assert [] == [record for record in caplog.records if KEY in record.getMessage()]
    assert KEY not in repr(place) + str(place)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://localhost", "http://localhost:8000"),
        ("https://api.trychroma.com", "https://api.trychroma.com:443"),
        ("https://chroma.example:8443/", "https://chroma.example:8443"),
        ("https://example.com/behind/this/", "https://example.com:443/behind/this"),
        ("http://[::1]:9000", "http://[::1]:9000"),
        ("http://me:secret@host", "http://host:8000"),
    ],
)
def test_the_port_is_that_of_the_scheme_unless_one_is_given(url: str, expected: str) -> None:
    assert expected == _base(ChromaServer(url))


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host", "http://", ""])
async def test_an_address_without_a_scheme_or_host_is_an_error(url: str) -> None:
    assert "begins with http:// or https://" in await complaint(ChromaServer(url))
