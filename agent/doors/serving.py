"""The options of a server, chosen by its operator before anything is opened."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "::1")


@dataclass(frozen=True, slots=True)
class Serving:
    """Where a server listens, which host names it accepts, and who may ask it."""

    host: str = "127.0.0.1"
    port: int = 8321
    allowed_hosts: tuple[str, ...] = ()
    needs_no_key: bool = False
    uploads: Path | None = None
    """The folder for uploaded files; None accepts none."""
    prefix: str = ""
    """The path prefix that a proxy puts before all addresses, such as `/books`; see `Prefixed`."""

    def hosts(self) -> Collection[str] | None:
        """Return the host names that requests may use; None if any, as a key protects the server."""
        if self.allowed_hosts:
            return (*LOOPBACK, *(name.lower() for name in self.allowed_hosts))
        return LOOPBACK if self.host in LOOPBACK else None


def normal_prefix(prefix: str) -> str:
    """Return a prefix with a slash before it and none after it; empty for no prefix.

    >>> normal_prefix("books/"), normal_prefix("/")
    ('/books', '')
    """
    inner = prefix.strip("/")
    return f"/{inner}" if inner else ""
