"""Word: mammoth makes HTML of a document, with headings as headings and merged cells as spans."""

from __future__ import annotations

from pathlib import Path

from retrieval.readers.archives import require_sound
from retrieval.readers.document import Document
from retrieval.readers.extras import require
from retrieval.readers.from_markdown import document_of
from retrieval.readers.html_markdown import markdown_of


def read_word(path: Path) -> Document:
    """Read a .docx file; `SourceError` when it is damaged, encrypted or unpacks to far too much."""
    mammoth = require("mammoth", "office", str(path))
    with require_sound(path) as file:
        html: str = mammoth.convert_to_html(file, convert_image=_no_image).value
    return document_of(markdown_of(html).text)


def _no_image(_: object) -> list[object]:
    return []
