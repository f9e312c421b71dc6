"""What a server is to be for those who ask it: chosen by whoever starts it, before anything is opened."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "::1")


@dataclass(frozen=True, slots=True)
class Serving:
    """Where a server listens, what it may be called, and whether anybody may ask it."""

    host: str = "127.0.0.1"
    port: int = 8321
    allowed_hosts: tuple[str, ...] = ()
    needs_no_key: bool = False
    uploads: Path | None = None
    """Where files are kept that are sent to be read; None takes none."""
    prefix: str = ""
    """What a proxy before it has before all addresses, such as `/books`; see `Prefixed`."""

    def hosts(self) -> Collection[str] | None:
        """The names that requests may use; None where a key protects what a name would."""
        if self.allowed_hosts:
            return (*LOOPBACK, *(name.lower() for name in self.allowed_hosts))
        return LOOPBACK if self.host in LOOPBACK else None


def normal_prefix(prefix: str) -> str:
    """A prefix with a stroke before it and none behind it; empty where there is none.

    >>> normal_prefix("books/"), normal_prefix("/")
    ('/books', '')
    """
    inner = prefix.strip("/")
    return f"/{inner}" if inner else ""
