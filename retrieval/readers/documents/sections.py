"""Group blocks into sections: a heading path with the paragraphs and tables under it.

The front matter of a page becomes the record of its first section, and its title the page's name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from retrieval.readers.documents.front_matter import FrontMatter
from retrieval.readers.documents.pages import NO_PAGES, Pages
from retrieval.readers.documents.tables import is_record_matrix
from retrieval.tabular import Boxes
from retrieval.text.normal import phrase
from retrieval.types import Table

_PAGE_DEPTH = 0
"""The depth of a page title that no heading has: above all headings."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, list or code block as plain text.

    `pairs` are its labels with values, and `parts` those of things that it names. `boxes` are its places on its pages,
    if the reader knows them. `members` is the table of the things that a list names. `sentence_facts` are facts of the
    section's subject in its sentences: label, value and sentence.
    """

    text: str
    line: int
    pages: Pages = NO_PAGES
    pairs: tuple[tuple[str, str], ...] = ()
    boxes: Boxes = ()
    parts: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    members: Table | None = None
    sentence_facts: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Placed:
    """A table and its line."""

    table: Table
    line: int
    pages: Pages = NO_PAGES


@dataclass(slots=True)
class Section:
    """The blocks under one heading. `headings` is the path, outermost first; `line` counts from 1."""

    headings: tuple[str, ...]
    line: int
    blocks: list[Any] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The innermost heading."""
        return self.headings[-1] if self.headings else ""


@dataclass(frozen=True, slots=True)
class Source:
    """The sections of one file under its name for citations."""

    name: str
    sections: Sequence[Section]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading with its depth: 1 to 6 as in Markdown, or an extra one outside that range."""

    text: str
    depth: int
    line: int


@dataclass(frozen=True, slots=True)
class _Caption:
    text: str


Block = Paragraph | Placed | Heading
PSEUDO_DEPTH = 7
"""The depth of a bold line that serves as a heading: below all others."""
_LABEL_ENDS = (".", ":", ";", ",", "!", "?")


def with_front_matter(blocks: Sequence[Block], front: FrontMatter) -> list[Block]:
    """Put the page's record under the heading that names the page, and its title on top unless that heading includes
    it.
    """
    record: list[Block] = [Placed(Table("", ((), ()), front.pairs), 2)] if front.pairs else []
    record += [Placed(table, 2) for table in front.tables]
    own = _own_heading(blocks, front.title)
    if own is None:
        title: list[Block] = [Heading(front.title, _PAGE_DEPTH, 1)] if front.title else []
        return [*title, *record, *blocks]
    at = next(n for n, block in enumerate(blocks) if block is own) + 1
    outer = [] if _contains_title(own, front.title) else [Heading(front.title, _PAGE_DEPTH, 1)]
    return [*outer, *blocks[:at], *record, *blocks[at:]]


def _own_heading(blocks: Sequence[Block], title: str) -> Heading | None:
    """Return the heading that names the page: its one H1, or one that opens it, contains all others and has its
    title.
    """
    headings = [block for block in blocks if isinstance(block, Heading)]
    if not headings:
        return None
    first = headings[0]
    alone = all(first.depth < other.depth for other in headings[1:])
    if first.depth == 1:
        return first if alone or not title else None
    opens = alone and blocks[0] is first and first.depth < PSEUDO_DEPTH
    return first if opens and _contains_title(first, title) else None


def _contains_title(heading: Heading, title: str) -> bool:
    return set(phrase(title)) <= set(phrase(heading.text))


def grouped(blocks: Sequence[Block]) -> list[Section]:
    """Group blocks under their headings.

    A bold line directly above a grid is that table's caption; blocks after the table belong to the real heading again.
    Elsewhere a bold line opens a section, unless it ends like a label.
    """
    path: list[Heading] = []
    sections = [Section((), 1)]
    home = here = sections[0]
    with_record: set[int] = set()
    for block, after in zip_longest(blocks, blocks[1:]):
        if not isinstance(block, Heading):
            here.blocks.append(block)
            if isinstance(block, Placed) and block.table.is_record:
                with_record.add(id(here))
            continue
        if block.depth == PSEUDO_DEPTH and isinstance(after, Placed) and not _is_described(after.table):
            here = here if id(here) in with_record else home
            here.blocks.append(_Caption(block.text.rstrip(":")))
        elif block.depth == PSEUDO_DEPTH and block.text.endswith(_LABEL_ENDS) and not isinstance(after, Placed):
            here.blocks.append(Paragraph(block.text, block.line))
        else:
            path = [h for h in path if h.depth < block.depth] + [replace(block, text=block.text.rstrip(":"))]
            here = Section(tuple(h.text for h in path), block.line)
            sections.append(here)
            home = here if block.depth < PSEUDO_DEPTH else home
    for section in sections:
        section.blocks = list(_with_captions(section.blocks))
    return [section for section in sections if section.blocks]


def _is_described(table: Table) -> bool:
    """True for one stat block or several side by side: the line above is a name, not a caption."""
    return table.is_record or is_record_matrix(table)


def _with_captions(blocks: Sequence[Paragraph | Placed | _Caption]) -> Iterator[Paragraph | Placed]:
    caption = ""
    for block in blocks:
        if isinstance(block, _Caption):
            caption = block.text
        else:
            if caption and isinstance(block, Placed):
                own = block.table.caption
                both = caption if own in ("", caption) else f"{caption}: {own}"
                block = replace(block, table=replace(block.table, caption=both))
            yield block
            caption = ""
