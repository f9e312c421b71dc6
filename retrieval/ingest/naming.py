"""Name the pages of a collection that do not state their name.

A page with a title of its own needs no other name. If one of several outermost headings matches the file name, it is
the title. If the pages of many things have the same headings (*Key data* and *Installation* on each), these name
sections and not the thing: such a page is named by its file or, if each thing has a folder with the same files
(*index*, *manual*), by that folder. How common the names of files and headings are is learnt from the collection.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from retrieval.ingest.files import is_of_folder, page_name
from retrieval.readers.documents.sections import Source
from retrieval.text.normal import Tokens, phrase

_WORD = re.compile(r"[^\W_]+")
_LETTER = re.compile(r"[^\W\d_]")
_FEWEST = 3
"""The fewest pages with a heading, or folders with a file of one name, for it to name no thing."""
_MOSTLY = 0.5
"""The share of a folder's files whose names recur in sibling folders, for the folder to be one thing."""


def with_page_names(sources: Sequence[Source]) -> list[Source]:
    """Return the sources, with the name of each page without a title above its headings.

    >>> from retrieval.readers.documents.sections import Section
    >>> pages = [Source(f"ferries/{name}.md", [Section(("Fares",), 1)]) for name in ("reed", "rush", "sedge")]
    >>> [page.sections[0].headings for page in with_page_names(pages)]
    [('reed', 'Fares'), ('rush', 'Fares'), ('sedge', 'Fares')]
    """
    naming = _Naming.of(sources)
    return [_under(naming.name(source), source) for source in sources]


@dataclass(frozen=True, slots=True)
class _Naming:
    """What many pages share: the headings that open them, and the name of each folder that is one thing."""

    roles: frozenset[Tokens]
    things: Mapping[PurePath, str]

    @classmethod
    def of(cls, sources: Sequence[Source]) -> _Naming:
        """Learn from all pages of a collection."""
        opening = Counter(heading for source in sources for heading in _opening(source))
        roles = frozenset(heading for heading, count in opening.items() if count >= _FEWEST)
        folders = set(_folders_of_things([PurePath(source.name) for source in sources]))
        things = {folder: page_name(str(folder)) for folder in folders}
        for source in sources:
            path, title = PurePath(source.name), _title(source)
            if path.parent in folders and is_of_folder(path) and title and phrase(title) not in roles:
                things[path.parent] = title
        return cls(roles, things)

    def name(self, source: Source) -> str:
        """Return the name to put above a page's headings; empty if they need none."""
        folder = PurePath(source.name).parent
        opening = _opening_title(source)
        if opening:
            return opening
        if folder in self.things:
            name = self.things[folder]
        elif self.roles.isdisjoint(_opening(source)):
            return ""
        else:
            name = page_name(source.name)
        return "" if set(phrase(name)) <= set(phrase(_title(source))) else name


def _under(name: str, source: Source) -> Source:
    """Put a name above all headings of a source."""
    if not name:
        return source
    sections = [
        each if each.headings[:1] == (name,) else replace(each, headings=(name, *each.headings))
        for each in source.sections
    ]
    return replace(source, sections=sections)


def _title(source: Source) -> str:
    """Return the one heading above all others; empty if there is none."""
    outer = {section.headings[0] for section in source.sections if section.headings}
    return outer.pop() if len(outer) == 1 else ""


def _opening_title(source: Source) -> str:
    """Return the first of several outermost headings if the file name contains it: the page's title."""
    first = source.sections[0].headings[:1] if source.sections else ()
    words = set(_WORD.findall(first[0].casefold())) if first and not _title(source) else set()
    is_name = any(map(_LETTER.match, words)) and words <= set(_WORD.findall(PurePath(source.name).stem.casefold()))
    return first[0] if is_name else ""


def _opening(source: Source) -> set[Tokens]:
    """Return the outermost headings of a page."""
    return {phrase(section.headings[0]) for section in source.sections if section.headings}


def _folders_of_things(pages: Iterable[PurePath]) -> Iterator[PurePath]:
    """Yield the folders most of whose files recur by name in several sibling folders.

    These are many things with a few files each; three languages or versions of many pages don't count.
    """
    files: dict[PurePath, set[str]] = {}
    for page in pages:
        if page.parent.name:
            files.setdefault(page.parent, set()).add(page.stem.casefold())
    shared = Counter((folder.parent, name) for folder, names in files.items() for name in names)
    for folder, names in files.items():
        fewest = max(_FEWEST, _MOSTLY * len(names))
        common = [name for name in names if shared[folder.parent, name] >= fewest]
        if len(common) >= _MOSTLY * len(names):
            yield folder
