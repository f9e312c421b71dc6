"""Word: mammoth converts a document to HTML, with headings and merged cells.

The first row of a table is mostly bold by the style of the table, not by its own; such a row holds heads.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from lxml import etree

from retrieval.readers.documents.document import Document
from retrieval.readers.documents.extras import require
from retrieval.readers.markdown.from_markdown import document_of
from retrieval.readers.markup.html_markdown import markdown_of
from retrieval.readers.office.archives import require_sound

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STYLES = "word/styles.xml"
_OFF = ("0", "false", "off")
_BACK = re.compile(r'<a href="#(?:foot|end)note-ref-[^"]*">[^<]*</a>')
"""The back link from a note to its mark."""


def read_word(path: Path) -> Document:
    """Read a .docx file; `SourceError` if it is damaged, encrypted or unpacks to far too much."""
    mammoth = require("mammoth", "office", str(path))
    with require_sound(path) as file:
        heads = _with_heads(_styles_with_heads(file))
        html: str = mammoth.convert_to_html(
            file,
            convert_image=_no_image,
            transform_document=require("mammoth.transforms", "office", "").element_of_type(
                require("mammoth.documents", "office", "").Table, heads
            ),
        ).value
    return document_of(markdown_of(_BACK.sub("", html)).text)


def _no_image(_: object) -> list[object]:
    return []


def _with_heads(styles: Mapping[str, bool]) -> Callable[[Any], Any]:
    """Return a function that marks a table's first row as heads if its style makes it bold and no row is marked."""

    def marked(table: Any) -> Any:
        rows = table.children
        if len(rows) < 2 or not styles.get(table.style_id) or any(getattr(row, "is_header", False) for row in rows):
            return table
        return table.copy(children=[rows[0].copy(is_header=True), *rows[1:]])

    return marked


def _styles_with_heads(file: BinaryIO) -> Mapping[str, bool]:
    """Return for each table style whether it, or its base style, makes the first row bold."""
    archive = zipfile.ZipFile(file)
    if _STYLES not in archive.namelist():
        return {}
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    found: dict[str, bool] = {}
    based: dict[str, str] = {}
    for style in etree.fromstring(archive.read(_STYLES), parser).iter(f"{_W}style"):
        name = style.get(f"{_W}styleId", "")
        bold = style.findall(f"{_W}tblStylePr[@{_W}type='firstRow']/{_W}rPr/{_W}b")
        parent = style.find(f"{_W}basedOn")
        based[name] = parent.get(f"{_W}val", "") if parent is not None else ""
        found[name] = any(each.get(f"{_W}val", "1") not in _OFF for each in bold)
    return {name: found[name] or found.get(based[name], False) for name in found}
