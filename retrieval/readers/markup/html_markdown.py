"""HTML as Markdown: the content of a page without its navigation.

The tree is walked once with an explicit stack, so that any depth of nesting works. Tables and definition lists stay
HTML, which the Markdown reader understands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape, unescape

from retrieval.readers.html.boxes import with_box_definitions
from retrieval.readers.html.layout import without_layout_tables
from retrieval.readers.html.tables import HEADS
from retrieval.readers.html.tree import Element, read_html, strings
from retrieval.readers.plain.plain_text import escaped

LINE = "data-line"
"""The attribute with the source line on which an element begins."""
_HEADINGS = {f"h{depth}": depth for depth in range(1, 7)}
_SILENT = frozenset(
    "aside button canvas dialog footer form head iframe input nav noscript object script select style svg template "
    "textarea video audio".split()
)
"""Elements that are not content: controls, pictures, scripts and navigation."""
_SILENT_ROLES = frozenset({"banner", "complementary", "contentinfo", "navigation", "search"})
_MAIN = ("main", "article")
_RAW = frozenset({"table", "dl"})
_LISTS = frozenset({"ul", "ol"})
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q s samp small span strike "
    "strong sub sup time tt u var wbr".split()
)
_MARKS = {"b": "**", "strong": "**", "em": "*", "i": "*"}
_CODE = frozenset({"code", "samp", "tt"})
_LEADING_CODE = re.compile(r"\s*(?:`[^`]+`[\s,/|]*)*")
_ANCHOR = re.compile(r"\s*[¶🔗]$")
"""The sign of a permalink behind a heading in notebooks and manuals."""
_OPENING = re.compile(r"^(\s*\d*)(#{1,6}\s|[-+]\s|(?<=\d)[.)]\s|[-=]+\s*$|>|:\s)")
"""Text that would be Markdown syntax at the beginning of a line, also behind a number."""
_TAG = re.compile(
    r"<(?=(?:h[1-6]|p|li|table|tr|[uod]l|d[td]|pre|blockquote|div|section|article|main)\b)([a-z0-9]+)", re.I
)
_VOID = frozenset({"br", "hr", "img", "wbr", "col"})
_DEEPEST_LIST = 12
_TITLE = re.compile(r"<title\b[^>]*>([^<]*)</title", re.IGNORECASE)


@dataclass(slots=True)
class Written:
    """Markdown, and for each of its lines the line of the HTML."""

    lines: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    odd: list[tuple[int, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All lines as one text."""
        return "\n".join(self.lines)


def markdown_of(html: str, *, has_lines: bool = False) -> Written:
    """Return a page of HTML as Markdown: its main part if it declares one, else everything but navigation.

    With `has_lines` its elements carry their source lines already.

    >>> markdown_of("<nav>Home</nav><h2>Oak</h2><p>Height: <b>30 m</b></p>").lines
    ['## Oak', '', 'Height: **30 m**', '']
    """
    root, odd = read_html(html if has_lines else _numbered(html))
    writer = _Writer(_outer_title(html))
    writer.write(_main_part(with_box_definitions(without_layout_tables(root))))
    writer.written.odd = [(line + 1, message) for line, message in odd]
    return writer.written


def _outer_title(html: str) -> str:
    found = _TITLE.search(html)
    return " ".join(unescape(found[1]).split()) if found else ""


def _numbered(html: str) -> str:
    """Add the line number to each tag that opens a block."""
    line, done = 1, 0

    def tag(found: re.Match[str]) -> str:
        nonlocal line, done
        line, done = line + html.count("\n", done, found.start()), found.start()
        return f"<{found[1]} {LINE}={line}"

    return _TAG.sub(tag, html)


def _main_part(root: Element) -> Element:
    """Return the only element that is declared the main part; without one the whole page."""
    for tag in _MAIN:
        found = [element for element in _elements(root) if element.tag == tag]
        if len(found) == 1:
            return found[0]
    return root


def _elements(root: Element) -> Iterator[Element]:
    stack = [root]
    while stack:
        element = stack.pop()
        yield element
        stack += [child for child in element.children if isinstance(child, Element)]


class _End:
    """Marks the end of an element on the stack, behind its children."""

    __slots__ = ("element",)

    def __init__(self, element: Element) -> None:
        self.element = element


class _Writer:
    """Writes an element as Markdown."""

    def __init__(self, title: str) -> None:
        self.written = Written()
        self._title = title
        self._parts: list[str] = []
        self._open: list[tuple[str, int]] = []
        self._lists: list[str] = []
        self._bullet = ""
        self._prefix = ""
        self._quotes = 0
        self._line = 1

    def write(self, root: Element) -> None:
        """Write an element and its contents."""
        stack: list[Element | str | _End] = [root]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                self._parts.append(escaped(re.sub(r"\s+", " ", item)))
            elif isinstance(item, _End):
                self._end(item.element)
            elif not _is_silent(item):
                stack += self._begin(item)
        self._flush()
        self._entitle()

    def _begin(self, element: Element) -> list[Element | str | _End]:
        """Open an element; return what remains to be written inside it, last part first."""
        tag = element.tag
        inside: list[Element | str | _End] = [_End(element), *reversed(element.children)]
        if _is_code(element) and self._begins_item():
            self._parts.append(f"`{_code(element)}`")
            return []
        if tag in _MARKS:
            self._open.append((tag, len(self._parts)))
        elif tag == "br":
            self._parts.append("\n")
            return []
        elif tag == "sup":
            self._parts.append(_raised("".join(self._parts[-1:]), element))
            return []
        elif tag == "img":
            return []
        elif tag not in _INLINE:
            return self._begin_block(element, inside)
        return inside

    def _begins_item(self) -> bool:
        """True at the start of a list item, and behind leading code there."""
        return bool(self._bullet) and not self._open and _LEADING_CODE.fullmatch("".join(self._parts)) is not None

    def _begin_block(self, element: Element, inside: list[Element | str | _End]) -> list[Element | str | _End]:
        tag = element.tag
        self._flush()
        self._line = _line_of(element, self._line)
        if tag in _RAW:
            self._add(list(_html_lines(element)))
            return []
        if tag == "pre":
            self._add(_fenced(element))
            return []
        if tag in _HEADINGS:
            self._prefix = "#" * _HEADINGS[tag] + " "
        elif tag in _LISTS:
            self._lists.append("1. " if tag == "ol" else "- ")
        elif tag == "li":
            self._bullet = self._lists[-1] if self._lists else "- "
        elif tag == "blockquote":
            self._quotes += 1
        return inside

    def _end(self, element: Element) -> None:
        tag = element.tag
        if tag in _MARKS:
            self._mark(tag)
        elif tag not in _INLINE:
            self._flush()
            self._prefix = "" if tag in _HEADINGS else self._prefix
            if tag in _LISTS and self._lists:
                self._lists.pop()
                self._add([])
            elif tag == "li":
                self._bullet = ""
            elif tag == "blockquote":
                self._quotes -= 1

    def _mark(self, tag: str) -> None:
        """Put bold or italic marks around the text of an element, which may be empty."""
        start = self._open.pop()[1] if self._open else len(self._parts)
        text = "".join(self._parts[start:])
        plain, mark = text.strip(), _MARKS[tag]
        if plain and "\n" not in plain and not plain.startswith("*"):
            left, right = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
            text = f"{left}{mark}{plain}{mark}{right}"
        self._parts[start:] = [text]

    def _flush(self) -> None:
        """Write the collected paragraph, heading or item."""
        rows = [" ".join(row.split()) for row in "".join(self._parts).split("\n")]
        rows = [row for row in rows if row]
        self._parts, self._open = [], []
        if not rows:
            return
        if self._prefix:
            rows = [self._prefix + _ANCHOR.sub("", " ".join(rows))]
        else:
            rows = [_OPENING.sub(r"\1\\\2", row) for row in rows]
        self._add(rows)

    def _add(self, rows: list[str]) -> None:
        """Write lines inside the open lists and quotations, and a blank line after them."""
        depth = min(len(self._lists), _DEEPEST_LIST)
        indent = "   " * max(0, depth - 1)
        first = indent + self._bullet if self._bullet else "   " * depth
        later = "   " * depth
        quote = "> " * min(self._quotes, _DEEPEST_LIST)
        for place, row in enumerate(rows):
            self._write_line(quote + (later if place else first) + row)
        self._write_line(quote.rstrip())
        self._bullet = ""

    def _write_line(self, line: str) -> None:
        self.written.lines.append(line)
        self.written.places.append(self._line)

    def _entitle(self) -> None:
        """Use the page's title as heading if it has no heading of the first level."""
        if self._title and not any(line.startswith("# ") for line in self.written.lines):
            self.written.lines[:0] = ["# " + escaped(self._title), ""]
            self.written.places[:0] = [1, 1]


def _is_code(element: Element) -> bool:
    """True for code, also in the form that docutils writes."""
    is_told = "literal" in element.attributes.get("class", "").split() and element.tag == "span"
    return (is_told or element.tag in _CODE) and bool(_code(element))


def _code(element: Element) -> str:
    """Return the text of code in one line."""
    parts = (part for part in strings(element.children, lambda _: False) if isinstance(part, str))
    return " ".join("".join(parts).replace("`", " ").split())


def _is_silent(element: Element) -> bool:
    own = element.attributes
    role = own.get("role", "")
    is_hidden = "hidden" in own or own.get("aria-hidden") == "true"
    return element.tag in _SILENT or role in _SILENT_ROLES or is_hidden


def _line_of(element: Element, otherwise: int) -> int:
    said = element.attributes.get(LINE, "")
    return int(said) if said.isdecimal() else otherwise


def _raised(before: str, element: Element) -> str:
    """Return raised text as it reads behind other text; empty for a footnote mark."""
    both = strings([before, element], lambda _: False)
    return "".join(part for part in both if isinstance(part, str))[len(before) :]


def _fenced(element: Element) -> list[str]:
    """Return preformatted text as a fenced block, with a fence that does not occur in it."""
    stack: list[Element | str] = [element]
    parts = []
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
        else:
            stack += reversed(item.children)
    rows = "".join(parts).strip("\n").split("\n")
    fence = max(("`" * (len(run) + 1) for row in rows for run in re.findall(r"`{3,}", row)), default="```")
    return [fence, *rows, fence]


def _html_lines(element: Element) -> Iterator[str]:
    """Yield a table or definition list as HTML, one row or item a line, without parts that are not content."""
    stack: list[Element | str] = [element]
    line: list[str] = []
    while stack:
        item = stack.pop()
        if isinstance(item, _Tag):
            line.append(item)
        elif isinstance(item, str):
            line.append(escape(re.sub(r"\s+", " ", item), quote=False))
        elif not _is_silent(item):
            if item.tag in ("tr", "dt", "dd"):
                yield "".join(line)
                line = []
            line.append(f"<{item.tag}{''.join(_spans(item))}>")
            stack += [*([] if item.tag in _VOID else [_Tag(f"</{item.tag}>")]), *reversed(item.children)]
    yield "".join(line)


class _Tag(str):
    """The closing tag of an element, between its children and what follows."""

    __slots__ = ()


def _spans(element: Element) -> Iterator[str]:
    for name in ("rowspan", "colspan", HEADS):
        if name in element.attributes:
            yield f' {name}="{escape(element.attributes[name] or "")}"'
