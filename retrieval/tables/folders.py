"""The sorts of pages in a folder and of sections on a page: the words by which most of them describe themselves.

The pages in *outputs* begin with *the Kite output plugin sends …*, *the Wren output plugin writes …*: each is an output
plugin, and questions call it that. Wiki pages begin with *Arland is a country in the north*: the page's name, function
words, then its sort. Sections of a maker's page do the same: *The F2 is a small and handy lathe*. No such word is built
in; only the agreement of most pages counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from pathlib import PurePath
from typing import TypeVar

from retrieval.text.normal import STOP_WORDS, is_number, phrase
from retrieval.types import Chunk

_FEWEST = 3
"""The fewest pages that must agree."""
_MOST = 0.5
"""The share of a folder's pages that must agree."""
_LEAD = 600
"""Characters at the start of a page that are searched."""
_SENTENCE = re.compile(r"[.;:!?()](?:\s|$)")
_JOINING = frozenset(("and", "or"))
_LONGEST_PHRASE = 12
"""Words of a sentence that may state the sort."""
_Path = tuple[str, ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sorts:
    """The sort words of the pages in each folder and of the sections below each heading."""

    folders: Mapping[PurePath, tuple[str, ...]]
    sections: Mapping[_Path, tuple[str, ...]]

    def of(self, chunk: Chunk) -> tuple[str, ...]:
        """Return the sort words of a chunk's page and of the sections that contain it."""
        found = dict.fromkeys(self.folders.get(PurePath(chunk.source).parent, ()))
        for depth in range(1, len(chunk.headings)):
            found |= dict.fromkeys(self.sections.get((chunk.source, *chunk.headings[:depth]), ()))
        return tuple(found)


def sort_words_in(chunk: Chunk) -> tuple[set[str], ...]:
    """Return the sort words in a chunk's text for its page and its section: all that `sorts_of` learns from the
    text.
    """
    title = chunk.headings[0] if chunk.headings else chunk.title
    last = phrase(PurePath(chunk.source).parent.name)[-1:]
    return _words_after(last, chunk) | _words_after_name(title, chunk), _words_after_name(
        chunk.headings[-1] if chunk.headings else "", chunk
    )


def sorts_of(chunks: Sequence[Chunk]) -> Sorts:
    """Learn the words behind a folder's name or a page's own name at the start of most of its pages, and, for each
    heading, those behind the names of most sections below it.

    >>> pages = {"Kite": "sends", "Wren": "writes", "Rook": "keeps"}
    >>> texts = [f"The {name} output plugin {verb} records." for name, verb in pages.items()]
    >>> chunks = [Chunk(text, text, "", f"docs/outputs/{n}.md") for n, text in enumerate(texts)]
    >>> sorts_of(chunks).of(chunks[0])
    ('plugin',)
    >>> texts = {name: f"{name} is a {sort} country." for name, sort in (("Ar", "flat"), ("Bo", "hot"), ("Ce", "cold"))}
    >>> chunks = [Chunk(name, text, name, "wiki.md", headings=("Wiki", name)) for name, text in texts.items()]
    >>> sorts_of(chunks).of(chunks[0])
    ('country',)
    """
    pages: dict[PurePath, dict[str, Chunk]] = {}
    sections: dict[_Path, dict[str, Chunk]] = {}
    for chunk in sorted(chunks, key=lambda chunk: chunk.line or 0):
        pages.setdefault(PurePath(chunk.source).parent, {}).setdefault(chunk.source, chunk)
        if chunk.headings[1:]:
            below = sections.setdefault((chunk.source, *chunk.headings[:-1]), {})
            below.setdefault(chunk.headings[-1], chunk)
    of_pages = {folder: _of_pages(folder.name, list(leads.values())) for folder, leads in pages.items()}
    of_sections = {
        path: _majority_words([_words_after_name(name, lead) for name, lead in leads.items()])
        for path, leads in sections.items()
    }
    return Sorts(_nonempty_sorts(of_pages), _nonempty_sorts(of_sections))


def _nonempty_sorts(sorts: Mapping[T, tuple[str, ...]]) -> dict[T, tuple[str, ...]]:
    """Drop the keys without sort words."""
    return {key: words for key, words in sorts.items() if words}


def _of_pages(folder: str, pages: Sequence[Chunk]) -> tuple[str, ...]:
    """Return the words behind the folder's last word or behind the page's name that most pages share."""
    last = phrase(folder)[-1:]
    titles = [page.headings[0] if page.headings else page.title for page in pages]
    return _majority_words(
        [_words_after(last, page) | _words_after_name(title, page) for title, page in zip(titles, pages, strict=True)]
    )


def _majority_words(said: Sequence[set[str]]) -> tuple[str, ...]:
    """Return the words that most of the sets share, without function words and numbers."""
    told = Counter(word for each in said for word in each)
    most = max(_FEWEST, _MOST * len(said))
    return tuple(
        word for word, n in sorted(told.items()) if n >= most and word not in STOP_WORDS and not is_number(word)
    )


def _words_after(last: Sequence[str], page: Chunk) -> set[str]:
    """Return the words that follow a given word at the start of a page."""
    pairs = (pair for line in page.text[:_LEAD].splitlines() for pair in pairwise(phrase(line)))
    return {after for before, after in pairs if (before,) == tuple(last)}


def _words_after_name(title: str, page: Chunk) -> set[str]:
    """Return the words behind a name and function words in a sentence: *The Reed is a small, open ferry of …*."""
    name = phrase(title)
    for line in page.text[:_LEAD].splitlines():
        for sentence in _SENTENCE.split(line):
            words = phrase(sentence)
            start = next((i for i in range(len(words)) if name and words[i : i + len(name)] == name), len(words))
            behind = words[start + len(name) :]
            small = list(takewhile(STOP_WORDS.__contains__, behind))
            told = takewhile(lambda word: word in _JOINING or word not in STOP_WORDS, behind[len(small) :])
            if small:
                return set(list(told)[:_LONGEST_PHRASE])
    return set()
