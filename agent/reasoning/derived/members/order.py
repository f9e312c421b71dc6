"""All members of a kind in the order of a measure: *the boats by length, longest first*, *from cheapest to dearest*."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from agent.languages.phrases import Phrase, found
from agent.reasoning.derived.derivation import Derivation, for_question
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.tables.index import Cells
from retrieval.tables.match import any_matches
from retrieval.tables.names import Mention
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase

_MOST_ORDERED = 24
"""The most members that are shown in order."""


def ordered(question: Tagged, index: Cells) -> tuple[Derivation, ...]:
    """Return the questions for the first of a kind in an order, the one with the measure first; empty if the question
    asks for no order, or does not say which.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.index import CellIndex
    >>> index = CellIndex.build([])
    >>> [each.questions for each in ordered(tagged("Sort the boats by length, longest first."), index)]
    [('which is the longest boat by length',), ('which is the longest boat',)]
    >>> [each.questions for each in ordered(tagged("List the boats from longest to shortest."), index)]
    [('which is the longest boat',)]
    """
    language, tokens = question.language, question.tokens[:-1]
    at = _first_end(question)
    if at is None or question.negated or not _asks_order(question, at) or len(_named(question, index)) > 1:
        return ()
    superlative = " ".join(tokens[at.start : at.stop])
    kind, measure = _kind_and_measure(question, at)
    if not kind:
        return ()
    nouns = [" ".join(kind)]
    if measure:
        nouns.insert(0, " ".join((*kind, min(language.ranking), *measure)))
    if measure and superlative in language.ends:
        nouns[:] = [" ".join((*measure, max(language.partitive), *kind))]
    ask = partial(language.wordings["best"].format, superlative=superlative)
    return tuple(Derivation((ask(kind=noun),), partial(_in_order, question, measure)) for noun in nouns)


def _named(question: Tagged, index: Cells) -> list[Mention]:
    """Return the names of entities in a question, which is then about these and not about a kind."""
    named = (name for name in question.names if index.places([name.key], (Kind.ROW, Kind.TITLE, Kind.SUBJECT)))
    return list({name.key: name for name in named}.values())


def _first_end(question: Tagged) -> range | None:
    """Return the places of the first superlative, with its adjective: *most expensive*."""
    language, tokens = question.language, question.tokens
    for place, token in enumerate(tokens):
        if language.degree_of(token) == "superlative":
            is_more = token in language.ends and tokens[place + 1] in language.adjectives
            return range(place, place + 1 + is_more)
    return None


def _asks_order(question: Tagged, at: range) -> bool:
    """True for a request for an order, for *from longest to shortest* and for *longest first*."""
    tokens, language = question.tokens, question.language
    before, behind = tokens[at.start - 1] if at.start else "", tokens[at.stop]
    is_span = before in language.spans.since and behind in language.beside
    is_first = behind in language.adverbs or tokens[at.stop : at.stop + 1] == ("1",)
    is_request = tokens[0] not in language.kinds | language.helpers | language.copulas
    return is_span or (is_request and (question.operation == "order" or is_first))


def _kind_and_measure(question: Tagged, at: range) -> tuple[Phrase, Phrase]:
    """Return the words for the kind, and those for the measure that the order goes by."""
    language, tokens = question.language, question.tokens
    orders = [said for name, said in language.operations if name == "order"]
    end = tokens.index(COMMA) if COMMA in tokens[: at.start] else at.start
    words = list(tokens[:end])
    if words and words[-1] in language.spans.since:
        words.pop()
    by = next((i for i, word in enumerate(words) if i and word in language.ranking), None)
    of = next((i for i, word in enumerate(words) if i > 1 and word in language.partitive), None)
    is_in_order = of is not None and any(found(words[:of], said) is not None for said in orders)
    split = by if by is not None else of if is_in_order else None
    kind, measure = (words, []) if split is None else (words[:split], words[split + 1 :])
    idle = {word for said in (*orders, *language.requests) for word in said} | language.listing
    return _trimmed(kind, idle, question), _trimmed(measure, idle, question)


def _trimmed(words: Sequence[str], idle: set[str], question: Tagged) -> Phrase:
    """Return the words without those that ask, at either end."""
    language = question.language
    idle = idle | language.function_words | language.every | language.light_words
    places = [i for i, word in enumerate(words) if word not in idle]
    return tuple(words[places[0] : places[-1] + 1]) if places else ()


def _in_order(question: Tagged, measure: Phrase, bounds: Sequence[Bound]) -> Bound | None:
    """Return all members in their order; None if not all have a value, if they are too many, or if the order goes by
    another measure.
    """
    (best,) = bounds
    if best.operation != "best" or best.without_value or len(best.readings) > _MOST_ORDERED or best.other_values:
        return None
    if measure and not any_matches(measure, phrase(best.measure)):
        return None
    return replace(for_question(question, best), top=len(best.readings))
