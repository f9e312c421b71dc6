"""What a question about a kind asks for and its members do not tell: an operation, a place, a rate, a yes or no.

The members may all be right, and still be no answer: the longest boat does not say what the average is, nor where it
lies. Each such part is a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from agent.reasoning.coverage.heads import heads_of
from agent.reasoning.measures.dimensions import rated_by
from agent.reasoning.values.comparing import COMPUTED, asks_whether
from agent.understanding.linking.program import Bound, Reading
from agent.understanding.question.tagged import Tagged
from retrieval.tables.match import any_matches, matches_any
from retrieval.text.normal import phrase


def lost_parts(bound: Bound) -> Iterator[str]:
    """Yield what the best of a kind, or a list of it, leaves open."""
    question = bound.linked.question
    if bound.operation not in ("best", "list"):
        return
    told = {word for reading in (*bound.readings[:1], *bound.other_values) for word in phrase(reading.best.label)}
    operation = [question.tokens[place] for place in sorted(question.operation_places)]
    is_told = bool(bound.linked.notes) or any(matches_any(word, told) for word in operation)
    if question.operation in COMPUTED and not is_told:
        yield f"the {question.operation} of these"
    if unit := _unrated(bound):
        yield f"{bound.measure} for each {unit}"
    if bound.operation == "best" and not bound.other_values and bound.yes_or_no is None:
        if question.tokens[:1] in question.language.answers.get("place", ()):
            yield "where it is"
        if asks_whether(question) or question.tokens[0] in question.language.copulas:
            yield "whether it is so"


def _unrated(bound: Bound) -> str:
    """Return a unit that the question counts the measure by, if neither label nor values are counted by it."""
    question = bound.linked.question
    language = question.language
    repeated = language.statement_words("repeated") - language.every
    asked = [behind for before, behind in pairwise(question.tokens) if before in repeated]
    for unit in asked:
        texts = [text for each in bound.readings[:1] for text in (each.best.text, *_labels_asked(each, question))]
        told = {*phrase(bound.measure)}.union(*(rated_by(text, language) for text in texts))
        if unit in language.units and not matches_any(unit, told):
            return unit
    return ""


def _labels_asked(reading: Reading, question: Tagged) -> list[str]:
    """Return the labels beside a value whose heads a question has: those of its conditions."""
    labels = reading.best.grid.column_labels
    return [label for label in labels if any_matches(question.tokens, heads_of(label, question.language))]
