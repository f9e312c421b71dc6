"""Rows of a PDF table that a page break leaves open: if the sides of its cells end at one height without a line below,
or begin without one above, a line is added there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from retrieval.tabular import Box

Edge = Mapping[str, Any]
"""pdfplumber's line: its ends and orientation."""
_LEAST_SIDES = 3
"""The fewest sides: those of two columns."""
_SAME = 3.0
"""The points within which ends have one height, and sides are one."""


def lines_of_open_rows(edges: Sequence[Edge]) -> list[dict[str, Any]]:
    """Return the missing lines where the sides of several cells end or begin.

    >>> sides = [{"orientation": "v", "x0": x, "x1": x, "top": 10, "bottom": 40} for x in (0, 50, 90)]
    >>> above = {"orientation": "h", "x0": 0, "x1": 90, "top": 10, "bottom": 10}
    >>> [(each["x0"], each["x1"], each["top"]) for each in lines_of_open_rows([*sides, above])]
    [(0, 90, 40)]
    >>> lines_of_open_rows([*sides, above, above | {"top": 40, "bottom": 40}])
    []
    """
    turned = [{**edge, "top": -edge["bottom"], "bottom": -edge["top"]} for edge in edges]
    begun = ((left, right, -height) for left, right, height in _ends(turned))
    across = [edge for edge in edges if edge["orientation"] == "h" and edge["x1"] - edge["x0"] > _SAME]
    return [
        {"object_type": "line", "x0": left, "x1": right, "width": right - left, "top": height, "bottom": height}
        for left, right, height in (*_ends(edges), *begun)
        if not any(_is_there(edge, left, right, height) for edge in across)
    ]


def outside(lines: Sequence[dict[str, Any]], tables: Sequence[Box]) -> list[dict[str, Any]]:
    """Return the lines outside of these tables; below a head that spans columns no line is needed."""
    return [line for line in lines if not any(_is_within(line, box) for box in tables)]


def _is_within(line: Edge, box: Box) -> bool:
    left, top, right, bottom = box
    return bool(top - _SAME <= line["top"] <= bottom + _SAME and line["x0"] < right and line["x1"] > left)


def _is_there(edge: Edge, left: float, right: float, height: float) -> bool:
    return bool(abs(edge["top"] - height) <= _SAME and edge["x0"] < right and edge["x1"] > left)


def _ends(edges: Sequence[Edge]) -> Iterator[tuple[float, float, float]]:
    """Yield the first and last side that end at one height, with that height."""
    upright = (edge for edge in edges if edge["orientation"] == "v" and edge["bottom"] - edge["top"] > _SAME)
    sides = sorted(upright, key=lambda edge: edge["bottom"])
    group: list[Edge] = []
    for side in [*sides, None]:
        if group and (side is None or side["bottom"] - group[0]["bottom"] > _SAME):
            yield from _end(group, sides)
            group = []
        if side is not None:
            group.append(side)


def _end(group: Sequence[Edge], sides: Sequence[Edge]) -> Iterator[tuple[float, float, float]]:
    height = max(side["bottom"] for side in group)
    below = sides[bisect_right(sides, height + _SAME, key=lambda side: float(side["bottom"])) :]
    going_on = sorted(side["x0"] for side in below if side["top"] <= height + _SAME)
    places = [place for place in sorted(side["x0"] for side in group) if not _has_near(going_on, place)]
    apart = [place for at, place in enumerate(places) if not at or place - places[at - 1] > _SAME]
    if len(apart) >= _LEAST_SIDES:
        yield places[0], places[-1], height


def _has_near(places: Sequence[float], own: float) -> bool:
    at = bisect_left(places, own - _SAME)
    return at < len(places) and places[at] <= own + _SAME


def without_other_rows(cells: Sequence[Box], lines: Sequence[Edge]) -> list[Box]:
    """Drop a first or last row that only an added line closes, if it has fewer cells than the next one.

    Such a row is a title in the same frame, not a row cut by the page.
    """
    rows: dict[int, list[Box]] = {}
    for cell in sorted(cells, key=lambda cell: cell[1]):
        rows.setdefault(round(cell[1]), []).append(cell)
    ordered = list(rows.values())
    if len(ordered) > 1 and _is_ended(ordered[0][0][1], lines) and len(ordered[0]) < len(ordered[1]):
        del ordered[0]
    if len(ordered) > 1 and _is_ended(ordered[-1][0][3], lines) and len(ordered[-1]) < len(ordered[-2]):
        del ordered[-1]
    return [cell for row in ordered for cell in row]


def _is_ended(height: float, lines: Sequence[Edge]) -> bool:
    return any(abs(line["top"] - height) <= _SAME for line in lines)
