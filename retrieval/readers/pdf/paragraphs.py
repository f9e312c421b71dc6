"""Lines of a PDF as Markdown: headings, paragraphs, items and rows; a paragraph may continue on the next page.

Text larger than its surroundings is a heading, unless it is rows or labels with values. A line break is intended if the
next line's first word would have fitted.
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
"""The least ratio of a heading's size to the body size."""
_SAME_COLUMN = 20.0
"""The points by which the left edges of lines in one column may differ."""
_PARAGRAPH_GAP = 0.75
"""The white between two lines, in letter heights, that separates paragraphs."""
_BULLET = re.compile(r"^(?:[•◦‣▪●○–—*-]|\(?\d{1,3}[.)])\s+(?=\S)")
_FULL = 0.75
"""The share of the column width from which a line may continue in the next one."""
_BREAK = "\\\n"
_BARS = r" \| "
_BOLD_AGAIN = "** **"
"""Bold text that continues across a line break."""
_LONGEST_HEADING = 150
_MOST_OF_LABEL = 4
"""The most words of a label that a colon ends."""
_LABELS = 2
"""The fewest consecutive labelled lines that are a record."""
_SENTENCE_ENDS = (".", "!", "?", ":", ";")
_CLOSING = ")]\"'”’»"


def body_size(pages: Sequence[Sequence[Line | PageTable]]) -> float:
    """Return the size of most letters."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page:
            if isinstance(line, Line):
                sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def heading_sizes(pages: Sequence[Sequence[Line | PageTable]], body: float) -> list[float]:
    """Return the sizes of headings, largest first: sizes of which most lines may be headings. Tables may be as
    large.
    """
    larger: Counter[float] = Counter()
    may_head: Counter[float] = Counter()
    for page in pages:
        for block in _blocks([line for line in page if isinstance(line, Line)]):
            larger[block[0].size] += len(block)
            may_head[block[0].size] += len(block) if _may_head(block) else 0
    sizes = (size for size, count in larger.items() if size >= _LARGER * body and 2 * may_head[size] > count)
    return sorted(sizes, reverse=True)


def _may_head(block: Sequence[Line]) -> bool:
    """True for lines that may be a heading: brief, and neither rows nor labels with values."""
    is_brief = sum(len(line.text) for line in block) <= _LONGEST_HEADING
    return is_brief and not block[0].is_row and sum(map(is_labelled, block)) < _LABELS


def is_labelled(line: Line) -> bool:
    """True for a line that begins with a label followed by its value: bold, then plain words, or a colon."""
    weights = [bold for _, bold in line.words]
    ends = [word.endswith(":") for word, _ in line.words[:_MOST_OF_LABEL]]
    return not line.is_row and ((weights[0] and not weights[-1]) or any(ends[: len(weights) - 1]))


def paragraphs(lines: Sequence[Line], ranks: Sequence[float]) -> Iterator[tuple[str, Box]]:
    """Yield consecutive lines as Markdown: headings, paragraphs and items, each with its box."""
    margins = _margins(lines)
    for block in _blocks(lines):
        yield _markdown(block, ranks, margins), _box(block)


def _blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines of each heading, paragraph or item."""
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
    """True if a line continues a paragraph: same size and weight, close, and not a new item."""
    gap = line.top - before.bottom
    if not _is_alike(before, line) or (_BULLET.match(line.text) and not line.is_row):
        return False
    return -SAME_LINE * line.size < gap < _PARAGRAPH_GAP * line.size or line.top < before.top - line.size


def _is_alike(before: Line, line: Line) -> bool:
    return (before.size, before.is_bold, before.is_row) == (line.size, line.is_bold, line.is_row)


def _margins(lines: Sequence[Line]) -> dict[int, float]:
    """Return the right margin of each column: the farthest end of lines with similar left edges."""
    ends: dict[int, float] = {}
    for line in lines:
        for strip in _strips(line):
            ends[strip] = max(ends.get(strip, 0.0), line.right)
    return ends


def _strips(line: Line) -> range:
    middle = int(line.left / _SAME_COLUMN)
    return range(middle - 1, middle + 2)


def _markdown(lines: Sequence[Line], ranks: Sequence[float], margins: Mapping[int, float]) -> str:
    """Return one block. A line that ends well before its column's margin, or before a label, keeps its line break."""
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
    """True for a line of a record above a label that aligns with labels above.

    If it is bold, two must be above; else one, and its first word would have fitted.
    """
    after = lines[place + 1] if place + 1 < len(lines) else None
    if after is None or not is_labelled(after):
        return False
    above = [line for line in lines[: place + 1] if is_labelled(line) and abs(line.left - after.left) <= SAME_EDGE]
    is_bold = after.words[0][1]
    return (is_bold and len(above) >= _LABELS) or (bool(above) and _has_room(lines[place], after, margins))


def _has_room(line: Line, after: Line, margins: Mapping[int, float]) -> bool:
    """True if the next line's first word would have fitted before the margin."""
    letter = (line.right - line.left) / len(line.text)
    return line.right + letter * (1 + len(after.words[0][0])) <= _margin(line, margins)


def _margin(line: Line, margins: Mapping[int, float]) -> float:
    return margins[int(line.left / _SAME_COLUMN)]


def runs_over(page: Sequence[Line], following: Sequence[Line], ranks: Sequence[float]) -> bool:
    """True if the last paragraph of a page continues on the following one.

    No sentence ends before the break or begins after it, and the first word would not have fitted before the margin.
    """
    if not page or not following:
        return False
    last, first = page[-1], following[0]
    if last.size in ranks or last.is_bold or last.is_row or not _is_alike(last, first) or is_labelled(first):
        return False
    if is_hyphenated_word(last.text, first.text):
        return True
    if _BULLET.match(first.text) or first.text[:1].isupper() or last.text.rstrip(_CLOSING).endswith(_SENTENCE_ENDS):
        return False
    others = page[:-1]
    margins = {int(last.left / _SAME_COLUMN): max((line.right for line in others), default=inf), **_margins(others)}
    return not (_is_short(last, margins) or _has_room(last, first, margins))


def _row(cells: Sequence[str]) -> str:
    """Return a row with separated cells; the colon of *Size:* is dropped, as it would make the rest its value."""
    return _BARS.join([escaped(cells[0].rstrip(":")), *map(escaped, cells[1:])])


def _runs(lines: Sequence[tuple[Line, bool]]) -> Iterator[list[tuple[Line, bool]]]:
    """Yield the lines up to each intended line break."""
    held: list[tuple[Line, bool]] = []
    for line in lines:
        held.append(line)
        if line[1]:
            yield held
            held = []
    if held:
        yield held


def joined(lines: Sequence[str]) -> str:
    """Join lines, and hyphenated words at their ends.

    >>> joined(["The long sword is sharp-", "ened by the smith of 1-", "2 towns."])
    'The long sword is sharpened by the smith of 1-2 towns.'
    """
    text = ""
    for line in lines:
        if is_hyphenated_word(text, line):
            text = text[:-1] + line
        else:
            text += line if text.endswith("-") or not text else f" {line}"
    return text.replace("\u00ad", "")


def is_hyphenated_word(text: str, line: str) -> bool:
    """True if a text ends with a hyphenated first part of a word and the line begins with the second.

    >>> is_hyphenated_word("by a sharp-", "ened blade"), is_hyphenated_word("by 1-", "2 towns")
    (True, False)
    """
    return text.endswith("\u00ad") or bool(re.search(r"[^\W\d_]-$", text) and re.match(r"[a-zß-ÿ]", line))


def _with_bold(line: Line) -> str:
    """Return the words of a line, with bold ones in Markdown's marks."""
    parts: list[str] = []
    is_open = False
    for word, bold in line.words:
        if bold != is_open and is_open:
            parts[-1] += "**"
        parts.append(("**" if bold and not is_open else "") + escaped(word))
        is_open = bold
    return " ".join(parts) + ("**" if is_open else "")
