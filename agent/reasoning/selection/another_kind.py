"""Reject a binding to another kind than the question asks for: *which poisons are inhaled* wants poisons."""

from __future__ import annotations

from collections.abc import Sequence

from agent.reasoning.kinds.asked import is_unknown, kind_asked
from agent.reasoning.kinds.common import are_listed_under
from agent.reasoning.kinds.member import brief_words
from agent.reasoning.kinds.members import is_kind
from agent.understanding.linking.mentions import THINGS
from agent.understanding.linking.program import Bound, Reading
from agent.understanding.question.tagged import Tagged
from retrieval.tables.index import Cells
from retrieval.tables.match import label_words, matches_any
from retrieval.tables.names import key_of, words_in
from retrieval.tables.row_names import column_of
from retrieval.tables.writing import Kind
from retrieval.text.normal import phrase


def reads_no_member(bound: Bound, question: Tagged, index: Cells) -> bool:
    """True if the value that was read is not a member of the kind that is asked for. A section on *poisons* does not
    answer *which poisons are inhaled*, nor does a duration answer *which poisons have a duration of 8 hours*.
    """
    asked = kind_asked(question, index)
    if question.operation == "count" and asked and bound.operation in ("compare", "read"):
        return _counts_others(bound, asked, index)
    if bound.operation == "read" and not asked:
        return _reads_some_of_kind(bound, index)
    if bound.operation != "read" or question.operation is not None:
        return False
    subject, best = bound.readings[0].subject, bound.readings[0].best
    rows = {(each.grid.chunk_id, each.row) for each in bound.readings[0].found}
    is_of_several = len(rows) > 1 and not best.grid.table.is_record  # values of several members choose none
    if (is_of_several and not matches_any(asked[-1], label_words(bound.measure))) or _is_beside_head(bound, asked[-1]):
        return True
    place = best.place
    is_measure = place.kind is Kind.COLUMN and place.at  # *what engine does it have*, even if engines are entities too
    is_thing = not is_measure and bool(index.places([subject.key], THINGS))
    if asked[-1] in phrase(subject.text):
        head = key_of(phrase(best.grid.column_labels[best.column]))
        is_measure = place.kind is Kind.ROW and any(each.key == head for each in question.names)
        return is_thing and not is_measure and not subject.keys  # *which weight* asks for the measure itself
    return not is_thing and not matches_any(asked[-1], label_words(bound.measure))


def _reads_some_of_kind(bound: Bound, index: Cells) -> bool:
    """True for the values of some members of a kind, that is named without any of them: *satin glazes*."""
    reading = bound.readings[0]
    rows = {(each.grid.chunk_id, each.row) for each in reading.found}
    table = reading.best.grid.table
    is_of_kind = any(is_kind(word, index) for word in phrase(reading.subject.text)[-1:])
    return is_of_kind and not table.is_record and 1 < len(rows) < len(table.rows)


def _counts_others(bound: Bound, kind: Sequence[str], index: Cells) -> bool:
    """True for values that are no count of the kind: they belong to several members, or are text."""
    is_compared = bound.operation == "compare"
    is_of_kind = all(kind[0] in phrase(reading.subject.text) for reading in bound.readings)
    if is_of_kind and (is_compared or len(bound.readings[0].found) > 1):
        return True  # *how many dishes use flour* asks for no amount of flour
    if not is_kind(kind[-1], index) or matches_any(kind[-1], label_words(bound.measure)):
        return False
    is_several = is_compared or any(len(reading.found) > 1 for reading in bound.readings)
    return is_several or not any(map(str.isdigit, bound.readings[0].best.text))


def lists_who_is_named(bound: Bound, question: Tagged) -> bool:
    """True for a list with only the entity that the question names: *which school is the Wren Charm of* does not ask
    for a charm. If several are named, one of them may be the answer.
    """
    names = {phrase(reading.name) for reading in bound.readings}
    if bound.operation not in ("list", "count") or len(names) != 1:
        return False
    is_one = question.language.joining.isdisjoint(question.tokens)
    return is_one and all(name and set(name) <= set(question.tokens) for name in names)


def _is_beside_head(bound: Bound, kind: str) -> bool:
    """True for a value in a row with another column whose header is what is asked for: *which dye* does not ask for the
    *Dropped item* next to a *Dye name*.
    """
    if _is_beside_key(bound.readings[0], kind):
        return True
    best, subject = bound.readings[0].best, bound.readings[0].subject
    is_own = matches_any(kind, label_words(bound.measure)) or kind in phrase(subject.text)
    if is_own or best.grid.table.is_record or best.place.kind is not Kind.ROW:
        return False
    heads = enumerate(best.grid.column_labels)
    named = column_of(best.place.name, best.grid.table.rows[best.row])
    return any(kind in phrase(head) for at, head in heads if at not in (best.column, named))


def _is_beside_key(reading: Reading, kind: str) -> bool:
    """True for a value next to the key that is asked for: *which group size has a fee of 7* asks for the key.

    If the question has a number on that axis, *which level 7 spells*, the number chooses the row.
    """
    place = reading.best.place
    is_head = place.kind is Kind.COLUMN and not place.at and kind in phrase(place.name)
    return is_head and reading.best.column > 0 and not any(kind in key.words for key in reading.subject.keys)


def lists_another_kind(bound: Bound, question: Tagged, index: Cells) -> bool:
    """True for a list of members of another kind than the one asked for: *which codec* does not ask for parameters.

    A word unknown to the collection is accepted as the asker's name for the members.
    """
    asked = kind_asked(question, index)
    if bound.operation not in ("list", "count") or not asked or not bound.readings:
        return False
    if not question.language.measures_of("%").isdisjoint(asked) and not is_kind(asked[-1], index):
        return not matches_any(
            asked[-1], label_words(bound.measure)
        )  # the members with a share are no *share of the boats*
    if is_unknown(asked[0], question, index) or are_listed_under(asked[-1], map(_name_of, bound.judged), index):
        return False
    if all(_is_said_of(asked[-1], reading) for reading in bound.readings):
        return False
    if not is_kind(asked[-1], index) and all(asked[0] in words_in(reading.name) for reading in bound.readings):
        return False  # *Tern models* for *Tern A* and *Tern B*
    called = frozenset().union(*map(index.of_kind, asked))
    return not any(reading.best.place.grid in called for reading in bound.readings)


def _name_of(reading: Reading) -> str:
    return reading.name


def _is_said_of(word: str, reading: Reading) -> bool:
    """True for a word in the name or a short value of a row: the *stoker* that is a person's job. A cell that repeats
    the label doesn't count.
    """
    grid, row, label = reading.best.grid, reading.best.row, phrase(reading.best.label)
    rows = grid.table.rows
    cells = [text for line in rows for text in line[1:2]] if grid.table.is_record else rows[row]
    values = (text for text in cells if not set(phrase(text)) <= set(label))
    return any(word in brief_words(text) for text in (reading.name, *values))
