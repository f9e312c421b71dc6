"""The routes: the models, which are collections, and chat completions."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from agent.application.application import Application
from agent.application.options import Options
from agent.doors.leaving import cancelled_on_disconnect
from agent.doors.openai.addresses import Addresses
from agent.doors.openai.bodies import MODEL, ChatBody, collection_of
from agent.doors.openai.completions import Completion, CompletionContent
from agent.doors.openai.errors import RequestError, error_response
from agent.doors.openai.streams import CompletionStream
from agent.doors.prefix import path_of
from agent.planning.conversation import TURNS
from agent.render import to_json
from agent.types import Turn

_PATHS = ("/v1/models", "/v1/chat/completions")
Endpoint = Callable[[Any, Request], Awaitable[Response]]


def openai_routes(application: Application, ping_s: float) -> list[BaseRoute]:
    """Return the routes of this door. `ping_s` is the seconds of silence after which a stream sends a ping."""
    door = _Door(application, ping_s)
    return [
        Route("/v1/models", door.models, methods=["GET"]),
        Route("/v1/models/{model:path}", door.model, methods=["GET"]),
        Route("/v1/chat/completions", door.completions, methods=["POST"]),
    ]


def is_of_openai(scope: Scope) -> bool:
    """Return True if a request is for this door, whose errors have another format than those of other addresses."""
    return path_of(scope).startswith(_PATHS)


def _with_openai_errors(endpoint: Endpoint) -> Endpoint:
    """Return the endpoint with every error in the format of OpenAI."""

    @wraps(endpoint)
    async def answering(door: Any, request: Request) -> Response:
        try:
            return await endpoint(door, request)
        except Exception as error:  # noqa: BLE001 - each is sent in the format of this door; unexpected ones are logged
            return error_response(error)

    return answering


class _Door:
    """Serves collections as models."""

    def __init__(self, application: Application, ping_s: float) -> None:
        self._application, self._ping_s = application, ping_s

    @_with_openai_errors
    async def models(self, request: Request) -> Response:
        """List the model for the collection of the settings, and one for each collection by name."""
        return _json({"object": "list", "data": [_model(name) for name in await self._names()]})

    @_with_openai_errors
    async def model(self, request: Request) -> Response:
        """Return one model."""
        name = request.path_params["model"]
        if name not in await self._names():
            raise RequestError(f"no model {name!r}", "model", "model_not_found", 404)
        return _json(_model(name))

    @_with_openai_errors
    async def completions(self, request: Request) -> Response:
        """Answer the last message of the user, which may follow up on those before it."""
        body = await _read(request)
        body.require_supported()
        collection = collection_of(body.model)
        completion = Completion(uuid.uuid4().hex, body.model)
        if body.is_task:
            return self._of_task(body, completion)
        addresses = Addresses(str(request.base_url), collection or self._application.settings.collection)
        after = await self._turns(body, collection)
        if not body.stream:
            answering = self._application.ask(body.question, collection, after=after)
            answer = await cancelled_on_disconnect(request.receive, answering)
            return _json(completion.whole(CompletionContent.of(answer, addresses)))
        happening = self._application.stream(body.question, collection, after=after, with_text=False)
        first = await cancelled_on_disconnect(request.receive, anext(happening))
        stream = CompletionStream(completion, body.wants_usage, self._ping_s)
        return stream.of_events(first, happening, addresses)

    def _of_task(self, body: ChatBody, completion: Completion) -> Response:
        if body.stream:
            return CompletionStream(completion, body.wants_usage, self._ping_s).of_task(body.first_asked)
        return _json(completion.whole(CompletionContent.of_task(body.first_asked)))

    async def _turns(self, body: ChatBody, collection: str | None) -> list[Turn]:
        """Return the turns before the question; each is planned again by rules, as a client sends only their text."""
        turns: list[Turn] = []
        for question, answer in body.turns[-TURNS:]:
            if question.strip():
                plan = await self._application.plan(question, collection, Options(planner="rules"), turns)
                turns.append(Turn(plan, answer))
        return turns

    async def _names(self) -> list[str]:
        listing = await self._application.collections()
        return [MODEL, *(f"{MODEL}/{one.name}" for one in listing.collections if one.problem is None)]


async def _read(request: Request) -> ChatBody:
    """Return the body, which must be declared as JSON: a page of another origin can't send such a request."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RequestError("the body has to be JSON, with `Content-Type: application/json`", status=415)
    try:
        return ChatBody.model_validate_json(await request.body())
    except ValidationError as error:
        if error.errors()[0]["type"] == "json_invalid":
            raise RequestError("the body is no JSON") from None
        raise


def _model(name: str) -> dict[str, object]:
    return {"id": name, "object": "model", "created": 0, "owned_by": MODEL}


def _json(data: dict[str, Any]) -> Response:
    return Response(to_json(data), media_type="application/json", headers={"Cache-Control": "no-store"})
