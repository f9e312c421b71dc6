"""A solid rule below the heads of a table, *Code   Signal* above *--------------*: it is drawn in pieces, one for each
column. Then it underlines no heading, and the table is read as others with such a rule.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.readers.html.text_columns import WIDE_GAP, boundaries, is_title
from retrieval.readers.plain.text_heads import is_rule

_FEWEST = 2
"""The fewest rows below the rule."""
_MOST_HEADS = 3


def in_pieces(lines: Sequence[str]) -> list[str]:
    """Return the lines with the solid rules of tables in pieces.

    >>> in_pieces(["Boat     Crew", "-------------", "Reed     3", "Sedge    12", ""])[1]
    '-------  ----'
    """
    told = list(lines)
    for at, line in enumerate(lines):
        if 0 < at < len(lines) - 1 and is_rule(line) and WIDE_GAP.search(lines[at - 1]):
            told[at] = _pieces(lines, at) or line
    return told


def _pieces(lines: Sequence[str], at: int) -> str:
    """Return a rule in pieces; empty if what stands above and below it has no columns."""
    end = next((n for n in range(at + 1, len(lines)) if not lines[n].strip() or is_rule(lines[n])), len(lines))
    begin = next((n for n in range(at - 1, max(-1, at - 1 - _MOST_HEADS), -1) if not lines[n].strip()), -1) + 1
    rows, heads = lines[at + 1 : end], lines[max(begin, at - _MOST_HEADS) : at]
    if len(heads) > 1 and is_title(heads[0], boundaries([*heads[1:], *rows])):
        heads = heads[1:]
    starts = boundaries([*heads, *rows]) if len(rows) >= _FEWEST else [0]
    if len(starts) == 1 or not all(map(WIDE_GAP.search, rows)):
        return ""
    width = max(len(lines[at].rstrip()), *map(len, rows))
    ends = [*(start - 2 for start in starts[1:]), width]
    return "".join("-" * (end - start) + "  " for start, end in zip(starts, ends, strict=True)).rstrip()
