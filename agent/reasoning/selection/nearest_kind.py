"""The best of the kind that a question asks for in words of its own: of all kinds and measures that its words lead to,
those of which a question in the collection's words is the nearest to it.

*Which tree lives the longest* is nearly *which tree has the highest lifespan in years*: a model tells that two
questions ask the same far better than that a word means a label (semantic parsing by paraphrase: Berant and Liang,
2014). What else the question says has to be so: a word that some of the kind have chooses these, and what another label
is called by, or is written as a name, was asked for and not found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from agent.reasoning.kinds.asked import asked_for
from agent.reasoning.kinds.member import FEWEST, Label, Member
from agent.reasoning.kinds.members import is_kind, kinds_of
from agent.reasoning.kinds.passing import with_word
from agent.reasoning.kinds.readings import best_readings, is_namesake, ranked, readings_of, telling
from agent.reasoning.kinds.standing import is_incomplete
from agent.reasoning.kinds.vocabulary import vocabulary_of
from agent.reasoning.measures.direction import measures_held
from agent.understanding.linking.nearness import Asking, Telling
from agent.understanding.linking.program import Bound, Linked, Reading
from agent.understanding.question.conditions import numbers_of
from agent.understanding.question.ranking import behind_end, is_qualified, meant_by_adjective, rank_asked
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.proper import is_written_as_name
from retrieval.tables.cells import Grid, words_of_file
from retrieval.tables.index import Cells
from retrieval.tables.match import is_any_told, is_told
from retrieval.tables.names import without_part
from retrieval.text.normal import phrase

NEAR = 0.66
"""Cosine similarity from which a question for the best of a kind may be meant."""
MARGIN = 0.05
"""How much farther one has to be whose best is another one."""
SAME_MARGIN = 0.12
"""How much farther it has to be under the same label, which the kinds of several pages may have."""
_MOST_NEAR = 12
"""Of those that are as near, whose best are found."""
_NAMED_BY = 2
"""Words of the name of a folder or file that call what is in it."""


@dataclass(frozen=True)
class _Ranked:
    """Those of a kind that are meant, by what they are called, with a label of theirs that may rank them."""

    name: str
    members: tuple[Member, ...]
    label: str
    left: tuple[str, ...]
    """Words of the question that say nothing of any of them."""

    def asked(self, wording: str) -> str:
        """The question for the best of them."""
        return wording.format(kind=self.name, measure=self.label.replace("_", " "))


def by_nearest_kind(question: Tagged, index: Cells) -> Asking[Bound | None]:
    """The best of the kind that is nearest to what is asked; None where none is near, or another best is as near."""
    if not question.best or question.end is None or question.negated or numbers_of(question):
        return None
    if rank_asked(question.question) > 1 or question.language.degree_of(question.degree) == "comparative":
        return None
    wording = question.language.wordings.get("highest", "")
    told = {each.asked(wording): each for each in _candidates(question, index)} if wording else {}
    texts = tuple(told)
    near = (yield Telling(question.question, texts, NEAR, MARGIN)) if told else ()
    bound = _bound(told[near[0]], question, index) if near else None
    if bound is None:
        return None
    around = yield Telling(question.question, texts, NEAR, SAME_MARGIN)
    winners = {frozenset(map(_key, best_readings(bound)))}
    for wording in around[1:_MOST_NEAR]:
        rival = told[wording]
        if wording in near or phrase(rival.label) == phrase(told[near[0]].label):
            other = _bound(rival, question, index)
            winners |= set() if other is None else {frozenset(map(_key, best_readings(other)))}
    return _with_asked(bound, told[near[0]], question, index) if len(winners) == 1 else None


def _key(reading: Reading) -> Label:
    return phrase(reading.name)


def _candidates(question: Tagged, index: Cells) -> Iterator[_Ranked]:
    """The labels of each kind that the words of a question lead to, where what else it says is so."""
    asked, _ = asked_for(question, index)
    for group in kinds_of(question, index):
        for name, members in _named(group):
            labels = {value.words: value for member in members for value in member.values if value.words}
            for words, value in labels.items():
                if not any(map(str.isdigit, value.text)) or value.label[:1].isdigit() or set(words) <= set(asked):
                    continue
                if asked and not any(_may_be_called(each, name, members, question, index) for each in asked):
                    continue
                meant = _meant(question, name, members, [each for each in labels if each != words], words, asked)
                if meant is not None:
                    yield _Ranked(name, meant[0], value.label, meant[1])


def _named(group: Sequence[Member]) -> Iterator[tuple[str, Sequence[Member]]]:
    """Members with what all of them are called: their table, the head above them, their page, their folder."""
    if group[0].at is None and group[0].across is None and not group[0].rows:
        yield from _by_place(group)
        return
    called = [_called(member.grid) for member in group]
    for name, *others in zip(*called, strict=True):
        if name and others and {name}.issuperset(others):
            yield name.strip(" *"), group


def _called(grid: Grid) -> tuple[str, ...]:
    page = "".join(grid.headings[:1])
    return grid.table.caption, without_part(grid.title), grid.column_labels[0], page


def _by_place(records: Sequence[Member]) -> Iterator[tuple[str, Sequence[Member]]]:
    """The records of each folder and of each page of several, with its name."""
    places: dict[tuple[str, str], list[Member]] = {}
    for member in records:
        grid = member.grid
        folder = PurePath(grid.source.rpartition(":")[2]).parent
        name = " ".join(words_of_file(folder.name)[-_NAMED_BY:])
        places.setdefault((str(folder), name), []).append(member)
        places.setdefault((grid.source, "".join(grid.headings[:1])), []).append(member)
    for (_, name), members in places.items():
        if name and len(members) > FEWEST:
            yield name, members


def _meant(
    question: Tagged,
    name: str,
    members: Sequence[Member],
    others: Sequence[Label],
    label: Label,
    asked: Sequence[str],
) -> tuple[tuple[Member, ...], tuple[str, ...]] | None:
    """The members of whom all is so that a question says, and the words that say nothing of anybody; None where one of
    the `others` of their labels, or a name that none of them has, is asked for.
    """
    left, called = list[str](), phrase(name)
    vocabulary = vocabulary_of(tuple(members))
    for i, word in question.words():
        if i == question.end or word in question.language.idle or is_told(word, called) or is_told(word, label):
            continue
        if is_any_told(question.implied_of_kind(i), label):
            continue
        some = [m for m in members if m.is_of_sort(word)] if word in asked else with_word(members, word, vocabulary)[0]
        if some:
            members = some
            continue
        if word in asked:
            continue
        if is_written_as_name(word, question.question) or any(is_told(word, each) for each in others):
            return None
        left.append(word)
    return (tuple(members), tuple(left)) if len(members) >= FEWEST else None


def _may_be_called(sort: str, name: str, members: Sequence[Member], question: Tagged, index: Cells) -> bool:
    """False for a word for what is asked for that the collection calls others, and that is nothing to these: no table
    of theirs, no label, and no *type*.
    """
    if is_told(sort, phrase(name)) or sort in question.language.sorts or not is_kind(sort, index):
        return True
    if any(is_told(sort, label) for label in members[0].texts):
        return True
    return any(member.is_called(sort) or member.is_of_sort(sort) for member in members)


def _bound(kind: _Ranked, question: Tagged, index: Cells) -> Bound | None:
    """The best of them; None where their values have no order, or an end of something else is asked for."""
    found = ranked(readings_of(kind.members, phrase(kind.label)), question)
    if found is None or not _has_end(kind, question):
        return None
    some, without, end = found
    linked = Linked(question, (), phrase(kind.label), meant=(f"{question.degree} is by {kind.label}",))
    bound = Bound(linked, some, kind.label, "best", end, kind.left, (), without)
    if not best_readings(bound) or is_namesake(bound):
        return None
    return None if is_incomplete(bound, kind.members, index) else bound


def _has_end(kind: _Ranked, question: Tagged) -> bool:
    """True where the values may be what there is most of: of an adjective one of its measures, by the label or a unit;
    else what stands behind *most*, if anything does.
    """
    label, grid = phrase(kind.label), kind.members[0].grid
    values = (member.texts.get(label, "") for member in kind.members)
    named = f"{kind.label} {grid.table.caption} {grid.title}"
    held, meant = measures_held(values, named, question.language), meant_by_adjective(question)
    behind, called = behind_end(question), (*label, *phrase(kind.name), *held)
    if any(is_qualified(word, question) for word in kind.left):
        return False
    if meant is None:
        return behind not in {*kind.left} - held
    is_of_it = not behind or is_told(behind, called) or all(member.is_called(behind) for member in kind.members)
    return is_of_it and (is_any_told(meant, label) or not meant.isdisjoint(held))


def _with_asked(bound: Bound, kind: _Ranked, question: Tagged, index: Cells) -> Bound:
    """The best with what stands under the label that is what is asked for: the *region* of the row that has most."""
    asked, _ = asked_for(question, index)
    labels = (value.words for member in kind.members for value in member.values)
    label = next((each for each in labels if each == asked[: len(each)]), None)
    return (label and telling(bound, kind.members, label)) or bound
