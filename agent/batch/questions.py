"""One line of a file of questions: the question with its id and other fields, or why it cannot be asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from agent.batch.lines import Line, cells
from agent.errors import QuestionError
from agent.questions import checked
from agent.render.data import to_json

Id = str | int
Fields = Mapping[str, Any]
Parse = Callable[[bytes], Fields]
"""Reads one line; `ValueError` states what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a batch. A line with a `problem` is not asked; its `question` may be unknown.

    `extra` has the line's other fields. `repeated` is true if an earlier line asks the same question.
    """

    line: int
    id: Id
    question: str | None
    extra: Fields = field(default_factory=dict)
    problem: str | None = None
    repeated: bool = False


def item_of(line: Line, parse: Parse, most_chars: int) -> Item | None:
    """Return the item of a line, or `None` for a blank line. A line without an id is named after its number.

    >>> item_of(Line(3, 0, b"Who wins?"), parse_text, 100)
    Item(line=3, id='line-3', question='Who wins?', extra={}, problem=None, repeated=False)
    """
    name = f"line-{line.number}"
    if line.data is None:
        return Item(line.number, name, None, problem="the line is too long to be a question")
    if not line.data.strip():
        return None
    try:
        fields = parse(line.data)
    except ValueError as error:
        return Item(line.number, name, None, problem=f"the line {_reason(error)}")
    return _item(line.number, name, fields, most_chars)


def parse_text(data: bytes) -> Fields:
    """Return the whole line as the question."""
    return {"question": data.decode().strip()}


def parse_json(data: bytes) -> Fields:
    r"""Return an object with `question`, and optionally `id` and more.

    >>> parse_json(b'{"question": "\\ud83d?", "id": 7}')["id"]
    7
    """
    try:
        fields = orjson.loads(data)
    except orjson.JSONDecodeError:
        fields = _tolerant(data)
    if not isinstance(fields, dict):
        raise ValueError("is no JSON object")
    return fields


@dataclass(frozen=True, slots=True)
class Columns:
    """The header of a CSV file: the column names and the delimiter."""

    names: tuple[str, ...]
    delimiter: str

    def parse(self, data: bytes) -> Fields:
        """Return the fields of a line below this header; an empty field is absent."""
        values = cells(data, self.delimiter)
        if len(values) != len(self.names):
            raise ValueError(f"has {len(values)} fields, and the header {len(self.names)}")
        return {name: value for name, value in zip(self.names, values, strict=True) if value != ""}

    def fits(self, data: bytes) -> bool:
        """Return True if this is a line below this header."""
        try:
            return len(cells(data, self.delimiter)) == len(self.names)
        except ValueError:
            return False


def columns_of(header: bytes, place: object) -> Columns:
    """Return the columns of a header with commas, semicolons or tabs; `QuestionError` without `question`.

    >>> columns_of(b"id;question", "my.csv")
    Columns(names=('id', 'question'), delimiter=';')
    """
    for delimiter in ",;\t":
        names = _names(header, delimiter)
        if "question" in names:
            return Columns(tuple(names), delimiter)
    raise QuestionError(f"{place} has no column 'question' in its first line; name one so")


def _names(header: bytes, delimiter: str) -> Sequence[str]:
    try:
        return [name.strip() for name in cells(header, delimiter)]
    except ValueError:
        return ()


def _item(line: int, name: str, fields: Fields, most_chars: int) -> Item:
    extra = {key: value for key, value in fields.items() if key not in ("id", "question")}
    id_, question = fields.get("id"), fields.get("question")
    if id_ is not None and (isinstance(id_, bool) or not isinstance(id_, str | int)):
        return Item(line, name, None, extra, "its `id` is neither a text nor a whole number")
    known: Id = name if id_ is None else id_
    if not _writable({"id": known, **extra}):
        return Item(line, name, None, problem="its other fields are nested too deep, or too large, to be written again")
    if not isinstance(question, str):
        return Item(line, known, None, extra, "it has no `question` that is a text")
    if "\0" in question:
        return Item(line, known, question, extra, "the question has a NUL character in it")
    try:
        checked(question, most_chars)
    except QuestionError as error:
        return Item(line, known, None, extra, str(error))
    return Item(line, known, question, extra)


def _writable(fields: Fields) -> bool:
    """Return True if fields that were read as JSON can be written as JSON, which has other limits."""
    try:
        to_json(fields)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _tolerant(data: bytes) -> object:
    """Parse JSON with Python's own parser, which accepts lone surrogates: they are no reason to lose a question."""
    try:
        return json.loads(data.decode())
    except UnicodeDecodeError:
        raise
    except RecursionError:
        raise ValueError("is nested too deep") from None
    except ValueError as error:
        raise ValueError(f"is no JSON ({error})") from None


def _reason(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8 ({error.reason} at byte {error.start + 1})"
    return str(error)
