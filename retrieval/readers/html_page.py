"""HTML: headings, lists and tables as they stand, menus and programs left out."""

from __future__ import annotations

from pathlib import Path

from retrieval.readers.document import Document, text_of
from retrieval.readers.from_markdown import document_of
from retrieval.readers.html_markdown import markdown_of


def read_html_page(path: Path) -> Document:
    """Read a page of HTML; `SourceError` when it is not UTF-8."""
    written = markdown_of(text_of(path))
    return document_of(written.text, written.places, written.odd)
