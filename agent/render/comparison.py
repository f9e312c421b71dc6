"""A comparison as a table: the lines of an answer that tell one measure of several named things each.

The table stands in for these lines only on a terminal that has the room; elsewhere the answer is its text. It is made
from the steps, which know their rows, never from what the lines say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from agent.escape import one_line, printable
from agent.render.table_layout import Sheet
from agent.types import Answer, Step
from agent.writing.wording.synthesizer import line_of, marks_of

_LEAST = 2
"""Rows and names of a table; what has fewer is told better in a line."""
_NARROW = 10
"""Columns of the screen to which a value may be folded: those of a stat block are words, not sentences."""
_NOT_STATED, _NOT_FOUND = "not stated", "–"
"""What the book leaves out, and what no step tells; the lines below the table say of the second what it is."""


def text_view(answer: Answer) -> Iterator[RenderableType]:
    """The text of an answer, with its comparison as a table where there is one and it fits."""
    steps = [step for finding in answer.findings for step in finding.steps if step.row is not None]
    lines, told = answer.text.split("\n"), [line_of(step) for step in steps]
    start = lines.index(told[0]) if told and told[0] in lines else 0
    end = start + len(told)
    sheet = _sheet(steps)
    if sheet is None or lines[start:end] != told:
        yield Text(printable(answer.text))
        return
    yield from _lines(lines[:start])
    yield _Comparison(sheet, told)
    yield from _lines(lines[end:])


class _Comparison:
    """The table where there is room for it, else the lines."""

    def __init__(self, sheet: Sheet, lines: Sequence[str]) -> None:
        self._sheet, self._told = sheet, lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        if console.is_terminal and self._sheet.fits(options.max_width):
            yield self._sheet
        else:
            yield from _lines(self._told)


def _sheet(steps: Sequence[Step]) -> Sheet | None:
    """The steps as a table, a row for each label and a column for each name; None where it would be too small."""
    rows: dict[str, dict[str, str | None]] = {}
    cites: dict[str, list[int]] = {}
    for step in steps:
        if step.row is not None:
            rows.setdefault(step.row.label, {}).update(step.row.values)
            cites.setdefault(step.row.label, []).extend(step.cites)
    names = dict.fromkeys(chain.from_iterable(rows.values()))
    if len(rows) < _LEAST or len(names) < _LEAST:
        return None
    sheet = Sheet("", *map(one_line, names), "", narrow=_NARROW)
    for label, values in rows.items():
        cells = (one_line(values.get(name, _NOT_FOUND) or _NOT_STATED) for name in names)
        sheet.add(one_line(label), *cells, Text(marks_of(cites[label]), style="dim"))
    return sheet


def _lines(lines: Sequence[str]) -> Iterator[RenderableType]:
    if lines:
        yield Text(printable("\n".join(lines)))
