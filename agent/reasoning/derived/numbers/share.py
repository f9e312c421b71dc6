"""What share of a kind has a property, and whether all of it has: two counts, of the kind and of those with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from agent.reasoning.derived.derivation import Derivation, for_question
from agent.reasoning.kinds.asked import kind_asked, place_behind
from agent.reasoning.kinds.members import is_kind
from agent.reasoning.measures.dimensions import asks_share
from agent.reasoning.selection.selected import names_of
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tag, Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.tables.index import Cells


def share(question: Tagged, index: Cells, tag: Tag) -> Derivation | None:
    """Return the counts for *what percentage of boats have a crane* and for *do all boats have a crane*; None for other
    questions.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.index import CellIndex
    >>> share(tagged("What percentage of the boats have a crane?"), CellIndex.build([]), tagged).questions
    ('how many boat have a crane', 'how many boat are there')
    """
    rest = _shared(question, index) or _of_all(question)
    kind, predicate = _split(rest, index, tag) if rest else ((), ())
    if not kind or not predicate:
        return None
    wordings, said, having = question.language.wordings, " ".join(kind), " ".join(predicate)
    counts = wordings["number_with"].format(kind=said, property=having), wordings["number"].format(kind=said)
    return Derivation(counts, partial(_of_kind, question))


def _shared(question: Tagged, index: Cells) -> tuple[str, ...]:
    """Return what a share is asked of, with its property; empty if none is, or if the collection has such a measure."""
    tokens, language = question.tokens[:-1], question.language
    place = question.place(language.partitive)
    if not asks_share(question, ()) or tokens[place - 1] in index.measure_words:
        return ()
    rest = _without(tokens[place + 1 :], language.articles | language.every)
    parts = frozenset().union(*(each.measures for each in language.dimensions if "%" in each.units))
    said = {
        i + n for i in range(len(rest) - 1) for n in (0, 1) if rest[i] in language.measuring and rest[i + 1] in parts
    }
    return tuple(token for i, token in enumerate(rest) if i not in said and token != COMMA)  # *in percent*


def _of_all(question: Tagged) -> tuple[str, ...]:
    """Return what is asked of all of a kind, for *do all boats have a crane*; empty for other questions."""
    tokens, language = question.tokens[:-1], question.language
    first, second = (*tokens, "", "")[:2]
    is_asked = first in language.support and second in language.every and not question.negated
    return _without(tokens[1:], language.articles | language.every) if is_asked else ()


def _without(tokens: Sequence[str], idle: frozenset[str]) -> tuple[str, ...]:
    """Return the tokens without some at their beginning."""
    start = next((i for i, token in enumerate(tokens) if token not in idle), len(tokens))
    return tuple(tokens[start:])


def _split(tokens: tuple[str, ...], index: Cells, tag: Tag) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split a clause into the kind with what restricts it, up to the verb, and the property."""
    asked = tag(" ".join(("which", *tokens)))
    language = asked.language
    verbs = language.copulas | language.helpers | language.holding
    verb = next((i for i, token in enumerate(tokens) if i and token in verbs), 0)
    end = verb or place_behind(kind_asked(asked, index), tokens)
    if end >= len(tokens):  # *teachers offer online lessons*
        end = next((i for i in range(1, len(tokens)) if is_kind(tokens[i - 1], index)), end)
    return tokens[:end], tokens[end:]


def _of_kind(question: Tagged, bounds: Sequence[Bound]) -> Bound | None:
    """Return those with the property as a share of all; None if a member is uncertain, or not one of all."""
    some, every = bounds
    if some.operation != "count" or every.operation != "count" or some.unsure or every.unsure:
        return None
    names = names_of(some.readings)
    if not names <= names_of(every.readings) or len(names) < len(some.readings):
        return None
    others = tuple(reading for reading in every.readings if names_of([reading]).isdisjoint(names))
    return replace(for_question(question, some, every), operation="share", without_value=others)
