"""The bodies of requests as models, read with limits before anything else is done."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from agent.application.options import Options
from agent.doors.http.errors import Unreadable, WrongKind
from agent.doors.http.limits import QUESTION_CHARS, TURNS

Question = Annotated[str, Field(min_length=1, max_length=QUESTION_CHARS)]
_BROKEN = {"json_invalid"}


class Body(BaseModel):
    """The base of all bodies: unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    collection: str | None = None
    """A collection, or several with commas; the usual one if omitted."""


class SearchBody(Body):
    """A question to search for."""

    question: Question
    """The question; in words that stand alone unless it goes on from others."""
    options: Options = Options()
    """How this question departs from the settings of the server."""
    debug: bool = False
    """Also tell what was dropped and why."""


class PlanBody(SearchBody):
    """A question to split."""


class AskBody(SearchBody):
    """A question to answer."""

    after: Annotated[tuple[str, ...], Field(max_length=TURNS)] = ()
    """The `run_id`s of the questions before it in a conversation, the latest last."""


class CheckBody(Body):
    """A query to hold against the rule of a chunk."""

    query: Question
    """A query, as a plan would contain it."""
    chunk_id: str
    """The chunk whose rule is judged."""


B = TypeVar("B", bound=Body)


async def read_body(request: Request, kind: type[B]) -> B:
    """Return the body; `WrongKind` or `Unreadable` if it is not JSON, `ValidationError` if its fields are wrong."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise WrongKind("the body has to be JSON, with `Content-Type: application/json`")
    try:
        return kind.model_validate_json(await request.body())
    except ValidationError as error:
        broken = [each["msg"] for each in error.errors(include_input=False) if each["type"] in _BROKEN]
        if broken:
            raise Unreadable(f"the body is no JSON ({broken[0]})") from None
        raise
