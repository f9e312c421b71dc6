"""A value reached over another row: *the fee at the port of the Sedge* is that of Wick, where its row says it lies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.reasoning.derived.derivation import Bind, for_question
from agent.understanding.linking.mentions import THINGS
from agent.understanding.linking.nearness import LabelRequests
from agent.understanding.linking.program import Bound, Reading
from agent.understanding.question.tagged import Tagged
from retrieval.tables.index import Cells
from retrieval.tables.names import name_keys

_MOST_WORDS = 4
"""The most words of a label before *of*, and of a name."""


def by_another_row(question: Tagged, index: Cells, bind: Bind) -> LabelRequests[Bound | None]:
    """Return the values of the entity that a row of another one names, behind the value that names it; None for other
    questions.
    """
    for start in _owned(question, index):
        tokens = question.tokens[:-1]
        label, _, owner = " ".join(tokens[start:]).partition(f" {max(question.language.partitive)} ")
        own = yield from bind(question.language.wordings["value_of"].format(label=label, name=owner))
        named = None if own is None else _named(own, index)
        if own is None or named is None:
            continue
        if len(named.best.text.split()) > _MOST_WORDS:
            continue
        whole = yield from bind(" ".join((*tokens[:start], named.best.text)))
        if whole is None or whole.is_open:
            continue
        told = for_question(question, whole, own)
        if whole.operation == "read":
            return replace(told, readings=(named, *whole.readings))
        if whole.operation in ("list", "count"):
            is_of_others = question.language.wordings["other"] in question.tokens
            kept = (each for each in whole.readings if not (is_of_others and each.name in _owners(own)))
            return replace(told, readings=tuple(kept))
    return None


def _owned(question: Tagged, index: Cells) -> Iterator[int]:
    """Yield the place of each label before *of* that something owns, at the end of the question."""
    tokens, language = question.tokens[:-1], question.language
    for of in question.places(language.partitive):
        start = of
        while start > max(0, of - _MOST_WORDS) and tokens[start - 1] in index.measure_words:
            start -= 1
        is_owned = bool(question.words()) and any(place < start for place, _ in question.words())
        if start < of < len(tokens) - 1 and is_owned:
            yield start


def _owners(own: Bound) -> set[str]:
    """Return the names of what has the value."""
    rows = (each.best.cell.row_label for each in own.readings) if own.operation == "read" else ()
    return {*rows, *(each.name for each in own.other_values)}


def _named(own: Bound, index: Cells) -> Reading | None:
    """Return the reading whose value is a name of the collection; None if it is none, or not the only one."""
    told: Sequence[Reading] = own.other_values if own.operation == "best" else own.readings
    if len(told) != 1 or len(told[0].found) != 1 or own.operation not in ("read", "best") or own.is_open:
        return None
    keys = name_keys(told[0].best.text)
    return told[0] if index.places(sorted(keys), THINGS) else None
