"""Filter the members of a kind by the words of a question: by their names, their values, and their flags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from agent.languages.language import Language
from agent.reasoning.kinds.member import FEWEST, Label, Member
from agent.reasoning.kinds.mentioning import label_telling, mentioning
from agent.reasoning.kinds.readings import has_nothing, has_something
from agent.reasoning.kinds.shape import Shape
from agent.reasoning.kinds.vocabulary import Vocabulary
from agent.reasoning.kinds.wanted import Wanted
from agent.reasoning.kinds.whole_values import has_value, is_of_all, value_within
from agent.reasoning.values.conditions import flag_of, truth_of
from agent.understanding.linking.mentions import mentions_of
from agent.understanding.question.tagged import held_alone
from agent.understanding.words.clauses import tokens_of
from agent.understanding.words.related import may_be_verb
from retrieval.tables.match import matches_any
from retrieval.text.normal import STOP_WORDS, phrase

_FAR_MORE = 3
"""How many times more values than names must have a word for it to filter by value."""


class Denied(NamedTuple):
    """The scope of a negation: the number at a place, a word of members, a label that must be empty, or a flag that
    must be off.
    """

    place: int | None = None
    word: str = ""
    label: Label | None = None
    flag: Label | None = None


class Passed(NamedTuple):
    """The members that match all words, those words, the unmatched words, and the labels that matched."""

    members: list[Member]
    matched_words: frozenset[str]
    left: tuple[str, ...]
    labels: tuple[Label, ...]


@dataclass
class Passing:
    """Filters the members of a shape word by word; all of them match the `called` words already."""

    wanted: Wanted
    shape: Shape
    denied: Denied
    members: list[Member]
    vocabulary: Vocabulary
    called: frozenset[str] = frozenset()
    matched_words: set[str] = field(default_factory=set)
    labels: list[Label] = field(default_factory=list)
    nobodys: list[str] = field(default_factory=list)
    mentioned: frozenset[str] = frozenset()
    """The words of the name that long values mention."""

    def passed(self, words: Iterable[str]) -> Passed:
        """Return the members that all words apply to; empty if the meaning of a word is ambiguous."""
        self._by_whole_value()
        for word in sorted(dict.fromkeys(words), key=self._names_label):
            is_sort = word == self.wanted.sort and word in self.wanted.of_book
            is_all = self.shape.question.best and is_sort and word not in self.called
            if word in self.wanted.loose or is_all:  # the best of *boats*, in a book of boats, is the best of all
                self._by_sort(word)
                continue
            if word in self.wanted.sections and all(word in member.grid.context for member in self.members):
                self.matched_words.add(word)
            if word in self.matched_words:
                continue
            if self._by_flag(word) or self._by_having(word):
                continue
            only_asks = word in self.shape.question.soft and word not in self.called
            if only_asks and not _is_value(word, self.members):
                self.nobodys.append(word)
            elif not self._by_word(word):
                return Passed([], frozenset(), (), ())
        told = {word for word in self.nobodys if any(matches_any(word, label) for label in self.labels)}
        told |= {word for word in self.nobodys if any(word in self.shape.words_of(label) for label in self.labels)}
        told |= self._told_of_all([word for word in self.nobodys if word not in told])
        told |= set(filter(self._joins_value, self.nobodys))
        places = self._language.statement_words("places")
        elements = (self._language.elements | self.wanted.where).difference(self.wanted.asked)
        having = self._language.holding if self.labels else frozenset[str]()
        soft = self.shape.question.soft - held_alone(self.shape.question.tokens, self._language)
        idle = told | soft | self._language.idle | places | elements | having
        left = tuple(word for word in self.nobodys if word not in idle)
        return Passed(self.members, frozenset(self.matched_words | told), left, tuple(dict.fromkeys(self.labels)))

    def _by_whole_value(self) -> None:
        """Keep the members with the one value of several words that the question has as a whole, *which car ferry*, or
        those without it, if the negation is about it: *not on the upper floor*.
        """
        question = self.wanted.question
        said = value_within(replace(question, negated=False), self.members, self.called)
        is_denied = said is not None and len(said.words) > 1 and self.denied.word in said.words
        if said is None or is_denied != question.negated:
            return
        members = [each for each in self.members if has_value(each, said.label, said.words, question) != is_denied]
        self.members = members
        self.matched_words.update(question.tokens[place] for place in said.places)
        self.labels.append(said.label)

    def _told_of_all(self, words: Sequence[str]) -> set[str]:
        """Return the words in a value that all filtered members have together with the name: *lent by the Hull
        project*.
        """
        chosen_by = self.mentioned or self.called.difference(self.wanted.asked)
        if not words or not chosen_by or self.wanted.question.best:
            return set()
        label = label_telling({*words, *chosen_by}, self.members, self._language)
        self.labels += [label] if label is not None and label not in self.labels else []
        return set(words) if label is not None else set()

    def _joins_value(self, word: str) -> bool:
        """True for a verb between a label that chose members and the value that did: *restart is set to true*."""
        tokens, language = self.wanted.question.tokens, self._language
        if word not in tokens:
            return False
        at = tokens.index(word)
        before = tokens[at - 2 if tokens[at - 1] in language.copulas else at - 1]
        joint, value = (*tokens[at + 1 : at + 3], "", "")[:2]
        is_verb = may_be_verb(word, language) and not self.wanted.question.negated
        is_joint = joint in STOP_WORDS and joint not in language.comparing
        is_label = any(matches_any(before, label) for label in self.labels)
        return is_verb and is_joint and is_label and value in self.matched_words and not matches_any(value, (before,))

    @property
    def _language(self) -> Language:
        return self.shape.question.language

    @cached_property
    def _named(self) -> list[Label]:
        """The labels that the question names."""
        return list(filter(self.shape.words_of, self.shape.labels))

    def _names_label(self, word: str) -> bool:
        """True for a word of a label; words for values are processed first."""
        return any(matches_any(word, label) for label in self._named)

    def _by_flag(self, word: str) -> bool:
        """Keep the members whose flag of this name is on, or off if that is denied; False if there is no such flag."""
        flag = self.shape.flag(word)
        if flag is None or word in self.shape.tabled:
            return False
        if self._says_value_of(flag):
            self.labels.append(flag)
            self.matched_words.add(word)
            return True
        wants = flag != self.denied.flag
        self.members = [member for member in self.members if _is_so(member, flag, self._language) is wants]
        self.labels.append(flag)
        self.matched_words.add(word)
        return True

    def _says_value_of(self, flag: Label) -> bool:
        """True if a word that chose members is a value of the flag itself: *restart false*."""
        said = {*self.matched_words, self.denied.word}
        values = {phrase(member.texts.get(flag, "")) for member in self.shape.members}
        return any((word,) in values and truth_of(word, self._language) is not None for word in said)

    def _by_having(self, word: str) -> bool:
        """Keep the members with a value under a label that is empty for others: *which boats have a crane*."""
        if word in self.called or word not in self.wanted.had:
            return False
        labels = [label for label in self._named if matches_any(word, label) and self.shape.is_said_whole(label)]
        label = labels[0] if len(labels) == 1 else None
        having = [] if label is None else [each for each in self.members if has_something(each, label, self._language)]
        sure = [each for each in having if label and truth_of(each.texts.get(label, ""), self._language)]
        having = sure or having  # *yes*, beside *either*
        if label is None:
            return False
        is_last = self.wanted.question.tokens[-2:-1] == (word,)  # *have the mooring rule Never moved* asks for a value
        is_lacked = is_last and 0 < len(having) < len(self.members)
        if not (is_lacked or any(has_nothing(each, label, self._language) for each in self.members)):
            return False
        self.members = having
        self.labels.append(label)
        self.matched_words.update(self.shape.words_of(label))
        return True

    def _by_sort(self, word: str) -> None:
        """Keep the members of a sort, if some are of it and others are not: *which bread*, for recipes. A word that
        matches none in that way is the asker's name for all of them.
        """
        of_sort = [member for member in self.members if member.is_of_sort(word)]
        if 0 < len(of_sort) < len(self.members) and word != self.denied.word:
            self.members = of_sort
            self.matched_words.add(word)

    def _by_word(self, word: str) -> bool:
        """Keep the members that a word applies to; False if that is ambiguous.

        If the question counts parts of a named entity, a match in the parts' own names is ambiguous: *how many parts
        has the engine*.
        """
        some, column = self.members, None
        if word not in self.called or word == self.denied.word:
            some, column = with_word(self.members, word, self.vocabulary, self._named)
            some = self._with_those_of_all(
                [each for each in some if not self._names_another(word, each, column)], column
            )
        if not some:
            if not self._by_mention(word):
                self._by_what_is_around(word)
            return True
        named = any(matches_any(word, member.own_words) for member in some)
        if named and self.wanted.loose and self.wanted.is_counted and not self.wanted.family:
            return False
        is_denied = word == self.denied.word
        denied = set(map(id, some)) if is_denied else set[int]()
        rest = [each for each in self.members if id(each) not in denied and (not column or column in each.texts)]
        self.members = rest if is_denied else some
        self.matched_words.add(word)
        self.labels += [column] if column else []
        return True

    def _names_another(self, word: str, member: Member, column: Label | None) -> bool:
        """True if a word that names a thing is only part of a longer name in the value: the *L40* is no *L40 Pro*."""
        question, text = self.wanted.question, member.texts.get(column or (), "")
        if not text or all(each.key != word for each in question.names):
            return False
        keys = [each.key for each in mentions_of(tokens_of(text), self.wanted.index)]
        return word not in keys and any(word in key.split() for key in keys)

    def _with_those_of_all(self, some: list[Member], column: Label | None) -> list[Member]:
        """Add the members whose value under the column is for all things, if those of others are for some."""
        if not some or column is None:
            return some
        return [each for each in self.members if each in some or is_of_all(each, column, self._language)]

    def _by_mention(self, word: str) -> bool:
        """Keep the members with a long value that mentions the name that a word is part of: *trained by Ada Holt*."""
        if word == self.denied.word:
            return False
        asked = self.wanted.asked
        some, label, name = mentioning(self.members, word, self.shape.question, self.shape.labels, asked)
        if label is None:
            return False
        self.members = some
        self.matched_words |= name
        self.mentioned |= name
        self.labels.append(label)
        return True

    def _by_what_is_around(self, word: str) -> None:
        """Accept a word behind a name that all members have, if it names their surroundings: the *boats* of *which Tern
        boats*, from the folder. Also accept the entity that all members are parts of: the *Tern* of *which cabin of the
        Tern*. Any other word is unmatched.
        """
        asked = self.wanted.asked
        behind = word in asked[1:] and all(matches_any(asked[0], member.own_words) for member in self.members)
        is_around = behind and all(word in member.grid.context for member in self.members)
        if is_around or all(word in member.grid.enclosing_name_words for member in self.members):
            self.matched_words.add(word)
        else:
            self.nobodys.append(word)


def _is_so(member: Member, label: Label, language: Language) -> bool:
    """True if the flag of a member under a label is on."""
    return any(value.words == label and flag_of(value.text, language) for value in member.values)


def with_word(
    members: Sequence[Member], word: str, vocabulary: Vocabulary, named: Collection[Label] = ()
) -> tuple[list[Member], Label | None]:
    """Return the members that a word matches: by their names, or else by the column where it is most frequent, or that
    is `named`; also return that column. Exact matches of a name come before matches of its beginning.
    """
    some = vocabulary.may_say(word, members)
    found, column = _with_word(tuple(some), word, frozenset(named)) if some else ((), None)
    return list(found), column


@lru_cache(maxsize=2048)
def _with_word(
    members: tuple[Member, ...], word: str, named: frozenset[Label]
) -> tuple[Sequence[Member], Label | None]:
    called = [member for member in members if member.is_called(word)]
    called = [member for member in called if member.is_called_just(word)] or called
    columns = [member.columns_with(word, just=True) for member in members]
    columns = columns if any(columns) else [member.columns_with(word) for member in members]
    holding = Counter(label for labels in columns for label in labels)
    column, held = max(holding.items(), key=lambda each: (each[0] in named, each[1]), default=(None, 0))
    if column is None or (called and held < _FAR_MORE * len(called) and _just(word, members, column) < len(called)):
        return called, None
    held_by = [member for member, labels in zip(members, columns, strict=True) if column in labels]
    others = [member for member, labels in zip(members, columns, strict=True) if column not in labels]
    if any(_mentions(member, word, column) for member in others):
        return called, None  # a word in short values of some and long values of others distinguishes none
    return held_by, column


def _just(word: str, members: Sequence[Member], label: Label) -> int:
    """Return how many members have exactly the word as a value: that is then what they are, whatever their names."""
    return sum(phrase(member.texts.get(label, "")) == (word,) for member in members)


def _mentions(member: Member, word: str, label: Label) -> bool:
    """True if a value under a label has a word, however long it is."""
    return any(word in phrase(value.text) for value in member.values if value.words == label)


def narrowed(
    members: Sequence[Member], words: Iterable[str], vocabulary: Vocabulary
) -> tuple[list[Member], frozenset[str]]:
    """Return the members that match the words by name, one word after the other while several remain; and those words.

    Duplicates of a member on another page or in another section are dropped.
    """
    found, by = list(members), set[str]()
    for word in words:
        called, column = with_word(found, word, vocabulary)
        if column is None and len(called) >= FEWEST:
            found = called
            by.add(word)
    return _once(found), frozenset(by)


def _once(members: Sequence[Member]) -> list[Member]:
    """Return the members without those that another place repeats: with every value, or with all that two rows share.

    Two equal rows of one table are two members.
    """
    found: list[Member] = []
    named: dict[str, list[Member]] = {}
    for member in members:
        seen = named.setdefault(member.name, [])
        if not any(_is_again(member, other) for other in seen):
            found.append(member)
        seen.append(member)
    return found


def _is_again(member: Member, other: Member) -> bool:
    """True for a member that another table or page repeats, with the same values."""
    is_row, one, two = member.at is not None, member.texts, other.texts
    if is_row and member.grid.table_id == other.grid.table_id:
        return False
    shared = one.keys() & two.keys() if is_row else one.keys() | two.keys()
    return (is_row or len(one) >= FEWEST) and bool(shared) and all(one.get(label) == two.get(label) for label in shared)


def _is_value(word: str, members: Sequence[Member]) -> bool:
    """True for a word that is the whole text of some value, or an item of a list."""
    texts = (value.text for member in members for value in member.values)
    return any(word in map(str.strip, text.casefold().split(",")) for text in texts)
