"""Select members by whole values in the question: *which accounts have Highest as their queue priority*.

The text of a cell is matched before the question's words are interpreted: the *highest* of a value is no superlative,
its *no* no negation and its number no limit. Behind the word for the kind, the question must consist of labels and
whole values, each used once, and filler words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from agent.languages.operations import Operation
from agent.reasoning.kinds.asked import asked_for, is_unknown, kind_alone, place_behind, without_verb
from agent.reasoning.kinds.common import of_whole_book
from agent.reasoning.kinds.member import Label, Member, brief_words
from agent.reasoning.kinds.members import kinds_of
from agent.reasoning.kinds.readings import readings_of, told_once
from agent.reasoning.kinds.vocabulary import Vocabulary, vocabulary_of
from agent.reasoning.kinds.wanted import titles_in, wanted
from agent.reasoning.kinds.whole_values import LISTED, has_value, is_of_all, words_of
from agent.reasoning.selection.selected import BY_WORDS, agreed, told_exactly
from agent.reasoning.selection.selecting import Selecting
from agent.reasoning.values.conditions import truth_of
from agent.understanding.linking.program import Bound, Linked
from agent.understanding.question.sides import are_exclusive
from agent.understanding.question.tagged import Tag, Tagged
from agent.understanding.words.clauses import COMMA
from agent.understanding.words.related import only_relates
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.names import key_of
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number, phrase

_JOINED = re.compile(r"[/+&]|\band\b|\bor\b")
_LONGEST = 10
"""The most words of a value that a question may have as a whole."""
_Value = tuple[Label, Label]
"""A label, and the words of a value under it."""


def by_value(question: Tagged, index: Cells, tag: Tag, *, in_doubt: bool = False) -> Bound | None:
    """Return the members that have all values in the question; None if it says more, or if a value is ambiguous. With
    `in_doubt`, an unknown participle is passed over: *are moored at Hull* may be how the asker puts it, or a condition
    of its own, as in *are banned at Hull*.

    `tag` parses the question without its conditions.
    """
    words = asked_for(question, index)[0] or kind_alone(question, index)
    plain, verbs = without_verb(question, words, index)
    names = titles_in(question, index)
    for kind, passed in dict.fromkeys(((plain, verbs), (words, frozenset[str]()))):
        if kind and any(each < place_behind(kind, question.tokens) <= max(own) for own in names for each in own):
            continue  # *Mark 12* is a name, and no *mark* with a 12
        asking = _asking(question, kind, passed, index if in_doubt else None)
        bound = _together(list(_bounds(asking, index, tag)), asking) if asking is not None else None
        if bound is not None:
            return bound
    return None


def _together(found: Sequence[Bound], asking: _Asking) -> Bound | None:
    """Join the results of all groups that match the words for the kind equally well: the largest group if all agree
    with it, else all members if the label was named. None if their labels differ.
    """
    exactly = [told_exactly(bound, asking.kind)[:BY_WORDS] for bound in found]
    called = [bound for bound, each in zip(found, exactly, strict=True) if each == max(exactly)]
    if len({phrase(bound.measure) for bound in called}) != 1:
        return None
    told = all(_is_said(phrase(each.best.label), each.best.text, asking) for each in called[0].readings)
    if (same := agreed(called)) is not None or not told:
        return same
    readings = told_once(reading for bound in called for reading in bound.readings)
    without = told_once(reading for bound in called for reading in bound.without_value)
    return replace(called[0], readings=readings, without_value=without)


@dataclass(frozen=True)
class _Asking:
    """A question split into question words, the words for the kind, and its conditions."""

    question: Tagged
    kind: Label
    before: Label
    said: Label
    verbs: frozenset[str] = frozenset()
    participle: str = ""
    """An unknown participle before a place."""

    @cached_property
    def idle(self) -> frozenset[str]:
        """The words that add nothing to labels and values; an unknown verb is reported as unmatched."""
        language = self.question.language
        idle = language.idle | language.holding | language.asking | self.verbs | {COMMA, self.participle}
        return idle - language.negations - language.ends.keys()

    def is_counted(self, tag: Tag) -> bool:
        return tag(" ".join((*self.before, *self.kind))).operation == "count"


def _asking(question: Tagged, kind: Label, verbs: frozenset[str], index: Cells | None) -> _Asking | None:
    """Split a question at its words for a kind; None if there are none, or nothing follows them."""
    tokens = question.tokens
    behind = place_behind(kind, tokens) if kind else len(tokens)
    said = tokens[behind:]
    if not said:
        return None
    participle = "" if index is None else _participle(said, question, index)
    return _Asking(question, kind, tokens[: behind - len(kind)], said, verbs.intersection(said), participle)


def _participle(said: Sequence[str], question: Tagged, index: Cells) -> str:
    """Return an unknown participle before a place, the *moored* of *are moored at Hull*, behind a kind."""
    language, (verb, word, before, *_) = question.language, (*said, "", "", "")
    is_before_place = verb in language.copulas and before in language.statement_words("places")
    is_free = is_before_place and is_unknown(word, question, index)
    return word if is_free and only_relates((verb, word), 1, language) else ""


def _bounds(asking: _Asking, index: Cells, tag: Tag) -> Iterator[Bound]:
    """Yield the binding of each group of members that has the values."""
    question = asking.question
    telling = [word for word in dict.fromkeys(asking.said) if word not in asking.idle]
    plain = tag(" ".join((max(question.language.kinds), *asking.kind, max(question.language.beside), *telling)))
    plain = replace(plain.as_words(), numbers=(), end=None, best=False, negated=False)
    kind = wanted(plain, index)
    known = [word for word in asking.kind if not is_unknown(word, question, index)]
    if kind is None or not known:
        return
    for group in kinds_of(plain, index):
        group, common = of_whole_book(asking.kind, kind.of_book, group)
        vocabulary, members = vocabulary_of(tuple(group)), group
        for word in known:
            if word not in common:
                members = [member for member in vocabulary.may_say(word, members) if member.is_called(word)]
        conditions = _conditions(asking, members, vocabulary) if members else ()
        if not conditions or _are_owners(conditions, asking.kind, index):
            continue
        members = Selecting.of(replace(kind, said=()), members).members
        chosen = [member for member in members if all(_meets(member, *each, question) for each in conditions)]
        label, words = conditions[0][0], chain(asking.kind, *chain(*conditions))
        if chosen:
            rest = readings_of((member for member in members if member not in chosen), label)
            readings = told_once(readings_of(chosen, label))
            operation: Operation = "count" if asking.is_counted(tag) else "list"
            linked = Linked(question, (), tuple(sorted(set(words))))
            doubt = _doubt(conditions, members, asking, known[-1]) or asking.participle
            unmatched = tuple(sorted(asking.verbs))
            label_told = readings[0].best.label
            yield Bound(
                linked,
                readings,
                label_told,
                operation,
                unmatched_question_words=unmatched,
                without_value=rest,
                doubtful_word=doubt,
            )


def _conditions(asking: _Asking, members: Sequence[Member], vocabulary: Vocabulary) -> Sequence[_Value]:
    """Return the values that the question requires of the members, each under its label; empty if it says anything
    else.
    """
    words = set(asking.said)
    may = {member for word in words for member in vocabulary.may_say(word, members)}
    having = [member for member in members if member in may and any(map(member.may_hold, words))]
    values = Counter((label, words) for member in having for label, words in _values(member, asking))
    labels = _said_for([label for member in members[:1] for label in member.texts if label])
    found = _parsed(asking.said, _by_first(labels.keys()), _by_first({words for _, words in values}), asking.idle)
    conditions = [] if found is None else _under_labels([labels[each] for each in found[0]], found[1], values)
    is_joined = any(_is_joined(condition, having, asking.question) for condition in conditions)
    is_either = len(conditions) > 1 and are_exclusive(asking.question)
    return [] if is_joined or is_either or _is_limited(conditions, asking.question) else conditions


def _is_limited(conditions: Sequence[_Value], question: Tagged) -> bool:
    """True if a number of a value is a limit in the question, *under 12 t*, whose limiting word is not in the value."""
    said = [frozenset(words) for _, words in conditions]
    limits = ((n.value, question.tokens[n.place - 1]) for n in question.numbers if n.limit is not None and n.place)
    return any(number in words and before not in words for number, before in limits for words in said)


def _said_for(labels: Sequence[Label]) -> Mapping[Label, Label]:
    """Return the names of each label: itself, and its last word if no other label has it, as *plan* for *Frequency
    plan*.
    """
    last = Counter(label[-1:] for label in labels)
    return {**{label[-1:]: label for label in labels if last[label[-1:]] == 1}, **{label: label for label in labels}}


def _values(member: Member, asking: _Asking) -> Iterator[_Value]:
    """Yield the values of a member under each label, and the items of a list if the label is named or the item has
    several words. Yes, no and *none* can be asked in many words: they count only if the question has them and their
    label. The *no* of *no crane* is no such value.
    """
    question = asking.question
    name = words_of(member.name, question)
    for label, text in member.texts.items():
        items = LISTED.split(text) if brief_words(text) else ()
        for each in (text, *items):
            words = words_of(each, question) if each.count(" ") < _LONGEST else ()
            is_item = each is not text and label[-1:] != () and label[-1] not in asking.said
            if is_item and (len(words) == 1 or any(map(is_number, words))):
                continue
            is_said = {*label} <= {*asking.said} and {*words} <= {*asking.said} - question.language.function_words
            if words and words != name and (is_said or not _is_flag(words, each, question)):
                yield label, words


def _is_flag(words: Label, text: str, question: Tagged) -> bool:
    """True for a single word that means yes, no or none."""
    language = question.language
    return len(words) == 1 and (truth_of(text, language) is not None or not language.negations.isdisjoint(words))


def _by_first(phrases: Collection[Label]) -> Mapping[str, list[Label]]:
    """Return phrases by their first words, the longest first."""
    found: dict[str, list[Label]] = {}
    for words in sorted(phrases, key=lambda words: (-len(words), words)):
        found.setdefault(words[0], []).append(words)
    return found


def _parsed(
    said: Label, labels: Mapping[str, list[Label]], values: Mapping[str, list[Label]], idle: Collection[str]
) -> tuple[list[Label], list[Label]] | None:
    """Return the labels and values that the text consists of, apart from filler words; None if it has anything else."""
    if not said:
        return [], []
    for is_label, known in ((True, labels), (False, values)):
        for words in known.get(said[0], ()):
            if said[: len(words)] == words and (rest := _parsed(said[len(words) :], labels, values, idle)) is not None:
                return ([words, *rest[0]], rest[1]) if is_label else (rest[0], [words, *rest[1]])
    return _parsed(said[1:], labels, values, idle) if said[0] in idle else None


def _under_labels(said: Sequence[Label], told: Sequence[Label], values: Mapping[_Value, int]) -> list[_Value]:
    """Return each value under the label named for it, or under its most frequent label; empty if a named label has no
    value.
    """
    found, free = list[_Value](), list(said)
    for words in told:
        having = sorted((label for label, each in values if each == words), key=lambda at: (-values[at, words], at))
        own = [label for label in free if label in having] or having
        found.append((own[0], words))
        free = [label for label in free if label != own[0]]
    return [] if free else found


def _doubt(conditions: Sequence[_Value], members: Sequence[Member], asking: _Asking, sort: str) -> str:
    """Return a value without a named label that also occurs under another label, or whose members are of no certain
    sort.
    """
    for label, words in conditions:
        value = " ".join(words)
        if _is_said(label, value, asking):
            continue
        others = {other for member in members for other, each in _values(member, asking) if each == words}
        if len(others) > 1 or not all(_is_of_sort(member, sort) for member in members):
            return value
    return ""


def _is_said(label: Label, text: str, asking: _Asking) -> bool:
    """True for a label whose last word is in the question besides the value."""
    return bool(label) and asking.said.count(label[-1]) > phrase(text).count(label[-1])


def _is_of_sort(member: Member, sort: str) -> bool:
    """True for a member if its name, table, key header or folder has a word, and for a record: a row *No limit* is no
    team.
    """
    grid = member.grid
    column = 0 if member.at is None else len(grid.row_names(member.at)) - 1
    names = (grid.table.caption, grid.title, grid.column_labels[column], *grid.page_sort)
    is_of_one = grid.table.is_record or grid.is_single
    return is_of_one or sort in member.own_words or any(sort in phrase(name) for name in names)


def _are_owners(conditions: Sequence[_Value], kind: Label, index: Cells) -> bool:
    """True if a value is the name of an entity that has what is asked for: *what type does the Reed have*."""
    places = index.places([key_of(words) for _, words in conditions], (Kind.ROW, Kind.TITLE))
    grids = map(index.grid, grids_of(places))
    return any(kind in map(phrase, grid.labels if grid.table.is_record else grid.labels[1:]) for grid in grids)


def _is_joined(condition: _Value, members: Sequence[Member], question: Tagged) -> bool:
    """True for a value that others have in combination: *MCP server* may include *MCP server + skills*."""
    label, words = condition
    others = (member.texts.get(label, "") for member in members if not has_value(member, label, words, question))
    return any(words_of(item, question) == words for text in others for item in _JOINED.split(text))


def _meets(member: Member, label: Label, words: Label, question: Tagged) -> bool:
    """True for a member with the value, or with one that is for all things."""
    return has_value(member, label, words, question) or is_of_all(member, label, question.language)
