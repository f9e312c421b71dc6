"""The routes of the page: `/`, an answer by its run, and the static files."""

from __future__ import annotations

from urllib.parse import parse_qs

import orjson
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from agent.doors.http.asking import Asking
from agent.doors.http.bodies import AskBody
from agent.doors.http.errors import Refused
from agent.doors.http.guard import COOKIE, OPEN_FILES, Keys, is_page
from agent.doors.http.openapi import openapi
from agent.doors.http.page.assets import TYPES, Assets
from agent.doors.http.page.html import KEY_KEPT, answer_html, chunk_html, framed, problem_html
from agent.doors.http.page.reference import reference_html
from agent.doors.http.problems import Problem, problem_of
from agent.doors.http.runs import Run, Runs
from agent.doors.leaving import cancelled_on_disconnect
from agent.doors.prefix import path_of
from agent.render.shapes import MarkedChunkData

SAFE = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
"""Headers of every page: it fetches only from this server, and can't be framed."""


class Pages:
    """Shows the page; a question in its address is answered at once, for browsers without scripts."""

    def __init__(self, asking: Asking, runs: Runs, keys: Keys, usual: str, takes_files: bool = False) -> None:
        self._asking, self._runs, self._keys = asking, runs, keys
        self._usual, self._takes_files = usual, takes_files
        self._assets = Assets.load()

    def routes(self) -> list[BaseRoute]:
        """Return the routes of the page."""
        return [
            Route("/", self.home, methods=["GET"]),
            Route("/r/{run_id}", self.answered, methods=["GET"]),
            Route("/docs", self.reference, methods=["GET"]),
            *(Route(path, self.enter, methods=["POST"]) for path in ("/", "/r/{run_id}", "/docs")),
            Route(OPEN_FILES + "{digest}/{name}", self.asset, methods=["GET"]),
        ]

    async def home(self, request: Request) -> Response:
        """Return the empty page, or with `?q=` the answer. Only an opened page asks, not an image in another page."""
        question = request.query_params.get("q", "").strip()
        if not question or request.headers.get("sec-fetch-dest", "document") != "document":
            return self.shell(request.scope)
        after = tuple(filter(None, request.query_params.getlist("after")))
        try:
            collection = request.query_params.get("collection") or None
            run = self._asking.begin(AskBody(question=question, collection=collection, after=after, debug=True))
        except Exception as error:  # noqa: BLE001 - shown on a page, as every door reports errors
            return self._failed(request.scope, problem_of(error), question)
        try:
            await cancelled_on_disconnect(request.receive, run.ended())
        finally:
            run.leave()
        return self._shown(request.scope, run)

    async def answered(self, request: Request) -> Response:
        """Return the page of a run with its answer."""
        try:
            run = self._runs.get(request.path_params["run_id"])
        except Exception as error:  # noqa: BLE001 - as above
            return self._failed(request.scope, problem_of(error))
        return self._shown(request.scope, run)

    async def reference(self, request: Request) -> Response:
        """Return the reference of the API."""
        base = base_of(request.scope)
        said = reference_html(openapi(), base)
        return HTMLResponse(framed(self._assets.head(base), base, said, asks=False), 200, SAFE)

    async def enter(self, request: Request) -> Response:
        """Accept a key, which the form of a page sends to its own address, and show that page if the key is known."""
        sent = parse_qs((await request.body()).decode("utf-8", "replace"))
        holder = self._keys.holder("".join(sent.get("key", ())).strip())
        if self._keys and holder is None:
            return self._locked(request.scope, "That is no key of this server.")
        again = request.url.path.rpartition("/")[2] or "./"
        query = f"?{request.url.query}" if request.url.query else ""
        shown = RedirectResponse(again + query, 303, SAFE)
        if holder is not None:
            path, secure = f"{request.scope.get('root_path', '')}/", request.url.scheme == "https"
            shown.set_cookie(COOKIE, self._keys.ticket(holder), path=path, secure=secure, httponly=True)
        return shown

    async def asset(self, request: Request) -> Response:
        """Return a file of the page. The content of its address never changes, so a browser fetches it once."""
        name = request.path_params["name"]
        if request.path_params["digest"] != self._assets.digest or name not in TYPES:
            return Response(status_code=404)
        kept = SAFE | {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(self._assets.files[name], headers=kept, media_type=TYPES[name])

    def shell(self, scope: Scope) -> Response:
        """Return the page without an answer."""
        return HTMLResponse(self._framed(scope), 200, SAFE)

    def chunk(self, scope: Scope, chunk: MarkedChunkData) -> Response:
        """Return the page of a chunk with its tables, and the requested cell marked."""
        told = self._framed(scope, chunk_html(chunk), collection=scope["path_params"]["name"])
        return HTMLResponse(told, 200, SAFE | {"Vary": "Accept"})

    def refused(self, scope: Scope, error: Exception) -> Response | None:
        """Return a page that asks for a key if a page was refused for lack of one; None for all other errors."""
        return self._locked(scope, KEY_KEPT) if isinstance(error, Refused) and is_page(path_of(scope)) else None

    def _locked(self, scope: Scope, said: str) -> Response:
        base = base_of(scope)
        return HTMLResponse(framed(self._assets.head(base), base, asks=False, key_said=said), 401, SAFE)

    def _shown(self, scope: Scope, run: Run) -> Response:
        if run.problem is not None:
            return self._failed(scope, run.problem, run.question)
        said = '<p role="status">It is being answered; load this page again.</p>'
        if run.answer is not None:
            said = answer_html(orjson.loads(run.answer), base_of(scope), run.id, run.collection)
        return HTMLResponse(self._framed(scope, said, run.question, run.id, run.collection), 200, SAFE)

    def _failed(self, scope: Scope, problem: Problem, question: str = "") -> Response:
        told = self._framed(scope, problem_html(problem.data()), question)
        return HTMLResponse(told, problem.kind.status, {**problem.headers, **SAFE})

    def _framed(self, scope: Scope, said: str = "", question: str = "", run_id: str = "", collection: str = "") -> str:
        base = base_of(scope)
        return framed(self._assets.head(base), base, said, question, run_id, collection, self._usual, self._takes_files)


def base_of(scope: Scope) -> str:
    """Return the relative path from a request's address to the server's, whose prefix may be known only to a proxy.

    >>> base_of({"raw_path": b"/"}), base_of({"raw_path": b"/books/r/4f2a", "root_path": "/books"})
    ('./', '../')
    """
    inner = scope["raw_path"].removeprefix(scope.get("root_path", "").encode())
    return "../" * (inner.count(b"/") - 1) or "./"
