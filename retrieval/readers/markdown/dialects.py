"""Normalize dialects of Markdown line by line; every line keeps its number.

The tags of a container (`::: note`, `!!! note "Title"`, `=== "Tab"`, `{{< tab >}}`, `> [!NOTE]`) are dropped, its title
stays in bold, and its content becomes plain text. Attributes (`{#id .class}`) and footnote marks are dropped; an
include is reported with its file. Code stays unchanged. See Python-Markdown, Pandoc, Docusaurus, Hugo and Obsidian.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from retrieval.readers.documents.formulas import plain_math
from retrieval.readers.documents.wiki_links import without_links
from retrieval.readers.labels.led_lines import led_lines
from retrieval.readers.markdown.bare_hashes import BareHashes
from retrieval.readers.markdown.dashed_tables import begins_dashed, dashed_table
from retrieval.readers.markdown.grid_tables import grid_block, grid_table, is_border
from retrieval.readers.markdown.item_tables import with_item_tables
from retrieval.readers.markdown.raised_marks import note_marks, without_raised

NAME = re.compile(r"\b(?:title|label|header|summary|name|path)=(?P<quote>[\"'])(?P<value>[^\"'\n]+)(?P=quote)")
"""The attribute with the visible title of a container or component."""
_INDENT = 4
"""The columns by which a container's content is indented."""
_TERM = 3
"""The lines of a term, a blank line and the definition."""
_MOST_LINES = 2_000
"""The most lines of a grid table."""
_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<mark>`{3,}+(?!.*`)|~{3,})")
_DIV = re.compile(r"[ \t]*:{3,}[ \t]*(?P<rest>[^:\n][^\n]*)?")
_BRACKETED = re.compile(r"^[\w-]*\[(?P<value>[^\[\]]*)\]")
_DIV_NAME = re.compile(r"^(?:\{[^{}]*\}|[\w.-]+)[ \t]*")
_BRACES = re.compile(r"\{[^{}]*\}")
_BLOCK = re.compile(r"[ \t]*/{3,}(?:[ \t]*(?P<name>[\w-]+)(?:[ \t]*\|[ \t]*(?P<title>.*))?)?[ \t]*")
_INDENTED = re.compile(
    r"[ \t]*(?:(?:!!!|\?\?\?\+?)[ \t]+[\w-]+(?:[ \t]+[\w-]+)*|===[!+]*(?=[ \t]+\"))"
    r"(?:[ \t]+\"(?P<title>[^\"]*)\")?[ \t]*"
)
_SHORTCODE = re.compile(r"[ \t]*(?:\{\{[<%](?P<hugo>[^{}]*)[>%]\}\}|\{%-?(?P<liquid>[^{}%]*)-?%\})[ \t]*")
_FIRST_WORD = re.compile(r"[ \t]*/?[\w-]+[ \t]+[\"'](?P<value>[^\"'./]+)[\"']")
_INCLUDED = re.compile(
    r"[ \t]*(?:--8<--[ \t]|\{\{#\w*include[ \t]|\{\{[<%][ \t]*include[ \t]|\{%-?[ \t]*include[\w-]*[ \t]"
    r"|<!--[ \t]*@include:)[ \t]*[\"']?(?P<file>[^\s\"'{}<>%]+)"
)
_CALLOUT = re.compile(r"(?P<quote>[ \t]*>[> \t]*)\[![\w-]+\][+-]?[ \t]*(?P<title>.*)")
_HEADING = re.compile(r"[ \t]{0,3}(?P<depth>#{1,6})[ \t]+(?P<text>.*)")
_ATTRIBUTE = r"(?:[#.][\w:-]+|[\w-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[\w./-]+))"
_ATTRIBUTES = rf"\{{:?[ \t]*{_ATTRIBUTE}(?:[ \t]+{_ATTRIBUTE})*[ \t]*\}}"
_INLINE = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`++)[^`\n]++(?P=ticks))"
    rf"|(?P<attributes>(?<=[)\]]){_ATTRIBUTES})|(?P<mark>\[\^(?P<note>[^\[\]\s]+)\](?!:))"
)
_CODE_SPAN = re.compile(r"(?<!`)(?P<ticks>`++)[^`\n]++(?P=ticks)")
_FIELD = re.compile(
    r"^(?P<lead>[ \t]*(?:[-*+][ \t]+)?)\*{0,2}(?P<label>[^\W\d_](?:[\w /()-]{0,38}[\w)])?)\*{0,2}"
    r"::[ \t]+(?P<value>\S.*)$"
)
"""A field of a note: *Crew:: 3*."""
_OF_NOTES = re.compile(r"\[\[|%%|\^[A-Za-z\d-]+[ \t]*$")
_MATH = re.compile(r"(?<![\\$\w])\$(?=\S)(?P<formula>[^$\n]++)(?<=[^\s\\])\$(?![\w$])")
_OF_TEX = re.compile(r"[\\^_]")
_MEANS = re.compile(r"([*_<\[\]])")
"""Characters of a formula that Markdown might read as marks."""
_TRAILING = re.compile(rf"(?<![ \t])[ \t]*{_ATTRIBUTES}[ \t]*#*[ \t]*$")
_EMOJI = re.compile(r"(?<!\w):[a-z+-][\w+-]*:(?!\w)")
_DEFINITION = re.compile(r"(?P<indent>[ ]*):[ \t]+\S.*")
_CAPTION = re.compile(r"\bcaption=(?P<quote>[\"'])(?P<value>[^\"'\n<>]+)(?P=quote)")
_ALONE = re.compile(rf"[ \t]*{_ATTRIBUTES}[ \t]*")
_NOTE = re.compile(r"^(?P<indent>[ \t]{0,3})\[\^(?P<note>[^\[\]\s]+)\]:", re.MULTILINE)


def plain_markdown(text: str, odd: list[tuple[int, str]]) -> str:
    r"""Return plain Markdown; what is left out is added to `odd` as (line, message).

    >>> plain_markdown('!!! tip "Lids"\n\n    They are *hot*.[^1]\n\n[^1]: Very.', [])
    '**Lids:**\n\nThey are *hot*.\n\n\\[^1]: Very.'
    """
    return "\n".join(_Plain(text, odd).lines())


def titled(title: str) -> str:
    """Return a title as a bold line that labels what follows and opens no section.

    >>> titled("Linux"), titled("Why?"), titled("")
    ('**Linux:**', '**Why?**', '')
    """
    plain = title.strip().strip("*")
    return f"**{plain}{'' if plain.endswith(('?', '!', '.', ':')) else ':'}**" if plain else ""


@dataclass(slots=True)
class _Plain:
    """The lines of a text, and what is open at the current one: containers by indent, divs, a code fence."""

    text: str
    odd: list[tuple[int, str]]
    _indents: list[int] = field(default_factory=list)
    _divs: list[bool] = field(default_factory=list)
    """For each open div, True until it has content."""
    _fence: str = ""
    _headings: BareHashes = field(init=False)
    _raised: frozenset[str] = frozenset()

    def lines(self) -> list[str]:
        """Return all lines in plain Markdown."""
        rows = with_item_tables(self.text.split("\n"))
        notes = {found["note"] for found in _NOTE.finditer(self.text)}
        begin = place = _front_matter_end(rows)
        plain = rows[:begin]
        text = list(without_code(rows[begin:]))
        self._headings = BareHashes.of(text)
        self._raised = note_marks(text)
        while place < len(rows):
            line = self._outdented(rows[place])
            if block := self._drawn(line, place, rows):
                plain += block
                place += len(block)
                continue
            plain.append(line if self._is_code(line) else self._line(line, place, rows, notes))
            if not self._fence and _DEFINITION.fullmatch(line):
                _draw_near(plain)
                self._indents.append(self._next_indent(line))
            place += 1
        return plain

    def _drawn(self, line: str, place: int, rows: Sequence[str]) -> list[str]:
        """Return the drawn table or the dot-leader labels that begin here, line by line; empty if there are none."""
        if self._fence:
            return []
        if is_border(line):
            block = grid_block([line, *map(self._outdented, rows[place + 1 : place + _MOST_LINES])])
            return grid_table(block) or block
        is_apart = not place or not rows[place - 1].strip() or _HEADING.fullmatch(rows[place - 1]) is not None
        if is_apart and (led := led_lines(_paragraph(line, place, rows))):
            return led
        if not is_apart or not begins_dashed(line, "".join(rows[place + 1 : place + 2])):
            return []
        return dashed_table([line, *map(self._outdented, rows[place + 1 : place + _MOST_LINES])])

    def _outdented(self, line: str) -> str:
        """Return a line without the indent of its containers, and close those that it ends."""
        if not self._indents or not line.strip():
            return line
        rest = line.lstrip(" \t")
        indent = len(line[: len(line) - len(rest)].expandtabs(_INDENT))
        while self._indents and indent < self._indents[-1]:
            self._indents.pop()
            self._fence = ""
        return " " * (indent - _INDENT * len(self._indents)) + rest

    def _is_code(self, line: str) -> bool:
        if self._fence:
            bare = line.strip(" \t>")
            if bare.startswith(self._fence) and not bare.strip(self._fence[0]):
                self._fence = ""
            return True
        if opens := _FENCE.match(line):
            self._fence = opens["mark"]
        return bool(self._fence)

    def _line(self, line: str, place: int, rows: Sequence[str], notes: set[str]) -> str:
        if _DIV.fullmatch(line):
            return self._div(line)
        is_first = bool(self._divs and self._divs[-1] and line.strip())
        if is_first:
            self._divs[-1] = False
        if (tag := self._tag(line, place, rows)) is not None:
            return tag
        before = rows[place - 1] if place else ""
        if self._raised:
            line = _outside_code(line, without_raised(self._raised))
        return _inline(self._headings.spaced(_with_field(line), before), notes, is_first)

    def _tag(self, line: str, place: int, rows: Sequence[str]) -> str | None:
        """Return the rest of a line that is a container tag or another directive; `None` for other lines."""
        if (head := _INDENTED.fullmatch(line)) and _indent_below(rows, place) >= self._next_indent(line):
            self._indents.append(self._next_indent(line))
            return line[: len(line) - len(line.lstrip())] + titled(head["title"] or "")
        if included := _INCLUDED.match(line):
            self.odd.append((place + 1, f"includes {included['file']}, which is not followed; ingest that file too"))
            return ""
        if callout := _CALLOUT.fullmatch(line):
            return callout["quote"] + titled(callout["title"])
        if block := _BLOCK.fullmatch(line):
            return titled(block["title"] or "")
        code = _SHORTCODE.fullmatch(line)
        if code:
            return _name_of(code["hugo"] or code["liquid"] or "")
        return _captioning(line) if _ALONE.fullmatch(line) else None

    def _next_indent(self, line: str) -> int:
        """Return the least indent, in the file, of the content of a container with this head."""
        own = len(line) - len(line.lstrip())
        return own + _INDENT * (len(self._indents) + 1)

    def _div(self, line: str) -> str:
        found = _DIV.fullmatch(line)
        rest = ((found["rest"] if found else "") or "").strip()
        if not rest:
            self._divs = self._divs[:-1]
            return ""
        self._divs.append(True)
        if title := _BRACKETED.match(rest) or NAME.search(rest):
            return titled(title["value"])
        return titled(_BRACES.sub("", _DIV_NAME.sub("", rest, count=1)))


def _with_field(line: str) -> str:
    """Convert a field of a note, *label:: value*, to a bold label."""
    return _FIELD.sub(lambda found: f"{found['lead']}**{found['label']}:** {found['value']}", line)


def _draw_near(plain: list[str]) -> None:
    """Move a term separated by a blank line directly above its definition, the last line."""
    if len(plain) > _TERM and plain[-2] == "" == plain[-1 - _TERM] and not plain[-_TERM].startswith((" ", ":", "#")):
        plain[-_TERM:-1] = ["", plain[-_TERM]]


def _paragraph(line: str, place: int, rows: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the paragraph that begins with this line, without its indent."""
    indent = rows[place].removesuffix(line)
    yield line
    yield from (row.removeprefix(indent) for row in takewhile(str.strip, rows[place + 1 : place + _MOST_LINES]))


def _front_matter_end(rows: Sequence[str]) -> int:
    ends = {"---": ("---", "..."), "+++": ("+++",)}.get(rows[0].rstrip(), ())
    return next((n + 1 for n, row in enumerate(rows[1:], 1) if row.rstrip() in ends), 0)


def without_code(rows: Iterable[str]) -> Iterator[str]:
    """Yield the lines outside code fences."""
    fence = ""
    for row in rows:
        bare = row.strip(" \t>")
        if fence:
            fence = "" if bare.startswith(fence) and not bare.strip(fence[0]) else fence
        elif opens := _FENCE.match(row):
            fence = opens["mark"]
        else:
            yield row


def _indent_below(rows: Sequence[str], place: int) -> int:
    """Return the indent of the next line that is not blank."""
    below = next((row for row in rows[place + 1 :] if row.strip()), "")
    return len(below[: len(below) - len(below.lstrip())].expandtabs(_INDENT))


def _name_of(shortcode: str) -> str:
    name = NAME.search(shortcode) or _FIRST_WORD.match(shortcode)
    return titled(name["value"]) if name else ""


def _captioning(attributes: str) -> str:
    """Convert attributes on a line of their own to a comment with the caption of the table above."""
    caption = _CAPTION.search(attributes)
    return f"<!-- caption: {caption['value'].replace('--', '-')} -->" if caption else ""


def _inline(line: str, notes: set[str], is_title: bool) -> str:
    heading = _HEADING.fullmatch(line)
    if heading:
        line = _EMOJI.sub("", _TRAILING.sub("", line))
        if is_title:
            return titled(_HEADING.sub(lambda found: found["text"], line))
    if note := _NOTE.match(line):
        return f"{note['indent']}\\{line[note.end('indent') :]}"
    line = _outside_code(line, without_links) if _OF_NOTES.search(line) else line
    line = _outside_code(line, _without_math) if line.count("$") > 1 else line
    return _INLINE.sub(_without_marks(notes), line) if "[^" in line or "{" in line else line


def _without_math(text: str) -> str:
    r"""Return a text with its formulas in plain notation.

    >>> _without_math(r"It is $T_{\rm rec}$, or costs $5 to $6_a.")
    'It is T\\_rec, or costs $5 to $6_a.'
    """
    return _MATH.sub(_formula, text)


def _formula(found: re.Match[str]) -> str:
    is_formula = _OF_TEX.search(found["formula"]) is not None
    return _MEANS.sub(r"\\\1", plain_math(found["formula"])) if is_formula else found[0]


def _outside_code(line: str, change: Callable[[str], str]) -> str:
    """Apply a change to the parts of a line outside code."""
    code = list(_CODE_SPAN.finditer(line))
    starts, ends = [0, *(span.end() for span in code)], [*(span.start() for span in code), len(line)]
    texts = [change(line[start:end]) for start, end in zip(starts, ends, strict=True)]
    return "".join(text + span for text, span in zip(texts, [*(span[0] for span in code), ""], strict=True))


def _without_marks(notes: set[str]) -> Callable[[re.Match[str]], str]:
    def kept(found: re.Match[str]) -> str:
        is_gone = found["attributes"] or (found["mark"] and found["note"] in notes)
        return "" if is_gone else found[0]

    return kept
