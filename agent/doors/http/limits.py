"""The limits of one request, of one caller, and of all of them together."""

from __future__ import annotations

from dataclasses import dataclass

QUESTION_CHARS, TURNS, BODY_BYTES, FILE_BYTES = 4000, 20, 256 * 1024, 100 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server. `per_minute` counts the requests of one key, or of one address."""

    head_bytes: int = 16 * 1024
    head_s: float = 10.0
    """Seconds that a client has to send the head of a request."""
    body_bytes: int = BODY_BYTES
    file_bytes: int = FILE_BYTES
    """Most bytes of an uploaded file; only `PUT` sends one."""
    body_s: float = 30.0
    """Seconds that a client has to send the next piece of its body."""
    connections: int = 1000
    """Connections at a time; a further one gets 503 and is closed."""
    running: int = 16
    waiting: int = 64
    per_minute: float = 600.0
    kept_runs: int = 500
    ping_s: float = 15.0
    """Seconds of silence after which a stream sends a ping, for proxies that close idle ones."""
    send_s: float = 30.0
    """Seconds that a client has to read what was sent."""
    drain_s: float = 10.0
    """Seconds that running questions have to end, once the server is stopped."""
