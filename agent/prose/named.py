"""Find a name that prose states beside an attribute: *the director* of a film that was *directed by Ann Reed*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from agent.understanding.linking.mentions import THINGS, mentions_of
from agent.understanding.words.clauses import in_own_words, tokens_of
from retrieval.tables.index import Cells

_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")
_CAPITALS = re.compile(r"\b[^\W\d_a-z][^\W_]*")
_LONGEST = 2000
"""Characters of a text that are searched."""
_STEM, _END = 4, 2
"""The number of letters that two forms of a word share at least, and by how many their ends may differ."""


def stated_name(attribute: str, subject: str, texts: Iterable[str], index: Cells) -> str | None:
    """Return the name in the first sentence that has the subject and a form of the attribute, as the sentence writes
    it.

    The nearest name behind the attribute wins, else the nearest before it. A name of the collection goes before words
    that are only capitalized.
    """
    words, known = _words(attribute), frozenset(_words(subject))
    for sentence in (each for text in texts for each in _SENTENCES.split(text[:_LONGEST])):
        tokens = tokens_of(sentence)
        place = _place_of(words, known, tokens)
        if place is None or not known <= frozenset(tokens):
            continue
        names = [each for each in mentions_of(tokens, index) if index.places([each.key], THINGS)]
        spans = _others([(each.start, each.end) for each in names], tokens, known, place)
        spans = spans or _others(_written_like_names(tokens, sentence), tokens, known, place)
        if spans:
            start, end = min(spans, key=lambda span: (span[0] < place, abs(span[0] - place)))
            return in_own_words(tokens[start:end], sentence)
    return None


def _words(text: str) -> list[str]:
    return [token for token in tokens_of(text) if token[:1].isalnum()]


def _place_of(words: Sequence[str], known: frozenset[str], tokens: Sequence[str]) -> int | None:
    """Return the place of the first form of the last attribute word that is not part of the subject."""
    places = (i for i, token in enumerate(tokens) if token not in known and words and _are_akin(token, words[-1]))
    return next(places, None)


def _are_akin(one: str, other: str) -> bool:
    shared = max(_STEM, min(len(one), len(other)) - _END)
    return one == other or (one[:shared] == other[:shared] and len(one[:shared]) == shared)


def _others(
    spans: Iterable[tuple[int, int]], tokens: Sequence[str], known: frozenset[str], place: int
) -> list[tuple[int, int]]:
    """Return the spans that are neither part of the subject nor the attribute itself."""
    return [
        (start, end) for start, end in spans if not known.issuperset(tokens[start:end]) and not start <= place < end
    ]


def _written_like_names(tokens: Sequence[str], sentence: str) -> Iterator[tuple[int, int]]:
    """Yield the runs of capitalized words, except a run of only the first word of the sentence."""
    capitals = frozenset(_words(" ".join(_CAPITALS.findall(sentence))))
    start = None
    for place, token in enumerate((*tokens, "")):
        if token in capitals:
            start = place if start is None else start
        elif start is not None:
            if place > 1:
                yield start, place
            start = None
