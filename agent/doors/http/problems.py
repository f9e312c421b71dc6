"""Errors as problems by RFC 9457: a status, a type for programs, and a detail that says what to do.

Source: https://www.rfc-editor.org/rfc/rfc9457. Errors that concern the operator (an unreadable store, a key that a
model refuses) get a general detail; the log has the full message.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from agent.doors.errors import ClientGone, TooLarge, TooSlow
from agent.doors.http.errors import (
    DeadlinePassed,
    HeadTooLarge,
    NotAllowed,
    Refused,
    RunNotFound,
    SearchFailed,
    TooFast,
    UnknownHost,
    Unreadable,
    UnusableFile,
    WrongKind,
)
from agent.errors import Busy, CellNotFound, Draining, LLMError, QuestionError, SettingsError
from agent.events import emit_failure
from agent.render import to_json
from agent.render.shapes import ProblemData
from retrieval.errors import ChunkNotFound, CollectionEmpty, CollectionNotFound, RetrievalError, SourceError

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of problem: its name, its status, and a short title."""

    name: str
    status: int
    title: str


KINDS: Mapping[type[Exception], Kind] = {
    Unreadable: Kind("unreadable-body", 400, "The body is not what this address takes"),
    UnknownHost: Kind("unknown-host", 400, "This server is not called so"),
    Refused: Kind("refused", 401, "An API key is needed"),
    NotAllowed: Kind("not-allowed", 403, "This server does not do that"),
    CollectionNotFound: Kind("no-such-collection", 404, "There is no such collection"),
    ChunkNotFound: Kind("no-such-chunk", 404, "There is no such chunk"),
    CellNotFound: Kind("no-such-cell", 404, "There is no such cell"),
    RunNotFound: Kind("no-such-run", 404, "There is no such run"),
    TooSlow: Kind("too-slow", 408, "The body did not come in time"),
    CollectionEmpty: Kind("empty-collection", 409, "There is nothing in the collection"),
    TooLarge: Kind("too-large", 413, "The body is too large"),
    WrongKind: Kind("wrong-kind", 415, "The body is of another kind than this address takes"),
    QuestionError: Kind("unusable-question", 422, "The question can't be used"),
    SettingsError: Kind("unusable-options", 422, "The options can't be used"),
    UnusableFile: Kind("unusable-file", 422, "The file can't be kept"),
    SourceError: Kind("unreadable-file", 422, "The file can't be read"),
    ValidationError: Kind("invalid-fields", 422, "Some fields are wrong"),
    Busy: Kind("busy", 429, "Too many questions at once"),
    TooFast: Kind("too-fast", 429, "Too many requests"),
    HeadTooLarge: Kind("head-too-large", 431, "The headers are too large"),
    ClientGone: Kind("client-gone", 499, "Nobody waits for the answer"),
    LLMError: Kind("language-model", 502, "The language model gave no answer"),
    Draining: Kind("draining", 503, "The server is about to stop"),
    SearchFailed: Kind("search-failed", 503, "Nothing could be looked up"),
    DeadlinePassed: Kind("deadline", 504, "The time was up before anything was found"),
    RetrievalError: Kind("unavailable", 503, "The collection can't be searched now"),
}
"""The problem type of each error; if several match, the first counts."""
_INTERNAL = Kind("internal", 500, "Something went wrong here")
_OPERATORS = {LLMError, RetrievalError}
"""Errors whose messages may name places and services: they are for the operator."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem as a caller gets it."""

    kind: Kind
    detail: str
    errors: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    def data(self, instance: str | None = None) -> ProblemData:
        """Return it as JSON; `instance` is the run concerned."""
        return {
            "type": f"urn:versus:problem:{self.kind.name}",
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail,
            "instance": instance,
            "errors": [{"pointer": pointer, "detail": detail} for pointer, detail in self.errors],
        }


BUG = Problem(_INTERNAL, "this is a bug; its traceback is in the log of the server")
"""The problem for an unexpected error."""


def problem_of(error: Exception) -> Problem:
    """Return the problem of an error; an unexpected error is logged, and its message is withheld.

    >>> problem_of(QuestionError("the question is empty; ask something")).kind.status
    422
    """
    if isinstance(error, HTTPException):
        return _of_http(error)
    if isinstance(error, ValidationError):
        return Problem(KINDS[ValidationError], "see `errors`, each with its place in the body", _fields(error))
    for kind, known in KINDS.items():
        if isinstance(error, kind):
            if kind in _OPERATORS:
                emit_failure(error)
                return Problem(known, "ask again later; the log of the server says why")
            told = error.message if isinstance(error, SourceError) else str(error)
            return Problem(known, told, headers=_headers(error))
    emit_failure(error)
    return BUG


def problem_response(problem: Problem, instance: str | None = None) -> Response:
    """Return the response with a problem."""
    body = to_json(problem.data(instance))
    return Response(body, problem.kind.status, dict(problem.headers), media_type=MEDIA_TYPE)


def _of_http(error: HTTPException) -> Problem:
    phrase = HTTPStatus(error.status_code).phrase
    name = phrase.lower().replace(" ", "-")
    is_unsaid = error.detail == phrase
    told = "the addresses that there are, and what each takes, are listed under /docs" if is_unsaid else error.detail
    return Problem(Kind(name, error.status_code, phrase), told, headers=error.headers or {})


def _fields(error: ValidationError) -> tuple[tuple[str, str], ...]:
    """Return each wrong field as a JSON pointer with its error; never the value, which may be a secret or very long."""
    found: list[Any] = list(error.errors(include_url=False, include_input=False, include_context=False))
    return tuple((_pointer(each["loc"]), each["msg"]) for each in found)


def _pointer(place: tuple[str | int, ...]) -> str:
    """Return a place as a JSON pointer (RFC 6901).

    >>> _pointer(("options", "max_chunks"))
    '/options/max_chunks'
    """
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in place)


def _headers(error: Exception) -> dict[str, str]:
    if isinstance(error, Refused):
        return {"WWW-Authenticate": 'Bearer realm="versus"'}
    return {"Retry-After": "1"} if isinstance(error, Busy | TooFast) else {}
