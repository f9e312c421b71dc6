"""Labels that count in thousands or millions by a letter: the parameters of which there are so many *MParams*."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from agent.languages.language import Language
from retrieval.tables.index import Cells
from retrieval.tables.match import begins
from retrieval.tables.remembered import once_a_collection
from retrieval.text.normal import phrase

_WORD = re.compile(r"[^\W\d_]+")
_LABEL = re.compile(r"(?<!\w)(?P<letter>[A-Za-z])(?P<thing>[A-Z][a-z]{2,}s)(?!\w)")
_FEWEST_LETTERS = 4
"""Letters of a word that may be what is counted."""


class Counted(NamedTuple):
    """A word of a question as it stands there, the label that counts it, and the words for what that counts in."""

    said: str
    label: str
    magnitudes: frozenset[str]


def counted(question: str, index: Cells, language: Language) -> Counted | None:
    """The word of a question that a label counts by a letter; None where there is none, or for two labels.

    >>> from agent.languages.language import english
    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> boats = Table("Boats", (("Boat",), ("KRivs",)), (("Heron", "4"), ("Plover", "2")))
    >>> counted("How many rivets has a Heron?", CellIndex.build([Chunk("c", "", "", tables=(boats,))]), english()).label
    'KRivs'
    """
    labels = _labels(index, language)
    words = [match[0] for match in _WORD.finditer(question) if len(match[0]) >= _FEWEST_LETTERS] if labels else []
    found = {
        phrase(label): Counted(word, label, magnitudes)
        for word in words
        for label, thing, magnitudes in labels
        if begins(thing, "".join(phrase(word)))
    }
    return next(iter(found.values())) if len(found) == 1 else None


@once_a_collection(16)
def _labels(index: Cells, language: Language) -> tuple[tuple[str, str, frozenset[str]], ...]:
    """The words of labels that count by a letter: each with what is counted, and the words for the magnitude."""
    return tuple(_counting(index, language))


def _counting(index: Cells, language: Language) -> Iterator[tuple[str, str, frozenset[str]]]:
    written = {word for word in index.measured if word[:1] in language.magnitudes}
    for name in index.heads_with(written):
        for match in _LABEL.finditer(name):
            magnitudes = language.magnitudes.get(match["letter"].lower())
            if magnitudes is not None:
                yield match[0], "".join(phrase(match["thing"])), magnitudes
