"""Those who are compared in words of their own: under the measure whose question is the nearest to what is asked.

*Which is harder to catch, the Reed or the Tern* is nearly *which has the higher speed, the Reed or the Tern*. The
measure has to be clearly nearer than each other one that all of them have; where the question says of what it is by an
adjective or a unit, only such measures may be meant. A word that is written as a name was asked for and not found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from agent.reasoning.kinds.member import Label
from agent.reasoning.measures.dimensions import named_otherwise
from agent.reasoning.measures.direction import end_of_cell, measures_held
from agent.reasoning.subjects.candidates import candidates_of
from agent.reasoning.values.comparable import comparable
from agent.reasoning.values.quantities import best_of, quantities_of
from agent.understanding.linking.linkings import linkings
from agent.understanding.linking.nearness import Asking, Telling
from agent.understanding.linking.program import Bound, Linked, Reading
from agent.understanding.question.conditions import numbers_of
from agent.understanding.question.ranking import behind_end, meant_by_adjective
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.proper import is_written_as_name
from retrieval.tables.bind import Binding
from retrieval.tables.index import Cells
from retrieval.tables.match import is_any_told
from retrieval.text.normal import phrase

NEAR = 0.75
"""Cosine similarity from which a question for a comparison may be meant."""
MARGIN = 0.035
"""How much farther that for each other measure has to be."""
_SEVERAL = 2
_WAYS = 4
"""Ways to mean the names of a question that are tried."""


def by_nearest_measure(question: Tagged, index: Cells) -> Asking[Bound | None]:
    """The values of several who are compared; None where no measure is near, or two are."""
    if question.end is None or question.negated or question.operation not in (None, "compare"):
        return None
    if len(question.numbers) > 1 or not question.language.wordings:  # one number may say how many are compared
        return None
    linked, told = next(_compared(question, index), (None, {}))
    if linked is None or not told:
        return None
    near = yield Telling(question.question, tuple(told), NEAR, MARGIN)
    return _bound(linked, told[near[0]], question) if len(near) == 1 else None


_Told = dict[str, tuple[Binding, ...]]
"""A value for each who is compared, by the question for their measure."""


def _compared(question: Tagged, index: Cells) -> Iterator[tuple[Linked, _Told]]:
    """The first way to mean the names of a question by which there are several, with what they can be compared by."""
    wordings = question.language.wordings
    for linked in islice(linkings(question, index), _WAYS):
        if len(linked.subjects) < _SEVERAL or linked.alike or _has_number(question, len(linked.subjects)):
            continue
        found = [candidates_of(linked, subject, index) for subject in linked.subjects]
        if not all(found) or not all(found := comparable(found)):
            continue
        names = wordings["joint"].join(subject.text for subject in linked.subjects)
        measures = list(_measures(found, linked))
        meant = [each for each in measures if _speaks_of(each, question)] or measures
        yield linked, {_asked(wordings["higher"], each[0].label, names): each for each in meant}
        return


def _has_number(question: Tagged, compared: int) -> bool:
    """True where a number chooses or limits what is compared, and does not only say how many are: *of the two*."""
    return any(each.limit is not None or each.value != str(compared) for each in numbers_of(question))


def _asked(wording: str, label: str, names: str) -> str:
    """The question which of them has more under a label."""
    return wording.format(measure=label.replace("_", " "), names=names)


def _measures(found: Sequence[Sequence[Binding]], linked: Linked) -> Iterator[tuple[Binding, ...]]:
    """The value of each under every label that all of them have, where one has the most, and nothing named is left."""
    labels = list(map(_by_label, found))
    for label in filter(None, set(labels[0]).intersection(*labels[1:])):
        own = tuple(each[label] for each in labels)
        if _can_rank(own) and not any(_leaves_name(each, linked) for each in own):
            yield own


def _by_label(found: Sequence[Binding]) -> dict[Label, Binding]:
    """The cells of one who is compared by their labels, without those of labels under which several values stand."""
    values: dict[Label, list[Binding]] = {}
    for each in found:
        values.setdefault(phrase(each.label), []).append(each)
    return {label: some[0] for label, some in values.items() if len({each.text for each in some}) == 1}


def _can_rank(own: Sequence[Binding]) -> bool:
    quantities = quantities_of([each.text for each in own], own[0].label)
    return quantities is not None and all(len(best_of(quantities, low)) == 1 for low in (True, False))


def _leaves_name(binding: Binding, linked: Linked) -> bool:
    """True where a word is left over that is written as a name, or is a part of one of several words."""
    question = linked.question
    return any(word in linked.rivals or is_written_as_name(word, question.question) for word in binding.unheeded)


def _speaks_of(own: Sequence[Binding], question: Tagged) -> bool:
    """True for values of what the adjective of a question speaks of, or the word behind *more* is a unit or word of."""
    label = own[0].label
    held = measures_held((each.text for each in own), label, question.language)
    meant = meant_by_adjective(question)
    asked = {behind_end(question)} - {""} if meant is None else meant
    return is_any_told(asked, phrase(label)) or not held.isdisjoint(asked)


def _bound(linked: Linked, own: Sequence[Binding], question: Tagged) -> Bound | None:
    """The values side by side, with the words of the question that nothing tells."""
    label, end = own[0].label, end_of_cell(question, own[0])
    if end not in ("low", "high") or named_otherwise(label, question, linked.words):
        return None
    readings = tuple(
        Reading(subject, (each.telling(linked.words, share=1.0),), label, sure=True)
        for subject, each in zip(linked.subjects, own, strict=True)
    )
    return Bound(linked, readings, label, "compare", end)
