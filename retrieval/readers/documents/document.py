"""The output types of readers, and the readers by file suffix.

A reader is a function of a path. It returns a `Document`, whose sections are then cut into chunks like those of
Markdown, or `Records`, which are ready-made chunks. A reader for another format is an entry point of the group
`versus.readers`, named by the suffix without its dot:

    [project.entry-points."versus.readers"]
    rtf = "my_package:read_rtf"
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePath

from retrieval.errors import SourceError
from retrieval.readers.documents.encodings import decoded, encoding_message
from retrieval.readers.documents.sections import Paragraph, Placed, Section
from retrieval.registry import Registry
from retrieval.types import Chunk


@dataclass(frozen=True, slots=True)
class Document:
    """The sections of a file in reading order; `odd` lists what is unusual but usable, as (line, message).

    `page_labels` has the pages whose printed label differs from their number.
    """

    sections: tuple[Section, ...]
    odd: tuple[tuple[int, str], ...] = ()
    page_labels: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Records:
    """The chunks of a file, each with its place, `file:line`; a chunk without a source gets this file."""

    chunks: tuple[tuple[str, Chunk], ...]
    warnings: tuple[str, ...] = ()


__all__ = [
    "CONVERTED",
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
"""Reads a file; `SourceError` says what is wrong and where."""

OFFICE = frozenset({"docx", "pdf", "pptx", "xlsx"})
_MARKED_UP = frozenset({"adoc", "asciidoc", "rest", "rst"})
CONVERTED = {
    "dbk": "docbook", "docbook": "docbook", "epub": "epub", "fb2": "fb2", "ipynb": "ipynb", "latex": "latex",
    "mediawiki": "mediawiki", "odt": "odt", "opml": "opml", "org": "org", "pod": "pod", "rtf": "rtf", "t2t": "t2t",
    "tex": "latex", "textile": "textile", "typ": "typst", "wiki": "mediawiki",
}  # fmt: skip
"""Formats that pandoc converts, each with its name there."""
_CAGED = OFFICE | _MARKED_UP | CONVERTED.keys()
"""Formats that can hide a bomb and are read in a separate process."""
PACKED = frozenset({"bz2", "gz", "xz"})
_OF_CHUNKS = frozenset({"json", "jsonl"})
_LARGE = 50_000
"""The bytes from which a text file is read in a separate process too. A smaller one takes a few seconds at worst, as
the tests show with the worst known file of each format.
"""
_WITHOUT_LINES = frozenset({"docx", "pdf", "pptx"}) | CONVERTED.keys()
_TEXTS = frozenset({
    "csv", "htm", "html", "markdown", "md", "mdx", "mkd", "qmd", "rmd", "text", "toml", "tsv", "txt", "xhtml", "xml",
    "yaml", "yml",
})  # fmt: skip
READERS = Registry[Reader](
    "versus.readers",
    "reader",
    {
        **dict.fromkeys(("md", "markdown", "mkd", "qmd", "rmd"), "retrieval.readers.markdown.reader:read_markdown"),
        "mdx": "retrieval.readers.markdown.reader:read_mdx",
        "jsonl": "retrieval.readers.data.records:read_records",
        "json": "retrieval.readers.data.structured:read_json",
        **dict.fromkeys(("toml", "xml", "yaml", "yml"), "retrieval.readers.data.structured:read_data"),
        **dict.fromkeys(("html", "htm", "xhtml"), "retrieval.readers.markup.html_page:read_html_page"),
        **dict.fromkeys(("csv", "tsv"), "retrieval.readers.data.delimited:read_delimited"),
        **dict.fromkeys(("txt", "text"), "retrieval.readers.plain.plain_text:read_plain_text"),
        **dict.fromkeys(("adoc", "asciidoc"), "retrieval.readers.markup.asciidoc:read_asciidoc"),
        **dict.fromkeys(("rst", "rest"), "retrieval.readers.markup.restructured:read_restructured"),
        **dict.fromkeys(sorted(PACKED), "retrieval.readers.data.compressed:read_compressed"),
        **dict.fromkeys(sorted(CONVERTED), "retrieval.readers.markup.converted:read_converted"),
        "docx": "retrieval.readers.office.word:read_word",
        "xlsx": "retrieval.readers.office.sheets:read_sheets",
        "pptx": "retrieval.readers.office.slides:read_slides",
        "pdf": "retrieval.readers.pdf.reader:read_pdf",
    },
)


def is_caged(path: Path) -> bool:
    """Return whether a file is read in a separate process: for its format, because it is compressed or large, or
    because its reader is a plug-in.

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
    """True for a file whose lines can be looked up; a PDF has pages, a word processor's file neither.

    >>> has_lines("rules.md"), has_lines("rules.pdf")
    (True, False)
    """
    return PurePath(source).suffix.lower().removeprefix(".") not in _WITHOUT_LINES


def line_in(source: str, line: int | None) -> int | None:
    """Return a line number if the file has lines, else None.

    >>> line_in("rules.md", 12), line_in("rules.pdf", 12)
    (12, None)
    """
    return line if has_lines(source) else None


def text_of(path: Path) -> str:
    """Return the text of a file with line feeds only; `SourceError` if it is neither UTF-8 nor in another encoding that
    can be detected.
    """
    return _decoded(path)[0].replace("\r\n", "\n")


def odd_encoding(path: Path) -> str:
    """Return a message about a text file's encoding; empty for UTF-8 and for other kinds of files."""
    suffix = path.suffix.lower().removeprefix(".")
    is_text = suffix in _TEXTS or suffix in _MARKED_UP
    return encoding_message(_decoded(path)[1]) if is_text and path.is_file() else ""


def _decoded(path: Path) -> tuple[str, str]:
    try:
        return decoded(path.read_bytes())
    except UnicodeDecodeError as error:
        raise SourceError(f"not UTF-8 (byte {error.start}); convert it, for example with iconv", str(path)) from error
    except OSError as error:
        raise SourceError(f"can't be read: {error.strerror or error}", str(path)) from error
