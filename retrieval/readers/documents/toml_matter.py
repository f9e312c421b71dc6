"""TOML front matter, the lines between `+++` and `+++` at the head of a page, as values with their paths."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

_DEEPEST = 12


def toml_values(body: str) -> list[tuple[tuple[str | int, ...], str]]:
    """Return the values of TOML with their paths, list indexes as numbers; `ValueError` if it is malformed.

    >>> toml_values('title = "Skiff"\\nbuilt = 2021-03-23\\n[[fares]]\\nname = "Adult"\\n')
    [(('title',), 'Skiff'), (('built',), '2021-03-23'), (('fares', 0, 'name'), 'Adult')]
    """
    try:
        return list(_values(tomllib.loads(body), ()))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _values(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if len(path) > _DEEPEST:
        raise ValueError(f"nested more than {_DEEPEST} deep")
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _values(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _values(inner, (*path, place))
    elif text := " ".join(_text(value).split()):
        yield path, text


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
