"""A comparison as a table, in place of the answer's lines with one measure of several named things each.

The table replaces these lines only on a terminal that is wide enough; elsewhere the answer stays text. It is built from
the steps, which have their rows as data, never from the text of the lines.
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
"""Fewest rows and names of a table; fewer are clearer as text."""
_NARROW = 10
"""Narrowest column for a folded value, in characters: the values of a stat block are words, not sentences."""
_NOT_STATED, _NOT_FOUND = "not stated", "–"
"""A value that the book omits, and one that no step has; the lines below the table explain the latter."""


def text_view(answer: Answer) -> Iterator[RenderableType]:
    """Yield the text of an answer, with its comparison as a table if it has one that fits."""
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
    """The table if there is room for it, else the lines."""

    def __init__(self, sheet: Sheet, lines: Sequence[str]) -> None:
        self._sheet, self._told = sheet, lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        if console.is_terminal and self._sheet.fits(options.max_width):
            yield self._sheet
        else:
            yield from _lines(self._told)


def _sheet(steps: Sequence[Step]) -> Sheet | None:
    """Return the steps as a table, a row per label and a column per name; None if it would be too small."""
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
