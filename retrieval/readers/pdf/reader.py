"""PDF: text with its pages, ruled tables, and, where they can be inferred, tables without lines.

A page without letters is reported as a picture. A table that continues on the next page is one table, and each of its
rows keeps its page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from retrieval.errors import SourceError
from retrieval.readers.documents.document import Document
from retrieval.readers.documents.extras import require
from retrieval.readers.pdf.inferred import Inferring
from retrieval.readers.pdf.markdown import document_of_pages
from retrieval.readers.pdf.tables import PageTable, ruled_tables
from retrieval.readers.pdf.text import Line, Part, lines_of, running_key, running_lines, with_strips_resolved

MOST_PAGES = 20_000
_BROKEN = (AssertionError, AttributeError, KeyError, TypeError, ValueError, RecursionError)
_LONGEST_LABEL = 40
"""The most characters of a page label."""


def read_pdf(path: Path, on_page: Callable[[int, int], None] | None = None) -> Document:
    """Read a PDF; `SourceError` if it is encrypted or broken. `on_page` is called with pages read and total pages."""
    pdfplumber = require("pdfplumber", "pdf", str(path))
    odd: list[tuple[int, str]] = []
    try:
        with pdfplumber.open(path) as pdf:
            if len(pdf.pages) > MOST_PAGES:
                raise SourceError(f"{len(pdf.pages):,} pages; {MOST_PAGES:,} are the most", str(path))
            labels = _labels(pdf)
            inferring = Inferring(path)
            pages = []
            for page in pdf.pages:
                pages.append(_page(page, inferring, odd))
                if on_page is not None:
                    on_page(len(pages), len(pdf.pages))
            odd += inferring.odd()
    except SourceError:
        raise
    except OSError as error:
        raise SourceError(f"can't be read: {error.strerror or error}", str(path)) from error
    except Exception as error:  # pdfminer's errors for broken files share no base class
        raise SourceError(_reason(error), str(path)) from error
    return replace(document_of_pages(_settled(pages), odd), page_labels=labels)


def _labels(pdf: Any) -> tuple[tuple[int, str], ...]:
    """Return the printed labels of pages, numbered from 1, where they differ from the number."""
    try:
        told = list(islice(pdf.doc.get_page_labels(), len(pdf.pages)))
    except (*_BROKEN, require("pdfminer.psexceptions", "pdf", "").PSException):
        return ()  # most files have none; a broken list counts as none
    return tuple(
        (page, label[:_LONGEST_LABEL]) for page, label in enumerate(told, start=1) if label and label != str(page)
    )


def _reason(error: Exception) -> str:
    names = {type(each).__name__ for each in (error, error.__cause__, error.__context__, *error.args)}
    if names & {"PDFPasswordIncorrect", "PDFEncryptionError"}:
        return "encrypted; save it without a password"
    return f"no PDF, or a broken one: {type(error).__name__}: {error}"[:300]


def _page(page: Any, inferring: Inferring, odd: list[tuple[int, str]]) -> list[Part]:
    tables = ruled_tables(page)
    tables += inferring.tables(page, [table.box for table in tables if table.is_whole])
    found = list(lines_of(page, tables))
    if not found and page.images:
        odd.append((1, f"page {page.page_number} is a picture without text; recognise its letters first (OCR)"))
    page.close()
    return found


def _settled(pages: Sequence[Sequence[Part]]) -> list[list[Line | PageTable]]:
    """Return the pages without running heads and feet, with tables joined across page ends."""
    running = running_lines(pages)
    return with_strips_resolved(
        [[part for part in page if not (isinstance(part, Line) and running_key(part) in running)] for page in pages]
    )
