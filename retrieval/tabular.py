"""Tables as data, and where they stand: their cells in a sheet, and the boxes of a block on its pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in points from the upper left corner of the page."""
Boxes = tuple[tuple[int, Box], ...]
"""Boxes, each with the number of its page."""


@dataclass(frozen=True, slots=True)
class SheetPlace:
    """Where the cells of a table stand in a spreadsheet: its sheet, the numbers of its rows, its columns by letter.

    >>> SheetPlace("Attack", (4, 6), ("B", "C")).address(1, 0)
    'Attack!B6'
    """

    sheet: str
    rows: tuple[int, ...]
    columns: tuple[str, ...]

    def address(self, row: int, column: int) -> str:
        """What the program that made the sheet calls a cell of the table."""
        return f"{self.sheet}!{self.columns[column]}{self.rows[row]}"

    @property
    def whole(self) -> str:
        """What it calls all cells of the table, from the first to the last.

        >>> SheetPlace("Attack", (4, 6), ("B", "C")).whole, SheetPlace("Attack", (4,), ("B",)).whole
        ('Attack!B4:C6', 'Attack!B4')
        """
        first, last = self.address(0, 0), f"{self.columns[-1]}{self.rows[-1]}"
        return first if first.endswith(f"!{last}") else f"{first}:{last}"


def around(boxes: Sequence[Box]) -> Box | None:
    """The box around some others; `None` around none.

    >>> around([(10, 10, 20, 20), (15, 5, 40, 18)])
    (10, 5, 40, 20)
    """
    if not boxes:
        return None
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def box_on(boxes: Boxes, page: int | None) -> Box | None:
    """What stands on a page of something that may run over several: the box around it there.

    >>> box_on(((7, (10, 10, 20, 20)), (8, (10, 5, 20, 9))), 8)
    (10, 5, 20, 9)
    """
    return around([box for on, box in boxes if on == page])


@dataclass(frozen=True, slots=True)
class Table:
    """A table as data, so that a cell can be read exactly.

    `columns` holds each column's head as a path from the outermost spanning header inwards, for instance
    `("Roll required to hit armour class", "-3")`. Every row has as many cells as there are columns.
    A *record* (a stat block: label and value in two columns) has the empty path for both columns.
    `row_pages` has the page of each row where the table runs on over several, and `place` where it stands in a sheet.
    Where it `is_inferred`, a reader inferred its rows and columns from the gaps between words. `boxes` has where it
    stands on its pages, where a reader knows that. `sentences` has for each row of a record the sentence of prose that
    tells it, where no label does.
    """

    caption: str
    columns: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    row_pages: tuple[int, ...] = ()
    place: SheetPlace | None = None
    is_inferred: bool = False
    boxes: Boxes = ()
    sentences: tuple[str, ...] = ()

    def only(self, rows: Sequence[int]) -> Table:
        """The table with these of its rows.

        >>> Table("", (("Level",), ("Roll",)), (("1", "20"), ("2", "19"))).only([1]).rows
        (('2', '19'),)
        """
        pages = tuple(self.row_pages[row] for row in rows) if self.row_pages else ()
        place = self.place and replace(self.place, rows=tuple(self.place.rows[row] for row in rows))
        boxes = tuple(each for each in self.boxes if not pages or each[0] in pages)
        sentences = tuple(self.sentences[row] for row in rows) if self.sentences else ()
        return replace(
            self, rows=tuple(self.rows[row] for row in rows), row_pages=pages, place=place, boxes=boxes,
            sentences=sentences,
        )  # fmt: skip

    @property
    def is_record(self) -> bool:
        """True for a stat block, whose rows are `label, value`."""
        return len(self.columns) == 2 and not any(self.columns)
