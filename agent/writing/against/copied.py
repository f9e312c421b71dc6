"""Find copied sentences with a changed number: the source has the same words around another number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from agent.writing.texts.claims import ParsedSentence
from agent.writing.texts.facts import is_content_word, text_of
from agent.writing.texts.numbers import is_dice, is_numeric
from agent.writing.texts.plain import plain
from retrieval.text.normal import is_number, normal
from retrieval.types import Chunk

_LEAST, _LEAST_TELLING = 4, 2
"""Fewer equal words around a number, and fewer content words among them, may be chance."""


def miscopied(chunk: Chunk, sentence: ParsedSentence) -> frozenset[int]:
    """Return the places of the numbers of a sentence around which a chunk has another number, and not this one.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> pass_ = Chunk("1", "The pass is shut for 5 months of each year. Snow lies for 3 months.", "Pass")
    >>> [sorted(miscopied(pass_, parse_sentence(f"the pass is shut for {n} months of each year"))) for n in (3, 5)]
    [[5], []]
    """
    lines = _lines_of(chunk)
    told = {one[0].value for one in sentence.numbers}
    found = set()
    for number in sentence.told:
        alike = [each for line in lines for each in _shared_context(sentence.tokens, number.place, line)]
        own = max((shared for value, shared in alike if value == number.value), default=0)
        rivals = (each for each in alike if each[0] not in told and is_dice(each[0]) == is_dice(number.value))
        others = max((shared for _, shared in rivals), default=0)
        if others >= _LEAST and others > 2 * own:
            found.add(number.place)
    return frozenset(found)


@lru_cache(maxsize=512)
def _lines_of(chunk: Chunk) -> tuple[Sequence[str], ...]:
    """Return the tokens of the lines of a text that are no table rows."""
    return tuple(normal(plain(line)) for line in text_of(chunk).split("\n") if " | " not in line)


def _shared_context(tokens: Sequence[str], place: int, source: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the numbers of a source, each with how many words around it, or its range, also stand around `place`."""
    for i, token in enumerate(source):
        if is_numeric(token):
            start, end = _range_at(source, i)
            before = _shared(tokens[:place][::-1], source[max(0, start - len(tokens)) : start][::-1])
            behind = _shared(tokens[place + 1 :], source[end : end + len(tokens)])
            is_telling_so = sum(is_content_word(each) for each in (*before, *behind)) >= _LEAST_TELLING
            yield token, len(before) + len(behind) if is_telling_so else 0


def _range_at(tokens: Sequence[str], place: int) -> tuple[int, int]:
    """Return the first and the end place of a number, or of the range that it is an end of."""
    start = place - 2 if place > 1 and tokens[place - 1] == "to" and is_number(tokens[place - 2]) else place
    is_first = tokens[place + 1 : place + 2] == ("to",) and any(map(is_number, tokens[place + 2 : place + 3]))
    return start, (place + 3 if is_first else place + 1)


def _shared(tokens: Sequence[str], others: Sequence[str]) -> Sequence[str]:
    """Return the words of the common beginning of two token sequences."""
    size = next((n for n, (one, other) in enumerate(zip(tokens, others, strict=False)) if one != other), None)
    alike = tokens[: min(len(tokens), len(others)) if size is None else size]
    return [token for token in alike if token.isalpha()]
