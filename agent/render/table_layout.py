"""Rows under headers: a table if it fits, and on a terminal too narrow for one, each row as lines of text.

A number is never folded and no value is ever cut, since part of a number is another number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

_NARROW, _WORD = 16, 30
"""Columns of the screen: text is not folded below the first, a word not below the second."""


class Sheet:
    """Headers and rows; a header that ends with ">" has numbers below it.

    Text is not folded to fewer than `narrow` columns of the screen.

    >>> sheet = Sheet("run", "cost>")
    >>> sheet.add("1a2b", "$0.50")
    >>> Console(width=20).print(sheet)
    run     cost
    ────────────
    1a2b   $0.50
    """

    def __init__(self, *heads: str, ruled: bool = True, narrow: int = _NARROW) -> None:
        self._heads = tuple(Text(head.rstrip(">")) for head in heads)
        self._numbers = tuple(head.endswith(">") for head in heads)
        self._rows: list[tuple[Text, ...]] = []
        self._ruled, self._narrow = ruled, narrow

    def add(self, *cells: str | Text) -> None:
        """Add a row of plain text, which is never parsed as markup."""
        self._rows.append(tuple(Text(cell) if isinstance(cell, str) else cell for cell in cells))

    def fits(self, width: int) -> bool:
        """Return True if the table fits into this many columns of a screen."""
        return self._widths(width) is not None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Yield the table, or its rows as lines of text if it is too wide."""
        widths = self._widths(options.max_width)
        if widths is not None:
            yield self._table(widths)
        else:
            for row in self._rows:
                yield from self._as_lines(row, options.max_width)

    def _widths(self, most: int) -> list[int] | None:
        """Return the width of each column: the widest shrink as far as they can; None if that is not enough."""
        room = most - (3 if self._ruled else 2) * (len(self._heads) - 1)
        columns = [[head, *(row[at] for row in self._rows)] for at, head in enumerate(self._heads)]
        least = [_least(*pair, self._narrow) for pair in zip(columns, self._numbers, strict=True)]
        widths = [max(low, min(room, _widest(column))) for low, column in zip(least, columns, strict=True)]
        if sum(least) > room:
            return None
        while sum(widths) > room:
            widest = max((at for at, low in enumerate(least) if widths[at] > low), key=widths.__getitem__)
            widths[widest] -= 1
        return widths

    def _table(self, widths: Sequence[int]) -> Table:
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        if not self._ruled:
            table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for head, number, width in zip(self._heads, self._numbers, widths, strict=True):
            table.add_column(head, justify="right" if number else "left", overflow="fold", width=width)
        for row in self._rows:
            table.add_row(*row)
        return table

    def _as_lines(self, row: Sequence[Text], most: int) -> Iterator[RenderableType]:
        """Yield a row's first value on its own line, and below it the others, as many per line as fit."""
        values = [_labelled(head, cell) for head, cell in zip(self._heads, row, strict=True) if cell.plain.strip()]
        yield from values[:1]
        lines: list[Text] = []
        for value in values[1:]:
            if lines and lines[-1].cell_len + len(" · ") + value.cell_len <= most - 2:
                lines[-1].append(" · ", style="dim").append_text(value)
            else:
                lines.append(value)
        for line in lines:
            yield Padding(line, (0, 0, 0, 2), expand=False)


def grid(columns: int, gap: int = 1) -> Table:
    """Return a table without headers, such as names with their values, whose cells are folded if necessary."""
    table = Table(box=None, show_header=False, padding=(0, gap, 0, 0))
    for _ in range(columns):
        table.add_column(overflow="fold")
    return table


def _labelled(head: Text, cell: Text) -> Text:
    value = cell.copy()
    value.rstrip()
    return Text.assemble((f"{head.plain}: ", "dim"), value) if head.plain else value


def _widest(cells: Sequence[Text]) -> int:
    return max(cell.cell_len for cell in cells)


def _least(column: Sequence[Text], number: bool, narrow: int) -> int:
    """Return the least width of a column: headers fold between words, and so do cells that are not numbers."""
    head, *cells = column
    words = [head] if number else column
    longest = max((cell_len(word) for text in words for word in text.plain.split()), default=0)
    whole = max((cell.cell_len for cell in cells), default=0)
    return max(longest, whole) if number else max(min(longest, _WORD), min(whole, narrow))
