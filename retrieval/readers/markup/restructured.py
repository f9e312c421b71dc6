"""reStructuredText: docutils converts it to HTML, tables included; Sphinx markup is converted first.

No file is included and no raw HTML passed through. What docutils can't read is kept as text and reported.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.core import publish_doctree, publish_from_doctree
from docutils.writers.html5_polyglot import HTMLTranslator, Writer

from retrieval.errors import SourceError
from retrieval.readers.documents.document import Document, text_of
from retrieval.readers.documents.formulas import plain_math
from retrieval.readers.markdown.from_markdown import document_of
from retrieval.readers.markup.html_markdown import LINE, markdown_of
from retrieval.readers.markup.sphinx import Plain, without_sphinx

_SETTINGS = {
    "doctitle_xform": False,
    "docinfo_xform": False,
    "embed_stylesheet": False,
    "file_insertion_enabled": False,
    "halt_level": 5,
    "initial_header_level": 1,
    "input_encoding": "unicode",
    "math_output": "LaTeX",
    "output_encoding": "unicode",
    "raw_enabled": False,
    "report_level": 5,
    "smart_quotes": False,
    "syntax_highlight": "none",
    "_disable_config": True,
}
_TITLE = re.compile(r"title: *(\S.*)")
_MADE_UP = re.compile(r"<title>[^<]*</title>")
"""The title that docutils writes for a page that has none."""
_WARNING = 2
"""The level from which docutils drops the text that it complains about."""


def read_restructured(path: Path) -> Document:
    """Read a reStructuredText file; `SourceError` if its encoding is unknown or it is nested too deeply."""
    plain = without_sphinx(text_of(path))
    try:
        tree = publish_doctree(plain.text, settings_overrides=_SETTINGS)
        _take_title(tree)
        odd = _unread(tree, plain)
        _join_definitions(tree)
        _write_out_math(tree)
        html = publish_from_doctree(tree, writer=_LinedWriter(), settings_overrides=_SETTINGS)
        if "title" not in tree:
            html = _MADE_UP.sub("", html, count=1)
    except RecursionError as error:
        raise SourceError("nested too deeply", str(path)) from error
    # Asides of HTML are treated as navigation, but docutils writes notes and warnings as asides.
    written = markdown_of(html.replace("<aside", "<div").replace("</aside>", "</div>"), has_lines=True)
    return document_of(written.text, [plain.place(line) for line in written.places], odd)


def _unread(tree: nodes.document, plain: Plain) -> list[tuple[int, str]]:
    """Put back as literal text what docutils dropped; return the messages with lines of the file."""
    odd = []
    for message in list(tree.findall(nodes.system_message)):
        source = next(iter(message.findall(nodes.literal_block)), None)
        if message["level"] >= _WARNING and source is not None:
            odd.append((plain.place(message.get("line", 1)), f"{message[0].astext()} Kept as text."))
            message.replace_self(nodes.literal_block(source.astext(), source.astext()))
    return odd


def _take_title(tree: nodes.document) -> None:
    """Take the title of the page, if a comment at its beginning has one, as Nikola writes it: `.. title: Moles`."""
    first = next((child for child in tree.children if not isinstance(child, nodes.substitution_definition)), None)
    told = _TITLE.match(first.astext()) if isinstance(first, nodes.comment) else None
    if told and "title" not in tree:
        tree["title"] = told[1]


def _join_definitions(tree: nodes.document) -> None:
    """Merge definition lists that only link targets separate."""
    for parent in {id(each.parent): each.parent for each in tree.findall(nodes.definition_list)}.values():
        kept: list[nodes.Node] = []
        open_list: nodes.definition_list | None = None
        for child in list(parent.children):
            if isinstance(child, nodes.definition_list) and open_list is not None:
                open_list += child.children
                continue
            kept.append(child)
            if not isinstance(child, nodes.target):
                open_list = child if isinstance(child, nodes.definition_list) else None
        parent.children = kept


def _write_out_math(tree: nodes.document) -> None:
    """Replace formulas within a line by plain text."""
    for formula in list(tree.findall(nodes.math)):
        formula.replace_self(nodes.Text(plain_math(formula.astext())))


class _LinedTranslator(HTMLTranslator):
    """Adds the source line to each element."""

    def starttag(self, node: Any, tagname: str, suffix: str = "\n", empty: bool = False, **attributes: Any) -> str:
        """Open a tag, with its line if known."""
        line = getattr(node, "line", None)
        if line is not None:
            is_heading = isinstance(node, nodes.title) and isinstance(node.parent, nodes.section)
            attributes[LINE] = str(line - is_heading)  # docutils counts to the rule below
        return str(super().starttag(node, tagname, suffix, empty, **attributes))


class _LinedWriter(Writer):
    def __init__(self) -> None:
        super().__init__()
        self.translator_class = _LinedTranslator
