"""What is asked of the best of a kind: *what voltage does the heaviest pump have?*

The measure that is asked for stands before the superlative, and what stands around that says who is the best. So the
question is two: who it is, and what his value is. The second is read from the same member, never by his name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.languages.language import Language
from agent.reasoning.kinds.asked import infinitive_at
from agent.reasoning.kinds.members import is_kind
from agent.reasoning.kinds.standing import tables_named
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.tables.index import Cells


@dataclass(frozen=True, slots=True)
class OfBest:
    """The words for the measure that is asked for, and those that say which is the best; where these name a kind, that
    `is_sure`: then who is the best is no answer alone.
    """

    measure: tuple[str, ...]
    best: tuple[str, ...]
    is_sure: bool


def of_best(question: Tagged, index: Cells) -> OfBest | None:
    """The two questions that one for a measure of the best is made of; None where it is no such question.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> pumps = Table("Pumps", (("Pump",), ("Voltage",), ("Weight",)), (("Heron", "12 V", "9"), ("Ibis", "24 V", "7")))
    >>> index = CellIndex.build([Chunk("c", "", "Pumps", tables=(pumps,))])
    >>> of_best(tagged("What is the voltage of the heaviest pump?"), index)
    OfBest(measure=('voltage',), best=('heaviest', 'pump'), is_sure=True)
    """
    end, tokens, language = question.end, question.tokens, question.language
    if not question.best or end is None or tokens.index(COMMA) < len(tokens) - 1:
        return None
    start, after = _measure(tokens, language)
    measure = tokens[start:after]
    if not measure or not after < end or _is_of_scale(measure[-1], end, question):
        return None
    verb = infinitive_at(question, index)
    rest = [i for i in range(after, len(tokens) - 1) if i not in (after, after + 1) or not _joins(tokens[i], language)]
    while rest and (tokens[rest[-1]] in language.small | language.helpers or rest[-1] == verb):
        rest.pop()  # *does the heaviest pump have*, *does it come with*
    is_itself = is_kind(measure[-1], index)
    if is_itself and (measure[-1] not in index.measured or end in rest[:1]):
        return None  # *what camp has the most beds*; but *what level is the elf that has most*
    owns = tokens[after] not in language.copulas | language.partitive | language.support | language.auxiliaries
    if owns and end in rest[:2] and _is_of_owner(measure[-1], end, question, index):
        return None
    best = tuple(tokens[i] for i in rest)
    return OfBest(measure, best, not is_itself and any(is_kind(word, index) for word in best))


def _is_of_scale(word: str, end: int, question: Tagged) -> bool:
    """True for the adjective whose superlative tells the best, for he is told with it: *how deep is the deepest*."""
    adjective = question.language.adjectives.get(word)
    return adjective is not None and end in question.scales and adjective.scale == question.scales[end].scale


def _is_of_owner(asked: str, end: int, question: Tagged, index: Cells) -> bool:
    """True where who has the most is asked for: *which country has the most lakes*, whatever a country is here; and of
    a table that is named, *which ship has the highest fare in the list of boats*, whatever has fares of its own.
    """
    behind = question.tokens[end + 1]
    if behind in index.measured and question.tokens[end] in question.language.ends and tables_named(question, index):
        return True
    return asked in index.measured and not is_kind(behind, index)


def _measure(tokens: Sequence[str], language: Language) -> tuple[int, int]:
    """Where the words for what is asked for begin and end: behind *what*, *what is the* or *how many*, before a verb or
    an *of*; nothing where they do not stand so.
    """
    start = 0
    while start < len(tokens) and tokens[start] in language.small | language.copulas:
        start += 1
    end = start
    while end < len(tokens) and tokens[end] not in language.small | language.helpers and tokens[end] != COMMA:
        end += 1
    ends = language.helpers | language.partitive
    is_asked = start > 0 and tokens[0] in language.kinds | language.before_adjectives
    return (start, end) if is_asked and end < len(tokens) and tokens[end] in ends else (0, 0)


def _joins(token: str, language: Language) -> bool:
    """True for what joins a measure to whom it is of."""
    return token in language.helpers | language.partitive | language.articles
