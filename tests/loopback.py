"""A real HTTP or HTTPS server on a loopback port, whose answers a test writes, and that remembers what it was asked."""

from __future__ import annotations

import json
import math
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

SELF_SIGNED = Path(__file__).with_name("self_signed.pem")
"""A certificate for 127.0.0.1 with its key, made for these tests, that no authority vouches for."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a client asked; the names of headers are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Reply:
    """What to answer: a body, or anything JSON can say. `hang` never answers, `drop` closes the connection instead.

    With `pieces` the body comes in pieces, `pause` seconds before each, and `drop` then breaks it off after the last.
    `delay` is how many seconds the answer takes to begin.
    """

    content: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    hang: bool = False
    drop: bool = False
    pieces: Sequence[bytes] | None = None
    pause: float = 0.0
    delay: float = 0.0

    def body(self) -> bytes:
        if isinstance(self.content, bytes):
            return self.content
        return self.content.encode() if isinstance(self.content, str) else json.dumps(self.content).encode()


Answer = Callable[[Request], Reply]


class Loopback:
    """A running server; `requests` are in the order in which they came."""

    def __init__(self, answer: Answer, tls: bool) -> None:
        self.requests: list[Request] = []
        self.ending = threading.Event()
        self.answer = answer
        self.accepted = 0
        """How many connections there have been."""
        self._open: set[socket.socket] = set()
        self._opening = threading.Lock()
        self._http = _Server(self)
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(SELF_SIGNED)
            # The handshake belongs into the thread of the request, or a client that refuses it would stop the server.
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True, do_handshake_on_connect=False)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self._http.server_address[1]}"

    def serve(self) -> None:
        self._http.serve_forever(poll_interval=0.01)

    def close(self) -> None:
        self._http.shutdown()
        with self._opening:
            self.ending.set()
            for connection in self._open:
                _hang_up(connection)
        self._http.server_close()  # waits for the handlers, none of which waits for anything now

    @property
    def connections(self) -> int:
        """How many connections are open now."""
        with self._opening:
            return len(self._open)

    @contextmanager
    def holding(self, connection: socket.socket) -> Iterator[None]:
        with self._opening:
            self._open.add(connection)
            self.accepted += 1
            if self.ending.is_set():
                _hang_up(connection)
        try:
            yield
        finally:
            with self._opening:
                self._open.discard(connection)

    def wait(self, seconds: float, connection: socket.socket) -> bool:
        """Let so many seconds pass; say whether the client is still there and the server is not to end."""
        end = time.monotonic() + seconds
        poll = select.poll()
        poll.register(connection, select.POLLIN)
        while not self.ending.is_set():
            left = end - time.monotonic()
            if left <= 0:
                return True
            if poll.poll(min(left, 0.02) * 1000):
                return False  # nothing more was to come, so this is the end of the connection
        return False


def _hang_up(connection: socket.socket) -> None:
    """End what the handler waits for: another request, or the client."""
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # so that closing waits for them
    request_queue_size = 1024  # hundreds connect at once; those that find no place would wait a second

    def __init__(self, loopback: Loopback) -> None:
        self.loopback = loopback
        super().__init__(("127.0.0.1", 0), _Handler)


@contextmanager
def loopback(answer: Answer, *, tls: bool = False) -> Iterator[Loopback]:
    """A server that gives these answers until the block ends."""
    server = Loopback(answer, tls)
    thread = threading.Thread(target=server.serve, name="loopback")
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # headers and body in one packet

    @property
    def _loopback(self) -> Loopback:
        assert isinstance(self.server, _Server)
        return self.server.loopback

    def handle(self) -> None:
        with self._loopback.holding(self.connection):
            try:
                super().handle()
            except OSError:
                self.close_connection = True  # the client did not want to go on; that is its test's business

    def finish(self) -> None:
        with suppress(OSError):
            super().finish()

    def reply(self) -> None:
        length = int(self.headers.get("content-length", 0))
        names = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(length)
        if len(body) < length:  # the client thought better of it
            self.close_connection = True
            return
        path = urlsplit(self.path)._replace(scheme="", netloc="").geturl()  # a proxy is asked by the whole address
        request = Request(self.command, path, names, body)
        self._loopback.requests.append(request)
        answer = self._loopback.answer(request)
        patience = math.inf if answer.hang else answer.delay
        there = patience == 0 or self._loopback.wait(patience, self.connection)
        if not there or (answer.drop and answer.pieces is None):
            self.close_connection = True
        elif answer.pieces is None:
            self.send(answer, {"content-length": str(len(answer.body()))})
            self.wfile.write(answer.body())
        else:
            self.send_pieces(answer, answer.pieces)

    def send(self, answer: Reply, framing: Mapping[str, str]) -> None:
        self.send_response(answer.status)
        for name, value in {"content-type": answer.kind, **answer.headers, **framing}.items():
            self.send_header(name, value)
        self.end_headers()

    def send_pieces(self, answer: Reply, pieces: Sequence[bytes]) -> None:
        self.send(answer, {"transfer-encoding": "chunked"})
        for piece in pieces:
            self.wfile.flush()
            if answer.pause and not self._loopback.wait(answer.pause, self.connection):
                self.close_connection = True
                return
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        if not answer.drop:
            self.wfile.write(b"0\r\n\r\n")
        self.close_connection = self.close_connection or answer.drop

    do_GET = do_POST = do_PUT = do_DELETE = reply

    def log_message(self, *about: object) -> None:
        """Say nothing."""
