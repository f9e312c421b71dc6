"""PowerPoint: each slide is a page, its title a heading, its tables tables, and its notes text."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from retrieval.readers.archives import require_sound
from retrieval.readers.document import Document
from retrieval.readers.extras import require
from retrieval.readers.from_markdown import document_of
from retrieval.readers.plain_text import escaped


def read_slides(path: Path) -> Document:
    """Read a .pptx file; `SourceError` when it is damaged, encrypted or unpacks to far too much."""
    pptx = require("pptx", "office", str(path))
    with require_sound(path) as file:
        lines = [
            line for number, slide in enumerate(pptx.Presentation(file).slides, 1) for line in _slide(slide, number)
        ]
    return document_of("\n".join(lines))


def _slide(slide: Any, number: int) -> Iterator[str]:
    yield f"<!-- page {number} -->"
    title = slide.shapes.title
    if title is not None and (text := " ".join(title.text_frame.text.split())):
        yield from (f"# {escaped(text)}", "")
    for shape in _shapes(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if getattr(shape, "has_table", False):
            yield from (*_table(shape.table), "")
        elif shape.has_text_frame:
            yield from (*_paragraphs(shape.text_frame), "")
    if slide.has_notes_slide:
        yield from (*_paragraphs(slide.notes_slide.notes_text_frame), "")


def _shapes(shapes: Any) -> Iterator[Any]:
    """The shapes of a slide in reading order: from the top down, then from the left; those of a group with it."""
    for shape in sorted(shapes, key=lambda each: (each.top or 0, each.left or 0)):
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        else:
            yield shape


def _paragraphs(frame: Any) -> Iterator[str]:
    """The paragraphs of a text box; several are a list, each as deep as it is indented."""
    paragraphs = [] if frame is None else [each for each in frame.paragraphs if each.text.strip()]
    for paragraph in paragraphs:
        bullet = "   " * paragraph.level + "- " if len(paragraphs) > 1 else ""
        yield bullet + escaped(" ".join(paragraph.text.split()))


def _table(table: Any) -> Iterator[str]:
    """A table as HTML, with its merged cells as spans, and its first row as heads where the slide shows it as such."""
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
