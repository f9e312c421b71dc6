"""The JSON object in a model's text, checked against a pydantic model.

Models put objects between fences, behind a byte order mark and in the middle of prose, and cut them off when they run
out of tokens. An object that is cut off is an error and never the smaller object inside it. The text is not trusted:
only so many places are tried, and each is read at most a fixed number of times, so reading is linear in its length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TypeVar

from pydantic import BaseModel, ValidationError

Parsed = TypeVar("Parsed", bound=BaseModel)

_OBJECT = re.compile(r'\{(?=\s*(?:\}|"))')
"""Where an object may begin; prose has braces too, but seldom a quote behind one."""
_BRACE = re.compile(r"[{}]")
_MOST_OBJECTS = 50
_MOST_ERRORS = 5
_LONGEST = 80
# The numbers are thrown away; as floats they can't be too long to read.
_DECODER = json.JSONDecoder(parse_int=float)


def parsed(text: str, model: type[Parsed]) -> Parsed:
    """Return the last JSON object in the text that fits the model.

    `ValueError` says in a few words what is wrong and where, so that the model that wrote it can mend it.

    >>> class Plan(BaseModel):
    ...     steps: int
    >>> parsed('Sure! ```json\\n{"steps": 2}\\n``` Anything else?', Plan)
    Plan(steps=2)
    >>> parsed('{"steps": "two"}', Plan)
    Traceback (most recent call last):
    ...
    ValueError: the object does not fit: steps: Input should be a valid integer, unable to parse string as an integer
    """
    fitting: Parsed | None = None
    complaint = "there is no JSON object in the answer; give one and nothing else"
    for found in _objects(text):
        try:
            fitting = model.model_validate_json(found)
        except ValidationError as error:
            complaint = _misfit(error)
    if fitting is None:
        raise ValueError(complaint)
    return fitting


def _objects(text: str) -> Iterator[str]:
    """Every object in the text that is not inside another; `ValueError` when one is broken and no whole one follows."""
    broken: str | None = None
    start, end = _OBJECT.search(text), 0
    for _ in range(_MOST_OBJECTS):
        if start is None:
            break
        begin = start.start()
        try:
            end = _end(text, begin)
        except json.JSONDecodeError as error:
            broken = f"the answer is not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}"
            end = _closing(text, begin)
        else:
            broken = None
            yield text[begin:end]
        start = _OBJECT.search(text, end)
    if broken is not None:
        raise ValueError(broken)


def _end(text: str, begin: int) -> int:
    try:
        return _DECODER.raw_decode(text, begin)[1]
    except RecursionError:
        raise ValueError("the object is nested too deeply; give a flatter one") from None


def _closing(text: str, begin: int) -> int:
    """Where an object that is no JSON ends, by its braces; without an end, what is cut off goes on to the last one."""
    depth = 0
    for brace in _BRACE.finditer(text, begin):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return brace.end()
    return len(text)


def _misfit(error: ValidationError) -> str:
    """The first few misfits, by their places in the object."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    said = [f"{'.'.join(map(str, each['loc']))[:_LONGEST]}: {each['msg'][:_LONGEST]}" for each in found[:_MOST_ERRORS]]
    more = f"; and {len(found) - _MOST_ERRORS} more" if len(found) > _MOST_ERRORS else ""
    return f"the object does not fit: {'; '.join(said).removeprefix(': ')}{more}"
