"""The reading of one who is named: the cells that fit best what is asked of them.

The label that words of the question tell comes first, then the only one of the unit that is asked, then the nearest in
other words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from agent.reasoning.coverage.accounting import Coverage, is_named
from agent.reasoning.measures.dimensions import (
    asks_when,
    labels_measuring,
    measures_in,
    named_otherwise,
    words_for_time,
)
from agent.reasoning.measures.variants import variant
from agent.understanding.linking.nearness import Asking, Wording, label_for
from agent.understanding.linking.program import Linked, Reading, Subject
from retrieval.tables.bind import Binding, assumed, best, labels
from retrieval.tables.match import is_any_told
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number, phrase


def reading_of(linked: Linked, subject: Subject, found: Sequence[Binding], coverage: Coverage) -> Asking[Reading]:
    """The bindings that fit best; where no label has a word of the question, those of the nearest label."""
    top = best(found)
    if (amount := _with_unit(linked, subject, top, found)) is not None:
        return amount
    if not top or top[0].fit.label or top[0].fit.value or not linked.words:
        return (yield from variant(linked, subject, top))
    is_other = not _may_mean_a_label(linked, top[0].unheeded) or coverage.contradicts(subject, top[0].unheeded, {})
    if is_other or _is_left_blank(linked, top[0].unheeded, found):
        return Reading(subject, tuple(top))
    near = labels_measuring(linked, top[0].unheeded, found)
    if len(near) == 1:
        asked = {linked.question.tokens[place] for place in linked.question.scales}
        if asks_when(linked.question):
            asked |= linked.verbs | linked.relating | words_for_time(linked.question.language)
        return Reading(subject, tuple(best(assumed(found, near[0], asked))), near[0])
    said = _worded(linked, top[0].unheeded)
    may_be = (label for label in labels(found) if not named_otherwise(label, linked.question, top[0].unheeded))
    label = yield from label_for(Wording(said, tuple(near or may_be)))
    if label is None:
        return Reading(subject, tuple(top))
    told = {word for word in top[0].unheeded if word in linked.implied or not is_named(word, top[0], linked)}
    return Reading(subject, tuple(best(assumed(found, label, told))), label)


def _with_unit(linked: Linked, subject: Subject, top: Sequence[Binding], found: Sequence[Binding]) -> Reading | None:
    """The amount in a unit that an adjective speaks of, where what is called so has none: *how heavy* it is is told by
    *Weight (with cable)* 2 kg, and not by a page's *weight* of 900 among others.
    """
    language, asked = linked.question.language, {linked.question.tokens[place] for place in linked.question.scales}
    is_bare = all(is_number(each.text) and not measures_in(f"1 {each.label}", language) for each in top)
    if not asked or not top or not is_bare:
        return None
    near = [
        each
        for each in labels_measuring(linked, sorted(asked), found)
        if is_any_told(phrase(top[0].label), phrase(each))
    ]
    return Reading(subject, tuple(best(assumed(found, near[0], asked))), near[0]) if len(near) == 1 else None


def _is_left_blank(linked: Linked, words: Collection[str], found: Sequence[Binding]) -> bool:
    """True where a measure that the words speak of is a label with nothing beside it: of a hill whose *Height* is not
    told the *Length* does not say how tall it is.
    """
    meant = [frozenset(phrase(each)) for word in words for each in linked.implied.get(word, ())]
    return any(measure <= set(phrase(label)) for label in (_blank(found) if meant else ()) for measure in meant)


def _blank(found: Sequence[Binding]) -> Iterator[str]:
    """The labels of the rows and records at hand beside which nothing stands."""
    for each in {(id(each.grid), each.place.at): each for each in found}.values():
        rows = each.grid.table.rows
        if each.grid.table.is_record:
            yield from (label for label, value in rows if not value.strip())
        elif each.place.kind is Kind.ROW:
            cells = enumerate(rows[each.place.at or 0])
            yield from (each.grid.column_labels[at] for at, text in cells if not text.strip())


def _may_mean_a_label(linked: Linked, unheeded: Sequence[str]) -> bool:
    """True for words that may be a label in other words: those of another thing's name are none, unless a measure is
    meant by them, as by *wider*.
    """
    return any(word in linked.implied or word not in linked.others for word in unheeded)


def _worded(linked: Linked, words: Sequence[str]) -> str:
    """The wording without what names the table already."""
    return " ".join(word for word in linked.wording.split() if word == "how" or word in words) or linked.wording
