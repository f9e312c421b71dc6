"""Prose is cut into pieces of the size of a chunk: between paragraphs, else between lines and sentences, else words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.readers.pages import words_in
from retrieval.readers.sections import Paragraph
from retrieval.tabular import Box, Boxes

PROSE_WORDS = 160
_LONG_WORD = 40
"""Characters that count for a word where there are no spaces."""


def packed(prose: Sequence[Paragraph]) -> Iterator[tuple[str, int | None, Boxes]]:
    """Paragraphs in pieces that fit into a chunk, each with the page on which it begins, and their boxes."""
    held: list[str] = []
    boxes: dict[tuple[int, Box], None] = {}
    begins: int | None = None
    for text, page, own in (part for paragraph in prose for part in _parts(paragraph)):
        if held and sum(map(weight, held)) + weight(text) > PROSE_WORDS:
            yield "\n\n".join(held), begins, tuple(boxes)
            held, boxes = [], {}
        begins = begins if held else page
        held.append(text)
        boxes |= dict.fromkeys(own)
    if held:
        yield "\n\n".join(held), begins, tuple(boxes)


def _parts(paragraph: Paragraph) -> Iterator[tuple[str, int | None, Boxes]]:
    words = 0
    for text in _sentences(paragraph.text):
        yield text, paragraph.pages.after(words), paragraph.boxes
        words += words_in(text)


def _sentences(text: str) -> Iterator[str]:
    """A paragraph, or, where it is too long for one chunk, its sentences in groups that fit."""
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
    """The sentences of a text, each with what parts it from the one before: a line feed where it begins a line."""
    for line in text.split("\n"):
        between = "\n"
        for sentence in re.split(r"(?<=[.!?;])\s+", line):
            for piece in _stretches(sentence):
                yield between, piece
                between = " "


def _stretches(sentence: str) -> Iterator[str]:
    """A sentence, or, where even that is too long for one chunk, stretches of its words."""
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
    """A word, or, where that alone is too long for one chunk, parts of it."""
    longest = PROSE_WORDS * _LONG_WORD
    return (word[start : start + longest] for start in range(0, len(word), longest))


def weight(text: str) -> int:
    """How many words a text has; what is written without spaces counts for several."""
    return max(len(text.split()), len(text) // _LONG_WORD)
