"""The settings of plug-in filters, by the filters' names: `filters = { min_sentences = 3 }`.

A filter is on if it has a value. As a flag it is `--filter min_sentences=3`, in the environment JSON.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, StringConstraints

from retrieval.types import FilterValue


def _pairs(value: object) -> object:
    """Return the flags `NAME=VALUE` as a table; anything else unchanged."""
    if not isinstance(value, list):
        return value
    pairs = [str(pair).partition("=") for pair in value]
    if any(not (name and equals and text) for name, equals, text in pairs):
        raise ValueError("write NAME=VALUE, for instance min_sentences=3")
    return {name: _number(text) for name, _, text in pairs}


def _number(text: str) -> FilterValue:
    """Return a text as a number if it is one, else unchanged.

    >>> _number("3"), _number("en")
    (3.0, 'en')
    """
    try:
        return float(text)
    except ValueError:
        return text


FilterValues = Annotated[
    dict[Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)], FilterValue], BeforeValidator(_pairs)
]
"""The value of each filter, as `retrieval.filters.named` takes it."""
