"""Find bounds that are turned round: *at most 90%* where the source says *at least 90%*."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter

from agent.writing.texts.bounds import OTHER_SIDE, is_denied
from agent.writing.texts.claims import ParsedSentence
from agent.writing.texts.facts import text_of
from agent.writing.texts.numbers import Number, numbers_of_plain
from agent.writing.texts.plain import plain
from retrieval.tables.names import without_part
from retrieval.text.normal import normal
from retrieval.types import Chunk

_THAN = "than"
_STRICT = (_THAN, "over", "above", "under", "below", "beyond")


def bounded_otherwise(sentence: ParsedSentence, cited: Sequence[Chunk]) -> frozenset[int]:
    """Return the places of the numbers of a sentence that are bounds, and only bounds of the other side in the sources.

    *Fewer than 9* is the rest of *at least 9*, so strict bounds may be turned, and so may all in a denial.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> fare = Chunk("1", "A guest pays at least 9 crowns.", "Fares")
    >>> read = map(parse_sentence, ("guests pay at most 9 crowns", "guests pay 9 crowns or more"))
    >>> [sorted(bounded_otherwise(each, [fare])) for each in read]
    [[4], []]
    """
    found = set[int]()
    for number in map(itemgetter(0), sentence.numbers if _THAN not in sentence.words else ()):
        is_bound = number.bound in OTHER_SIDE and not is_denied(sentence.tokens, number.place)
        if is_bound and _is_turned(number, cited):
            found.add(number.place)
    return frozenset(found)


def _is_turned(wanted: Number, cited: Sequence[Chunk]) -> bool:
    """True if the sources have a number, and always as a bound of the other side."""
    alike = [n for chunk in cited for n in _numbers_of(chunk) if (n.value, n.unit) == (wanted.value, wanted.unit)]
    return bool(alike) and all(each.bound == OTHER_SIDE[wanted.bound] for each in alike)


@lru_cache(maxsize=512)
def _numbers_of(chunk: Chunk) -> tuple[Number, ...]:
    """Return the numbers of a text without strict bounds: *less than 9* is the rest of *9 or more*."""
    first, _, rest = text_of(chunk).partition("\n")
    text = plain(rest if first.endswith(without_part(chunk.title)) else f"{first}\n{rest}")  # a title bounds nothing
    tokens = normal(text)
    return tuple(each for each in numbers_of_plain(text) if not _is_strict(tokens, each.place))


def _is_strict(tokens: Sequence[str], place: int) -> bool:
    """True for *more than 9*; not for *no more than 9*."""
    return bool(place) and tokens[place - 1] in _STRICT and not is_denied(tokens, place)
