"""Compare named entities by the measure whose question is the nearest paraphrase.

*Which is harder to catch, the Reed or the Tern* is nearly *which has the higher speed, the Reed or the Tern*. The
measure has to be clearly nearer than every other one that all entities have. If an adjective or unit of the question
implies measures, only these are compared. A word written as a name was asked for and not found.
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
from agent.understanding.linking.nearness import AnswerCandidates, LabelRequests
from agent.understanding.linking.program import Bound, Linked, Reading
from agent.understanding.question.conditions import numbers_of
from agent.understanding.question.ranking import behind_end, measures_of_adjective
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.proper import is_written_as_name
from retrieval.tables.bind import Binding
from retrieval.tables.index import Cells
from retrieval.tables.match import any_matches
from retrieval.text.normal import phrase

NEAR = 0.75
"""The least cosine similarity of a paraphrase."""
MARGIN = 0.035
"""The least distance to the paraphrase with another measure."""
_SEVERAL = 2
_WAYS = 4
"""The most interpretations of a question's names that are tried."""


def by_nearest_measure(question: Tagged, index: Cells) -> LabelRequests[Bound | None]:
    """Return the values of the compared entities; None if no measure is near enough, or two are."""
    if question.end is None or question.negated or question.operation not in (None, "compare"):
        return None
    if len(question.numbers) > 1 or not question.language.wordings:  # one number may be the count of the compared
        return None
    linked, told = next(_compared(question, index), (None, {}))
    if linked is None or not told:
        return None
    near = yield AnswerCandidates(question.question, tuple(told), NEAR, MARGIN)
    return _bound(linked, told[near[0]], question) if len(near) == 1 else None


_Told = dict[str, tuple[Binding, ...]]
"""The values of the compared entities, by the paraphrase with their measure."""


def _compared(question: Tagged, index: Cells) -> Iterator[tuple[Linked, _Told]]:
    """Yield the first interpretation of the names with several entities, and their values by paraphrase."""
    wordings = question.language.wordings
    for linked in islice(linkings(question, index), _WAYS):
        if len(linked.subjects) < _SEVERAL or linked.is_ambiguous or _has_number(question, len(linked.subjects)):
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
    """True if a number chooses or limits, and is not only the count of the compared: *of the two*."""
    return any(each.limit is not None or each.value != str(compared) for each in numbers_of(question))


def _asked(wording: str, label: str, names: str) -> str:
    """Return the paraphrase that asks which of them has more under a label."""
    return wording.format(measure=label.replace("_", " "), names=names)


def _measures(found: Sequence[Sequence[Binding]], linked: Linked) -> Iterator[tuple[Binding, ...]]:
    """Yield the values of all entities under each shared label, if one is the highest and no name is unmatched."""
    labels = list(map(_by_label, found))
    for label in filter(None, set(labels[0]).intersection(*labels[1:])):
        own = tuple(each[label] for each in labels)
        if _can_rank(own) and not any(_leaves_name(each, linked) for each in own):
            yield own


def _by_label(found: Sequence[Binding]) -> dict[Label, Binding]:
    """Return the cells of an entity by label, without labels that have several values."""
    values: dict[Label, list[Binding]] = {}
    for each in found:
        values.setdefault(phrase(each.label), []).append(each)
    return {label: some[0] for label, some in values.items() if len({each.text for each in some}) == 1}


def _can_rank(own: Sequence[Binding]) -> bool:
    quantities = quantities_of([each.text for each in own], own[0].label)
    return quantities is not None and all(len(best_of(quantities, low)) == 1 for low in (True, False))


def _leaves_name(binding: Binding, linked: Linked) -> bool:
    """True if an unmatched word is written as a name, or is part of a name of several words."""
    question = linked.question
    return any(word in linked.rivals or is_written_as_name(word, question.question) for word in binding.unmatched_words)


def _speaks_of(own: Sequence[Binding], question: Tagged) -> bool:
    """True if the values have the measure of the question's adjective, or that of the word behind *more*."""
    label = own[0].label
    held = measures_held((each.text for each in own), label, question.language)
    meant = measures_of_adjective(question)
    asked = {behind_end(question)} - {""} if meant is None else meant
    return any_matches(asked, phrase(label)) or not held.isdisjoint(asked)


def _bound(linked: Linked, own: Sequence[Binding], question: Tagged) -> Bound | None:
    """Return the values side by side as a binding."""
    label, end = own[0].label, end_of_cell(question, own[0])
    if end not in ("low", "high") or named_otherwise(label, question, linked.words):
        return None
    readings = tuple(
        Reading(subject, (each.with_matches(linked.words, share=1.0),), label, sure=True)
        for subject, each in zip(linked.subjects, own, strict=True)
    )
    return Bound(linked, readings, label, "compare", end)
