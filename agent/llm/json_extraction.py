"""The JSON object in a model's text, checked against a pydantic model.

Models put objects between fences, behind a byte order mark and in the middle of prose, and truncate them when they run
out of tokens. A truncated object is an error, never the smaller object inside it. The text is untrusted: it is read
once, object by object, with a limit on their number and depth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

from pydantic import BaseModel, ValidationError

Parsed = TypeVar("Parsed", bound=BaseModel)

_OBJECT = re.compile(r'\{(?=\s*(?:\}|"))')
"""The possible start of an object; prose has braces too, but seldom a quote after one."""
_TOKEN = re.compile(r'[{}\[\]]|"(?:[^"\\]|\\.)*+"?', re.DOTALL)
"""Brackets, which nest, and strings, whose brackets do not count."""
_DEEPEST = 100
_MOST_OBJECTS = 50
_MOST_ERRORS = 5
_LONGEST = 80


def parsed(text: str, model: type[Parsed]) -> Parsed:
    """Return the last JSON object in the text that fits the model.

    `ValueError` states in a few words what is wrong and where, so that the model can correct it.

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
    for found, is_closed in _objects(text):
        try:
            fitting = model.model_validate_json(found)
        except ValidationError as error:
            complaint = _misfit(error)
            if not is_closed:
                raise ValueError(complaint) from None
    if fitting is None:
        raise ValueError(complaint)
    return fitting


def _objects(text: str) -> Iterator[tuple[str, bool]]:
    """Yield every top-level object in the text, and whether it is closed; a truncated one extends to the end."""
    start = _OBJECT.search(text)
    for _ in range(_MOST_OBJECTS):
        if start is None:
            return
        end = _end(text, start.start())
        yield text[start.start() : end], end is not None
        start = None if end is None else _OBJECT.search(text, end)


def _end(text: str, begin: int) -> int | None:
    """Return the end of the object that begins here; `None` if it is not closed, `ValueError` if it is too deep."""
    depth = 0
    for token in _TOKEN.finditer(text, begin):
        if token[0] in ("{", "["):
            depth += 1
        elif token[0] in ("}", "]"):
            depth -= 1
        if depth == 0:
            return token.end()
        if depth > _DEEPEST:
            raise ValueError(f"the object is nested deeper than {_DEEPEST} levels; give a flatter one")
    return None


def _misfit(error: ValidationError) -> str:
    """Return the first few validation errors, each with its place in the object."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    said = [f"{'.'.join(map(str, each['loc']))[:_LONGEST]}: {each['msg'][:_LONGEST]}" for each in found[:_MOST_ERRORS]]
    more = f"; and {len(found) - _MOST_ERRORS} more" if len(found) > _MOST_ERRORS else ""
    return f"the object does not fit: {'; '.join(said).removeprefix(': ')}{more}"
