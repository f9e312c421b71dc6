"""Turn Markdown that a reader wrote into a document with the line numbers of the original file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retrieval.readers.documents.document import Document, Section
from retrieval.readers.markdown.reader import parse


def document_of(markdown: str, places: Sequence[int] = (), odd: Sequence[tuple[int, str]] = ()) -> Document:
    r"""Return the document of this Markdown.

    `places` has the line of the file for each line of the Markdown; without it the Markdown's own lines count. `odd`
    are the file's oddities as (line, message).

    >>> document_of("# Oak\n\nIt is tall.", [7, 8, 9]).sections[0].line
    7
    """
    own: list[tuple[int, str]] = []
    sections = parse(markdown, own)
    if places:
        own = [(_place(line, places), message) for line, message in own]
        for section in sections:
            _move(section, places)
    return Document(tuple(sections), (*odd, *own))


def _move(section: Section, places: Sequence[int]) -> None:
    section.line = _place(section.line, places)
    section.blocks = [replace(block, line=_place(block.line, places)) for block in section.blocks]


def _place(line: int, places: Sequence[int]) -> int:
    return places[min(line, len(places)) - 1]
