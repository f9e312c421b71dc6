"""Tables as data with their places: cells in a spreadsheet, and boxes on pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in points from the upper left corner of the page."""
Boxes = tuple[tuple[int, Box], ...]
"""Boxes, each with its page number."""


@dataclass(frozen=True, slots=True)
class SheetPlace:
    """The place of a table in a spreadsheet: its sheet, row numbers and column letters.

    >>> SheetPlace("Attack", (4, 6), ("B", "C")).address(1, 0)
    'Attack!B6'
    """

    sheet: str
    rows: tuple[int, ...]
    columns: tuple[str, ...]

    def address(self, row: int, column: int) -> str:
        """Return the spreadsheet address of a cell."""
        return f"{self.sheet}!{self.columns[column]}{self.rows[row]}"

    @property
    def whole(self) -> str:
        """The spreadsheet address of all cells of the table, first to last.

        >>> SheetPlace("Attack", (4, 6), ("B", "C")).whole, SheetPlace("Attack", (4,), ("B",)).whole
        ('Attack!B4:C6', 'Attack!B4')
        """
        first, last = self.address(0, 0), f"{self.columns[-1]}{self.rows[-1]}"
        return first if first.endswith(f"!{last}") else f"{first}:{last}"


def around(boxes: Sequence[Box]) -> Box | None:
    """Return the box around some boxes; `None` for none.

    >>> around([(10, 10, 20, 20), (15, 5, 40, 18)])
    (10, 5, 40, 20)
    """
    if not boxes:
        return None
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def box_on(boxes: Boxes, page: int | None) -> Box | None:
    """Return the box around a block's boxes on one page.

    >>> box_on(((7, (10, 10, 20, 20)), (8, (10, 5, 20, 9))), 8)
    (10, 5, 20, 9)
    """
    return around([box for on, box in boxes if on == page])


@dataclass(frozen=True, slots=True)
class Table:
    """A table as data, so that a cell can be read exactly.

    `columns` holds each column's head as a path from the outermost spanning header inwards, for instance `("Roll
    required to hit armour class", "-3")`. Every row has as many cells as there are columns. A *record* (a stat block:
    label and value in two columns) has the empty path for both columns. `row_pages` has the page of each row if the
    table spans several, and `place` its place in a spreadsheet. `is_inferred` is True if a reader inferred rows and
    columns from the gaps between words. `boxes` are its places on its pages, if a reader knows them. `sentences` has,
    for each row of a record from prose, the sentence that states it.
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
        """Return the table with only these rows.

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
