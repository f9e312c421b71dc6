"""A server under a path prefix of a proxy, whether the proxy removes the prefix or keeps it."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send


class Prefixed:
    """An application whose external addresses begin with a prefix, such as `/books`."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app, self._prefix = app, prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its external path."""
        if scope["type"] == "http":
            path = scope["path"]
            if not f"{path}/".startswith(f"{self._prefix}/"):
                path = self._prefix + path
            scope = {**scope, "root_path": self._prefix, "path": path}
        await self._app(scope, receive, send)


def path_of(scope: Scope) -> str:
    """Return the path of a request without the prefix.

    >>> path_of({"path": "/books/v1/ask", "root_path": "/books"})
    '/v1/ask'
    """
    return str(scope["path"]).removeprefix(scope.get("root_path", ""))
