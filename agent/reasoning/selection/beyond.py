"""Those of a kind that are beyond one of it: *boats longer than the Reed*.

Whoever is the longest was found among all of the kind, with the length of each; those whose own is more than that of
the one who is named are told.
"""

from __future__ import annotations

from dataclasses import replace

from agent.languages.operations import Operation
from agent.languages.scales import extreme
from agent.reasoning.values.quantities import quantities_of
from agent.understanding.linking.program import Bound
from agent.understanding.question.apart import Apart, name_at
from agent.understanding.question.tagged import Tagged

_TWO = 2


def beyond(question: Tagged) -> Apart | None:
    """What a question asks of a kind beside one of it; None where it asks for no such thing.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.names import Mention
    >>> beyond(tagged("Which boats are longer than the Reed?", [Mention(6, 7, "reed")]))
    Apart(text='which boat are longest', key='reed')
    """
    tokens, language, end = question.tokens, question.language, question.end
    asks = question.operation in (None, "count") and not question.negated and not question.numbers
    if end is None or not asks or language.degree_of(question.degree) != "comparative":
        return None
    place = next((i for i in range(end, len(tokens)) if tokens[i] in language.comparing), len(tokens))
    name, most = name_at(question, place + 1), _superlative(question)
    if name is None or not most or tokens[name.end :] != tokens[-1:] or tokens[0] in language.helpers:
        return None
    kinds = language.kinds | {said[0] for said in language.amounts}
    if kinds.isdisjoint(tokens[:end]):
        return None
    return Apart(" ".join((*tokens[:end], most, *tokens[end + 1 : place])), name.key)


def _superlative(question: Tagged) -> str:
    """The word for the very end of which the question has the comparative."""
    language, word = question.language, question.degree
    if (meant := language.adjectives.get(word)) is not None:
        same = (each for each, other in language.adjectives.items() if other == replace(meant, degree="superlative"))
        return next(same, "")
    return extreme(language.ends, high=language.ends[word].high) if word in language.ends else ""


def those_beyond(apart: Apart, best: Bound | None, question: Tagged) -> Bound | None:
    """Those who have more, or less, than the one who is named; None where he is none of them, or has no such value."""
    if best is None or best.operation != "best" or any((best.unsure, best.uncalled, best.told, best.unheeded)):
        return None
    quantities = quantities_of([reading.best.text for reading in best.readings], best.measure)
    own = [at for at, reading in enumerate(best.readings) if apart.is_called(reading.name)]
    if quantities is None or len(own) != 1 or best.end not in ("low", "high"):
        return None
    held = quantities[own[0]]
    is_more = [each.less(held) if best.is_low else held.less(each) for each in quantities]
    kept = tuple(reading for reading, more in zip(best.readings, is_more, strict=True) if more)
    rest = tuple(reading for reading, more in zip(best.readings, is_more, strict=True) if not more)
    operation: Operation = "count" if question.operation == "count" else "list"
    linked = replace(best.linked, question=question)
    return Bound(linked, kept, best.measure, operation, without=(*best.without, *rest)) if kept else None
