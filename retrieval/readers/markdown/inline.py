"""The text of inline Markdown tokens: plain text, bold marks, and leading words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from retrieval.readers.documents.tables import clean
from retrieval.readers.html.tree import raised
from retrieval.readers.labels.item_names import BEGIN, END, with_name

_WRAPPED = "\v"
_WORDS = 5
"""The fewest words of a wrapped line that may be a sentence."""
_NEAR = 4
"""The pieces of text before a raised one that determine its meaning."""
_BREAK = re.compile(r"(?i)</?(?:br|div|li|ol|p|ul)\b")
"""A tag that begins or ends a line."""
_PHRASING = re.compile(r"(?i)</?(?:a|abbr|b|big|cite|code|em|font|i|kbd|mark|s|small|span|strong|sub|sup|u)\b")


def plain_text(token: Token, soft: str = " ", hard: str = " ", *, is_cell: bool = False, line_end: str = " ") -> str:
    """Return the plain text of an inline token, without footnote marks in `<sup>` and, in a cell, pictures beside
    words.

    `soft` replaces a line break that only wraps the source, `hard` an intended one, and `line_end` a tag that ends one.
    """
    parts: list[str] = []
    marks: list[str] = []
    depth, children = 0, token.children or ()
    has_words = any(child.type in ("text", "code_inline") and child.content.strip() for child in children)
    for child in children:
        if is_cell and has_words and child.type == "image":
            continue  # the *icon* before a name is not part of it
        if child.type == "html_inline":
            depth = max(0, depth + child.content.startswith("<sup") - child.content.startswith("</sup"))
            text = "" if _PHRASING.match(child.content) else line_end if _BREAK.match(child.content) else " "
        elif child.type in ("softbreak", "hardbreak"):
            text = soft if child.type == "softbreak" else hard
        else:
            text = child.content
        if depth:
            marks.append(text)
            continue
        parts += [_raised(marks, parts), text]
        marks = []
    # Text in an unclosed <sup> is not a mark.
    return "".join([*parts, *(marks if depth else [_raised(marks, parts)])]).replace("**", "")


def _raised(marks: Sequence[str], before: Sequence[str]) -> str:
    return raised("".join(marks), "".join(before[-_NEAR:])) if marks else ""


def lines_of_item(token: Token) -> list[str]:
    """Return the lines of a list item, with `**` around bold text and around a leading name."""
    return list(map(with_name, lines_with_bold(token, begin=BEGIN, end=END)))


def lines_with_bold(token: Token, *, begin: str = "", end: str = "") -> list[str]:
    """Return the lines of an inline token, with `**` around bold text and around italic labels: *Way:* on foot.

    `begin` and `end` are put around code. A bold word at the beginning of a line starts no new line if the source is
    only wrapped there.
    """
    parts: list[str] = []
    children = token.children or []
    slanted = set(_slanted_labels(children))
    for at, child in enumerate(children):
        if child.type in ("strong_open", "strong_close") or at in slanted:
            parts.append("**")
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(_WRAPPED if child.type == "softbreak" else "\n")
        elif child.type == "html_inline":
            parts.append("" if _PHRASING.match(child.content) else " ")
        elif child.type == "code_inline":
            parts.append(f"{begin}{child.content.replace('*', '')}{end}")
        else:
            parts.append(child.content.replace("*", ""))
    return [clean(row) for line in "".join(parts).split("\n") for row in _unwrapped(line.split(_WRAPPED))]


def _slanted_labels(children: Sequence[Token]) -> Iterator[int]:
    """Yield the places of emphasis marks around a line's first words that end with, or precede, a colon."""
    is_begin = True
    for at, child in enumerate(children[:-2]):
        if child.type == "em_open" and is_begin and children[at + 2].type == "em_close":
            behind = children[at + 3].content if at + 3 < len(children) else ""
            if children[at + 1].content.endswith(":") or behind.startswith(":"):
                yield from (at, at + 2)
        is_begin = child.type in ("softbreak", "hardbreak") or (is_begin and not child.content)


def _unwrapped(rows: Sequence[str]) -> Iterator[str]:
    """Yield the intended lines of wrapped source: a bold word continues a sentence that begins with other words."""
    held = rows[0]
    for row in rows[1:]:
        is_sentence = not held.startswith("**") and len(held.split()) >= _WORDS and held.rstrip()[-1:].isalpha()
        goes_on = is_sentence and row.startswith("**")
        if not goes_on:
            yield held
        held = f"{held} {row}" if goes_on else row
    yield held


def is_bold(token: Token) -> bool:
    depth, bold = 0, False
    for child in token.children or ():
        depth += (child.type == "strong_open") - (child.type == "strong_close")
        if child.type == "text" and child.content.strip(" *"):
            if not depth:
                return False
            bold = True
        if child.type in ("softbreak", "hardbreak"):
            return False
    return bold


def bold_lead(token: Token) -> str:
    """Return the bold words at the start of a paragraph: the run-in head *Bog Hag.*."""
    children = [child for child in token.children or () if child.type != "text" or child.content]
    if [child.type for child in children[:3]] != ["strong_open", "text", "strong_close"]:
        return ""
    return clean(children[1].content)
