"""The values of those who are named under the label that is nearest to what is asked, where its words tell none.

*How long can a man expect to live* is *Life expectancy at birth: male* though the two share no word. What is written
as a name, or is the name of something here, is no such wording: it was asked for, and has to be found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.reasoning.coverage.accounting import is_named
from agent.reasoning.measures.dimensions import named_otherwise
from agent.reasoning.measures.variants import sum_words
from agent.understanding.linking.nearness import Asking, Wording, label_for
from agent.understanding.linking.program import Linked, Reading, Subject
from retrieval.tables.bind import Binding, best, labels
from retrieval.text.normal import phrase

SURE = 0.8
"""Cosine similarity from which a label is another name of what is asked; else it is told as assumed, and in part.
*Rally points* are 0.56 from *hit points*, *base rent* 0.69 from *base pay*, *median age woman* 0.92 from *Median age:
female*."""
_FEWEST = 3
"""Labels of which one can be the nearest; of fewer, each may be it for lack of another."""


def by_nearest_label(linked: Linked, found: Sequence[Sequence[Binding]]) -> Asking[list[Reading] | None]:
    """A reading for each subject, of whom the candidates are in `found`, under the one label that is meant; None where
    that can't be told.
    """
    shared = list(_shared(found))
    if len(shared) < _FEWEST or not linked.wording:
        return None
    label = yield from label_for(Wording(linked.wording, tuple(shared), plain=sum_words(linked.question.language)))
    if label is None:
        return None
    if named_otherwise(label, linked.question, linked.words):
        return None
    is_sure = bool((yield Wording(linked.wording, (label,), SURE)))
    readings = [_taken(linked, subject, some, label) for subject, some in zip(linked.subjects, found, strict=True)]
    return [replace(reading, sure=is_sure) for reading in readings] if all(one.found for one in readings) else None


def _shared(found: Sequence[Sequence[Binding]]) -> Iterator[str]:
    """The labels under which each of the subjects has values."""
    shared = set.intersection(*(set(map(phrase, labels(some))) for some in found))
    yield from (label for label in labels(found[0]) if phrase(label) in shared)


def _taken(linked: Linked, subject: Subject, found: Sequence[Binding], label: str) -> Reading:
    """The values under a label, which tells all words left over that are no names."""
    values = (each for each in found if phrase(each.label) == phrase(label))
    return Reading(subject, tuple(best([_told(linked, each) for each in values])), label)


def _told(linked: Linked, binding: Binding) -> Binding:
    """A value with what its label tells: no words that mean a measure which is called otherwise here."""
    words = (word for word in binding.unheeded if word not in linked.related)
    return binding.telling([word for word in words if not is_named(word, binding, linked)], share=1.0)
