"""Layout tables, and records that contain tables.

Pages use tables to put columns, frames and boxes side by side. Such a table has no data of its own: its cells are the
page, with headings and tables, and are read as if the table were absent. A table inside a data table, in a row of its
own, becomes a separate table, named by the head above it and the outer table's name. A lone cell below a lone head is
that head's value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.readers.html.tree import Element, strings

_ROLES = frozenset({"none", "presentation"})
_PARTS = frozenset({"tbody", "thead", "tfoot", "tr", "td", "th"})
_CELLS = frozenset({"td", "th"})
_OWN = frozenset({"dl", "h1", "h2", "h3", "h4", "h5", "h6", "table"})
"""Elements that a data cell seldom contains."""
_BESIDE = frozenset({"ol", "ul"})
"""Elements that it may contain below a head."""
_TEXTS = frozenset({"div", "p"})
_MOSTLY = 0.5
"""The share of cells with such elements from which a table of several rows is layout."""
_PAIR = 2


@dataclass(slots=True, eq=False)
class _Cell:
    element: Element
    tables: list[Element] = field(default_factory=list)
    own: int = 0
    lists: int = 0
    texts: int = 0

    @property
    def is_head(self) -> bool:
        return self.element.tag == "th"

    @property
    def text(self) -> str:
        """Its text without its tables."""
        inside = strings(self.element.children, lambda inner: inner.tag == "table")
        return " ".join("".join(part for part in inside if isinstance(part, str)).split())


@dataclass(slots=True, eq=False)
class _Row:
    element: Element
    cells: list[_Cell] = field(default_factory=list)

    @property
    def only(self) -> _Cell | None:
        """Its cell, if it has exactly one."""
        return self.cells[0] if len(self.cells) == 1 else None


@dataclass(slots=True, eq=False)
class _Table:
    element: Element
    rows: list[_Row] = field(default_factory=list)
    parts: list[Element] = field(default_factory=list)
    caption: Element | None = None

    @property
    def width(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)


def without_layout_tables(root: Element) -> Element:
    """Replace layout tables by their contents, and move tables in rows of their own behind their table.

    >>> from retrieval.readers.html.tree import read_html
    >>> inner = "<table><tr><td>a</td></tr></table>"
    >>> root, _ = read_html(f"<table><tr><td>Menu</td><td><h2>Oak</h2>{inner}</td></tr></table>")
    >>> [table.rows[0].cells[0].text for table in _tables(without_layout_tables(root))]
    ['a']
    """
    found = _tables(root)
    by_element = {id(table.element): table for table in found}
    for table in found:
        if _is_layout(table):
            _open(table)
        elif table.width >= _PAIR:
            _part(table, by_element)
    return root


def has_tables(root: Element) -> bool:
    """True if a tree contains a table."""
    stack: list[Element | str] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, Element):
            if item.tag == "table":
                return True
            stack += item.children
    return False


def _tables(root: Element) -> list[_Table]:
    """Return all tables of a tree with their own rows and cells, outer ones first."""
    found: list[_Table] = []
    stack: list[tuple[Element | str, _Table | None, _Row | None, _Cell | None]] = [(root, None, None, None)]
    while stack:
        item, table, row, cell = stack.pop()
        if isinstance(item, str):
            continue
        if item.tag == "table":
            if cell is not None:
                cell.tables.append(item)
            _note(item, cell)
            table, row, cell = _Table(item), None, None
            found.append(table)
        elif table is not None and cell is None:
            row, cell = _enter(item, table, row)
        else:
            _note(item, cell)
        stack += [(child, table, row, cell) for child in reversed(item.children)]
    return found


def _enter(item: Element, table: _Table, row: _Row | None) -> tuple[_Row | None, _Cell | None]:
    """Add a part of a table outside its cells; return the row and cell to which its content belongs."""
    if item.tag in _PARTS:
        table.parts.append(item)
    if item.tag == "tr":
        row = _Row(item)
        table.rows.append(row)
    elif item.tag in _CELLS and row is not None:
        row.cells.append(_Cell(item))
        return row, row.cells[-1]
    elif item.tag == "caption":
        table.caption = table.caption or item
    return row, None


def _note(item: Element, cell: _Cell | None) -> None:
    if cell is not None:
        cell.own += item.tag in _OWN
        cell.lists += item.tag in _BESIDE
        cell.texts += item.tag in _TEXTS


def _is_layout(table: _Table) -> bool:
    """True for a table without heads most of whose cells contain more than data."""
    if table.element.attributes.get("role") in _ROLES:
        return True
    cells = [cell for row in table.rows for cell in row.cells]
    if not cells or any(cell.is_head for cell in cells):
        return False
    if len(table.rows) == 1:
        return any(cell.own or cell.lists or cell.texts > 1 for cell in cells)
    told = [cell for cell in cells if cell.own or cell.text]
    return sum(bool(cell.own) for cell in told) > _MOSTLY * len(told)


def _open(table: _Table) -> None:
    """Turn a table and its parts into plain blocks, and its caption into a bold line."""
    for element in (table.element, *table.parts):
        element.tag = "div"
    if table.caption is not None:
        table.caption.tag = "p"
        table.caption.children = [Element("strong", {}, table.caption.children)]


def _part(table: _Table, tables: Mapping[int, _Table]) -> None:
    """Move tables in rows of their own behind the table, and put a lone cell beside the lone head above it."""
    out: list[Element] = []
    title, rows = _name(table.rows[0]), table.rows
    for at, row in enumerate(rows):
        cell, head = row.only, _name(rows[at - 1]) if at > 1 else ""
        if cell is None or cell.is_head:
            continue
        above = rows[at - 1].element if head else Element("tr")
        if len(cell.tables) == 1 and not cell.text:
            if not _take_in(row, tables[id(cell.tables[0])]):
                out.append(_with_caption_prefix(cell.tables[0], ": ".join(filter(None, (title, head)))))
                row.element.children = []
            above.children = []
        elif head and cell.text and not cell.tables and not _goes_on(rows[at + 1 : at + 2]):
            row.element.children = [*_narrow([*above.children, cell.element])]
            above.children = []
    if out:
        inner = Element("table", table.element.attributes, table.element.children)
        table.element.tag, table.element.children = "div", [inner, *out]


def _name(row: _Row) -> str:
    """Return the text of a row that is only a head; else empty."""
    cell = row.only
    return cell.text if cell is not None and cell.is_head and not cell.tables else ""


def _goes_on(after: Sequence[_Row]) -> bool:
    """True if the next row is a lone cell too, which continues under the same head."""
    cell = after[0].only if after else None
    return cell is not None and not cell.is_head and bool(cell.text)


def _take_in(row: _Row, inner: _Table) -> bool:
    """Replace the row by the head and contents of an inner table with one row; return True if it had one."""
    cells = inner.rows[0].cells if len(inner.rows) == 1 else []
    if len(cells) < _PAIR or not cells[0].is_head or any(cell.is_head or cell.tables for cell in cells[1:]):
        return False
    said: list[Element | str] = [part for cell in cells[1:] for part in (*cell.element.children, " ")]
    row.element.children = [cells[0].element, Element("td", {}, said)]
    return True


def _with_caption_prefix(inner: Element, name: str) -> Element:
    """Prefix a name to the caption of a table."""
    caption = next((child for child in _elements(inner.children) if child.tag == "caption"), None)
    if inner.tag == "table" and name and caption is None:
        inner.children = [Element("caption", {}, [name]), *inner.children]
    elif inner.tag == "table" and name and caption is not None:
        caption.children = [f"{name}: ", *caption.children]
    return inner


def _elements(nodes: Sequence[Element | str]) -> Iterator[Element]:
    return (node for node in nodes if isinstance(node, Element))


def _narrow(nodes: Sequence[Element | str]) -> Iterator[Element]:
    """Yield cells that spanned a whole row, now one column wide."""
    for element in _elements(nodes):
        own = {name: said for name, said in element.attributes.items() if name != "colspan"}
        yield Element(element.tag, own, element.children)
