"""Tables that hold more than cells: those that lay out a page, and records that tables stand in.

Pages have put their columns, frames and boxes side by side by tables. Such a table tells nothing itself: what stands in
its cells is the page, headings and tables and all, and is read as if the table weren't there. A table inside of one
that does tell something, in a row of its own, is a table of its own: called by the head above it, and by what the
outer one is called. A row of its own below a head of its own is the value of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.readers.html.tree import Element, strings

_ROLES = frozenset({"none", "presentation"})
_PARTS = frozenset({"tbody", "thead", "tfoot", "tr", "td", "th"})
_CELLS = frozenset({"td", "th"})
_OWN = frozenset({"dl", "h1", "h2", "h3", "h4", "h5", "h6", "table"})
"""What a cell of data seldom holds."""
_BESIDE = frozenset({"ol", "ul"})
"""What it may hold, where it stands below a head."""
_TEXTS = frozenset({"div", "p"})
_MOSTLY = 0.5
"""The share of cells with something of their own from which a table of several rows only lays them out."""
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
        """What it says, its tables aside."""
        inside = strings(self.element.children, lambda inner: inner.tag == "table")
        return " ".join("".join(part for part in inside if isinstance(part, str)).split())


@dataclass(slots=True, eq=False)
class _Row:
    element: Element
    cells: list[_Cell] = field(default_factory=list)

    @property
    def only(self) -> _Cell | None:
        """Its cell, where it has one."""
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


def laid_open(root: Element) -> Element:
    """The tree without tables that only lay out what is in them; those in rows of their own stand behind the table.

    >>> from retrieval.readers.html.tree import read_html
    >>> inner = "<table><tr><td>a</td></tr></table>"
    >>> root, _ = read_html(f"<table><tr><td>Menu</td><td><h2>Oak</h2>{inner}</td></tr></table>")
    >>> [table.rows[0].cells[0].text for table in _tables(laid_open(root))]
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
    """True where a table is left in a tree."""
    stack: list[Element | str] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, Element):
            if item.tag == "table":
                return True
            stack += item.children
    return False


def _tables(root: Element) -> list[_Table]:
    """All tables of a tree with their own rows and cells, the outer ones first."""
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
    """Take a part of a table outside of its cells: the row and cell that what is in it belongs to."""
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
    """True where a table has no head, and most of its cells are more than cells."""
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
    """Make a table and its parts mere blocks, and its caption a bold line."""
    for element in (table.element, *table.parts):
        element.tag = "div"
    if table.caption is not None:
        table.caption.tag = "p"
        table.caption.children = [Element("strong", {}, table.caption.children)]


def _part(table: _Table, tables: Mapping[int, _Table]) -> None:
    """Put the tables in rows of their own behind the table, and what stands alone below a head of its own beside it."""
    out: list[Element] = []
    title, rows = _name(table.rows[0]), table.rows
    for at, row in enumerate(rows):
        cell, head = row.only, _name(rows[at - 1]) if at > 1 else ""
        if cell is None or cell.is_head:
            continue
        above = rows[at - 1].element if head else Element("tr")
        if len(cell.tables) == 1 and not cell.text:
            if not _take_in(row, tables[id(cell.tables[0])]):
                out.append(_called(cell.tables[0], ": ".join(filter(None, (title, head)))))
                row.element.children = []
            above.children = []
        elif head and cell.text and not cell.tables and not _goes_on(rows[at + 1 : at + 2]):
            row.element.children = [*_narrow([*above.children, cell.element])]
            above.children = []
    if out:
        inner = Element("table", table.element.attributes, table.element.children)
        table.element.tag, table.element.children = "div", [inner, *out]


def _name(row: _Row) -> str:
    """What the head says that a row consists of; empty where it is another row."""
    cell = row.only
    return cell.text if cell is not None and cell.is_head and not cell.tables else ""


def _goes_on(after: Sequence[_Row]) -> bool:
    """True where the next row stands alone too, and says more of what the head above both is."""
    cell = after[0].only if after else None
    return cell is not None and not cell.is_head and bool(cell.text)


def _take_in(row: _Row, inner: _Table) -> bool:
    """Make a table of one row, a head and what is said of it, that row; True where it was one."""
    cells = inner.rows[0].cells if len(inner.rows) == 1 else []
    if len(cells) < _PAIR or not cells[0].is_head or any(cell.is_head or cell.tables for cell in cells[1:]):
        return False
    said: list[Element | str] = [part for cell in cells[1:] for part in (*cell.element.children, " ")]
    row.element.children = [cells[0].element, Element("td", {}, said)]
    return True


def _called(inner: Element, name: str) -> Element:
    """A table with a name before its own caption."""
    caption = next((child for child in _elements(inner.children) if child.tag == "caption"), None)
    if inner.tag == "table" and name and caption is None:
        inner.children = [Element("caption", {}, [name]), *inner.children]
    elif inner.tag == "table" and name and caption is not None:
        caption.children = [f"{name}: ", *caption.children]
    return inner


def _elements(nodes: Sequence[Element | str]) -> Iterator[Element]:
    return (node for node in nodes if isinstance(node, Element))


def _narrow(nodes: Sequence[Element | str]) -> Iterator[Element]:
    """Cells that spanned a whole row with a column each."""
    for element in _elements(nodes):
        own = {name: said for name, said in element.attributes.items() if name != "colspan"}
        yield Element(element.tag, own, element.children)
