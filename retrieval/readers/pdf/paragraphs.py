"""Lines of a PDF become Markdown: headings, paragraphs, items and rows; a paragraph goes on over the end of its page.

What is larger than the text around is a heading, unless it is rows or labels with values. Where a line ends and the
first word of the next would have had room behind it, it was ended on purpose.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import inf

from retrieval.readers.pdf.rows import SAME_EDGE
from retrieval.readers.pdf.tables import PageTable
from retrieval.readers.pdf.text import SAME_LINE, Line
from retrieval.readers.plain.plain_text import escaped
from retrieval.tabular import Box

_LARGER = 1.12
"""How much larger than most letters those of a heading are."""
_SAME_COLUMN = 20.0
"""Points by which the beginnings of lines of one column may differ."""
_PARAGRAPH_GAP = 0.75
"""White between two lines, in heights of a letter, that parts paragraphs."""
_BULLET = re.compile(r"^(?:[•◦‣▪●○–—*-]|\(?\d{1,3}[.)])\s+(?=\S)")
_FULL = 0.75
"""The part of the space up to the margin that a line fills which goes on in the next one."""
_BREAK = "\\\n"
_BARS = r" \| "
_BOLD_AGAIN = "** **"
"""Where bold words end with a line and go on with the next one."""
_LONGEST_HEADING = 150
_MOST_OF_LABEL = 4
"""Words of a label that a colon ends."""
_LABELS = 2
"""Labelled lines below each other that are a record."""
_SENTENCE_ENDS = (".", "!", "?", ":", ";")
_CLOSING = ")]\"'”’»"


def body_size(pages: Sequence[Sequence[Line | PageTable]]) -> float:
    """The size of most letters."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page:
            if isinstance(line, Line):
                sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def heading_sizes(pages: Sequence[Sequence[Line | PageTable]], body: float) -> list[float]:
    """The sizes of headings, the largest first: most lines of that size may be one. Those of tables may be as large."""
    larger: Counter[float] = Counter()
    may_head: Counter[float] = Counter()
    for page in pages:
        for block in _blocks([line for line in page if isinstance(line, Line)]):
            larger[block[0].size] += len(block)
            may_head[block[0].size] += len(block) if _may_head(block) else 0
    sizes = (size for size, count in larger.items() if size >= _LARGER * body and 2 * may_head[size] > count)
    return sorted(sizes, reverse=True)


def _may_head(block: Sequence[Line]) -> bool:
    """True for lines that may be a heading: they are few, and neither rows nor labels with values."""
    is_brief = sum(len(line.text) for line in block) <= _LONGEST_HEADING
    return is_brief and not block[0].is_row and sum(map(is_labelled, block)) < _LABELS


def is_labelled(line: Line) -> bool:
    """True for a line that begins with a label and goes on with its value: bold and plain words, or a colon."""
    weights = [bold for _, bold in line.words]
    ends = [word.endswith(":") for word, _ in line.words[:_MOST_OF_LABEL]]
    return not line.is_row and ((weights[0] and not weights[-1]) or any(ends[: len(weights) - 1]))


def paragraphs(lines: Sequence[Line], ranks: Sequence[float]) -> Iterator[tuple[str, Box]]:
    """Lines that follow each other as Markdown: headings, paragraphs and items, each with the box around it."""
    margins = _margins(lines)
    for block in _blocks(lines):
        yield _markdown(block, ranks, margins), _box(block)


def _blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines that make a heading, a paragraph or an item each."""
    held: list[Line] = []
    for line in lines:
        if held and not _goes_on(held[-1], line):
            yield held
            held = []
        held.append(line)
    if held:
        yield held


def _box(lines: Sequence[Line]) -> Box:
    return (
        min(line.left for line in lines), min(line.top for line in lines),
        max(line.right for line in lines), max(line.bottom for line in lines),
    )  # fmt: skip


def _goes_on(before: Line, line: Line) -> bool:
    """True for the next line of a paragraph: as large, as bold where both are all bold, close, and no new item."""
    gap = line.top - before.bottom
    if not _is_alike(before, line) or (_BULLET.match(line.text) and not line.is_row):
        return False
    return -SAME_LINE * line.size < gap < _PARAGRAPH_GAP * line.size or line.top < before.top - line.size


def _is_alike(before: Line, line: Line) -> bool:
    return (before.size, before.is_bold, before.is_row) == (line.size, line.is_bold, line.is_row)


def _margins(lines: Sequence[Line]) -> dict[int, float]:
    """Where the lines end whose beginnings stand near each other, as those of a column do."""
    ends: dict[int, float] = {}
    for line in lines:
        for strip in _strips(line):
            ends[strip] = max(ends.get(strip, 0.0), line.right)
    return ends


def _strips(line: Line) -> range:
    middle = int(line.left / _SAME_COLUMN)
    return range(middle - 1, middle + 2)


def _markdown(lines: Sequence[Line], ranks: Sequence[float], margins: Mapping[int, float]) -> str:
    """One block. A line that ends long before the margin of its column was ended on purpose, and one before a label."""
    if lines[0].is_row:
        return _BREAK.join(_row(line.cells) for line in lines)
    if lines[0].size in ranks and _may_head(lines):
        text = joined([line.text for line in lines])
        return f"{'#' * min(6, ranks.index(lines[0].size) + 1)} {escaped(text)}"
    ended = [_is_short(line, margins) or _is_before_label(lines, place, margins) for place, line in enumerate(lines)]
    runs = _runs(list(zip(lines, ended, strict=True)))
    marked = _BREAK.join(joined([_with_bold(line) for line, _ in run]).replace(_BOLD_AGAIN, " ") for run in runs)
    bullet = _BULLET.match(lines[0].text)
    return f"- {marked[bullet.end() :]}" if bullet and not lines[0].words[0][1] else marked


def _is_short(line: Line, margins: Mapping[int, float]) -> bool:
    return line.right - line.left < _FULL * (_margin(line, margins) - line.left)


def _is_before_label(lines: Sequence[Line], place: int, margins: Mapping[int, float]) -> bool:
    """True for a line of a record above the next label: a bold one begins where two above do, or one had room here."""
    after = lines[place + 1] if place + 1 < len(lines) else None
    if after is None or not is_labelled(after):
        return False
    above = [line for line in lines[: place + 1] if is_labelled(line) and abs(line.left - after.left) <= SAME_EDGE]
    is_bold = after.words[0][1]
    return (is_bold and len(above) >= _LABELS) or (bool(above) and _has_room(lines[place], after, margins))


def _has_room(line: Line, after: Line, margins: Mapping[int, float]) -> bool:
    """True where the first word of the next line would have had room behind this one, before its margin."""
    letter = (line.right - line.left) / len(line.text)
    return line.right + letter * (1 + len(after.words[0][0])) <= _margin(line, margins)


def _margin(line: Line, margins: Mapping[int, float]) -> float:
    return margins[int(line.left / _SAME_COLUMN)]


def runs_over(page: Sequence[Line], following: Sequence[Line], ranks: Sequence[float]) -> bool:
    """True where the last paragraph of a page goes on with the first line of the following one: no sentence ends
    before it and none begins with it, and there was no room for its first word before the margin of others.
    """
    if not page or not following:
        return False
    last, first = page[-1], following[0]
    if last.size in ranks or last.is_bold or last.is_row or not _is_alike(last, first) or is_labelled(first):
        return False
    if is_parted_word(last.text, first.text):
        return True
    if _BULLET.match(first.text) or first.text[:1].isupper() or last.text.rstrip(_CLOSING).endswith(_SENTENCE_ENDS):
        return False
    others = page[:-1]
    margins = {int(last.left / _SAME_COLUMN): max((line.right for line in others), default=inf), **_margins(others)}
    return not (_is_short(last, margins) or _has_room(last, first, margins))


def _row(cells: Sequence[str]) -> str:
    """A row with its cells apart; with its colon *Size:* would be a label, and all of the row its value."""
    return _BARS.join([escaped(cells[0].rstrip(":")), *map(escaped, cells[1:])])


def _runs(lines: Sequence[tuple[Line, bool]]) -> Iterator[list[tuple[Line, bool]]]:
    """The lines up to each that was ended on purpose."""
    held: list[tuple[Line, bool]] = []
    for line in lines:
        held.append(line)
        if line[1]:
            yield held
            held = []
    if held:
        yield held


def joined(lines: Sequence[str]) -> str:
    """Lines as one, a word that was parted at the end of one made whole.

    >>> joined(["The long sword is sharp-", "ened by the smith of 1-", "2 towns."])
    'The long sword is sharpened by the smith of 1-2 towns.'
    """
    text = ""
    for line in lines:
        if is_parted_word(text, line):
            text = text[:-1] + line
        else:
            text += line if text.endswith("-") or not text else f" {line}"
    return text.replace("\u00ad", "")


def is_parted_word(text: str, line: str) -> bool:
    """True for a text that ends with the first part of a word and its hyphen, and a line that begins with the second.

    >>> is_parted_word("by a sharp-", "ened blade"), is_parted_word("by 1-", "2 towns")
    (True, False)
    """
    return text.endswith("\u00ad") or bool(re.search(r"[^\W\d_]-$", text) and re.match(r"[a-zß-ÿ]", line))


def _with_bold(line: Line) -> str:
    """The words of a line, those that are bold between the marks of Markdown."""
    parts: list[str] = []
    is_open = False
    for word, bold in line.words:
        if bold != is_open and is_open:
            parts[-1] += "**"
        parts.append(("**" if bold and not is_open else "") + escaped(word))
        is_open = bold
    return " ".join(parts) + ("**" if is_open else "")
