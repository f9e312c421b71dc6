"""The last row of a PDF's table where no line is drawn below it, as at the end of a page that cuts its frame off: the
sides of its cells end at one height, and a line is added there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Edge = Mapping[str, Any]
"""A line as pdfplumber tells it: its ends, and how it is turned."""
_LEAST_SIDES = 3
"""Two columns have so many."""
_SAME = 3.0
"""Points between ends that are at one height, and between sides that are one."""


def lines_below_open_rows(edges: Sequence[Edge]) -> list[dict[str, Any]]:
    """The lines that are missing where the sides of several cells end.

    >>> sides = [{"orientation": "v", "x0": x, "x1": x, "top": 10, "bottom": 40} for x in (0, 50, 90)]
    >>> line = {"orientation": "h", "x0": 0, "x1": 90, "top": 40, "bottom": 40}
    >>> [(each["x0"], each["x1"], each["top"]) for each in lines_below_open_rows(sides)]
    [(0, 90, 40)]
    >>> lines_below_open_rows([*sides, line])
    []
    """
    across = [edge for edge in edges if edge["orientation"] == "h" and edge["x1"] - edge["x0"] > _SAME]
    return [
        {"object_type": "line", "x0": left, "x1": right, "width": right - left, "top": height, "bottom": height}
        for left, right, height in _ends(edges)
        if not any(_is_there(edge, left, right, height) for edge in across)
    ]


def _is_there(edge: Edge, left: float, right: float, height: float) -> bool:
    return bool(abs(edge["top"] - height) <= _SAME and edge["x0"] < right and edge["x1"] > left)


def _ends(edges: Sequence[Edge]) -> Iterator[tuple[float, float, float]]:
    """From the first to the last side of those that end at one height, and that height."""
    sides = sorted((edge for edge in edges if edge["orientation"] == "v"), key=lambda edge: edge["bottom"])
    group: list[Edge] = []
    for side in [*sides, None]:
        if group and (side is None or side["bottom"] - group[0]["bottom"] > _SAME):
            yield from _end(group, sides)
            group = []
        if side is not None:
            group.append(side)


def _end(group: Sequence[Edge], sides: Sequence[Edge]) -> Iterator[tuple[float, float, float]]:
    height = max(side["bottom"] for side in group)
    going_on = [side["x0"] for side in sides if side["top"] <= height + _SAME and side["bottom"] > height + _SAME]
    places = sorted(side["x0"] for side in group)
    places = [place for place in places if all(abs(place - other) > _SAME for other in going_on)]
    apart = [place for at, place in enumerate(places) if not at or place - places[at - 1] > _SAME]
    if len(apart) >= _LEAST_SIDES:
        yield places[0], places[-1], height
