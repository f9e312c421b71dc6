"""Errors in the format of OpenAI."""

from __future__ import annotations

from pydantic import ValidationError
from starlette.responses import Response

from agent.doors.errors import ClientGone, TooLarge, TooSlow
from agent.errors import AgentError, Busy, Draining, LLMError, QuestionError
from agent.events import emit_failure
from agent.render import to_json
from retrieval.errors import CollectionEmpty, CollectionNotFound, RetrievalError


class RequestError(AgentError):
    """A request that can't be fulfilled; `param` names the parameter at fault."""

    def __init__(self, message: str, param: str | None = None, code: str | None = None, status: int = 400) -> None:
        super().__init__(message)
        self.param, self.code, self.status = param, code, status


def request_error_for(error: Exception) -> RequestError:
    """Return the error as a client gets it; the details of operator errors are only logged.

    >>> request_error_for(QuestionError("the question is empty; ask something")).status
    400
    """
    if isinstance(error, RequestError):
        return error
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return RequestError(str(first["msg"]), ".".join(map(str, first["loc"])) or None)
    for kinds, param, code, status in _CALLERS:
        if isinstance(error, kinds):
            return RequestError(str(error), param, code, status)
    emit_failure(error)
    for kinds, message, code, status in _OPERATORS:
        if isinstance(error, kinds):
            return RequestError(message, None, code, status)
    return RequestError("this is a bug; its traceback is in the log of the server", None, "internal", 500)


_CALLERS: tuple[tuple[type[Exception], str | None, str | None, int], ...] = (
    (CollectionNotFound, "model", "model_not_found", 404),
    (CollectionEmpty, "model", "empty_collection", 409),
    (QuestionError, "messages", None, 400),
    (TooSlow, None, "too_slow", 408),
    (TooLarge, None, "too_large", 413),
    (ClientGone, None, "client_gone", 499),
    (Busy, None, "rate_limit_exceeded", 429),
    (Draining, None, "draining", 503),
)
"""Errors that a caller can act on: the error, its parameter, its code and its status."""
_OPERATORS: tuple[tuple[type[Exception], str, str, int], ...] = (
    (LLMError, "the language model behind this server gave no answer", "language_model", 502),
    (RetrievalError, "the collection can't be searched now; ask again later", "unavailable", 503),
)
"""Errors that only the operator can act on, with the message for a caller."""
_TYPES = {401: "authentication_error", 429: "rate_limit_error"}


def error_data(error: RequestError) -> dict[str, dict[str, str | None]]:
    """Return the JSON object of an error."""
    kind = _TYPES.get(error.status, "invalid_request_error" if error.status < 500 else "server_error")
    return {"error": {"message": str(error), "type": kind, "param": error.param, "code": error.code}}


def error_response(error: Exception) -> Response:
    """Return the response with an error."""
    known = request_error_for(error)
    headers = {"Retry-After": "1"} if known.status == 429 else {}
    return Response(to_json(error_data(known)), known.status, headers, media_type="application/json")
