"""HTML as a tree of elements: read in one pass, to any depth; an unclosed element never swallows the rest.

The parser's events build the tree here, because editing a tree with parent links (removing an element, adding a space)
walks the siblings each time, which is quadratic. Comments, instructions, declarations, scripts and styles have no text;
if never closed, they are text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from lxml import etree

ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th"})
"""Raised endings that belong to a number; other short texts in `<sup>` are footnote marks."""

_LONGEST_MARK = 10
"""The most characters of a footnote mark; longer raised text, as after an unclosed `<sup>`, is text."""
_UNIT = re.compile(r"(?:\d\s?|[/(]\s?)[a-zµ]{1,2}$")
"""A unit behind an amount, a slash or a bracket, which may be raised to a power."""
_EXPONENT = re.compile(r"[-−]?\d{1,3}")
_BASE = re.compile(r"(?<![\d.,])\d{1,3}$")
_TIMES = re.compile(r"[×·x*]\s*10\s*$")
"""The factor before a power of ten: *3 × 10*."""
_POWER = re.compile(r"[-−–]?[1-3]")
_RAISED = str.maketrans("123-−–", "¹²³⁻⁻⁻")
_LONGEST_TAG = 1_000
_LONGER_TAGS_MISSED = 20
"""How many tags longer than that, with quoted values, may turn out to be text; this bounds what is read twice."""
_BREAKING = frozenset(
    "br p li ul ol dl dt dd div td th tr table caption h1 h2 h3 h4 h5 h6 pre blockquote".split(),
)
_OPENER = re.compile(
    r"<(?:(?P<comment>!--)|(?P<cdata>!\[CDATA\[)|(?P<declaration>!)|(?P<instruction>\?)"
    r"|(?P<script>script(?=[\s/>]|$))|(?P<style>style(?=[\s/>]|$))|(?P<sup>sup(?=\s*>))|(?P<tag>/?[a-z]|/(?!>)))",
    re.IGNORECASE,
)
_DECLARATION = re.compile(r"<!(?:[^<>\n]|\n(?![ \t]*\n))*+>")
_TAG = re.compile(r"</?+(?=[a-z])(?:[^<>=]|=\s*+(?:\"[^\"]*+\"|'[^']*+'|(?![\"'])))*+>", re.IGNORECASE)
_CLOSERS = {
    "comment": re.compile("-->"),
    "cdata": re.compile("]]>"),
    "instruction": re.compile(r"\?>"),
    "script": re.compile(r"</script\s*+>", re.IGNORECASE),
    "style": re.compile(r"</style\s*+>", re.IGNORECASE),
    "sup": re.compile("</sup", re.IGNORECASE),
    "raw": re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE),
}
_COMMENT_OPENER = re.compile("<!--")


@dataclass(slots=True, eq=False)
class Element:
    """An element, its attributes, and its child elements and strings in order."""

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)


def read_html(html: str) -> tuple[Element, list[tuple[int, str]]]:
    """Return the tree of a piece of HTML, and what is never closed as (line, message), counted from 0.

    >>> read_html("<p>a<!-- b</p>")[1]
    [(0, 'a comment that is never closed; read as text')]
    """
    closed, odd = _closed(html.replace("\0", " ").encode("utf-8", "replace").decode())
    builder = _TreeBuilder()
    # The stubs declare that a target also takes bytes, which the parser never passes.
    parser = etree.HTMLParser(target=cast("etree.ParserTarget", builder), recover=True, huge_tree=True)
    # The wrapper makes a document of HTML that is empty or begins with text.
    parser.feed(f"<div>{closed}")
    parser.close()
    return builder.root, odd


class _TreeBuilder:
    """Receives the parser's events; `root` is the tree."""

    def __init__(self) -> None:
        self.root = Element("")
        self._open = [self.root]

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        element = Element(tag, dict(attributes))
        self._open[-1].children.append(element)
        self._open.append(element)

    def end(self, tag: str) -> None:
        if len(self._open) > 1:
            self._open.pop()

    def data(self, text: str) -> None:
        self._open[-1].children.append(text)

    def close(self) -> None:
        """Called by the parser at the end."""


def never_closed(kind: str) -> str:
    """Return the message for an opener that nothing closes.

    >>> never_closed("style")
    'a <style> that is never closed; read as text'
    """
    said = {
        "comment": "a comment",
        "cdata": "a CDATA section",
        "declaration": "a declaration",
        "instruction": "a processing instruction",
    }
    if kind == "tag":
        return "a tag without its '>'; read as text"
    return f"{said.get(kind, f'a <{kind}>')} that is never closed; read as text"


class Closers:
    """Finds where comments, scripts and other openers without text are closed. It searches each stretch once:
    linear.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._next: dict[re.Pattern[str], re.Match[str] | None] = {}
        self._may_miss = _LONGER_TAGS_MISSED

    def end(self, kind: str, start: int) -> int:
        """Return where what opens at `start` ends; -1 if nothing closes it before the next of its kind begins."""
        if kind == "declaration":
            found = _DECLARATION.match(self._text, start)
            return found.end() if found else -1
        closer = self._after(_CLOSERS[kind], start + 2)
        if closer is None:
            return -1
        nested = self._after(_COMMENT_OPENER, start + 1) if kind == "comment" else None
        return closer.end() if nested is None or nested.start() > closer.start() else -1

    def tag_end(self, start: int) -> int:
        """Return where the tag at `start` ends; -1 if its `>` is missing or stands in a quoted value."""
        found = _TAG.match(self._text, start, start + _LONGEST_TAG)
        if found is None and self._may_miss and start + _LONGEST_TAG < len(self._text):
            found = _TAG.match(self._text, start)
            self._may_miss -= found is None
        return found.end() if found else -1

    def _after(self, pattern: re.Pattern[str], start: int) -> re.Match[str] | None:
        """Return the first match from `start` on; callers move forward, so the last match is mostly still valid."""
        known = self._next.get(pattern)
        if pattern not in self._next or (known is not None and known.start() < start):
            self._next[pattern] = known = pattern.search(self._text, start)
        return known


def _closed(html: str) -> tuple[str, list[tuple[int, str]]]:
    """Return the HTML without parts that have no text; the `<` of whatever is never closed, tags too, becomes
    `&lt;`.
    """
    parts: list[str] = []
    odd: list[tuple[int, str]] = []
    closers = Closers(html)
    done = place = line = counted = 0
    while opener := _OPENER.search(html, place):
        kind, start = str(opener.lastgroup), opener.start()
        end = closers.tag_end(start) if kind in ("tag", "sup") else closers.end(kind, start)
        stays = kind == "tag" or (kind == "sup" and closers.end(kind, start) >= 0)
        if stays and end >= 0:
            place = end
            continue
        if end < 0:
            line, counted = line + html.count("\n", counted, start), start
            odd.append((line, never_closed(kind)))
        parts += [html[done:start], "&lt;" if end < 0 else " "]
        done = start + 1 if end < 0 else end
        place = opener.end() if end < 0 else end
    return "".join([*parts, html[done:]]), odd


def strings(
    nodes: Sequence[Element | str], apart: Callable[[Element], bool], line_end: str = " "
) -> Iterator[Element | str]:
    """Yield the strings inside nodes, with `line_end` around line-breaking elements and without footnote marks.

    Elements for which `apart` is True are yielded whole and not entered.
    """
    stack = list(reversed(nodes))
    before = ""
    while stack:
        item = stack.pop()
        if isinstance(item, str) or apart(item):
            before = item if isinstance(item, str) else ""
            yield item
        elif item.tag == "sup":
            yield raised("".join(_all_strings(item)), before)
        elif item.tag in _BREAKING:
            stack += [line_end, *reversed(item.children), line_end]
        else:
            stack += reversed(item.children)


def raised(text: str, before: str = "") -> str:
    """Return raised text as it reads behind other text; empty for a footnote mark.

    >>> raised("th"), raised("*"), raised("2", "30 km"), raised("2", "Reed")
    ('th', '', '²', '')
    >>> raised("-17", "10"), raised("6", "3 × 10"), raised("6", "110")
    ('^-17', '^6', '')
    """
    plain = text.strip()
    if _EXPONENT.fullmatch(plain) and _BASE.search(before.rstrip()) and (plain[0] in "-−" or _TIMES.search(before)):
        return f"^{plain.replace('−', '-')}"
    if _POWER.fullmatch(plain) and _UNIT.search(before.rstrip()[-_LONGEST_MARK:]):
        return plain.translate(_RAISED)
    return text if plain.lower() in ORDINAL_ENDINGS or len(plain) > _LONGEST_MARK else ""


def _all_strings(element: Element) -> Iterator[str]:
    stack: list[Element | str] = [element]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        else:
            stack += reversed(item.children)
