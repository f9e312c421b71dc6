"""The OpenAPI 3.1 document, generated from the models of the bodies and the types of the objects."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter

import agent
from agent.doors.http.bodies import AskBody, CheckBody, PlanBody, SearchBody
from agent.doors.http.problems import KINDS, MEDIA_TYPE
from agent.render import to_json
from agent.render.shapes import (
    AnswerData,
    CheckData,
    DescriptionData,
    ListingData,
    MarkedChunkData,
    PlannedData,
    ProblemData,
    ReportData,
    RunData,
    SearchData,
)

_STREAM = "text/event-stream"
_REF = "#/components/schemas/{model}"


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a path; each of `parameters` is a name, its location, and its type."""

    method: str
    path: str
    summary: str
    gives: Any = None
    takes: Any = None
    streams: bool = False
    status: int = 200
    parameters: tuple[tuple[str, str, str], ...] = ()


OPERATIONS = (
    Operation("post", "/v1/ask", "Answer a question.", AnswerData, AskBody, streams=True),
    Operation("post", "/v1/search", "Plan and retrieve, without an answer.", SearchData, SearchBody),
    Operation("post", "/v1/plan", "Split a question, and nothing more.", PlannedData, PlanBody),
    Operation("post", "/v1/check", "Tell why a chunk's rule holds for a query, or not.", CheckData, CheckBody),
    Operation("get", "/v1/runs/{run_id}", "A run, with its answer once there is one.", RunData),
    Operation("delete", "/v1/runs/{run_id}", "Cancel a run and forget it.", status=204),
    Operation(
        "get",
        "/v1/runs/{run_id}/events",
        "The events of a run, behind the last that came.",
        streams=True,
        parameters=(("Last-Event-ID", "header", "integer"),),
    ),
    Operation("get", "/v1/collections", "All collections.", ListingData),
    Operation("get", "/v1/collections/{name}", "What one collection holds.", DescriptionData),
    Operation(
        "get",
        "/v1/collections/{name}/chunks/{chunk_id}",
        "A chunk with its tables, and the cell at a place in them. The id may hold slashes. A browser gets a page, but "
        "for `as=json`.",
        MarkedChunkData,
        parameters=(
            *((axis, "query", "integer") for axis in ("table", "row", "column")),
            ("as", "query", "string"),
        ),
    ),
    Operation(
        "put",
        "/v1/collections/{name}/files/{file}",
        "Read a file, which is the body, into a collection; only where the server allows it.",
        ReportData,
        streams=True,
    ),
    Operation("get", "/health/live", "Whether the process answers."),
    Operation("get", "/health/ready", "Whether questions are taken."),
    Operation("get", "/metrics", "Figures for Prometheus."),
)


def openapi() -> dict[str, Any]:
    """Return the whole document.

    >>> sorted(openapi()["paths"]["/v1/ask"])
    ['post']
    """
    refs, schemas = _schemas(
        [ProblemData, *(each for operation in OPERATIONS for each in (operation.takes, operation.gives))]
    )
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _described(operation, refs)
    bearer = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "versus", "version": agent.__version__},
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"key": bearer}},
        "security": [{}, {"key": []}],
    }


@cache
def openapi_json() -> str:
    """Return the document as it is sent; writing it takes a tenth of a second, and it never changes."""
    return to_json(openapi())


def _schemas(kinds: Iterable[Any]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """Return a reference to each type, and the schemas that these references need."""
    wanted = list(dict.fromkeys(kind for kind in kinds if kind is not None))
    inputs = [(kind, "validation", TypeAdapter[Any](kind)) for kind in wanted]
    found, told = TypeAdapter.json_schemas(inputs, ref_template=_REF)  # type: ignore[arg-type]
    return {kind: found[kind, "validation"] for kind in wanted}, dict(told["$defs"])


def _described(operation: Operation, refs: dict[Any, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {"summary": operation.summary, "responses": _responses(operation, refs)}
    in_path = [(part[1:-1], "path", "string") for part in operation.path.split("/") if part.startswith("{")]
    parameters = [_parameter(*each) for each in (*in_path, *operation.parameters)]
    if parameters:
        told["parameters"] = parameters
    if operation.takes is not None:
        body = {"application/json": {"schema": refs[operation.takes]}}
        told["requestBody"] = {"required": True, "content": body}
    return told


def _parameter(name: str, place: str, kind: str) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": {"type": kind}}


def _responses(operation: Operation, refs: dict[Any, Any]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if operation.gives is not None:
        content["application/json"] = {"schema": refs[operation.gives]}
    if operation.streams:
        content[_STREAM] = {"schema": {"type": "string"}}
    well: dict[str, Any] = {"description": "Done." if operation.status == 204 else "What was asked for."}
    if content:
        well["content"] = content
    names = ", ".join(f"{kind.status} {kind.name}" for kind in KINDS.values())
    problem = {"description": f"A problem: {names}.", "content": {MEDIA_TYPE: {"schema": refs[ProblemData]}}}
    return {str(operation.status): well, "default": problem}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(openapi(), indent=1) + "\n")
