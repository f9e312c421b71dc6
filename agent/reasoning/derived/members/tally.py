"""How members of a kind are distributed over the values of a label: the commonest colour, the port with most boats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.languages.operations import SUMS, End
from agent.reasoning.kinds.asked import is_unknown, kind_asked, place_behind
from agent.reasoning.kinds.common import is_called_so
from agent.reasoning.kinds.member import FEWEST, Label, Member
from agent.reasoning.kinds.members import kinds_of
from agent.reasoning.kinds.readings import reading_of
from agent.reasoning.values.quantities import number_of
from agent.understanding.linking.program import Bound, Linked, Reading
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.tables.index import Cells
from retrieval.tables.match import matches_any
from retrieval.tables.names import is_brief_name
from retrieval.text.normal import phrase

_MOST_GROUPS = 24
"""The most groups that are shown."""


def tally(question: Tagged, index: Cells) -> Bound | None:
    """Return the values under the asked label, each with the cells of the members that have it; None for other
    questions, and if several kinds have such a label.

    The question is for the value that most or fewest members have, or for the number of members of each.
    """
    if question.operation in SUMS:
        return _by_group(question, index)
    label, besides, end = _parts(question, index)
    if (
        not label
        or question.negated
        or question.numbers
        or not (besides or question.operation == "count" or _is_common(question))
    ):
        return None
    kinds = (members for members in kinds_of(question, index) if _are_all_called(members, besides))
    found = [groups for members in kinds if len(groups := dict(_groups(members, label))) >= FEWEST]
    if len(found) != 1 or len(found[0]) > _MOST_GROUPS:
        return None
    readings = tuple(sorted(found[0].values(), key=lambda reading: -len(reading.found)))
    words = tuple(dict.fromkeys((*label, *besides)))
    return Bound(Linked(question, (), words), readings, readings[0].best.label, "tally", end)


def _by_group(question: Tagged, index: Cells) -> Bound | None:
    """Return the values of the members of each group, to be added up or averaged: *which port has the highest average
    length*; None for other questions, or if a member has no number.
    """
    label = kind_asked(question, index) or _owner(question)
    if not label or question.end is None or not question.best or question.negated or question.numbers:
        return None
    said = {*label, question.degree}
    words = tuple(word for _, word in question.words() if word not in said)
    found = [told for members in kinds_of(question, index) if (told := _measured(members, label, words))]
    if len(found) != 1 or not FEWEST <= len(found[0]) <= _MOST_GROUPS:
        return None
    readings = tuple(found[0].values())
    high = question.language.ends.get(question.degree)
    end: End = "low" if high is not None and not high.high else "high"
    measure = readings[0].best.label
    return Bound(Linked(question, (), (*label, *words)), readings, measure, "tally", end)


def _measured(members: Sequence[Member], label: Label, words: Label) -> dict[Label, Reading]:
    """Return the readings of each group under the only label with numbers that has the words; those that it has not
    must match all members. Empty if a member has no such value.
    """
    own = [word for word in words if not all(member.is_called(word) for member in members)]
    found: dict[Label, Reading] = {}
    for member in members:
        groups = [value for value in member.values if is_called_so(phrase(value.own_label), label)]
        values = [value for value in member.values if own and all(matches_any(word, value.words) for word in own)]
        numbers = [value for value in values if number_of(value.text, value.label) is not None]
        if len(groups) != 1 or len(numbers) != 1:
            return {}
        text = groups[0].text.strip(" *")
        reading = reading_of(text, numbers[0], member.at)
        _add(reading, phrase(text), found)
    return found


def _add(reading: Reading, group: Label, found: dict[Label, Reading]) -> None:
    """Add the cells of a member to those of its group."""
    before = found.get(group)
    found[group] = reading if before is None else replace(before, found=(*before.found, *reading.found))


def _is_common(question: Tagged) -> bool:
    """True for *the most common* and *most often*, which need no kind."""
    adjective, end = question.adjective, question.end or 0
    is_often = question.tokens[end + 1 : end + 2] != () and question.tokens[end + 1] in question.language.often
    return is_often or (adjective is not None and adjective.scale.counts)


def _parts(question: Tagged, index: Cells) -> tuple[Label, Label, End | None]:
    """Return the words of the label, those that all members have to match, and the end that is asked for; without a
    label for other questions.
    """
    if question.operation == "count":
        return (*_of_each(question, index), None)
    if question.end is None or not question.best or question.operation is not None:
        return (), (), None
    adjective = question.adjective
    if adjective is not None and adjective.scale.counts:
        return (*_by_commonness(question, index), "high" if _is_of_most(question) else "low")
    if question.degree not in question.language.ends:
        return (), (), None
    return (*_by_number(question, index), "high" if question.language.ends[question.degree].high else "low")


def _is_of_most(question: Tagged) -> bool:
    """True for the most common or the least rare."""
    adjective, before = question.adjective, question.tokens[max(0, (question.end or 0) - 1)]
    less = before in question.language.ends and not question.language.ends[before].high
    return adjective is not None and adjective.up != less


def _of_each(question: Tagged, index: Cells) -> tuple[Label, Label]:
    """Return the label and the kind of *how many boats does each port have*."""
    language = question.language
    repeated = language.every | language.statement_words("repeated") | language.ranking
    place = next((i for i in question.places(repeated) if i > 0), None)
    kind = kind_asked(question, index)
    if place is None or not kind or place < place_behind(kind, question.tokens):
        return (), ()
    label = _stretch(question, place + 1)
    said = {*label, *kind, *language.others}
    return (label, kind) if said.issuperset(word for _, word in question.words()) else ((), ())


def _by_commonness(question: Tagged, index: Cells) -> tuple[Label, Label]:
    """Return the label and the kind of *which colour is the most common* and *the most common colour of the boats*."""
    end = question.end or 0
    behind = _stretch(question, end + 1)
    label = behind or kind_asked(question, index)
    said = {*label, question.degree, *question.language.ends}
    return label, tuple(word for _, word in question.words() if word not in said)


def _by_number(question: Tagged, index: Cells) -> tuple[Label, Label]:
    """Return the label and the kind of *which port has the most boats*."""
    end, language = question.end or 0, question.language
    label, kind = kind_asked(question, index) or _owner(question), _stretch(question, end + 1)
    said = {*label, *kind, question.degree}
    free = [word for _, word in question.words() if word not in said and not is_unknown(word, question, index)]
    if free:
        return (), ()
    is_often = question.tokens[end + 1] in language.often
    return label, () if is_often else kind  # *which colour occurs most often*


def _owner(question: Tagged) -> Label:
    """Return the words before *with the most* and *of the most*; empty if none stand there."""
    language, tokens, end = question.language, question.tokens, question.end or 0
    before = end - (tokens[end - 1] in language.articles)
    if not before or tokens[before - 1] not in language.beside | language.partitive:
        return ()
    start = before - 1
    ends = language.function_words | language.helpers | {COMMA}
    while start and tokens[start - 1] not in ends:
        start -= 1
    return tokens[start : before - 1]


def _stretch(question: Tagged, start: int) -> Label:
    """Return the words from a place to the first function word or verb."""
    language, tokens = question.language, question.tokens
    ends = language.function_words | language.helpers | language.statement_words("places") | language.others | {COMMA}
    end = start
    while end < len(tokens) and tokens[end] not in ends:
        end += 1
    return tokens[start:end]


def _are_all_called(members: Sequence[Member], words: Label) -> bool:
    return all(member.is_called(word) for word in words for member in members)


def _groups(members: Sequence[Member], label: Label) -> Iterator[tuple[Label, Reading]]:
    """Yield the reading of each value under a label, with the cells of all members that have it; nothing if a value is
    no name, or if a member has none.
    """
    found: dict[Label, Reading] = {}
    for member in members:
        own = [value for value in member.values if is_called_so(phrase(value.own_label), label)]
        if len(own) != 1 or not is_brief_name(own[0].text) or "," in own[0].text:
            return
        text = own[0].text.strip(" *")
        reading = reading_of(text, own[0], member.at)
        _add(reading, phrase(text), found)
    yield from found.items()
