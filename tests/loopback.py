"""A real HTTP or HTTPS server on a loopback port, whose answers a test writes, and that remembers what it was asked."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

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
    """What to answer: a body, or anything JSON can say. `hang` never answers, `drop` closes the connection instead."""

    content: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    hang: bool = False
    drop: bool = False

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
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(SELF_SIGNED)
            # The handshake belongs into the thread of the request, or a client that refuses it would stop the server.
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True, do_handshake_on_connect=False)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self._http.server_address[1]}"

    def serve(self) -> None:
        self._http.serve_forever(poll_interval=0.01)

    def close(self) -> None:
        self.ending.set()
        self._http.shutdown()
        self._http.server_close()


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


def _handler(server: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            try:
                super().handle()
            except (ssl.SSLError, ConnectionError):
                self.close_connection = True  # the client did not want to go on; that is its test's business

        def reply(self) -> None:
            length = int(self.headers.get("content-length", 0))
            names = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.command, self.path, names, self.rfile.read(length))
            server.requests.append(request)
            answer = server.answer(request)
            if answer.hang:
                server.ending.wait()
            if answer.hang or answer.drop:
                self.close_connection = True
                return
            body = answer.body()
            self.send_response(answer.status)
            for name, value in {"content-type": answer.kind, **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_DELETE = reply

        def log_message(self, *about: object) -> None:
            """Say nothing."""

    return Handler
