"""What a book says in prose: the sentences that answer best, quoted with their chunk."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from retrieval.sentences import sentences
from retrieval.text import content_words, is_number, normal, title_key
from retrieval.types import Chunk

_GENERIC = frozenset(
    "ability unique only describe special rule work thing kind detail information about explain mean happen "
    "know general "
    "book game character player use used make".split()
)
_PART = re.compile(r"\s*\(\d+(?: of \d+)?\)$")
_CONTENTS = 3
"""So many dashes make a line a list of contents, and no sentence."""
_BACK = re.compile(r"(?:these|those|such) (?:are|were)\b", re.IGNORECASE)
_ITEM = re.compile(r"(?:[-*•]|\d+[.)]) ")
_ROW = " | "
"""What parts the cells of a table's row."""
_ASKS_NUMBER = re.compile(
    r"^\W*(?:(?P<when>when\b)|how (?!do|does|did|can|to|is|are|should|would|will|may)\w)",
    re.IGNORECASE,
)
_OCCASIONS = frozenset("before after during until while once whenever when each every start begin end".split())
"""Words by which a text without a number tells when something is."""
_ENOUGH = 0.5
_NEAR = 0.85


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
    pool = [_held(chunk, words) for chunk in chunks if not entity or about(entity, chunk)]
    share = _Shares(strong, words - strong, _weights(words, pool))
    own = {held.chunk.id for held in pool if entity and _is_own(entity, held.chunk)} or {held.chunk.id for held in pool}
    named = frozenset(title_key(entity).split())
    found = [
        quote
        for held in pool
        for quote in _quotes(held, share, alone=bool(entity))
        if held.chunk.id in own or named <= _tokens(quote.text)  # a *dread wraith* is no wraith
    ]
    found = [quote for quote in found if _is_home(quote.chunk, words)] or found
    best = max((quote.score for quote in found), default=0.0)
    near = [q for q in found if q.score >= _NEAR * best]
    return sorted(near, key=lambda q: -q.score)[:limit]


def _is_home(chunk: Chunk, words: frozenset[str]) -> bool:
    """True for a section whose whole title was asked for: what is said there is meant, before what others say of it."""
    title = frozenset(content_words(_PART.sub("", chunk.title)))
    return bool(title) and title <= words


def _weights(words: frozenset[str], pool: Sequence[_Held]) -> dict[str, float]:
    """Rare words count more: the inverse document frequency of Sparck Jones (1972), over the words of sentences."""
    count = sum(len(held.sentences) for held in pool)
    having = Counter(word for held in pool for told in held.words.values() for word in told)
    return {word: math.log(1 + count / (1 + having[word])) for word in words}


class _Shares:
    """How much of the wanted words some tokens hold, by weight: of the `strong`, and a tenth as much of the `rest`."""

    def __init__(self, strong: frozenset[str], rest: frozenset[str], weights: Mapping[str, float]) -> None:
        self.strong, self._rest, self._weights = strong, rest, weights
        self._weight = lru_cache(maxsize=None)(self._sum)  # most sentences hold the same one or two words
        self._all_strong, self._all_rest = self._weight(strong), self._weight(rest)

    def of(self, here: frozenset[str], held: frozenset[str]) -> float:
        """The share of the strong words that are `here`, and what is `held` of the rest."""
        share = self._weight(here) / self._all_strong if self._all_strong else 0.0
        return share + (0.1 * self._weight(self._rest & held) / self._all_rest if self._all_rest else 0.0)

    def _sum(self, words: frozenset[str]) -> float:
        return sum(map(self._weights.__getitem__, words))


@lru_cache(maxsize=8192)
def _tokens(text: str) -> frozenset[str]:
    """The words of a sentence; books stay the same from question to question."""
    return frozenset(normal(text))


@lru_cache(maxsize=8192)
def _tokens_of_lines(text: str) -> frozenset[str]:
    """The words of a chunk; numbers belong to those of their own line."""
    return frozenset(token for line in text.split("\n") for token in _tokens(line))


def unseen_words(wanted: str, chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """The words of `wanted` that matter and stand in none of the chunks: what the evidence is not about."""
    unseen = tuple(word for word in content_words(wanted) if word not in _GENERIC)
    for chunk in chunks:
        title, text = _tokens(chunk.title), _tokens_of_lines(chunk.text)
        unseen = tuple(word for word in unseen if word not in title and word not in text)
    return unseen


def untold_words(wanted: str, told: Sequence[Quote]) -> tuple[str, ...]:
    """The words of `wanted` that matter and stand neither in the quotations nor in the names of their sections."""
    seen = {t for q in told for text in (q.text, q.chunk.title, *q.chunk.headings) for t in normal(text)}
    return tuple(word for word in content_words(wanted) if word not in seen | _GENERIC)


def is_of_kind(question: str, text: str) -> bool:
    """False where a time or an amount is asked for and a text has none: it is about that, and does not tell it.

    >>> is_of_kind("When was it built?", "It was built of stone."), is_of_kind("When was it built?", "Built in 1702.")
    (False, True)
    """
    said = normal(text)
    asks = _ASKS_NUMBER.search(question)
    return not asks or any(map(is_number, said)) or (asks["when"] is not None and not _OCCASIONS.isdisjoint(said))


def lead(entity: str, chunks: Sequence[Chunk]) -> tuple[str, Chunk] | None:
    """The first two sentences of the entity's own section, with the chunk; None when there is no such section."""
    wanted = title_key(entity)
    own = (chunk for chunk in chunks if title_key(chunk.title) == wanted)
    opened = ((" ".join(_prose_of(chunk).sentences[:2]), chunk) for chunk in own)
    return next(((text, chunk) for text, chunk in opened if text), None)


def about(entity: str, chunk: Chunk) -> bool:
    """True when the chunk's title, or the section it stands in, is the entity."""
    wanted = set(title_key(entity).split())
    names = (chunk.title, *chunk.headings[-2:])
    return bool(wanted) and any(wanted <= _tokens(name) for name in names)


def _is_own(entity: str, chunk: Chunk) -> bool:
    """True when the chunk, or a section it stands in, is called as the entity and nothing more."""
    wanted = title_key(entity)
    return any(title_key(_PART.sub("", name)) == wanted for name in (chunk.title, *chunk.headings[-2:]))


def _quotes(held: _Held, share: _Shares, *, alone: bool) -> Iterator[Quote]:
    """The sentences with enough of the strong words; `alone` they have to have them, else together with the title."""
    chunk, strong = held.chunk, share.strong
    title = strong & _tokens(" ".join((chunk.title, *chunk.headings[-1:])))
    for place in range(len(held.sentences)) if title == strong else sorted(held.words):
        told = frozenset(held.words.get(place, ()))
        own = strong & told
        here = own if alone or not (own or title == strong) else own | title
        if here and (score := share.of(here, told)) >= _ENOUGH:
            yield Quote(held.sentences[place], chunk, score)


class _Held(NamedTuple):
    """A chunk's sentences, and by the places of those that have any, the wanted words that they have."""

    chunk: Chunk
    sentences: Sequence[str]
    words: Mapping[int, Sequence[str]]


def _held(chunk: Chunk, words: frozenset[str]) -> _Held:
    prose, held = _prose_of(chunk), dict[int, list[str]]()
    for word in words & prose.places.keys():
        for place in prose.places[word]:
            held.setdefault(place, []).append(word)
    return _Held(chunk, prose.sentences, held)


class _Prose(NamedTuple):
    """Sentences, and the places of those that have a word."""

    sentences: tuple[str, ...]
    places: Mapping[str, Sequence[int]]


_NO_PROSE = _Prose((), {})


def _prose_of(chunk: Chunk) -> _Prose:
    """The sentences of a chunk, a table's notes among them; its title line, stat blocks and table rows are no prose."""
    if chunk.chunk_type == "row":
        return _NO_PROSE
    rows = (row for table in chunk.tables if table.is_record or len(table.columns) == 1 for row in table.rows)
    cells = frozenset(map(": ".join, rows))
    return _prose(chunk.text, chunk.title, cells)


@lru_cache(maxsize=8192)
def _prose(text: str, title: str, cells: frozenset[str]) -> _Prose:
    """The sentences of a text's lines but the one with its title and the `cells`."""
    first, *rest = text.split("\n")
    lines = [line for line in (rest if title and first.strip().endswith(title) else [first, *rest]) if _ROW not in line]
    told = [(sentence, line) for line in lines for sentence in sentences(line) if sentence.count(" - ") < _CONTENTS]
    kept = tuple(whole for whole, line in _with_what_is_meant(told) if line not in cells)
    places: dict[str, list[int]] = {}
    for place, sentence in enumerate(kept):
        for word in _tokens(sentence):
            places.setdefault(word, []).append(place)
    return _Prose(kept, places)


def _with_what_is_meant(told: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Each sentence; one that only points back or forward with the one it points at, or not at all without it."""
    for i, (sentence, line) in enumerate(told):
        before = told[i - 1][0] if i else ""
        listed = [item for item, _ in takewhile(lambda pair: _ITEM.match(pair[0]), told[i + 1 :])]
        if _BACK.match(sentence):
            yield from [(f"{before} {sentence}", line)] if before else []
        elif sentence.endswith(":"):
            yield from [(" ".join([sentence, *listed]), line)] if listed else []
        else:
            yield sentence, line
