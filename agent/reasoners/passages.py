"""What a book says in prose: the sentences that answer best, quoted with their chunk."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.text import content_words, normal, title_key
from retrieval.types import Chunk

_GENERIC = frozenset(
    "ability unique only describe special rule work thing kind detail information about explain mean happen know general book "
    "game character player use used make".split()
)
_ENOUGH = 0.5


@dataclass(frozen=True, slots=True)
class Quote:
    """Sentences of a chunk, with the share of the wanted words that they and their title hold."""

    text: str
    chunk: Chunk
    score: float


def quotes(wanted: str, chunks: Sequence[Chunk], *, entity: str = "", limit: int = 3) -> list[Quote]:
    """The sentences that say most of `wanted`; with `entity`, only from chunks that are about it.

    A sentence needs at least half of the words that matter; otherwise nothing is quoted, and the answer is
    "not found" instead of something near by.
    """
    words = frozenset(content_words(wanted))
    strong = (words - _GENERIC) or words
    found = [
        quote
        for chunk in chunks
        if not entity or about(entity, chunk)
        for quote in _quotes(strong, words, chunk, entity)
    ]
    return sorted((q for q in found if q.score >= _ENOUGH), key=lambda q: -q.score)[:limit]


def about(entity: str, chunk: Chunk) -> bool:
    """True when the chunk's title, or the section it stands in, is the entity."""
    wanted = set(title_key(entity).split())
    names = (chunk.title, *chunk.headings[-2:])
    return bool(wanted) and any(wanted <= set(normal(name)) for name in names)


def _quotes(strong: frozenset[str], words: frozenset[str], chunk: Chunk, entity: str) -> Iterator[Quote]:
    title = frozenset(normal(" ".join((chunk.title, *chunk.headings[-1:]))))
    sentences = list(_sentences(chunk.text))
    for i, sentence in enumerate(sentences):
        tokens = frozenset(normal(sentence))
        here = strong & (tokens if entity else tokens | title)
        if not here or not (strong & tokens or strong <= title):
            continue
        extra = 0.1 * len((words - strong) & tokens) / max(1, len(words - strong))
        density = 0.02 * len(strong & tokens) / max(8, len(tokens))
        text = sentence if len(tokens) > 12 or i + 1 >= len(sentences) else f"{sentence} {sentences[i + 1]}"
        yield Quote(text, chunk, len(here) / len(strong) + extra + density)


def _sentences(text: str) -> Iterator[str]:
    body = text.split("\n", 1)[1] if "\n" in text else text
    for line in body.split("\n"):
        yield from (s.strip() for s in re.split(r"(?<=[.!?])\s+", line) if s.strip())
