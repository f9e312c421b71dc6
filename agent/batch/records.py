"""The records of an output: one line of JSON for each question, with its answer or with a typed error.

The last field of each record is a checksum of all the others, so that a resume never accepts an edited record.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from agent.batch.questions import Item
from agent.render.data import to_json

Record = dict[str, Any]
Response = dict[str, Any]
"""The answer's part of a record: the JSON of an answer, or an error."""
Status = Literal["answered", "in_part", "failed"]
_CHECKSUM = re.compile(rb',"checksum":"([0-9a-f]{16})"}\n')
_LENGTH = len(',"checksum":""}\n') + 16


def record_of(item: Item, response: Response) -> Record:
    """Return a record: `id` and `line`, the response, and in `extra` the other fields of the line."""
    return {"id": item.id, "line": item.line, **response, **_extra(item)}


def error_response(question: str | None, kind: str, message: str, run_id: str = "") -> Response:
    """Return `question`, if known, and `error` with `type` and `message`.

    `run_id` finds a question that was asked in the log.

    >>> error_response(None, "QuestionError", "the line is no JSON")["error"]["type"]
    'QuestionError'
    """
    run = {"run_id": run_id} if run_id else {}
    return {"question": question, "error": {"type": kind, "message": message}, **run}


def copied_record(item: Item, record: Record) -> Record:
    """Return the record of the same question for another line; `same_as` is the line that was asked."""
    named = {"id": item.id, "line": item.line, "same_as": record.get("same_as", record["line"])}
    rest = {name: value for name, value in record.items() if name not in (*named, "extra", "checksum")}
    return named | rest | _extra(item)


@dataclass(frozen=True, slots=True)
class LineState:
    """The state of one input line in the output."""

    line: int
    question: str | None
    status: Status
    error: str | None
    copied: bool


def status_of(record: Record) -> Status:
    """Return whether a record is an answer, a partial answer, or an error."""
    if "error" in record:
        return "failed"
    return "answered" if record["stop_reason"] == "complete" else "in_part"


def encoded(record: Record) -> bytes:
    """Return a record as a line of the output, with its checksum.

    >>> encoded({"line": 1})
    b'{"line":1,"checksum":"46b5da83b4531bf6"}\\n'
    """
    rest = to_json(record).encode().removesuffix(b"}")
    return rest + b',"checksum":"%s"}\n' % _checksum(rest)


def is_as_written(data: bytes, *, has_checksum: bool = True) -> bool:
    """Return True if a line of an output is unchanged; earlier versions of versus wrote no checksums.

    >>> is_as_written(encoded({"line": 1}).replace(b"1", b"2", 1))
    False
    """
    found = _CHECKSUM.fullmatch(data[-_LENGTH:])
    if found is None:
        return not has_checksum
    return found[1] == _checksum(data[:-_LENGTH])


def _checksum(rest: bytes) -> bytes:
    return hashlib.blake2b(rest, digest_size=8).hexdigest().encode()


def state_of(data: bytes) -> LineState | None:
    """Return the state of a line of an output, or `None` if it is no record."""
    try:
        record = orjson.loads(data)
        error = record["error"]["type"] if "error" in record else None
        line, question, status = record["line"], record["question"], status_of(record)
    except (ValueError, KeyError, TypeError):
        return None
    return LineState(line, question, status, error, "same_as" in record) if isinstance(line, int) else None


def _extra(item: Item) -> Record:
    return {"extra": dict(item.extra)} if item.extra else {}
