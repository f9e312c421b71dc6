"""A table in plain text whose heads stand above a rule drawn in pieces, one for each column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.readers.html.found_tables import Found, Row, table_html
from retrieval.readers.html.text_columns import cut, is_ruled, is_title, keeps_to, ruled
from retrieval.readers.labels.label_marks import without_bullet

_MOST_HEADS = 3
_RULE_PIECE = re.compile(r"(?:^|[\s|])[-=_~]{5,}(?:[\s|]|$)")


def whole_table(lines: Sequence[str]) -> str:
    """Return the HTML of a table with heads above a rule that all lines belong to; empty if they are anything else.

    >>> whole_table(["      May  June", "      ---  ----", "Reed    3    12", "Rush    5     8"])[-33:]
    '<td>5</td><td>8</td></tr></table>'
    """
    told = [at for at, line in enumerate(lines) if line.strip()]
    found = under_rule(lines, told[0]) if told else None
    is_whole = found is not None and len(found.rows) > 1 and found.end > told[-1]
    return "\n".join(table_html(found)) if found is not None and is_whole else ""


def under_rule(lines: Sequence[str], at: int) -> Found | None:
    """Return a table whose heads stand on this line, above a rule drawn in pieces."""
    rule = next((n for n in range(at + 1, min(at + 1 + _MOST_HEADS, len(lines))) if is_ruled(lines[n])), 0)
    if not rule or not all(map(has_letter_or_digit, lines[at:rule])):
        return None
    end = next((n for n in range(rule + 1, len(lines)) if not lines[n].strip()), len(lines))
    starts = ruled(lines[rule], [line for line in lines[rule + 1 : end] if has_letter_or_digit(line)])
    body = [n for n in range(rule + 1, end) if has_letter_or_digit(lines[n])]
    while body and not keeps_to([lines[body[-1]]], starts):
        end = body.pop()
    is_drawn_beside = any(_RULE_PIECE.search(lines[n]) for n in body)
    is_titled = at + 1 < rule and is_title(lines[at], starts)
    first = at + is_titled
    if not body or is_drawn_beside or not keeps_to([lines[n] for n in (*range(first, rule), *body)], starts):
        return None
    told = zip(*(cut(line, starts) for line in lines[first:rule]), strict=True)
    heads = [" ".join(filter(None, cells)) for cells in told]
    rows = list(rows_of(lines, body, starts))
    caption = lines[at].strip() if is_titled else ""
    return Found(at, end, rows, heads, caption) if sum(map(bool, heads)) > 1 else None


def has_letter_or_digit(line: str) -> bool:
    """True for a line with a letter or a digit."""
    return any(map(str.isalnum, line))


def rows_of(lines: Sequence[str], places: Sequence[int], starts: Sequence[int]) -> Iterator[Row]:
    """Yield the rows of lines; a line without a key continues the row above or repeats its key."""
    row: Row | None = None
    last = -1
    for at in places:
        cells = cut(lines[at], starts)
        if not cells[0] and row is not None and (sum(map(bool, cells)) == 1 or at > last + 1):
            row.more += [*([""] if at > last + 1 else []), lines[at].strip()]
        else:
            if row is not None:
                yield row
            row = Row(at, [without_bullet(cells[0]) or (row.cells[0] if row else ""), *cells[1:]])
        last = at
    if row is not None:
        yield row
