"""Name the pages of a collection that do not state their name.

A page with a title of its own needs no other name. If one of several outermost headings matches the file name, it is
the title. If the pages of many things have the same headings (*Key data* and *Installation* on each), these name
sections and not the thing: such a page is named by its file or, if each thing has a folder with the same files
(*index*, *manual*), by that folder. The files may lie deeper: *skiff/more/specification.md* and
*barge/more/specifications.md* are pages on a skiff and a barge. How common the names of files and headings are is
learnt from the collection.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
"""The share of a folder's pages that recur in sibling folders, and of these in the number of siblings, for the folder
to be one thing.
"""


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
        folders = _folders_of_things([PurePath(source.name) for source in sources])
        things = {folder: page_name(str(folder)) for folder in folders}
        for source in sources:
            path, title = PurePath(source.name), _title(source)
            if path.parent in folders and is_of_folder(path) and title and phrase(title) not in roles:
                things[path.parent] = title
        return cls(roles, things)

    def name(self, source: Source) -> str:
        """Return the name to put above a page's headings; empty if they need none."""
        opening = _opening_title(source)
        if opening:
            return opening
        folder = next((each for each in PurePath(source.name).parents if each in self.things), None)
        if folder is not None:
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


def _folders_of_things(pages: Iterable[PurePath]) -> frozenset[PurePath]:
    """Return the folders that are one thing each: those with pages that sibling folders have at the same place.

    Most pages of the folder must recur, or one that does not open the folder. Folders inside such a folder only divide
    it. Many things with a few such pages each count; three languages or versions of many pages don't.
    """
    places: dict[PurePath, set[_PagePlace]] = {}
    for page in pages:
        for folder in list(page.parents)[:-1]:
            places.setdefault(folder, set()).add(_PagePlace.of(page, folder))
    shared = Counter((folder.parent, place) for folder, below in places.items() for place in below)
    times = {folder: {place: shared[folder.parent, place] for place in below} for folder, below in places.items()}
    things = {folder for folder, own in times.items() if _is_thing(own)}
    return frozenset(folder for folder in things if things.isdisjoint(folder.parents))


@dataclass(frozen=True, slots=True)
class _PagePlace:
    """The place of a page below a folder, in normal form: *more/Specification.md* and *more/specifications.md* are the
    same one.
    """

    parts: tuple[Tokens, ...]
    opens_folder: bool

    @classmethod
    def of(cls, page: PurePath, folder: PurePath) -> _PagePlace:
        """Return the place of a page below one of its folders."""
        parts = page.relative_to(folder).with_suffix("").parts
        return cls(tuple(phrase(part.replace("_", " ")) for part in parts), is_of_folder(page))


def _is_thing(times: Mapping[_PagePlace, int]) -> bool:
    """True if enough pages of a folder recur in its siblings; `times` tells in how many of them each one does."""
    common = [place for place in times if times[place] >= _FEWEST]
    recurring = [place for place in common if times[place] >= _MOSTLY * len(common)]
    is_most = bool(recurring) and len(recurring) >= _MOSTLY * len(times)
    return is_most or any(not place.opens_folder for place in recurring)
