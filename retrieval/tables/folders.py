"""What the pages of a folder are: the words by which most of them call themselves.

The pages in *outputs* begin with *the Kite output plugin sends …*, *the Wren output plugin writes …*: each is an output
plugin, and whoever asks for one says so. Those of a wiki begin with *Arland is a country in the north*: behind the name
of the page and small words stands what it is. No word of it is known here, only that most pages agree.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, takewhile
from pathlib import PurePath

from retrieval.tables.names import ARTICLES
from retrieval.text.normal import STOP_WORDS, is_number, phrase
from retrieval.types import Chunk

_FEWEST_PAGES = 3
_MOST = 0.5
"""The share of a folder's pages that have to agree."""
_LEAD = 600
"""Characters of what a page begins with."""
_CLAUSE = re.compile(r"[.,;:!?()]\s|[.!?]$")
_WORD = re.compile(r"[^\W_][\w'-]*")


def sorts_of(chunks: Iterable[Chunk]) -> Mapping[PurePath, tuple[str, ...]]:
    """For each folder the words that stand behind its name, or behind theirs, where most of its pages begin.

    >>> pages = {"Kite": "sends", "Wren": "writes", "Rook": "keeps"}
    >>> texts = [f"The {name} output plugin {verb} records." for name, verb in pages.items()]
    >>> chunks = [Chunk(text, text, "", f"docs/outputs/{n}.md") for n, text in enumerate(texts)]
    >>> sorts_of(chunks)
    {PurePosixPath('docs/outputs'): ('plugin',)}
    >>> texts = {name: f"{name} is a {sort} country." for name, sort in (("Ar", "flat"), ("Bo", "hot"), ("Ce", "cold"))}
    >>> sorts_of([Chunk(name, text, name, f"wiki/{name}.md") for name, text in texts.items()])
    {PurePosixPath('wiki'): ('country',)}
    """
    leads: dict[str, tuple[int, Chunk]] = {}
    for chunk in chunks:
        line = chunk.line or 0
        if chunk.source not in leads or line < leads[chunk.source][0]:
            leads[chunk.source] = line, chunk
    pages: dict[PurePath, list[Chunk]] = {}
    for source, (_, chunk) in leads.items():
        pages.setdefault(PurePath(source).parent, []).append(chunk)
    found = ((folder, _sort(folder.name, leads)) for folder, leads in pages.items())
    return {folder: words for folder, words in found if words}


def _sort(folder: str, pages: Sequence[Chunk]) -> tuple[str, ...]:
    """The words behind the last word of a folder's name, or behind their own, that most of its pages have."""
    if len(pages) < _FEWEST_PAGES:
        return ()
    last = phrase(folder)[-1:]
    told = Counter(word for page in pages for word in _behind(last, page) | _told_by_name(page))
    most = _MOST * len(pages)
    return tuple(
        word for word, n in sorted(told.items()) if n >= most and word not in STOP_WORDS and not is_number(word)
    )


def _behind(last: Sequence[str], page: Chunk) -> set[str]:
    """The words that stand behind a word in the lines with which a page begins."""
    pairs = (pair for line in page.text[:_LEAD].splitlines() for pair in pairwise(phrase(line)))
    return {after for before, after in pairs if (before,) == tuple(last)}


def _told_by_name(page: Chunk) -> set[str]:
    """The words with which a sentence goes on behind the name of the page and small words: *The Reed is a ferry*."""
    title = page.headings[0] if page.headings else page.title
    name = phrase(title)
    for line in page.text[:_LEAD].splitlines():
        if title.casefold() not in line.casefold():
            continue
        words = tuple(word for word in _WORD.findall(_CLAUSE.split(line)[0].casefold()) if word not in ARTICLES)
        if name and phrase(" ".join(words[: len(name)])) == name:
            small = list(takewhile(STOP_WORDS.__contains__, words[len(name) :]))
            told = takewhile(lambda word: word not in STOP_WORDS, words[len(name) + len(small) :])
            if small:
                return {each for word in told for each in phrase(word)}
    return set()
