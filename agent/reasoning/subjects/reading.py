"""The reading of a named entity: the cells that fit best what is asked.

A label that matches words of the question comes first, then the only one with the unit that is asked for, then the
nearest by embedding similarity.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from agent.reasoning.coverage.accounting import Coverage, is_named
from agent.reasoning.measures.dimensions import (
    asks_when,
    labels_measuring,
    measures_in,
    named_otherwise,
    spoken_measures,
    words_for_time,
)
from agent.reasoning.measures.variants import variant
from agent.reasoning.values.span_ends import is_of_contrary
from agent.understanding.linking.nearness import LabelRequests, Wording, label_for
from agent.understanding.linking.program import Linked, Reading, Subject
from retrieval.tables.bind import Binding, assumed_bindings, best, labels
from retrieval.tables.match import any_matches
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number, phrase


def reading_of(
    linked: Linked, subject: Subject, found: Sequence[Binding], coverage: Coverage
) -> LabelRequests[Reading]:
    """Return the best bindings; if no label matches a word of the question, those of the nearest label."""
    top = best(found)
    if (amount := _with_unit(linked, subject, top, found)) is not None:
        return amount
    if not top or top[0].fit.label or top[0].fit.value or not linked.words:
        return (yield from variant(linked, subject, top))
    is_other = not _may_mean_a_label(linked, top[0].unmatched_words) or coverage.contradicts(
        subject, top[0].unmatched_words, {}
    )
    if is_other or _is_left_blank(linked, top[0].unmatched_words, found):
        return Reading(subject, tuple(top))
    near = labels_measuring(linked, top[0].unmatched_words, found)
    if len(near) == 1:
        asked = {linked.question.tokens[place] for place in linked.question.scales}
        asked |= {word for word in top[0].unmatched_words if spoken_measures([word], linked.question.language)}
        if asks_when(linked.question):
            asked |= linked.verbs | linked.relational_words | words_for_time(linked.question.language)
        return Reading(subject, tuple(best(assumed_bindings(found, near[0], asked))), near[0])
    said = _worded(linked, top[0].unmatched_words)
    question, left = linked.question, top[0].unmatched_words
    others = (label for label in labels(found) if not is_of_contrary(label, question))
    may_be = (label for label in others if not named_otherwise(label, question, left))
    label = yield from label_for(Wording(said, tuple(near or may_be)))
    if label is None:
        return Reading(subject, tuple(top))
    told = {word for word in top[0].unmatched_words if word in linked.implied or not is_named(word, top[0], linked)}
    return Reading(subject, tuple(best(assumed_bindings(found, label, told))), label)


def _with_unit(linked: Linked, subject: Subject, top: Sequence[Binding], found: Sequence[Binding]) -> Reading | None:
    """Return the amount in a unit that an adjective implies, if the matching label has a bare number: for *how heavy*,
    *Weight (with cable)* 2 kg, and not the *weight* of 900 on another page.
    """
    language, asked = linked.question.language, {linked.question.tokens[place] for place in linked.question.scales}
    is_bare = all(is_number(each.text) and not measures_in(f"1 {each.label}", language) for each in top)
    if not asked or not top or not is_bare:
        return None
    near = [
        each
        for each in labels_measuring(linked, sorted(asked), found)
        if any_matches(phrase(top[0].label), phrase(each))
    ]
    return Reading(subject, tuple(best(assumed_bindings(found, near[0], asked))), near[0]) if len(near) == 1 else None


def _is_left_blank(linked: Linked, words: Collection[str], found: Sequence[Binding]) -> bool:
    """True if a measure that the words imply is an empty label: if the *Height* of a hill is blank, its *Length* does
    not say how tall it is.
    """
    meant = [frozenset(phrase(each)) for word in words for each in linked.implied.get(word, ())]
    return any(measure <= set(phrase(label)) for label in (_blank(found) if meant else ()) for measure in meant)


def _blank(found: Sequence[Binding]) -> Iterator[str]:
    """Yield the labels of empty cells in the rows and records of the candidates."""
    for each in {(id(each.grid), each.place.at): each for each in found}.values():
        rows = each.grid.table.rows
        if each.grid.table.is_record:
            yield from (label for label, value in rows if not value.strip())
        elif each.place.kind is Kind.ROW:
            cells = enumerate(rows[each.place.at or 0])
            yield from (each.grid.column_labels[at] for at, text in cells if not text.strip())


def _may_mean_a_label(linked: Linked, unmatched: Sequence[str]) -> bool:
    """True if some word may paraphrase a label: words of another name don't, unless they imply a measure,
    like *wider*.
    """
    return any(word in linked.implied or word not in linked.others for word in unmatched)


def _worded(linked: Linked, words: Sequence[str]) -> str:
    """Return the wording without words that already name the table."""
    return " ".join(word for word in linked.wording.split() if word == "how" or word in words) or linked.wording
