"""The parts of a question about a kind, before any member is checked: words with their places, labels, numbers.

A label may be the initials of a name in the question: *TL*, for *tech level*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

from agent.reasoning.kinds.asked import (
    asked_for,
    behind_family,
    is_unknown,
    kind_alone,
    loose_words,
    place_behind,
    without_verb,
)
from agent.reasoning.kinds.member import Label
from agent.reasoning.kinds.members import is_kind
from agent.reasoning.kinds.standing import tables_named
from agent.understanding.linking.mentions import NAMES_OF_TABLES, is_topic_word
from agent.understanding.question.conditions import negation_in, numbers_of, possessed_words
from agent.understanding.question.numbers import Number
from agent.understanding.question.ranking import rank_asked, ranking_number, several_asked
from agent.understanding.question.tagged import Tagged
from agent.understanding.question.verbs import verbs_behind
from agent.understanding.words.related import only_relates
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.names import Mention
from retrieval.tables.writing import Kind
from retrieval.text.normal import number, phrase


@dataclass(frozen=True)
class Wanted:
    """The parts of a question about the members of a kind. The best are the `top` ones from an end of the scale,
    starting at `rank`.
    """

    question: Tagged
    index: Cells
    asked: tuple[str, ...]
    """The noun phrase that is asked for."""
    loose: tuple[str, ...]
    """The words of that phrase that members need not match."""
    said: tuple[tuple[int, str], ...]
    """The words that the members have to match, with their places."""
    verbs: frozenset[str]
    """Words that match nothing in the collection, because they are verbs."""
    joining: frozenset[str]
    """Words that may only join a name to its value."""
    numbers: tuple[Number, ...]
    """The numbers that choose or limit values."""
    rank: int = 1
    top: int = 1
    of_one: bool = False
    """Whether the question is about one named entity: its kind is then known."""

    @property
    def is_of_any_kind(self) -> bool:
        """True if the question names no kind: *what was built in 1904*."""
        limited = any(n.limit for n in self.numbers)
        return not (self.asked or self.of_one or self.question.best or self.is_counted or limited)

    @property
    def is_counted(self) -> bool:
        """True if the question asks for a number of members."""
        return self.question.operation == "count"

    @cached_property
    def negation(self) -> int | None:
        """The place of the negation."""
        return negation_in(self.question) if self.question.negated else None

    @cached_property
    def named(self) -> dict[Label, frozenset[int]]:
        """The labels that the question has as names, with the places of their words."""
        tokens, found = self.question.tokens, dict[Label, frozenset[int]]()
        for mention in self.question.names:
            places = frozenset(mention.places)
            labels = {phrase(place.name) for place in self.index.places([mention.key], (Kind.COLUMN, Kind.LABEL))}
            if len(places) > 1:
                labels.add(("".join(word[0] for word in tokens[mention.start : mention.end]),))
            found |= {label: places | found.get(label, frozenset()) for label in labels}
        return found

    @cached_property
    def rows(self) -> frozenset[str]:
        """The words that are names of rows or columns: *effective* armor class is another measure."""
        named = (each for each in self.question.names if self.index.places([each.key], (Kind.ROW, Kind.COLUMN)))
        return frozenset(word for each in named for word in self.question.tokens[each.start : each.end])

    @cached_property
    def had(self) -> frozenset[str]:
        """The words for attributes that the members have, and those behind a verb: *which boats use sails*."""
        verbs, articles = self.verbs.union(self.joining), self.question.language.articles
        plain = [token for token in self.question.tokens if token not in articles]
        behind = {word for verb, word in pairwise(plain) if verb in verbs}
        return possessed_words(self.question) | behind

    @cached_property
    def where(self) -> frozenset[str]:
        """The words for the place of the answer: the *data* of *in the ferry data*, not that of *how much data*."""
        tokens, language, found = self.question.tokens, self.question.language, set[str]()
        before, verbs = language.statement_words("places") | language.partitive, language.helpers | language.copulas
        for place in self.question.places(language.holders):
            start = place - 1
            while start >= 0 and tokens[start] not in before | verbs:
                start -= 1
            if start >= 0 and tokens[start] in before:
                found.add(tokens[place])
        return frozenset(found)

    @cached_property
    def sections(self) -> frozenset[str]:
        """The words between an article and a word for a part of the text: those of *the rope goods section*."""
        tokens, language, found = self.question.tokens, self.question.language, set[str]()
        for place in self.question.places(language.elements):
            start = next((i for i in range(place - 1, -1, -1) if tokens[i] in language.function_words), place)
            found |= {*tokens[start + 1 : place]} if tokens[start] in language.articles else set()
        return frozenset(found)

    @cached_property
    def _kinds(self) -> frozenset[str]:
        """The words that are kinds of the collection."""
        said = {*self.asked, *dict(self.said).values()}
        return frozenset(word for word in said if is_kind(word, self.index))

    @cached_property
    def tables(self) -> list[Mention]:
        """The names of tables in the question."""
        return tables_named(self.question, self.index)

    @cached_property
    def within(self) -> frozenset[int]:
        """The numbers of the tables with these names."""
        keys = [each.key for each in self.tables]
        return frozenset(grids_of(self.index.places(keys, NAMES_OF_TABLES)) if keys else ())

    @cached_property
    def callable(self) -> frozenset[str]:
        """The words that may be the asker's own name for the members: those unknown to the collection, or, in a named
        table, those that are no kinds. For the best of a named table it is any word.
        """
        if self.question.best and _is_apart(self.tables, self.asked, self.question):
            return frozenset(self.asked)
        kinds = self._kinds if self.tables else frozenset(self.asked)
        return frozenset(
            word for word in self.asked if word not in kinds or is_unknown(word, self.question, self.index)
        )

    @cached_property
    def of_book(self) -> frozenset[str]:
        """The words of the asked noun phrase that the whole collection is about, without words of a named table."""
        of_tables = {word for each in self.tables for word in self.question.tokens[each.start : each.end]}
        return frozenset(word for word in self.asked if is_topic_word(word, self.index) and word not in of_tables)

    @cached_property
    def behind(self) -> frozenset[str]:
        """The words of the asked noun phrase, except the first, that are no kinds."""
        return frozenset(self.asked[1:]) - self._kinds

    @cached_property
    def nothing(self) -> frozenset[str]:
        """The words that are no name, measure or kind."""
        named = {place for each in self.question.names for place in each.places}
        free = (word for place, word in self.said if place not in named and word not in self.index.measure_words)
        return frozenset(free) - self._kinds

    @property
    def is_of_speaker(self) -> bool:
        """True if the question counts something for its speaker or listener: *how many crowns do I need*."""
        return self.is_counted and not self.question.language.speakers.isdisjoint(self.question.tokens)

    @property
    def family(self) -> tuple[str, ...]:
        """The words of the asked noun phrase behind an identifier, which chooses the members."""
        return behind_family(self.asked)

    @property
    def sort(self) -> str:
        """The last word of the asked noun phrase."""
        return self.asked[-1] if self.asked else ""


def wanted(question: Tagged, index: Cells) -> Wanted | None:
    """Return the parts of a question about a kind; None if it asks for no kind, or if its negation or ranking is
    unclear.
    """
    negation = negation_in(question) if question.negated else None
    ranking = ranking_number(question)
    if (question.negated and negation is None) or (question.best and question.end is None):
        return None
    rank = rank_asked(question.question)
    if rank > 1 and ranking is None:
        return None
    words, counted = asked_for(question, index)
    if not (words or question.best or any(n.limit for n in question.numbers)):
        words = kind_alone(question, index)
    asked, verbs = without_verb(question, words, index)
    light = verbs & question.language.light_words
    verbs -= light  # *made of brick*
    verbs -= {question.tokens[place] for place in question.related}  # a word that implies a measure is no mere verb
    several = several_asked(question) if ranking is None else None
    taken = {n.place for n in (ranking, several) if n is not None} | set(chain(*titles_in(question, index)))
    numbers = tuple(n for n in numbers_of(question) if n.place not in taken)
    is_counted = question.operation == "count"
    is_asked = asked or question.best or is_counted or any(n.limit for n in numbers)
    if not (is_asked or _asks_who(question)):
        return None
    unsaid = {negation, counted}
    return Wanted(
        question,
        index,
        asked,
        _loose(question, asked, index),
        tuple((i, word) for i, word in question.words() if word not in verbs | light and i not in unsaid),
        verbs - {question.tokens[table.end] for table in tables_named(question, index)},  # *does the price list hold*
        _relating(question) | _verbs(question, words[len(asked) :]),
        numbers,
        rank,
        int(number(several.value)) if several is not None else 1,
    )


def _loose(question: Tagged, asked: Sequence[str], index: Cells) -> tuple[str, ...]:
    """Return the words of the asked noun phrase that members need not match. In a count without numbers, every word has
    to match.
    """
    is_counted = question.operation == "count"
    is_limited = question.best or bool(question.numbers) or is_counted
    is_named = is_counted and not question.numbers
    loose = loose_words(asked, index) if (is_limited or len(asked) == 1) and not is_named else ()
    if question.best and _is_apart(tables_named(question, index), asked, question):
        loose = tuple(asked)  # the best *item in the Hull boat fees* is one of its rows, whatever else is an item
    return (*loose, *behind_family(asked))


def titles_in(question: Tagged, index: Cells) -> list[Sequence[int]]:
    """Return the places of each name of several words that a record has: the 12 of *Mark 12* limits nothing."""
    long = (mention for mention in question.names if mention.end - mention.start > 1)
    return [each.places for each in long if index.places([each.key], (Kind.TITLE, Kind.SUBJECT))]


def _is_apart(tables: Sequence[Mention], asked: Sequence[str], question: Tagged) -> bool:
    """True if one of the named tables is named behind the asked noun phrase, and so by other words."""
    start = place_behind(asked, question.tokens)
    return any(each.start >= start for each in tables)


def _asks_who(question: Tagged) -> bool:
    """True for a question that begins with *who*, *whose*, *what* or *which*; *what is the price* asks for a
    measure.
    """
    language, (first, second, third) = question.language, (*question.tokens, "", "")[:3]
    persons = {said[0] for said in language.answers.get("person", ())}
    is_of_measure = second in language.copulas and third in language.articles
    return first in language.kinds | persons and not is_of_measure


def _verbs(question: Tagged, behind: Sequence[str]) -> frozenset[str]:
    """Return the words that are verbs by their position: behind *can* and *you*, and behind the asked noun phrase, with
    particles.
    """
    light = {word for word in behind if (word,) in question.language.light}
    return frozenset({*(question.tokens[place] for place in verbs_behind(question)), *behind[:1], *light})


def _relating(question: Tagged) -> frozenset[str]:
    """Return the words that only connect to a preposition: *are built on*, *sails with the most*."""
    language, tokens = question.language, question.tokens
    before = language.beside | language.ranking | language.statement_words("places")
    found = set()
    for i, (one, other) in enumerate(pairwise(tokens)):
        if other in before and only_relates(tokens, i, language):
            found.add(one)
    return frozenset(found)
