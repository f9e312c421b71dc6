"""What one request, one caller and all of them together may take."""

from __future__ import annotations

from dataclasses import dataclass

QUESTION_CHARS, TURNS, BODY_BYTES, FILE_BYTES = 4000, 20, 256 * 1024, 100 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that a server may set otherwise. `per_minute` are the requests of one key, or of one address."""

    head_bytes: int = 16 * 1024
    head_s: float = 10.0
    """Seconds that a client may take to send the head of a request."""
    body_bytes: int = BODY_BYTES
    file_bytes: int = FILE_BYTES
    """Bytes of a file that is sent to be read; only `PUT` sends one."""
    body_s: float = 30.0
    """Seconds that a client may take to send the next piece of its body."""
    connections: int = 1000
    """Connections at a time; one more is told 503 and closed, whatever it wants."""
    running: int = 16
    waiting: int = 64
    per_minute: float = 600.0
    kept_runs: int = 500
    ping_s: float = 15.0
    """Seconds of silence after which a stream says that it is still there, for proxies that cut idle ones."""
    send_s: float = 30.0
    """Seconds that a reader may take to take what was sent."""
    drain_s: float = 10.0
    """Seconds that running questions have to end, once the server is told to."""
