"""What the pages of a folder are: the words by which most of them call themselves, behind the name of the folder.

The pages in *outputs* begin with *the Kite output plugin sends …*, *the Wren output plugin writes …*: each is an output
plugin, and whoever asks for one says so. No word of it is known here, only that most pages agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePath

from retrieval.text.normal import STOP_WORDS, is_number, phrase
from retrieval.types import Chunk

_FEWEST_PAGES = 3
_MOST = 0.5
"""The share of a folder's pages that have to agree."""
_LEAD = 600
"""Characters of what a page begins with."""


def sorts_of(chunks: Iterable[Chunk]) -> Mapping[PurePath, tuple[str, ...]]:
    """For each folder the words that stand behind its name where most of its pages begin.

    >>> pages = {"Kite": "sends", "Wren": "writes", "Rook": "keeps"}
    >>> texts = [f"The {name} output plugin {verb} records." for name, verb in pages.items()]
    >>> chunks = [Chunk(text, text, "", f"docs/outputs/{n}.md") for n, text in enumerate(texts)]
    >>> sorts_of(chunks)
    {PurePosixPath('docs/outputs'): ('plugin',)}
    """
    leads: dict[str, tuple[int, str]] = {}
    for chunk in chunks:
        line = chunk.line or 0
        if chunk.source not in leads or line < leads[chunk.source][0]:
            leads[chunk.source] = line, chunk.text[:_LEAD]
    pages: dict[PurePath, list[str]] = {}
    for source, (_, text) in leads.items():
        pages.setdefault(PurePath(source).parent, []).append(text)
    found = ((folder, _sort(folder.name, texts)) for folder, texts in pages.items())
    return {folder: words for folder, words in found if words}


def _sort(folder: str, pages: Sequence[str]) -> tuple[str, ...]:
    """The words behind the last word of a folder's name that most of its pages have."""
    last = phrase(folder)[-1:]
    if not last or len(pages) < _FEWEST_PAGES:
        return ()
    behind = Counter(word for page in pages for word in _behind(last[0], page))
    most = _MOST * len(pages)
    return tuple(
        word for word, n in sorted(behind.items()) if n >= most and word not in STOP_WORDS and not is_number(word)
    )


def _behind(word: str, text: str) -> set[str]:
    """The words that stand behind a word in the lines of a text."""
    pairs = (pair for line in text.splitlines() for pair in pairwise(phrase(line)))
    return {after for before, after in pairs if before == word}
