"""A client of a Chroma server, over our own HTTP session.

`chromadb.HttpClient` waits forever, takes proxies from the environment, sends the server five requests before its first
use, registers itself, key included, for the whole process, and is never fully released. So only its request layer is
used, and its session is replaced: certificates are checked, every answer has a time limit, no redirect is followed, and
an answer that is not Chroma's is reported by its status before chromadb tries to parse it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx
from chromadb.api.fastapi import FastAPI
from chromadb.api.models.Collection import Collection
from chromadb.config import DEFAULT_DATABASE, DEFAULT_TENANT, Settings, System
from chromadb.errors import NotFoundError
from chromadb.types import Collection as CollectionModel

from retrieval.collections.chroma.location import ChromaServer, place
from retrieval.errors import StoreError
from retrieval.keys import cleaned, sendable

PORTS = {"http": 8000, "https": 443}
CONNECT = 10.0
"""The most seconds to connect; a running server responds quickly."""


class ServerClient:
    """The calls of `chromadb.HttpClient` that are used here, in one tenant and database."""

    def __init__(self, server: ChromaServer) -> None:
        settings = Settings.model_construct(
            chroma_api_impl="chromadb.api.fastapi.FastAPI",
            chroma_server_host=_base(server),
            chroma_server_http_port=0,  # required, and unused: the host is a whole address
            anonymized_telemetry=False,
        )
        self._api = FastAPI(System(settings))
        self._api._session.close()
        self._session = self._api._session = _session(server)
        try:
            self._tenant, self._database = self._database_of(server)
        except BaseException:
            self.close()
            raise

    def list_collections(self, limit: int | None = None, offset: int | None = None) -> Sequence[CollectionModel]:
        """Return the collections of the database."""
        return self._api.list_collections(limit, offset, self._tenant, self._database)

    def get_collection(self, name: str, embedding_function: None = None) -> Collection:
        """Return a collection; chromadb's `NotFoundError` if there is none."""
        return self._collection(self._api.get_collection(name, self._tenant, self._database))

    def create_collection(
        self,
        name: str,
        configuration: Any,
        metadata: Mapping[str, Any] | None,
        embedding_function: None = None,
        get_or_create: bool = True,
    ) -> Collection:
        """Create a collection, or return the existing one of this name."""
        model = self._api.create_collection(
            name=name,
            configuration=configuration,
            metadata=None if metadata is None else dict(metadata),
            get_or_create=get_or_create,
            tenant=self._tenant,
            database=self._database,
        )
        return self._collection(model)

    def delete_collection(self, name: str) -> None:
        """Delete a collection; chromadb's `NotFoundError` if there is none."""
        self._api.delete_collection(name, self._tenant, self._database)

    def get_max_batch_size(self) -> int:
        """Return the most chunks that the server takes in one call."""
        return self._api.get_max_batch_size()

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def _collection(self, model: CollectionModel) -> Collection:
        return Collection(client=self._api, model=model, embedding_function=None)

    def _database_of(self, server: ChromaServer) -> tuple[str, str]:
        """Return the tenant and database; requesting them shows whether the server is a Chroma."""
        try:
            tenant, database = self._tenant_and_database(server)
            self._api.get_database(database, tenant)
        except NotFoundError as error:
            raise StoreError(
                f"the Chroma server at {place(server)} has no database {database!r} of tenant {tenant!r}; "
                "check VERSUS_CHROMA_TENANT and VERSUS_CHROMA_DATABASE"
            ) from error
        except (LookupError, TypeError, ValueError) as error:
            raise StoreError(f"what answers at {place(server)} is not a Chroma server; check the address") from error
        return tenant, database

    def _tenant_and_database(self, server: ChromaServer) -> tuple[str, str]:
        """Return the configured ones, else those of the key, else Chroma's defaults."""
        if (server.tenant and server.database) or not server.api_key:
            return server.tenant or DEFAULT_TENANT, server.database or DEFAULT_DATABASE
        identity = self._api.get_user_identity()
        tenant = server.tenant or identity.tenant
        databases = [server.database] if server.database else [name for name in identity.databases or () if name != "*"]
        if not tenant or tenant == "*":
            raise StoreError(f"the key for {place(server)} belongs to no single tenant; set VERSUS_CHROMA_TENANT")
        if len(databases) != 1:
            named = ", ".join(databases) or "unnamed"
            raise StoreError(
                f"the key for {place(server)} opens several databases ({named}); set VERSUS_CHROMA_DATABASE"
            )
        return tenant, databases[0]


def _base(server: ChromaServer) -> str:
    url = httpx.URL(server.url)
    if url.scheme not in PORTS or not url.host:
        raise StoreError(f"{place(server)!r} is not the address of a server; it begins with http:// or https://")
    port = url.port or PORTS[url.scheme]
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{url.scheme}://{host}:{port}{url.path.rstrip('/')}"


def _session(server: ChromaServer) -> httpx.Client:
    url = httpx.URL(server.url)
    try:
        key = sendable(server.api_key or "")
    except ValueError as error:
        raise StoreError(f"the key for {place(server)} can't be one: {error}; check VERSUS_CHROMA_API_KEY") from None
    headers = {"content-type": "application/json", "user-agent": "versus"} | ({"x-chroma-token": key} if key else {})
    return httpx.Client(
        headers=headers,
        auth=(url.username, url.password) if url.userinfo else None,
        timeout=httpx.Timeout(server.patience, connect=min(server.patience, CONNECT)),
        trust_env=False,
        verify=httpx.create_ssl_context(),
        event_hooks={"response": [_refuse(server)]},
    )


def _refuse(server: ChromaServer) -> Callable[[httpx.Response], None]:
    """Return a hook that raises a `StoreError` for answers that do not come from Chroma's data API."""

    def check(response: httpx.Response) -> None:
        kind = response.headers.get("content-type", "")
        if response.is_success and "json" in kind:
            return
        response.read()
        reason = cleaned(response.text, server.api_key, server.url)[:200]
        complaint = _complaint(server, response.status_code, kind, reason)
        if complaint:
            raise StoreError(complaint)

    return check


def _complaint(server: ChromaServer, status: int, kind: str, reason: str) -> str | None:
    where, code = f"the Chroma server at {place(server)}", f"HTTP {status}" + (f": {reason}" if reason else "")
    if status in (401, 403):
        does = "does not take the key" if server.api_key else "wants a key"
        return f"{where} {does} ({code}); set VERSUS_CHROMA_API_KEY to one that opens this tenant and database"
    if status == 429:
        return f"{where} has too much to do, or a quota is used up ({code}); wait, or lower VERSUS_CONCURRENCY"
    if status >= 500:
        return f"{where} failed ({code}); try again later, and look into its log"
    if "json" not in kind:
        what = f"HTTP {status}, {kind or 'no content'}"
        return f"what answers at {place(server)} is not a Chroma server ({what}); check the address"
    return None
