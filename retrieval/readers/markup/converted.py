"""Formats that pandoc reads: it converts them to HTML, tables included.

Pandoc runs in its sandbox, which opens no other file and no address, with a limit of memory and time. The program on
the path is taken, or else that of the extra `pandoc`. What it complains about is told; lines of the file are not known.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from retrieval.errors import MissingExtra, SourceError
from retrieval.readers.documents.document import CONVERTED, Document, text_of
from retrieval.readers.documents.extras import require
from retrieval.readers.markdown.from_markdown import document_of
from retrieval.readers.markup.html_markdown import markdown_of
from retrieval.readers.markup.named_values import NAMED_VALUES
from retrieval.readers.markup.wiki_spans import with_spans

_WIKI = "mediawiki"
_DEGREES = "∘"
"""How LaTeX writes the sign of degrees, as a raised ring."""
_LIMITS = ("+RTS", "-M1500M", "-RTS")
_SECONDS = 300
_AS_PAGE = ("--to=html5", "--standalone", "--sandbox", "--wrap=none", "--shift-heading-level-by=1")


def read_converted(path: Path) -> Document:
    """Read a file by pandoc; `MissingExtra` if there is none, `SourceError` if it can't read the file."""
    format_ = CONVERTED[path.suffix.lower().removeprefix(".")]
    content = path.read_bytes()
    if write_out := NAMED_VALUES.get(format_):
        content = write_out(text_of(path)).encode()
    page, odd = _converted(content, format_, path)
    page = with_spans(page, content.decode()) if format_ == _WIKI else page
    return document_of((written := markdown_of(page)).text, written.places, [*written.odd, *odd])


def _converted(content: bytes, format_: str, path: Path) -> tuple[str, list[tuple[int, str]]]:
    """Return the page, and what pandoc warns of."""
    command = [_program(path), *_LIMITS, f"--from={format_}", *_AS_PAGE, "--metadata=pagetitle:-"]
    try:
        done = subprocess.run(command, input=content, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise SourceError(f"pandoc took more than {_SECONDS} s, and was stopped", str(path)) from None
    told = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode:
        raise SourceError(f"pandoc can't read it: {told or done.returncode}", str(path))
    _, _, body = done.stdout.decode("utf-8", "replace").partition("<body>")  # the title of its head is made up
    return body.replace(_DEGREES, "°"), [(1, f"pandoc: {line}") for line in told.splitlines() if line]


def _program(path: Path) -> str:
    if found := shutil.which("pandoc"):
        return found
    try:
        return str(require("pypandoc", "pandoc", str(path)).get_pandoc_path())
    except OSError as error:
        raise MissingExtra("needs pandoc; say: pip install 'versus-rag[pandoc]'", str(path)) from error
