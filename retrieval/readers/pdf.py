"""PDF: text with its pages, the tables that are drawn with lines, and, where they can be inferred, those without.

A page that holds no letters is said to be a picture. A table that runs on over the next page is one, and each of its
rows keeps its page.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from retrieval.errors import SourceError
from retrieval.readers.document import Document
from retrieval.readers.extras import require
from retrieval.readers.from_markdown import document_of
from retrieval.readers.html_tables import INFERRED
from retrieval.readers.pdf_inferred import Inferring
from retrieval.readers.pdf_tables import PageTable, html_rows, ruled_tables
from retrieval.readers.pdf_text import (
    Line,
    Part,
    body_size,
    heading_sizes,
    lines_of,
    paragraphs,
    running_key,
    running_lines,
    settled,
)

MOST_PAGES = 20_000
_BROKEN = (AssertionError, AttributeError, KeyError, TypeError, ValueError, RecursionError)
_LONGEST_LABEL = 40
"""Characters of what is printed instead of the number of a page."""
Page = Sequence[Line | PageTable]


def read_pdf(path: Path, on_page: Callable[[int, int], None] | None = None) -> Document:
    """Read a PDF; `SourceError` when it is encrypted or broken. `on_page` hears how many pages of how many are read."""
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
    except Exception as error:  # what pdfminer raises for broken files has no common class
        raise SourceError(_reason(error), str(path)) from error
    return replace(document_of("\n".join(_markdown(_settled(pages))), odd=odd), page_labels=labels)


def _labels(pdf: Any) -> tuple[tuple[int, str], ...]:
    """What is printed on the pages, by their numbers from 1, where the file says something else than the number."""
    try:
        told = list(islice(pdf.doc.get_page_labels(), len(pdf.pages)))
    except (*_BROKEN, require("pdfminer.psexceptions", "pdf", "").PSException):
        return ()  # most files have none, and a broken list of them is none
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
    if not any(table.is_whole for table in tables):
        tables += inferring.tables(page)
    found = list(lines_of(page, tables))
    if not found and page.images:
        odd.append((1, f"page {page.page_number} is a picture without text; recognise its letters first (OCR)"))
    page.close()
    return found


def _settled(pages: Sequence[Sequence[Part]]) -> list[list[Line | PageTable]]:
    """The pages without running heads and feet, and with what goes on over their ends put together."""
    running = running_lines(pages)
    return settled(
        [[part for part in page if not (isinstance(part, Line) and running_key(part) in running)] for page in pages]
    )


def _markdown(pages: Sequence[Page]) -> Iterator[str]:
    """All pages as Markdown, with a mark where each begins."""
    ranks = heading_sizes(pages, body_size(pages))
    table: PageTable | None = None
    for number, blocks in enumerate(pages, start=1):
        first = blocks[0] if blocks else None
        if table is not None and not (isinstance(first, PageTable) and first.continues(table)):
            yield from ("</table>", "")
            table = None
        yield f"<!-- page {number} -->"
        if table is None:
            yield ""
        table = yield from _blocks(blocks, table, ranks)
    if table is not None:
        yield "</table>"


def _blocks(blocks: Page, table: PageTable | None, ranks: Sequence[float]) -> Generator[str, None, PageTable | None]:
    """The lines and tables of a page; `table` is one that runs on from the page before. Returns one that may run on."""
    held: list[Line] = []
    for place, block in enumerate(blocks):
        if isinstance(block, Line):
            if table is not None:
                yield from ("</table>", "")
                table = None
            held.append(block)
            continue
        yield from paragraphs(held, ranks)
        held = []
        if table is not None and not place and block.continues(table):
            yield from html_rows(block.without_heads_of(table))
            continue
        if table is not None:
            yield from ("</table>", "")
        yield from (f"<table {INFERRED}>" if block.is_inferred else "<table>", *html_rows(block.rows))
        table = block
    yield from paragraphs(held, ranks)
    return table
