"""Filters of other distributions, each with a setting: used only if a policy names them.

Each is an entry point of the group `versus.filters`, a function from its setting's value to a `Stage`:

    [project.entry-points."versus.filters"]
    min_sentences = "my_package:min_sentences"

`filters = { min_sentences = 3 }` in `versus.toml`, or `--filter min_sentences=3`, then turns it on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from retrieval.filters.protocol import Stage
from retrieval.registry import Registry
from retrieval.types import FilterValue

FILTERS = Registry[Callable[[FilterValue], Stage]]("versus.filters", "filter", {}, (ValueError,))


@cache
def named_stages(named: tuple[tuple[str, FilterValue], ...]) -> tuple[Stage, ...]:
    """Return the filters of these names with their values, in the order given.

    Raises `UnknownPlugin` or `BrokenPlugin` for one that is not available, `ValueError` for an invalid value.
    """
    return tuple(_stage(name, value) for name, value in named)


def _stage(name: str, value: FilterValue) -> Stage:
    make = FILTERS.get(name)
    with FILTERS.telling(name):
        stage = make(value)
        if not isinstance(stage, Stage):
            raise TypeError(f"it returned {type(stage).__name__} where a Stage is wanted")
    return stage
