"""Put a sentence into the words of its sources: *it weighs 9* for a *mass* of 9, *6 m wide* for a *width* of 6.

A word that the sources lack becomes the one source word with the same stem, or the measure of the adjective, or the
adjective of the measure. If several source words fit, the choice is ambiguous, and the word stays.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product, starmap

from agent.languages.language import english
from agent.languages.thesaurus.thesaurus import thesaurus
from agent.understanding.words.measures import measures as known_measures
from agent.writing.texts.claims import ParsedSentence
from agent.writing.texts.facts import is_content_word
from agent.writing.texts.numbers import Number, rolling_words
from agent.writing.texts.plain import plain
from agent.writing.texts.units import TIMES, known_units
from retrieval.text.normal import STOP_WORDS, normal
from retrieval.types import Chunk

_INITIALS = re.compile(r"\b[A-Z]{2,5}\b")
_STEM, _END = 4, 2
"""Fewest letters of a stem, and most letters of an ending."""


def in_source_words(cited: Sequence[Chunk], sentence: ParsedSentence) -> ParsedSentence:
    """Return the sentence with the sources' form or synonym for each word that they lack.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> well = Chunk("1", "Depth: 40 m. It defends the village.", "Well")
    >>> " ".join(in_source_words([well], parse_sentence("the well, 40 m deep, is a defense")).tokens)
    'the well 40 m depth is a defend'
    """
    known = frozenset[str]().union(*map(words_of, cited))
    sentence = _shortened(sentence, frozenset[str]().union(*map(_initials_of, cited)), known)
    names = known_units() | known_measures() | frozenset(english().months) | rolling_words() | {TIMES}
    alien = {word for word in sentence.words - known if word.isalpha() and is_content_word(word)} - names
    told = {word: its for word in alien if (its := _known_word_for(word, known))}
    if not told:
        return sentence
    numbers = tuple(tuple(_reworded(each, told) for each in one) for one in sentence.numbers)
    return replace(sentence, tokens=tuple(told.get(token, token) for token in sentence.tokens), numbers=numbers)


def as_known_words(words: Iterable[str], known: frozenset[str]) -> frozenset[str]:
    """Return the words with each unknown one replaced by the known word that it may mean."""
    return frozenset(word if word in known else _known_word_for(word, known) or word for word in words)


def _reworded(number: Number, told: dict[str, str]) -> Number:
    near, adjoining = (frozenset(told.get(word, word) for word in each) for each in (number.near, number.adjoining))
    return replace(number, near=near, adjoining=adjoining)


def _shortened(sentence: ParsedSentence, initials: frozenset[str], known: frozenset[str]) -> ParsedSentence:
    """Return the sentence with source acronyms for the words that they stand for: *og* for *original gravity*."""
    tokens = list(sentence.tokens)
    small = STOP_WORDS | english().function_words | known_units()
    for short in initials - sentence.words:
        for end in range(len(short), len(tokens) + 1):
            words = tokens[end - len(short) : end]
            is_meant = "".join(word[:1] for word in words) == short and all(map(str.isalpha, words))
            if is_meant and not known.issuperset(words) and small.isdisjoint(words):
                tokens[end - len(short) : end] = [*[""] * (len(short) - 1), short]
    return replace(sentence, tokens=tuple(tokens))


@lru_cache(maxsize=512)
def _initials_of(chunk: Chunk) -> frozenset[str]:
    return frozenset(map(str.lower, _INITIALS.findall(chunk.text)))


@lru_cache(maxsize=512)
def words_of(chunk: Chunk) -> frozenset[str]:
    cells = [cell for table in chunk.tables for row in (*table.columns, *table.rows) for cell in row]
    return frozenset(normal(plain(" ".join((chunk.title, *chunk.headings, chunk.text, *cells)))))


@lru_cache(maxsize=4096)
def _known_word_for(word: str, known: frozenset[str]) -> str:
    """Return the one known word that another may mean; empty if there is none, or several."""
    for found in _nearest(word, known):
        if found:
            return min(found) if len(found) == 1 else ""
    return ""


def _nearest(word: str, known: frozenset[str]) -> Iterator[frozenset[str]]:
    """Yield the known words that a word may mean, the surest kind first."""
    yield frozenset(each for each in known if is_akin(word, each) and is_content_word(each))
    language = english()
    adjective = language.adjectives.get(word)
    graded = adjective if adjective is not None and adjective.degree == "positive" else None
    spoken = {each for measure, same in language.same_measures.items() if _begin_alike(word, measure) for each in same}
    yield known & spoken.union(graded.scale.measures if graded is not None else ())
    yield frozenset(each for each in known & language.adjectives.keys() if word in _measures_of(each))
    words = thesaurus()
    entry = words.related(word) if adjective is None and words is not None else None
    yield known & entry.same if entry is not None and "a" in entry.parts else frozenset()  # *high* grades a *height*


def _measures_of(word: str) -> frozenset[str]:
    """Return the measures of an adjective in the positive: the *length* of *long*."""
    adjective = english().adjectives[word]
    return frozenset(adjective.scale.measures if adjective.degree == "positive" else ())


@lru_cache(maxsize=16384)
def is_akin(one: str, other: str) -> bool:
    """True for two forms of one word, by their common beginning and, if it knows both, by the thesaurus.

    >>> is_akin("defense", "defends"), is_akin("change", "channel"), is_akin("stand", "stand")
    (True, False, True)
    """
    return one == other or (_begin_alike(one, other) and _are_related(one, other))


def share_akin(words: Iterable[str], others: Collection[str]) -> bool:
    """True if two texts share a word, in any of its forms."""
    return any(starmap(is_akin, product(words, others)))


def _begin_alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if long.startswith(short) and long[len(short) :] in english().participles and len(short) > _END:
        return True
    shared = max(_STEM, min(len(one), len(other)) - _END)
    return min(len(one), len(other)) >= shared and one[:shared] == other[:shared] and (one + other).isalpha()


def _are_related(one: str, other: str) -> bool:
    """True if the thesaurus relates the two words, or does not know both."""
    known = thesaurus()
    entries = (known.related(one), known.related(other)) if known is not None else ()
    if not entries or not all(each.parts for each in entries):
        return True
    first, second = (each.same | {word} for each, word in zip(entries, (one, other), strict=True))
    return not first.isdisjoint(second)
