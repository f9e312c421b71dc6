"""PowerPoint: each slide is a page, with its title as a heading, its tables as tables, and its notes as text.

The date, number and footer of slides are dropped. A hidden slide is left out and reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from html import escape
from pathlib import Path
from typing import Any

from retrieval.readers.documents.document import Document
from retrieval.readers.documents.extras import require
from retrieval.readers.markdown.from_markdown import document_of
from retrieval.readers.office.archives import require_sound
from retrieval.readers.plain.plain_text import escaped

_HIDDEN = ("0", "false")


def read_slides(path: Path) -> Document:
    """Read a .pptx file; `SourceError` if it is damaged, encrypted or unpacks to far too much."""
    pptx = require("pptx", "office", str(path))
    kinds = require("pptx.enum.shapes", "office", str(path)).PP_PLACEHOLDER
    running = frozenset({kinds.DATE, kinds.FOOTER, kinds.SLIDE_NUMBER})
    lines: list[str] = []
    odd: list[tuple[int, str]] = []
    with require_sound(path) as file:
        for number, slide in enumerate(pptx.Presentation(file).slides, 1):
            if slide.element.get("show") in _HIDDEN:
                odd.append((number, f"slide {number} is hidden, and left out"))
            else:
                lines += _slide(slide, number, running)
    return document_of("\n".join(lines), odd=odd)


def _slide(slide: Any, number: int, running: Set[Any]) -> Iterator[str]:
    yield f"<!-- page {number} -->"
    title = slide.shapes.title
    if title is not None and (text := " ".join(title.text_frame.text.split())):
        yield from (f"# {escaped(text)}", "")
    for shape in _shapes(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if shape.is_placeholder and shape.placeholder_format.type in running:
            continue
        if getattr(shape, "has_table", False):
            yield from (*_table(shape.table), "")
        elif shape.has_text_frame:
            yield from (*_paragraphs(shape.text_frame), "")
    if slide.has_notes_slide:
        yield from (*_paragraphs(slide.notes_slide.notes_text_frame), "")


def _shapes(shapes: Any) -> Iterator[Any]:
    """Yield the shapes of a slide in reading order, top to bottom, then left to right; groups are expanded in place."""
    for shape in sorted(shapes, key=lambda each: (each.top or 0, each.left or 0)):
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        else:
            yield shape


def _paragraphs(frame: Any) -> Iterator[str]:
    """Yield the paragraphs of a text box; several form a list, nested by their indent."""
    paragraphs = [] if frame is None else [each for each in frame.paragraphs if each.text.strip()]
    for paragraph in paragraphs:
        bullet = "   " * paragraph.level + "- " if len(paragraphs) > 1 else ""
        yield bullet + escaped(" ".join(paragraph.text.split()))


def _table(table: Any) -> Iterator[str]:
    """Yield a table as HTML, with merged cells as spans, and its first row as heads if the slide formats it so."""
    yield "<table>"
    for place, row in enumerate(table.rows):
        tag = "th" if table.first_row and not place else "td"
        cells = (_cell(cell, tag) for cell in row.cells if not cell.is_spanned)
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</table>"


def _cell(cell: Any, tag: str) -> str:
    text = escape(" ".join(cell.text.split()), quote=False)
    spans = f' rowspan="{cell.span_height}" colspan="{cell.span_width}"' if cell.is_merge_origin else ""
    return f"<{tag}{spans}>{text}</{tag}>"
