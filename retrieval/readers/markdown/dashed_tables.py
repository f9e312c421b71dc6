"""Pandoc's simple and multiline tables, with dashes below their heads: each becomes a pipe table.

The runs of dashes mark the columns. A multiline table has dashes above and below it, and blank lines between its rows.
See https://pandoc.org/MANUAL.html#tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_RUNS = re.compile(r"[ ]*-{2,}(?:[ ]+-{2,})+[ ]*")
_RUN = re.compile(r"-+")
_WHOLE = re.compile(r"[ ]*-{6,}[ ]*")
_MOST_LINES = 400


def begins_dashed(row: str, below: str) -> bool:
    """Return whether a table may begin with this line and the one below it.

    >>> begins_dashed("Name   Crew", "-----  ----"), begins_dashed("Name", "----")
    (True, False)
    """
    return _is_dashes(row) or bool(_RUNS.fullmatch(below))


def dashed_table(rows: Sequence[str]) -> list[str]:
    r"""Return the table that begins with the first line, as lines of a pipe table; empty if there is none.

    >>> dashed_table(["Name   Crew", "-----  ----", "Reed   3", "Lark   7", "", "Text"])
    ['| Name | Crew |', '|---|---|', '| Reed | 3 |', '| Lark | 7 |']
    """
    if len(rows) > 1 and _RUNS.fullmatch(rows[1]) and rows[0].strip() and not _is_dashes(rows[0]):
        return _simple(rows)
    return _multiline(rows[:_MOST_LINES]) if rows and _is_dashes(rows[0]) else []


def _is_dashes(row: str) -> bool:
    return bool(_WHOLE.fullmatch(row) or _RUNS.fullmatch(row))


def _simple(rows: Sequence[str]) -> list[str]:
    """Convert a table with one line for each row, ended by a blank line."""
    end = next((at for at, row in enumerate(rows) if at > 1 and (not row.strip() or _is_dashes(row))), len(rows))
    if not _keeps([rows[0], *rows[2:end]], rows[1]):
        return []
    body = [_cells([row], rows[1]) for row in rows[2:end]]
    return _written(_cells(rows[:1], rows[1]), body, end) if body else []


def _multiline(rows: Sequence[str]) -> list[str]:
    """Convert a table between two lines of dashes; its heads, if any, stand above a third one."""
    edges = [at for at, row in enumerate(rows) if _is_dashes(row)]
    runs = next((at for at in edges[:2] if _RUNS.fullmatch(rows[at])), None)
    if runs is None or len(edges) <= edges.index(runs) + 1:
        return []
    end = edges[edges.index(runs) + 1]
    inner = rows[runs + 1 : end]
    groups: list[list[str]] = [[]]
    for row in inner:
        if row.strip():
            groups[-1].append(row)
        elif groups[-1]:
            groups.append([])
    is_one_each = all(row.strip() for row in inner)
    parts = [[row] for row in inner] if is_one_each else [group for group in groups if group]
    head = _cells(rows[1:runs], rows[runs]) if runs else [""] * len(_RUN.findall(rows[runs]))
    is_whole = all(row.strip() for row in rows[1:runs]) and _keeps([*rows[1:runs], *inner], rows[runs])
    return [] if not is_whole or not parts else _written(head, [_cells(part, rows[runs]) for part in parts], end + 1)


def _starts(runs: str) -> list[int]:
    """Return where the columns begin: at the runs of dashes, the first at the line's start."""
    return [0, *[run.start() for run in _RUN.finditer(runs)][1:]]


def _keeps(lines: Sequence[str], runs: str) -> bool:
    """True if no text crosses the beginning of a column."""
    return all(line[start - 1 : start].strip() == "" for line in lines for start in _starts(runs)[1:])


def _cells(lines: Sequence[str], runs: str) -> list[str]:
    """Return the text of each column."""
    edges = [*_starts(runs), max(map(len, lines), default=0) + 1]
    columns = ([line[left:right].strip() for line in lines] for left, right in pairwise(edges))
    return [" ".join(filter(None, column)).replace("|", "\\|") for column in columns]


def _written(head: Sequence[str], body: Sequence[Sequence[str]], lines: int) -> list[str]:
    """Return the pipe table, padded to the original number of lines."""
    rows = [f"| {' | '.join(cells)} |" for cells in body]
    written = [f"| {' | '.join(head)} |", "|" + "---|" * len(head), *rows]
    return [*written, *[""] * (lines - len(written))] if len(written) <= lines else []
