"""Cut prose into pieces of chunk size: between paragraphs, else between lines and sentences, else between words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from retrieval.readers.documents.pages import words_in
from retrieval.readers.documents.sections import Paragraph
from retrieval.tabular import Boxes

PROSE_WORDS = 160
_LONG_WORD = 40
"""The characters that count as a word in text without spaces."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text with the page on which it begins, and its boxes."""

    text: str
    page: int | None
    boxes: Boxes = ()


def packed(prose: Sequence[Paragraph]) -> Iterator[list[Piece]]:
    """Yield paragraphs in groups that fit into a chunk."""
    held: list[Piece] = []
    for piece in (piece for paragraph in prose for piece in _parts(paragraph)):
        if held and sum(weight(each.text) for each in held) + weight(piece.text) > PROSE_WORDS:
            yield held
            held = []
        held.append(piece)
    if held:
        yield held


def turns(pieces: Sequence[Piece]) -> tuple[tuple[int, int], ...]:
    """Return the pages that begin behind the first piece, each with the number of characters from there to the chunk's
    end.

    >>> turns([Piece("Oaks are tall.", 7), Piece("Elms are not.", 8)])
    ((13, 8),)
    """
    found: list[tuple[int, int]] = []
    left = 0
    for before, piece in reversed(list(pairwise(pieces))):
        left += len(piece.text)
        if piece.page and piece.page != before.page:
            found.append((left, piece.page))
        left += len("\n\n")
    return tuple(reversed(found))


def _parts(paragraph: Paragraph) -> Iterator[Piece]:
    words = 0
    for text in _sentences(paragraph.text):
        yield Piece(text, paragraph.pages.after(words), paragraph.boxes)
        words += words_in(text)


def _sentences(text: str) -> Iterator[str]:
    """Yield a paragraph, or, if it is too long for one chunk, its sentences in groups that fit."""
    if weight(text) <= PROSE_WORDS * 1.4:
        yield text
        return
    held = ""
    size = 0
    for between, sentence in _pieces_of_text(text):
        more = weight(sentence)
        if held and size + more > PROSE_WORDS:
            yield held.strip()
            held, size = "", 0
        held += between + sentence.rstrip()
        size += more
    yield held.strip()


def _pieces_of_text(text: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a text, each with its separator from the one before: a line feed at the start of a
    line.
    """
    for line in text.split("\n"):
        between = "\n"
        for sentence in re.split(r"(?<=[.!?;])\s+", line):
            for piece in _stretches(sentence):
                yield between, piece
                between = " "


def _stretches(sentence: str) -> Iterator[str]:
    """Yield a sentence, or, if it is too long for one chunk, runs of its words."""
    if 0 < weight(sentence) <= PROSE_WORDS:
        yield sentence
        return
    held: list[str] = []
    size = 0
    for word in (part for whole in sentence.split() for part in _cut(whole)):
        more = weight(word)
        if held and size + more > PROSE_WORDS:
            yield " ".join(held)
            held, size = [], 0
        held.append(word)
        size += more
    if held:
        yield " ".join(held)


def _cut(word: str) -> Iterator[str]:
    """Return a word, or, if it alone is too long for one chunk, parts of it."""
    longest = PROSE_WORDS * _LONG_WORD
    return (word[start : start + longest] for start in range(0, len(word), longest))


def weight(text: str) -> int:
    """Count the words of a text; a long run without spaces counts for several."""
    return max(len(text.split()), len(text) // _LONG_WORD)
