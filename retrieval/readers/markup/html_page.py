"""HTML pages: headings, lists and tables, without menus and scripts.

Pages of a site generator begin with front matter and have template commands in braces, which are dropped.
"""

from __future__ import annotations

import re
from pathlib import Path

from retrieval.readers.documents.document import Document, text_of
from retrieval.readers.documents.front_matter import front_matter
from retrieval.readers.markdown.from_markdown import document_of
from retrieval.readers.markup.html_markdown import Written, markdown_of

_COMMAND = re.compile(
    r"\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\}|\{%[^{}]{0,400}%\}|\{\{[^{}]{0,400}\}\}", re.DOTALL
)
"""Commands of Liquid and similar template languages."""


def read_html_page(path: Path) -> Document:
    """Read an HTML page; `SourceError` if its encoding is unknown."""
    text = text_of(path)
    front = front_matter(text)
    written = markdown_of(text) if front is None else _generated(text, front.lines)
    return document_of(written.text, written.places, written.odd)


def _generated(text: str, front: int) -> Written:
    """Convert a page without its template commands, behind front matter of so many lines."""
    lines = text.split("\n")
    body = "\n" * front + "\n".join(lines[front:])
    written = markdown_of(_COMMAND.sub(lambda found: "\n" * found[0].count("\n"), body))
    return Written([*lines[:front], "", *written.lines], [*range(1, front + 2), *written.places], written.odd)
