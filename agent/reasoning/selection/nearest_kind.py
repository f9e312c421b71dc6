"""Answer a superlative by paraphrase: choose the kind and measure whose question in the collection's words has the
highest embedding similarity.

*Which tree lives the longest* is nearly *which tree has the highest lifespan in years*. A model compares two questions
far better than a word and a label (semantic parsing by paraphrase: Berant and Liang, 2014). The rest of the question
has to match: a word that some members match chooses them; a word of another label, or one written as a name, was asked
for and not found.
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
from agent.understanding.linking.nearness import AnswerCandidates, LabelRequests
from agent.understanding.linking.program import Bound, Linked, Reading
from agent.understanding.question.conditions import numbers_of
from agent.understanding.question.ranking import behind_end, is_qualified, measures_of_adjective, rank_asked
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.proper import is_written_as_name
from retrieval.tables.cells import Grid, words_of_file
from retrieval.tables.index import Cells
from retrieval.tables.match import any_matches, matches_any
from retrieval.tables.names import without_part
from retrieval.text.normal import phrase

NEAR = 0.66
"""The least cosine similarity of a paraphrase."""
MARGIN = 0.05
"""The least distance to a paraphrase with another winner."""
SAME_MARGIN = 0.12
"""The least distance if the other has the same label, which kinds on several pages may share."""
_MOST_NEAR = 12
"""The most rivals within the margin whose winners are compared."""
_NAMED_BY = 2
"""The words of a folder's or file's name that name its content."""


@dataclass(frozen=True)
class _Ranked:
    """The members of a kind that match the question, the name of the kind, and a label that may rank them. `sort` is
    the question's word for a thing of the kind if nothing here has it: only the embedding suggests that it is one.
    """

    name: str
    members: tuple[Member, ...]
    label: str
    left: tuple[str, ...]
    """Words of the question that match no member."""
    sort: str

    def asked(self, wording: str) -> str:
        """Return the question for the best of them."""
        return wording.format(kind=self.name, measure=self.label.replace("_", " "))


def by_nearest_kind(question: Tagged, index: Cells) -> LabelRequests[Bound | None]:
    """Return the best of the nearest kind; None if none is near, or if a rival as near has another winner."""
    if not question.best or question.end is None or question.negated or numbers_of(question):
        return None
    if rank_asked(question.question) > 1 or question.language.degree_of(question.degree) == "comparative":
        return None
    if question.adjective is None and not behind_end(question):
        return None  # *which hut is the highest* names no measure
    wording = question.language.wordings.get("highest", "")
    told = {each.asked(wording): each for each in _candidates(question, index)} if wording else {}
    texts = tuple(told)
    near = (yield AnswerCandidates(question.question, texts, NEAR, MARGIN)) if told else ()
    bound = _bound(told[near[0]], question, index) if near else None
    if bound is None:
        return None
    around = yield AnswerCandidates(question.question, texts, NEAR, SAME_MARGIN)
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
    """Yield the labels of each kind that the question's words lead to, if the rest of the question matches."""
    asked, _ = asked_for(question, index)
    for group in kinds_of(question, index):
        if group[0].is_numbered and not any_matches(asked, phrase(group[0].key_head)):
            continue  # rows that only numbers name are of no other kind
        for name, members in _named(group):
            labels = {value.words: value for member in members for value in member.values if value.words}
            for words, value in labels.items():
                if not any(map(str.isdigit, value.text)) or value.label[:1].isdigit() or set(words) <= set(asked):
                    continue
                if asked and not any(_may_be_called(each, name, members, question, index) for each in asked):
                    continue
                meant = _meant(question, name, members, [each for each in labels if each != words], words, asked)
                if meant is not None:
                    yield _Ranked(name, meant[0], value.label, meant[1], _strange(asked, name, meant[0]))


def _named(group: Sequence[Member]) -> Iterator[tuple[str, Sequence[Member]]]:
    """Yield the members with each name of their kind: their table, their header, their page, their folder."""
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
    """Yield the records of each folder and of each page with several, with its name."""
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
    """Return the members that match the question, and its unmatched words; None if the question has a word of one of
    the `others`, their other labels, or an unknown name.
    """
    left, called = list[str](), phrase(name)
    vocabulary = vocabulary_of(tuple(members))
    for i, word in question.words():
        if i == question.end or word in question.language.idle or matches_any(word, called) or matches_any(word, label):
            continue
        if any_matches(question.implied_of_kind(i), label):
            continue
        some = [m for m in members if m.is_of_sort(word)] if word in asked else with_word(members, word, vocabulary)[0]
        if some:
            members = some
            continue
        if word in asked:
            continue
        if is_written_as_name(word, question.question) or any(matches_any(word, each) for each in others):
            return None
        left.append(word)
    return (tuple(members), tuple(left)) if len(members) >= FEWEST else None


def _strange(asked: Sequence[str], name: str, members: Sequence[Member]) -> str:
    """Return the word for the kind that is asked for if neither its name nor a member has it; else an empty one."""
    grid = members[0].grid
    called = {*phrase(name), *(word for each in _called(grid) for word in phrase(each))}
    return next((word for word in asked if not matches_any(word, called) and not _is_one(word, members)), "")


def _is_one(sort: str, members: Sequence[Member]) -> bool:
    """True if some member is called so or is of that sort."""
    return any(member.is_called(sort) or member.is_of_sort(sort) for member in members)


def _may_be_called(sort: str, name: str, members: Sequence[Member], question: Tagged, index: Cells) -> bool:
    """False for a word that names another kind of the collection, and no table, label or type of these members."""
    if matches_any(sort, phrase(name)) or sort in question.language.sorts or not is_kind(sort, index):
        return True
    if any(matches_any(sort, label) for label in members[0].texts):
        return True
    return _is_one(sort, members)


def _bound(kind: _Ranked, question: Tagged, index: Cells) -> Bound | None:
    """Return the best of the members; None if their values have no order, or if the question is about another
    measure.
    """
    found = ranked(readings_of(kind.members, phrase(kind.label)), question)
    if found is None or not _has_end(kind, question):
        return None
    some, without, end = found
    linked = Linked(question, (), phrase(kind.label), name_assumptions=(f"{question.degree} is by {kind.label}",))
    bound = Bound(linked, some, kind.label, "best", end, kind.left, (), without, doubtful_word=kind.sort)
    if not best_readings(bound) or is_namesake(bound):
        return None
    return None if is_incomplete(bound, kind.members, index) else bound


def _has_end(kind: _Ranked, question: Tagged) -> bool:
    """True if the label fits the superlative: the label or unit has the adjective's measure, or the word
    behind *most*.
    """
    label, grid = phrase(kind.label), kind.members[0].grid
    values = (member.texts.get(label, "") for member in kind.members)
    named = f"{kind.label} {grid.table.caption} {grid.title}"
    held, meant = measures_held(values, named, question.language), measures_of_adjective(question)
    behind, called = behind_end(question), (*label, *phrase(kind.name), *held)
    if any(is_qualified(word, question) for word in kind.left):
        return False
    if meant is None:
        return behind not in {*kind.left} - held
    is_of_it = not behind or matches_any(behind, called) or all(member.is_called(behind) for member in kind.members)
    return is_of_it and (any_matches(meant, label) or not meant.isdisjoint(held))


def _with_asked(bound: Bound, kind: _Ranked, question: Tagged, index: Cells) -> Bound:
    """Return the best with its value under the label that is asked for: the *region* of the row with most."""
    asked, _ = asked_for(question, index)
    labels = (value.words for member in kind.members for value in member.values)
    label = next((each for each in labels if each == asked[: len(each)]), None)
    return (label and telling(bound, kind.members, label)) or bound
