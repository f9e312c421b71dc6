"""Match labels of initials by the words with which the collection explains them: *gross register tons (GRT)*.

A question may use other words for these, *gross tonnage*. If it asks how much there is of it, one distinctive word is
enough: *how much register*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from agent.languages.language import Language, language_of, languages
from agent.understanding.linking.mentions import mentions_of
from agent.understanding.words.clauses import tokens_of
from agent.understanding.words.related import is_adjective, synonyms_of
from retrieval.tables.index import Cells
from retrieval.tables.match import begins, label_words
from retrieval.tables.names import Mention
from retrieval.text.normal import phrase

_WORD = re.compile(r"[^\W\d_]+")
_PAIR = 2
_MOST_WORDS = 5
"""Most words that initials stand for."""


class ExplainedInitials(NamedTuple):
    """Words of a question, as it writes them, and the label of initials that they mean."""

    said: str
    label: str


def explained_initials(question: str, index: Cells) -> ExplainedInitials | None:
    """Return the words of a question that mean a label of initials; None if there are none, or if two labels tie.

    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> ships = Table("Ships", (("Ship",), ("GT",)), (("Heron", "4"), ("Plover", "2")))
    >>> index = CellIndex.build([Chunk("c", "GT is short for gross tonnage (GT).", "Ships", tables=(ships,))])
    >>> explained_initials("Gross tonnage of the Heron?", index)
    ExplainedInitials(said='Gross tonnage', label='GT')
    """
    if not index.explained_initials:
        return None
    tokens = tokens_of(question)
    language = language_of(tokens, languages())
    words = list(_WORD.finditer(question))
    told = [next(iter(phrase(word[0])), "") for word in words]
    for size in range(_MOST_WORDS, 0, -1):
        meant = list(_meant(told, size, index, language))
        named = _named(tokens, index, language) if meant else set()
        found = {
            ExplainedInitials(question[words[at].start() : words[at + size - 1].end()], label)
            for at, label in meant
            if named.isdisjoint(told[at : at + size])
        }
        if found:
            return next(iter(found)) if len({each.label for each in found}) == 1 else None
    return None


def _meant(told: Sequence[str], size: int, index: Cells, language: Language) -> Iterator[tuple[int, str]]:
    """Yield the labels that adjacent words may mean, with the place of the first; measures are not among them."""
    is_free = [bool(word) and word not in index.measure_words and _may_be_said(word, language) for word in told]
    for at in range(len(told) - size + 1):
        if all(is_free[at : at + size]) and (size > 1 or _is_asked(told, at, language)):
            yield from ((at, label) for label in _labels(told[at : at + size], index.explained_initials, language))


def _may_be_said(word: str, language: Language) -> bool:
    """False for a function word and for a comparative or superlative: *higher* is part of no measure."""
    return word not in language.function_words and language.degree_of(word) not in ("comparative", "superlative")


def _named(tokens: Sequence[str], index: Cells, language: Language) -> set[str]:
    """Return the words of all names."""
    return {token for each in mentions_of(tokens, index) for token in _own(each, tokens, language)}


def _own(name: Mention, tokens: Sequence[str], language: Language) -> Sequence[str]:
    """Return the words of a name; none for an adjective that the question grades."""
    return (
        () if name.end - name.start == 1 and _is_graded(tokens, name.start, language) else tokens[name.start : name.end]
    )


def _labels(said: Sequence[str], explained: Mapping[str, frozenset[str]], language: Language) -> Iterator[str]:
    """Yield the labels that some words stand for."""
    for label, texts in explained.items():
        if any(_is_meant(said, label_words(text), language) for text in texts):
            yield label


def _is_meant(said: Sequence[str], words: Sequence[str], language: Language) -> bool:
    """True for forms of all words, for a synonym of one modifier, or for a modifier with the last word."""
    if len(said) == len(words) and all(map(_is_form, said, words)):
        return True
    if len(said) == 1:
        return any(_is_form_or_synonym(said[0], word, language) for word in words[:-1])
    return (
        len(said) == _PAIR
        and _is_form(said[-1], words[-1])
        and any(_have_common_synonym(said[0], word, language) for word in words[:-1])
    )


def _is_asked(told: Sequence[str], at: int, language: Language) -> bool:
    """True for a word that the question measures: behind *how much*, *how*, *more* or *what*, or beside a word for an
    end: *the lowest upper limit of register*, *whose register is highest*.
    """
    before = told[at - 1] if at else ""
    asking = language.before_adjectives | language.kinds | language.ends.keys()
    if before in asking or tuple(told[max(0, at - 2) : at]) in language.amounts:
        return True
    passed = (language.function_words | language.ranges.words | language.ranges.limits) - language.ends.keys()
    beside = (next((word for word in way if word not in passed), "") for way in (told[:at][::-1], told[at + 1 :]))
    return any(word in language.ends for word in beside)


def _is_graded(told: Sequence[str], at: int, language: Language) -> bool:
    """True for an adjective that the question grades, *how sharp*, even if it is also a name."""
    is_asked = at > 0 and told[at - 1] in language.before_adjectives | language.ends.keys()
    return is_asked and is_adjective(told[at], language)


def _is_form(word: str, other: str) -> bool:
    """True for two forms of one word with at least four letters."""
    return word == other or (min(len(word), len(other)) > 3 and begins(word, other))


def _is_form_or_synonym(word: str, other: str, language: Language) -> bool:
    """True for a form or a synonym of a word."""
    return _is_form(word, other) or other in synonyms_of(word, language) or word in synonyms_of(other, language)


def _have_common_synonym(word: str, other: str, language: Language) -> bool:
    """True for words with a common synonym: *starting* and *initial* share *first*."""
    common = synonyms_of(word, language) & synonyms_of(other, language)
    return bool(common) or _is_form_or_synonym(word, other, language)
