"""Members whose value is above or below the average of their kind, which is asked as a limit of nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean

from agent.languages.language import Language
from agent.languages.operations import Operation
from agent.languages.phrases import phrase_places
from agent.reasoning.derived.derivation import Derivation, for_question
from agent.reasoning.values.quantities import quantities_of
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged


def beyond_average(question: Tagged) -> Derivation | None:
    """Return the question with a limit of nothing for the average; None for other questions.

    >>> from agent.understanding.question.tagged import tagged
    >>> beyond_average(tagged("Which boats have a length above the average?")).questions
    ('which boat have a length more than 0',)
    """
    language, tokens = question.language, question.tokens[:-1]
    averages = (said for name, said in language.operations if name == "average")
    at = next((places for said in averages if (places := phrase_places(tokens, said))), range(0))
    start = at.start
    while start and tokens[start - 1] in language.articles:
        start -= 1
    limit, is_above = _limit_before(tokens[:start], language)
    if not at or not limit or question.negated or question.numbers:
        return None
    text = " ".join((*tokens[: start - limit], language.wordings["limit"], "0", *tokens[at.stop :]))
    return Derivation((text,), partial(_beyond, question, is_above))


def _limit_before(before: Sequence[str], language: Language) -> tuple[int, bool]:
    """Return how many words at the end of a text limit what follows, and whether to more than that; 0 if none do."""
    for name, is_above in (("least_before", True), ("most_before", False)):
        for said in sorted(language.bounds.get(name, ()), key=len, reverse=True):
            if tuple(before[len(before) - len(said) :]) == said:
                return len(said), is_above
    word, than = (*before[-2:], "", "")[:2]
    if than in language.comparing and language.degree_of(word) == "comparative":
        adjective, end = language.adjectives.get(word), language.ends.get(word)
        return 2, adjective.up if adjective is not None else end is not None and end.high
    return 0, False


def _beyond(question: Tagged, is_above: bool, bounds: Sequence[Bound]) -> Bound | None:
    """Return the members beyond the average of all; None if a value is unclear."""
    (bound,) = bounds
    every = (*bound.readings, *bound.without_value)
    if bound.operation not in ("list", "count") or bound.unsure or len({each.best.label for each in every}) != 1:
        return None
    quantities = quantities_of([each.best.text for each in every], every[0].best.label)
    if quantities is None or any(each.top is not None for each in quantities):
        return None
    mean = fmean(each.number for each in quantities)
    pairs = list(zip(every, quantities, strict=True))
    met = tuple(each for each, held in pairs if (held.number > mean if is_above else held.number < mean))
    others = tuple(each for each, _ in pairs if each not in met)
    operation: Operation = "count" if bound.operation == "count" else "list"
    note = f"the average of {every[0].best.label} is {mean:.6g}"
    told = for_question(question, bound)
    linked = replace(told.linked, notes=(*told.linked.notes, note))
    return replace(told, linked=linked, readings=met, without_value=others, operation=operation)
