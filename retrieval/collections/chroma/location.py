"""The location of a Chroma: a folder, a server's address, or a server with its key, tenant and database.

The key is never shown: not in a `repr`, not in a message, not if the server echoes it.
"""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.keys import shown

PATIENCE = 60.0
"""The most seconds for one answer of a server."""
SERVER_PAGE = 300
"""The most results in one answer of a server; the quota of Chroma Cloud (docs.trychroma.com/cloud/quotas-limits)."""


@dataclass(frozen=True, slots=True, repr=False)
class ChromaServer:
    """A Chroma server: your own, a distributed one, or Chroma Cloud at `https://api.trychroma.com`.

    The default port is 443 for https and 8000 for http. `tenant` and `database` default to those of the key; without a
    key, to Chroma's defaults. `patience` is the most seconds for one answer, `page` its most results.

    >>> ChromaServer("https://me:secret@chroma.example", api_key="ck-secret", tenant="acme")
    ChromaServer('https://***@chroma.example', tenant='acme', database=None)
    """

    url: str
    api_key: str | None = None
    tenant: str | None = None
    database: str | None = None
    patience: float = PATIENCE
    page: int = SERVER_PAGE

    def __repr__(self) -> str:
        return f"ChromaServer({place(self)!r}, tenant={self.tenant!r}, database={self.database!r})"


Location = str | ChromaServer
"""A folder, an http(s) address, or a server with its credentials."""


def server_of(location: Location) -> ChromaServer | None:
    """Return the server of a location; `None` for a folder.

    >>> server_of("data/chroma") is None
    True
    """
    if isinstance(location, ChromaServer):
        return location
    return ChromaServer(location) if location.startswith(("http://", "https://")) else None


def place(location: Location) -> str:
    """Return the folder or address for display, without a password.

    >>> place(ChromaServer("http://me:secret@chroma.example:8000"))
    'http://***@chroma.example:8000'
    """
    return shown(location if isinstance(location, str) else location.url)
