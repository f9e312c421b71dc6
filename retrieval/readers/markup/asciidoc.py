"""AsciiDoc, its common part: titles, paragraphs, lists, blocks, tables, and attributes set in the file itself.

Python has no well-kept library for it. Includes are not followed, and text under a condition that the file does not
meet is dropped; both are reported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from retrieval.readers.documents.document import Document, text_of
from retrieval.readers.markdown.from_markdown import document_of
from retrieval.readers.markup.asciidoc_inline import inline_html, with_attributes
from retrieval.readers.markup.asciidoc_tables import table_html
from retrieval.readers.markup.html_markdown import markdown_of

_HEADING = re.compile(r"^(={1,6}|#{1,6})\s+(\S.*?)(?:\s+\1)?$")
_ATTRIBUTE = re.compile(r"^:(!?)([\w-]+)(!?):(?:\s+(.*))?$")
_CONDITION = re.compile(r"^(ifdef|ifndef|ifeval|endif)::([^\[]*)\[(.*)\]\s*$")
_MACRO = re.compile(r"^(include|image|toc|video|audio)::([^\[]*)\[.*\]\s*$")
_ANCHOR = re.compile(r"^\[\[[^\]]+\]\]\s*$")
_OPTIONS = re.compile(r"^\[(.*)\]\s*$")
_TITLE = re.compile(r"^\.(?![\s.])(.+)$")
_ITEM = re.compile(r"^\s*(?P<mark>\*{1,5}|-|\.{1,5}|\d+\.|<\d+>|<\.>)\s+(?:\[[ x*]\]\s+)?(?P<text>\S.*)$")
_TERM = re.compile(r"^(?P<term>\S.*?)(?:::{1,3}|;;)(?:\s+(?P<text>\S.*))?$")
_TABLE = re.compile(r"^([|,:!])={3,}\s*$")
_VERBATIM = re.compile(r"^(-{4,}|\.{4,}|`{3,}|\+{4,}|/{4,})\w*\s*$")
_FRAME = re.compile(r"^(={4,}|\*{4,}|_{4,}|--)\s*$")
_NOTHING = re.compile(r"^(?:'{3,}|<{3,}|//(?!/).*|\s*)$")
_UNDERLINES = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
_OPTION = re.compile(r"(\w+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^,\]]*))")


def read_asciidoc(path: Path) -> Document:
    """Read an AsciiDoc file; `SourceError` if its encoding is unknown."""
    reader = _Reader(text_of(path).expandtabs(4).split("\n"))
    written = markdown_of("\n".join(reader.read()), has_lines=True)
    return document_of(written.text, written.places, reader.odd)


class _Reader:
    """Converts a file to HTML, line by line."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.odd: list[tuple[int, str]] = []
        self._lines = [line.rstrip() for line in lines]
        self._at = 0
        self._html: list[str] = []
        self._lists: list[tuple[str, str]] = []
        """The marks of the open lists, outermost first, each with its tag."""
        self._attributes: dict[str, str] = {}
        self._options: dict[str, str] = {}
        self._title = ""

    def read(self) -> list[str]:
        """Convert the whole file."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not (self._consume_directive(line) or self._consume_block(line) or self._consume_item(line)):
                self._paragraph()
        self._close(0)
        return self._html

    def _consume_directive(self, line: str) -> bool:
        """Consume a line that describes the block below it, or a blank one; return True if it was one."""
        if attribute := _ATTRIBUTE.match(line):
            self._set(attribute)
        elif condition := _CONDITION.match(line):
            self._judge(condition)
        elif macro := _MACRO.match(line):
            if macro[1] == "include":
                self.odd.append((self._at + 1, f"includes {macro[2]}, which is not followed; ingest that file too"))
        elif options := None if _ANCHOR.match(line) else _OPTIONS.match(line):
            self._options |= _options_of(options[1])
        elif title := _TITLE.match(line):
            self._title = title[1]
        elif not (_NOTHING.match(line) or _FRAME.match(line) or _ANCHOR.match(line) or line == "+"):
            return False
        elif not line and not self._goes_on():
            self._close(0)
        self._at += 1
        return True

    def _consume_block(self, line: str) -> bool:
        """Consume a heading, a table or a delimited block; return True if it was one."""
        if heading := _HEADING.match(line):
            self._heading(len(heading[1]), heading[2])
        elif depth := self._underlined():
            self._heading(depth, line)
            self._at += 1
        elif table := _TABLE.match(line):
            self._table(table[1], line)
        elif _VERBATIM.match(line):
            self._verbatim(line)
        else:
            return False
        return True

    def _underlined(self) -> int:
        """Return the depth of a title underlined at its own length; 0 if it is none."""
        line = self._lines[self._at]
        below = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""
        is_one = below and below == below[0] * len(below) and abs(len(below) - len(line)) <= 1 and len(below) > 2
        return _UNDERLINES.get(below[0], 0) if is_one and line[:1].isalnum() else 0

    def _heading(self, depth: int, text: str) -> None:
        self._close(0)
        self._add(f"h{depth}", self._inline(text))
        self._options, self._title = {}, ""
        self._at += 1

    def _table(self, mark: str, line: str) -> None:
        start, rows = self._at + 1, self._until(line)
        options = {"format": {",": "csv", ":": "dsv"}.get(mark, "psv")} | self._options
        if mark == "!":
            rows = [row.replace("!", "|") for row in rows]
        self._html.append(table_html(rows, options, self._title, start, self._attributes))
        self._options, self._title = {}, ""

    def _verbatim(self, line: str) -> None:
        """Write code as it is and raw HTML unchanged; drop comments."""
        start, fence = self._at + 1, _VERBATIM.match(line)
        rows = self._until(fence[1] if fence else line)
        self._entitle()
        if line[0] == "+":
            self._html += rows
        elif line[0] != "/":
            code = escape("\n".join(rows), quote=False)
            self._html.append(f'<pre data-line="{start}">{code}</pre>')
        self._options = {}

    def _until(self, line: str) -> list[str]:
        """Return the lines up to one equal to this; all the rest if there is none."""
        first = self._at + 1
        end = next((at for at in range(first, len(self._lines)) if self._lines[at] == line), len(self._lines))
        self._at = end + 1
        if end == len(self._lines):
            self.odd.append((first, f"a block that no {line} closes; read to the end"))
        return self._lines[first:end]

    def _consume_item(self, line: str) -> bool:
        """Consume a list item, or a term with its meaning; return True if it was one."""
        item = _ITEM.match(line)
        term = None if item else _TERM.match(line)
        if item is None and term is None:
            return False
        self._entitle()
        if item:
            mark = re.sub(r"\d+", "1", item["mark"])
            self._open(mark, "ul" if mark[0] in "*-" else "ol")
            self._item("li", item["text"])
        elif term:
            self._open("::", "dl")
            self._add("dt", self._inline(term["term"]))
            self._item("dd", term["text"] or "")
        return True

    def _item(self, tag: str, text: str) -> None:
        line = self._at + 1
        self._at += 1
        if not text and tag == "dd":
            self._skip_blank()
        rows = [*([text] if text else []), *self._text_lines()]
        self._html.append(f'<{tag} data-line="{line}">{self._inline(chr(10).join(rows))}</{tag}>')

    def _skip_blank(self) -> None:
        """Skip blank lines to the meaning of a term."""
        at = self._at
        while at < len(self._lines) and not self._lines[at]:
            at += 1
        if at < len(self._lines) and self._is_text(at):
            self._at = at

    def _paragraph(self) -> None:
        start, is_code = self._at + 1, self._lines[self._at].startswith(" ") and not self._lists
        first = self._lines[self._at].strip()
        self._at += 1
        rows = [first, *self._text_lines()]
        self._entitle()
        if is_code:
            self._html.append(f'<pre data-line="{start}">{escape(chr(10).join(rows), quote=False)}</pre>')
        else:
            self._html.append(f'<p data-line="{start}">{self._inline(chr(10).join(rows))}</p>')
        self._options = {}

    def _text_lines(self) -> list[str]:
        """Consume and return the following lines of text."""
        start = self._at
        while self._at < len(self._lines) and self._is_text(self._at):
            self._at += 1
        return [line.strip() for line in self._lines[start : self._at] if not line.startswith("//")]

    def _is_text(self, at: int) -> bool:
        """True for a line that continues the text of the one before."""
        line = self._lines[at]
        ends = (_FRAME, _TABLE, _VERBATIM, _ATTRIBUTE, _CONDITION, _MACRO, _ITEM, _OPTIONS)
        is_term = bool(self._lists) and _TERM.match(line) is not None
        return bool(line) and line != "+" and not is_term and not any(end.match(line) for end in ends)

    def _goes_on(self) -> bool:
        """True if the next line that is not blank is a list item or attached to one."""
        rest = (line for line in self._lines[self._at + 1 :] if not _NOTHING.match(line))
        line = next(rest, "")
        return line == "+" or _ITEM.match(line) is not None or _TERM.match(line) is not None

    def _open(self, mark: str, tag: str) -> None:
        """Go to the list with this mark, opening it if needed; other lists are never nested in a meaning."""
        if self._lists and self._lists[-1][1] == "dl" and tag != "dl":
            self._close(len(self._lists) - 1)
        marks = [each for each, _ in self._lists]
        if mark in marks:
            self._close(marks.index(mark) + 1)
            return
        self._lists.append((mark, tag))
        self._html.append(f"<{tag}>")

    def _close(self, depth: int) -> None:
        """Close the lists deeper than this."""
        while len(self._lists) > depth:
            self._html.append(f"</{self._lists.pop()[1]}>")

    def _entitle(self) -> None:
        """Write the title of a block that is not a table."""
        if self._title:
            self._add("p", f"<b>{self._inline(self._title)}</b>")
            self._title = ""

    def _add(self, tag: str, html: str) -> None:
        self._html.append(f'<{tag} data-line="{self._at + 1}">{html}</{tag}>')

    def _inline(self, text: str) -> str:
        return inline_html(text, self._attributes)

    def _set(self, attribute: re.Match[str]) -> None:
        name, value = attribute[2].lower(), attribute[4] or ""
        while value.endswith(" \\") and self._at + 1 < len(self._lines):
            self._at += 1
            value = value[:-1] + self._lines[self._at].strip()
        if attribute[1] or attribute[3]:
            self._attributes.pop(name, None)
        else:
            self._attributes[name] = with_attributes(value, self._attributes)

    def _judge(self, condition: re.Match[str]) -> None:
        """Skip the text under a condition that is not met."""
        kind, names, text = condition.groups()
        if kind == "endif":
            return
        found = [name.strip().lower() in self._attributes for name in re.split(r"[,+]", names)]
        is_met = any(found) if "," in names else all(found)
        if kind != "ifeval" and is_met == (kind == "ifdef"):
            if text:
                self._lines[self._at] = text
                self._at -= 1
            return
        self.odd.append((self._at + 1, f"text for a condition that this file does not meet: {condition[0].strip()}"))
        if not text or kind == "ifeval":
            self._at = self._end_of_condition()

    def _end_of_condition(self) -> int:
        depth = 0
        for at in range(self._at, len(self._lines)):
            found = _CONDITION.match(self._lines[at])
            if found:
                is_open = found[1] == "ifeval" or not found[3]
                depth += -1 if found[1] == "endif" else 1 if is_open else 0
                if not depth:
                    return at
        return len(self._lines) - 1


def _options_of(text: str) -> Mapping[str, str]:
    """Return the named values of a line such as `[%header,cols="1,2"]`."""
    found = {name: quoted or single or bare for name, quoted, single, bare in _OPTION.findall(text)}
    short: list[str] = re.findall(r"%(\w+)", text)
    found["options"] = ",".join([*short, found.get("options", found.get("opts", ""))])
    return found
