"""What a reader makes of a file, and the readers by the suffix of the files they read.

A reader is a function of a path. It returns a `Document`, whose sections are then cut into chunks as those of Markdown
are, or `Records`, which are chunks as somebody wrote them. One for another kind of file is an entry point of the group
`versus.readers`, named by the suffix without its dot:

    [project.entry-points."versus.readers"]
    rtf = "my_package:read_rtf"
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePath

from retrieval.errors import SourceError
from retrieval.readers.documents.encodings import decoded, said_of
from retrieval.readers.documents.sections import Paragraph, Placed, Section
from retrieval.registry import Registry
from retrieval.types import Chunk


@dataclass(frozen=True, slots=True)
class Document:
    """The sections of a file in reading order; `odd` is what is strange but usable, as (line, message).

    `page_labels` has the pages of which something else is printed than their number.
    """

    sections: tuple[Section, ...]
    odd: tuple[tuple[int, str], ...] = ()
    page_labels: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Records:
    """The chunks of a file, each with its place, `file:line`; one without a source is of this file."""

    chunks: tuple[tuple[str, Chunk], ...]
    warnings: tuple[str, ...] = ()


__all__ = [
    "OFFICE",
    "READERS",
    "Document",
    "Paragraph",
    "Placed",
    "Reader",
    "Records",
    "Section",
    "has_lines",
    "is_caged",
    "line_in",
    "odd_encoding",
    "text_of",
]

Reader = Callable[[Path], Document | Records]
"""Reads a file; `SourceError` says what is wrong with it, and where."""

OFFICE = frozenset({"docx", "pdf", "pptx", "xlsx"})
_MARKED_UP = frozenset({"adoc", "asciidoc", "rest", "rst"})
_CAGED = OFFICE | _MARKED_UP
"""Formats that can hide a bomb, and are read in a process of their own."""
PACKED = frozenset({"bz2", "gz", "xz"})
_OF_CHUNKS = frozenset({"json", "jsonl"})
_LARGE = 50_000
"""Bytes from which a file of text is read in a process of its own too. What is smaller takes a few seconds at worst, as
the worst that is known of each format shows in the tests."""
_WITHOUT_LINES = frozenset({"docx", "pdf", "pptx"})
_TEXTS = frozenset({
    "csv", "htm", "html", "markdown", "md", "mdx", "mkd", "qmd", "rmd", "text", "tsv", "txt", "xhtml",
})  # fmt: skip
READERS = Registry[Reader](
    "versus.readers",
    "reader",
    {
        **dict.fromkeys(("md", "markdown", "mkd", "qmd", "rmd"), "retrieval.readers.markdown.reader:read_markdown"),
        "mdx": "retrieval.readers.markdown.reader:read_mdx",
        **dict.fromkeys(("jsonl", "json"), "retrieval.readers.data.records:read_records"),
        **dict.fromkeys(("html", "htm", "xhtml"), "retrieval.readers.markup.html_page:read_html_page"),
        **dict.fromkeys(("csv", "tsv"), "retrieval.readers.data.delimited:read_delimited"),
        **dict.fromkeys(("txt", "text"), "retrieval.readers.plain.plain_text:read_plain_text"),
        **dict.fromkeys(("adoc", "asciidoc"), "retrieval.readers.markup.asciidoc:read_asciidoc"),
        **dict.fromkeys(("rst", "rest"), "retrieval.readers.markup.restructured:read_restructured"),
        **dict.fromkeys(sorted(PACKED), "retrieval.readers.data.compressed:read_compressed"),
        "docx": "retrieval.readers.office.word:read_word",
        "xlsx": "retrieval.readers.office.sheets:read_sheets",
        "pptx": "retrieval.readers.office.slides:read_slides",
        "pdf": "retrieval.readers.pdf.reader:read_pdf",
    },
)


def is_caged(path: Path) -> bool:
    """Whether a file is read in a process of its own: for its format, because it is packed or large, or because what
    reads it is somebody else's.

    >>> is_caged(Path("rules.pdf")), is_caged(Path("prices.csv.gz")), is_caged(Path("chunks.jsonl.gz"))
    (True, True, False)
    """
    suffix, inner = (PurePath(name).suffix.lower().removeprefix(".") for name in (path.name, path.stem))
    if suffix in PACKED:
        return inner not in _OF_CHUNKS
    if suffix in _TEXTS:
        return path.is_file() and path.stat().st_size > _LARGE
    return suffix in _CAGED or not READERS.is_built_in(suffix)


def has_lines(source: str) -> bool:
    """True for a file whose lines somebody can look up; a PDF has pages, and a word processor's has none.

    >>> has_lines("rules.md"), has_lines("rules.pdf")
    (True, False)
    """
    return PurePath(source).suffix.lower().removeprefix(".") not in _WITHOUT_LINES


def line_in(source: str, line: int | None) -> int | None:
    """A line of a file, where it has lines.

    >>> line_in("rules.md", 12), line_in("rules.pdf", 12)
    (12, None)
    """
    return line if has_lines(source) else None


def text_of(path: Path) -> str:
    """Return the text of a file, with line feeds alone between its lines; `SourceError` when it is not UTF-8, nor
    anything else that can be told.
    """
    return _decoded(path)[0].replace("\r\n", "\n")


def odd_encoding(path: Path) -> str:
    """What to tell of how a file of text is written; empty for UTF-8, and for what is no text."""
    suffix = path.suffix.lower().removeprefix(".")
    is_text = suffix in _TEXTS or suffix in _MARKED_UP
    return said_of(_decoded(path)[1]) if is_text and path.is_file() else ""


def _decoded(path: Path) -> tuple[str, str]:
    try:
        return decoded(path.read_bytes())
    except UnicodeDecodeError as error:
        raise SourceError(f"not UTF-8 (byte {error.start}); convert it, for example with iconv", str(path)) from error
    except OSError as error:
        raise SourceError(f"can't be read: {error.strerror or error}", str(path)) from error
