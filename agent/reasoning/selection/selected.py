"""Choose among the groups of members that a question may ask for: all that tell most of it have to agree.

The best has to stay so where the question says a word that may be said of all; and what stands in a table that is
called just as the question says comes before what only has the word in its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from agent.reasoning.kinds.asked import is_amount
from agent.reasoning.kinds.member import Label, Member
from agent.reasoning.kinds.members import kinds_of
from agent.reasoning.kinds.ranking import answering
from agent.reasoning.kinds.standing import is_incomplete
from agent.reasoning.kinds.wanted import Wanted, wanted
from agent.reasoning.selection.agreeing import BY_WORDS, agreed, names_of, told_exactly
from agent.reasoning.selection.another_kind import lists_who_is_named
from agent.reasoning.selection.selecting import Selecting
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from retrieval.tables.index import Cells
from retrieval.text.normal import phrase


def selected(question: Tagged, index: Cells, measure: Label = ()) -> Bound | None:
    """The members of a kind that are asked for; None where a word of the question is told by none of them.

    Of the best, a `measure` may be asked for by other words.
    """
    asking = wanted(question, index)
    if asking is None or (asking.is_counted and is_amount(asking.asked, index)):
        return None
    found = list(_bounds(asking, kinds_of(question, index), index, measure))
    told = [told_exactly(bound, asking.asked) for bound in found]
    best = max(told, default=())
    measures = {phrase(bound.measure) for bound, each in zip(found, told, strict=True) if each == best}
    as_good = (bound for bound, each in zip(found, told, strict=True) if each[:BY_WORDS] == best[:BY_WORDS])
    return agreed([bound for bound in as_good if not question.best or phrase(bound.measure) in measures])


def _bounds(asking: Wanted, groups: Iterable[list[Member]], index: Cells, measure: Label) -> Iterator[Bound]:
    """What each group of members is bound to, where all of it was held against the question."""
    for members in groups:
        bound = Selecting.of(asking, members, measure).bound()
        if bound is None or is_incomplete(bound, members, index):
            continue
        if lists_who_is_named(bound, asking.question) or _counts_no_member(bound, asking.sort, members):
            continue
        yield _of_just_called(bound, asking, members)


def _counts_no_member(bound: Bound, sort: str, members: Sequence[Member]) -> bool:
    """True for a count of sections that are called by several of what is counted, *Our songs* is no song; and for one
    whose own name has the word, where others beside it do not: *Notable plants* among other notes is no plant.
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


def _of_just_called(bound: Bound, asking: Wanted, members: list[Member]) -> Bound:
    """What is bound; of rows of which some stand in a table that is called just so, *Tolls*, and others in one that has
    more to its name, *Old tolls*, those of the former, in doubt, where the others make a difference.
    """
    called = [member for member in members if phrase(_name_of_table(member)) == asking.asked[-1:]]
    if not called or len(called) == len(members) or called[0].at is None:
        return bound
    narrow = Selecting.of(asking, called).bound()
    if narrow is None or names_of(answering(narrow)) == names_of(answering(bound)):
        return bound
    return replace(narrow, uncalled=narrow.uncalled or asking.sort)


def _name_of_table(member: Member) -> str:
    return member.grid.table.caption or member.grid.title
