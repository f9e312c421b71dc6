"""Questions for an attribute of the best member of a kind: *what voltage does the heaviest pump have?*

The attribute comes before the superlative, and the words around the superlative choose the best member. So there are
two questions: which member is the best, and what its value is. The value is read from that member, not looked up by
name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.languages.language import Language
from agent.reasoning.kinds.asked import infinitive_at
from agent.reasoning.kinds.common import is_called_so
from agent.reasoning.kinds.member import Label, Member
from agent.reasoning.kinds.members import is_kind
from agent.reasoning.kinds.readings import telling
from agent.reasoning.kinds.shape import Shape
from agent.reasoning.kinds.standing import tables_named
from agent.reasoning.measures.dimensions import asks_when
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.tables.index import Cells
from retrieval.tables.match import any_matches, matches_any


@dataclass(frozen=True, slots=True)
class OfBest:
    """The words for the attribute, and those that choose the best. If these name a kind, the split `is_sure`: the best
    alone is then no answer.
    """

    measure: tuple[str, ...]
    best: tuple[str, ...]
    is_sure: bool


def of_best(question: Tagged, index: Cells) -> OfBest | None:
    """Split a question for an attribute of the best; None for other questions.

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
    if asks_when(question) and tokens[1] in language.helpers | language.copulas and end < len(tokens) - 2:
        best = tokens[2:-2]  # *when was the longest boat launched*
        is_named = tokens[-2] in index.measure_words and any(is_kind(word, index) for word in best)
        return OfBest(tokens[-2:-1], best, is_sure=True) if is_named else None
    start, after = _measure(tokens, language)
    measure = tokens[start:after]
    if not measure or not after < end or _is_of_scale(measure[-1], end, question):
        return None
    verb = infinitive_at(question, index)
    rest = [i for i in range(after, len(tokens) - 1) if i not in (after, after + 1) or not _joins(tokens[i], language)]
    while rest and (tokens[rest[-1]] in language.function_words | language.helpers or rest[-1] == verb):
        rest.pop()  # *does the heaviest pump have*, *does it come with*
    is_itself = is_kind(measure[-1], index)
    places = language.statement_words("places")
    is_owned = tokens[after] in language.partitive or tokens[0] in places  # *the port of the longest boat*
    if is_itself and (measure[-1] not in index.measure_words or (end in rest[:1] and not is_owned)):
        return None  # *what camp has the most beds*; but *what level is the elf that has most*
    owns = tokens[after] not in language.copulas | language.partitive | language.support | language.auxiliaries
    if owns and end in rest[:2] and _is_of_owner(measure[-1], end, question, index):
        return None
    best = tuple(tokens[i] for i in rest)
    return OfBest(measure, best, not is_itself and any(is_kind(word, index) for word in best))


def _is_of_scale(word: str, end: int, question: Tagged) -> bool:
    """True if the attribute is the adjective of the superlative, which is shown anyway: *how deep is the deepest*."""
    adjective = question.language.adjectives.get(word)
    return adjective is not None and end in question.scales and adjective.scale == question.scales[end].scale


def _is_of_owner(asked: str, end: int, question: Tagged, index: Cells) -> bool:
    """True if the question asks for the owner of the superlative: *which country has the most lakes*, even if country
    is also a column. Also if it names a table, *which ship has the highest fare in the list of boats*.
    """
    behind = question.tokens[end + 1]
    if (
        behind in index.measure_words
        and question.tokens[end] in question.language.ends
        and tables_named(question, index)
    ):
        return True
    return asked in index.measure_words and not is_kind(behind, index)


def _measure(tokens: Sequence[str], language: Language) -> tuple[int, int]:
    """Return the start and end of the words for the attribute: behind *what*, *what is the* or *how many*, before a
    verb or *of*; (0, 0) if there are none.
    """
    start = 0
    while start < len(tokens) and tokens[start] in language.function_words | language.copulas:
        start += 1
    end = start
    while end < len(tokens) and tokens[end] not in language.function_words | language.helpers and tokens[end] != COMMA:
        end += 1
    ends = language.helpers | language.partitive
    is_asked = not (language.kinds | language.before_adjectives).isdisjoint(tokens[: min(start, 2)])  # *in which port*
    return (start, end) if is_asked and end < len(tokens) and tokens[end] in ends else (0, 0)


def _joins(token: str, language: Language) -> bool:
    """True for a word that joins an attribute to its owner."""
    return token in language.helpers | language.partitive | language.articles


def with_value(bound: Bound, members: Sequence[Member], value: Label, shape: Shape) -> Bound | None:
    """Return the best with the value of theirs that is asked for; None if they don't all have it under one label."""
    labels = _labels(value, shape)
    return telling(bound, members, labels[0]) if len(labels) == 1 else None


def asked_of_best(asked: Label, value: Label, members: Sequence[Member], shape: Shape) -> Label:
    """Return the asked noun phrase, if it matches one label and no member: *which port has the longest boat*."""
    is_called = any(member.is_called(word) for member in members for word in asked)
    labels = [label for label in _called(asked, shape) if any(each.texts.get(label) != each.name for each in members)]
    return asked if asked and not is_called and len(labels) == 1 and not any_matches(asked, value) else ()


def _called(words: Label, shape: Shape) -> list[Label]:
    return [label for label in shape.labels if is_called_so(shape.plain[label] or label, words)]


def _labels(value: Label, shape: Shape) -> list[Label]:
    """Return the labels with these words; for an adjective, those of its first measure that a label has, else those
    with a unit of it.
    """
    called = _called(value, shape)
    adjective = shape.question.language.adjectives.get(value[0]) if len(value) == 1 else None
    if called or adjective is None:
        return called
    for measure in adjective.scale.measures:
        if found := [label for label in shape.labels if matches_any(measure, label)]:
            return found
    return [label for label in shape.labels if shape.is_in_unit_of(adjective.scale.measures, label)]
