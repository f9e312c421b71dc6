"""Checks before every request: its host name, its key, its rate, and the size of its body."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
from collections.abc import Callable, Collection, Mapping

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.doors.errors import TooLarge, TooSlow
from agent.doors.http.errors import HeadTooLarge, Refused, TooFast, UnknownHost
from agent.doors.http.limits import Limits
from agent.doors.prefix import path_of
from agent.errors import AgentError

OPEN_PATHS = ("/health/live", "/health/ready")
OPEN_FILES = "/static/"
"""Paths that need no key: a page has to load before it can ask for one."""
COOKIE = "versus_page"
"""The cookie with the ticket of a browser whose user has sent a key: pages work without scripts too."""
RefusalResponse = Callable[[Scope, Exception], Response]
"""Returns the response to a refused request."""
_MOST_CALLERS = 4096


class Keys:
    """The known API keys by the names of their holders; only digests are kept.

    >>> keys = Keys({"ci": "correct-horse-battery"})
    >>> keys.holder("correct-horse-battery"), keys.holder("wrong")
    ('ci', None)
    """

    def __init__(self, keys: Mapping[str, str]) -> None:
        self._digests = {name: _digest(key) for name, key in keys.items()}

    def __bool__(self) -> bool:
        return bool(self._digests)

    def holder(self, key: str) -> str | None:
        """Return the holder of a key, or None. Every key is compared in full, so that the duration reveals nothing."""
        given = _digest(key)
        found = [name for name, digest in self._digests.items() if hmac.compare_digest(digest, given)]
        return found[0] if found else None

    def ticket(self, holder: str) -> str:
        """Return what a browser stores instead of the key; the key can't be derived from it."""
        return hmac.digest(self._digests[holder], COOKIE.encode(), "sha256").hex()

    def holder_of_ticket(self, ticket: str) -> str | None:
        """Return the holder of a ticket, or None."""
        given = ticket.encode("utf-8", "surrogateescape")
        found = [name for name in self._digests if hmac.compare_digest(self.ticket(name).encode(), given)]
        return found[0] if found else None


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()


class TokenBuckets:
    """A token bucket for each caller: one token per request, refilled at the allowed rate per minute.

    >>> now = [0.0]
    >>> pace = TokenBuckets(60, lambda: now[0])
    >>> [pace.take_token("ci") for _ in range(61)].count(True)
    60
    >>> now[0] = 1.0
    >>> pace.take_token("ci"), pace.take_token("ci")
    (True, False)
    """

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute, self._clock = per_minute, clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def take_token(self, caller: str) -> bool:
        """Take a token and return True if the caller may ask now; the caller idle for longest is forgotten."""
        now = self._clock()
        left, since = self._buckets.pop(caller, (self._per_minute, now))
        left = min(self._per_minute, left + (now - since) * self._per_minute / 60)
        self._buckets[caller] = (max(0.0, left - 1) if left >= 1 else left, now)
        if len(self._buckets) > _MOST_CALLERS:
            del self._buckets[next(iter(self._buckets))]
        return left >= 1


class Guard:
    """Passes a request on to the application, or refuses it. `hosts` None allows any name."""

    def __init__(
        self, app: ASGIApp, keys: Keys, hosts: Collection[str] | None, limits: Limits, tell: RefusalResponse
    ) -> None:
        self._app, self._keys, self._hosts, self._limits, self._tell = app, keys, hosts, limits, tell
        self._pace = TokenBuckets(limits.per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it with a problem."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            self._require(scope)
        except AgentError as error:
            await self._tell(scope, error)(scope, receive, send)
            return
        await self._app(scope, _Bounded(receive, self._limits, most_bytes(scope, self._limits)), send)

    def _require(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = _without_port(headers.get("host", ""))
        if self._hosts is not None and host not in self._hosts:
            raise UnknownHost("the Host header names another server; `--allow-host NAME` adds a name")
        if _head_bytes(scope) > self._limits.head_bytes:
            raise HeadTooLarge(f"an address and its headers may have {self._limits.head_bytes:,} bytes")
        path = path_of(scope)
        if path in OPEN_PATHS or path.startswith(OPEN_FILES):
            return
        caller = self._caller(headers, scope)
        if not self._pace.take_token(caller):
            raise TooFast(f"more than {self._limits.per_minute:g} requests a minute; wait a moment")
        length = headers.get("content-length", "0")
        most = most_bytes(scope, self._limits)
        if length.isdecimal() and int(length) > most:
            raise _too_large(most)

    def _caller(self, headers: Headers, scope: Scope) -> str:
        """Return the holder of the request's key, or its address if no key is needed; `Refused` without a known key."""
        if not self._keys or (scope["method"] == "POST" and is_page(path_of(scope))):
            client = scope.get("client")
            return f"from {client[0]}" if client else "from nowhere"
        scheme, _, token = headers.get("authorization", "").partition(" ")
        key = token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        holder = self._keys.holder(key) if key else self._keys.holder_of_ticket(_ticket(headers, scope))
        if holder is None:
            raise Refused("send a key of this server as `Authorization: Bearer KEY` or `X-API-Key: KEY`")
        return f"key {holder}"


def is_page(path: str) -> bool:
    """Return True for the address of a page, which shows a form for the key and receives it.

    >>> is_page("/"), is_page("/r/4f2a"), is_page("/docs"), is_page("/v1/ask")
    (True, True, True, False)
    """
    return path in ("/", "/docs") or path.startswith("/r/")


def _ticket(headers: Headers, scope: Scope) -> str:
    """Return the ticket of a browser, except for requests that a page of another server makes."""
    from_elsewhere = headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
    if from_elsewhere and scope["method"] not in ("GET", "HEAD"):
        return ""
    return cookie_parser(headers.get("cookie", "")).get(COOKIE, "")


class _Bounded:
    """The body of a request, limited in bytes and in the time for each piece; `TooLarge` or `TooSlow` beyond, whatever
    its head has promised.
    """

    def __init__(self, receive: Receive, limits: Limits, most: int) -> None:
        self._receive, self._limits, self._most = receive, limits, most
        self._read, self._is_whole = 0, False

    async def __call__(self) -> Message:
        message = await self._next()
        self._is_whole = not message.get("more_body", False)
        self._read += len(message.get("body", b""))
        if self._read > self._most:
            raise _too_large(self._most)
        return message

    async def _next(self) -> Message:
        """Return the next piece; after the last one only the client's leaving follows, which has no time limit."""
        if self._is_whole:
            return await self._receive()
        try:
            async with asyncio.timeout(self._limits.body_s):
                return await self._receive()
        except TimeoutError:
            raise TooSlow(f"the next piece of a body may take {self._limits.body_s:g} seconds") from None


def _head_bytes(scope: Scope) -> int:
    """Return the approximate size of a request's head: its address, and its headers with separators."""
    headers = sum(len(name) + len(value) + 4 for name, value in scope["headers"])
    return len(scope["raw_path"]) + len(scope["query_string"]) + headers


def most_bytes(scope: Scope, limits: Limits) -> int:
    """Return the largest size of a request's body: `PUT` sends a file, all others an object."""
    return limits.file_bytes if scope["method"] == "PUT" else limits.body_bytes


def _too_large(most: int) -> TooLarge:
    return TooLarge(f"a body may have {most:,} bytes")


def _without_port(host: str) -> str:
    """Return the name in a Host header, in lower case.

    >>> _without_port("LocalHost:8000"), _without_port("[::1]:8000")
    ('localhost', '[::1]')
    """
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()
