"""Choose among the groups of members that may be asked for: all groups that match most of the question must agree.

A superlative has to hold also without words that the whole book is about. A table with exactly the asked name comes
before one that only has the word in its name. Words of one name that match different texts don't count: the *mask* of a
*Mask AP* and an *R-50* are no *Mask R-CNN*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from agent.languages.operations import SUMS
from agent.reasoning.kinds.asked import is_amount
from agent.reasoning.kinds.member import Label, Member
from agent.reasoning.kinds.members import kinds_of
from agent.reasoning.kinds.readings import answering, best_readings
from agent.reasoning.kinds.standing import is_incomplete
from agent.reasoning.kinds.wanted import Wanted, wanted
from agent.reasoning.measures.dimensions import of_each
from agent.reasoning.selection.another_kind import lists_who_is_named
from agent.reasoning.selection.selecting import Selecting
from agent.understanding.linking.program import Bound, Reading
from agent.understanding.question.tagged import Tagged
from agent.understanding.rewording.for_best import is_counted
from retrieval.tables.index import Cells
from retrieval.tables.match import any_matches, matches_any
from retrieval.text.normal import phrase

_BRIEF = 5
"""The most words of a value; longer texts are sentences."""
BY_WORDS = 5
"""How many of the criteria of `told_exactly` choose a kind, before the spelling of words."""


def agreed(found: Sequence[Bound]) -> Bound | None:
    """Return the result of the largest group, if all groups that match as much of the question agree with it."""
    if not found:
        return None
    widest = max(found, key=lambda bound: len(names_of(bound.judged)))
    everybody, answers = names_of(widest.judged), names_of(widest.readings)
    for bound in found:
        some = names_of(bound.judged)
        is_same = bound.operation != "best" or phrase(bound.measure) == phrase(widest.measure)
        agrees = some <= everybody and names_of(bound.readings) == answers & some
        if not is_same or not (agrees or _stays_best(widest, bound)):
            return None
    return widest


def _stays_best(widest: Bound, other: Bound) -> bool:
    """True if the best of the largest group is also the best together with another group that matches the same words,
    but may use other names: the pages of all boats, and a list of some.
    """
    if other.operation != "best" or (widest.rank, widest.top, other.rank, other.top) != (1, 1, 1, 1):
        return False
    end = widest.linked.question.end
    degree = () if end is None else widest.linked.question.tokens[end : end + 1]
    kind = {word for word in widest.linked.words if not matches_any(word, (*phrase(widest.measure), *degree))}
    winners = best_readings(widest)
    together = best_readings(replace(widest, readings=(*widest.readings, *other.readings)))
    is_same_kind = bool(kind) and set(widest.linked.words) == set(other.linked.words)
    return is_same_kind and bool(winners) and all(each in together for each in winners)


def names_of(readings: Iterable[Reading]) -> frozenset[str]:
    """Return the names of some readings."""
    return frozenset(map(_name, readings))


def _name(reading: Reading) -> str:
    """Return the name without a footnote mark."""
    return reading.subject.text.rstrip(" *†‡")


def told_exactly(bound: Bound, asked: Label) -> tuple[float, ...]:
    """Return how well a binding matches a question, larger is better: the number of matched words; how many of them are
    in the measure; whether the name column is of the sort that is asked for; whether the table has exactly the `asked`
    name; whether the measure is no rate per something unmentioned, *visits/night*; the number of exact matches; and the
    share of the measure that is named.

    The word for the end fits every measure, and does not count.
    """
    question = bound.linked.question
    degree = question.degree
    words = [word for word in bound.linked.words if word != degree]
    grid_words = {word for reading in bound.readings[:1] for word in _said_of(reading)}
    is_measured = bound.operation == "best" or bool(question.numbers)
    head, measure = (phrase(each) if is_measured else () for each in (bound.measure.partition("(")[0], bound.measure))
    said = sum(matches_any(word, words) for word in head) / max(1, len(head))
    by_measure = sum(matches_any(word, measure) for word in words)
    rows = (reading.best for reading in bound.readings[:1] if reading.best.place.at is not None)  # no columns
    axes = [phrase(best.cell.axis) for best in rows]
    is_of_sort = any(bool(axis) and asked[-len(axis) :] == axis for axis in axes)
    told = bound.readings or bound.without_value
    is_called = bool(asked and told) and all(asked in map(phrase, reading.best.grid.names) for reading in told)
    each = of_each(bound.measure)
    exactly = len(grid_words.intersection(words))
    return len(words), by_measure, is_of_sort, is_called, set(words).issuperset(each), exactly, said


def _said_of(reading: Reading) -> set[str]:
    cell, headings = reading.best.cell, reading.best.grid.headings
    return set(phrase(" ".join((cell.title, *headings, cell.caption, cell.source, *cell.row_path, cell.column_label))))


def selected(question: Tagged, index: Cells, measure: Label = ()) -> Bound | None:
    """Return the members of a kind that are asked for; None if a word of the question matches none of them.

    For a superlative, `measure` are the words for another attribute of the best.
    """
    asking = wanted(question, index)
    if asking is None or (asking.is_counted and (is_amount(asking.asked, index) or _asks_which(question))):
        return None
    if question.operation in SUMS and not (asking.asked or question.best):
        return None  # a list is no sum
    found = list(_bounds(asking, kinds_of(question, index), index, measure))
    told = [told_exactly(bound, asking.asked) for bound in found]
    best = max(told, default=())
    measures = {phrase(bound.measure) for bound, each in zip(found, told, strict=True) if each == best}
    as_good = (bound for bound, each in zip(found, told, strict=True) if each[:BY_WORDS] == best[:BY_WORDS])
    return agreed([bound for bound in as_good if not question.best or phrase(bound.measure) in measures])


def _asks_which(question: Tagged) -> bool:
    """True for *which shade is in the greatest number of yarns*, which does not ask how many."""
    if question.best:
        return False  # *which lamp has the largest number of wicks* has a measure
    is_first = 0 in question.operation_places
    degrees = filter(None, map(question.language.degree_of, question.tokens))
    return not is_first and question.tokens[0] in question.language.kinds and "superlative" in degrees


def _bounds(asking: Wanted, groups: Iterable[list[Member]], index: Cells, measure: Label) -> Iterator[Bound]:
    """Yield the binding of each group of members that was compared completely."""
    for members in groups:
        bound = Selecting.of(asking, members, measure).bound()
        if bound is None or is_incomplete(bound, members, index):
            continue
        if lists_who_is_named(bound, asking.question) or _counts_no_member(bound, asking.sort, members):
            continue
        if _is_no_sum(bound, asking, members):
            continue
        bound = _of_all(_of_just_called(bound, asking, members), asking, members)
        if bound is not None:
            yield _in_doubt_of_prose(bound, asking)


def _in_doubt_of_prose(bound: Bound, asking: Wanted) -> Bound:
    """Return a count with a doubt if only a sentence in a cell mentions what is counted by, under a label that is not
    named: *two hoods are needed* makes no card one with a hood.
    """
    label = phrase(bound.measure)
    if bound.operation != "count" or bound.doubtful_word or any_matches(asking.question.tokens, label):
        return bound
    told = set[str]()
    for reading in bound.readings:
        text = reading.best.text
        told.update(phrase(text) if len(text.split()) > _BRIEF else ())
    word = next((word for word in bound.linked.words if word in told - {*asking.asked}), "")
    return replace(bound, doubtful_word=word)


def _is_no_sum(bound: Bound, asking: Wanted, members: Sequence[Member]) -> bool:
    """True for a list of what has a number of the things that are to be added up: *how many seats in total*."""
    if asking.question.operation not in SUMS or not is_counted(asking.question) or bound.operation == "best":
        return False
    first = members[0]
    return any(matches_any(asking.sort, value.words) and value.text != first.name for value in first.values)


def _counts_no_member(bound: Bound, sort: str, members: Sequence[Member]) -> bool:
    """True for a count of sections that are groups of what is counted, as *Our songs* is no song. Also true for a
    single one that has the word only in its name, as *Notable plants* among other notes is no plant.
    """
    if bound.operation != "count" or not bound.readings:
        return False
    is_so_called = sort in phrase(bound.readings[0].name)
    if len(bound.readings) == 1 and is_so_called and not all(sort in member.own_words for member in members):
        return True
    records = [reading for reading in bound.readings if reading.best.grid.table.is_record]
    names = (reading.name.casefold().split() for reading in records)
    several = ([word for word in each if word != sort and word.endswith("s")] for each in names)
    are_groups = all(any(phrase(word) == (sort,) for word in each) for each in several)
    return len(records) == len(bound.readings) and are_groups


def _of_all(bound: Bound, asking: Wanted, members: list[Member]) -> Bound | None:
    """Return the binding if its best stays the same without words that the whole book is about: the *boats* of *boat
    type* do not exclude types that are under other headings. Such words then raise no doubt.
    """
    idle = asking.of_book.intersection(asking.asked[:-1])
    if not idle or bound.operation != "best":
        return bound
    asked = tuple(word for word in asking.asked if word not in idle)
    said = tuple((i, word) for i, word in asking.said if word not in idle)
    wider = Selecting.of(replace(asking, asked=asked, said=said), members).bound()
    if wider is None or phrase(wider.measure) != phrase(bound.measure):
        return bound
    is_same = names_of(best_readings(wider)) == names_of(best_readings(bound))
    return replace(bound, doubtful_word="" if bound.doubtful_word in idle else bound.doubtful_word) if is_same else None


def _of_just_called(bound: Bound, asking: Wanted, members: list[Member]) -> Bound:
    """Return the binding, or that of the members in tables with exactly the asked name, *Tolls* and not *Old tolls*. If
    the two differ, the narrower one is returned with a doubt.
    """
    called = [member for member in members if phrase(_name_of_table(member)) == asking.asked[-1:]]
    if not called or len(called) == len(members) or called[0].at is None:
        return bound
    narrow = Selecting.of(asking, called).bound()
    if narrow is None or names_of(answering(narrow)) == names_of(answering(bound)):
        return bound
    return replace(narrow, doubtful_word=narrow.doubtful_word or asking.sort)


def _name_of_table(member: Member) -> str:
    return member.grid.table.caption or member.grid.title
