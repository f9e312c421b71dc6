"""Answer a question in other words: choose the nearest cell of the named entities by embedding similarity.

A cell is worded as its name, its label and its value. *How many police does Reedham have* is near to *Reedham: force
size: 120*, and to no other cell of Reedham, though they share only the name. Only cells of the kind that is asked for
are compared, and only if all numbers, codes and names of the question match. The cell has to be near, and every cell
with another value clearly farther.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from agent.languages.operations import SUMS
from agent.reasoning.coverage.accounting import Coverage, asked_how, counts_another
from agent.reasoning.coverage.contradictions import is_contradicted, is_no_amount, tells_no_time_or_place
from agent.reasoning.coverage.doubts import doubts_of, head_asked
from agent.reasoning.kinds.readings import answering, cell_of
from agent.reasoning.measures.dimensions import (
    dimensions_in,
    is_of_none,
    is_of_other_unit,
    measures_in,
    units_in,
)
from agent.reasoning.subjects.candidates import candidates_of
from agent.reasoning.values.cell_text import is_echo
from agent.understanding.linking.linkings import linkings
from agent.understanding.linking.mentions import is_topic_word
from agent.understanding.linking.nearness import AnswerCandidates, LabelRequests
from agent.understanding.linking.program import Bound, Linked, Reading, Subject
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.proper import has_run, proper_names
from retrieval.tables.bind import Binding
from retrieval.tables.index import Cells
from retrieval.tables.writing import Kind
from retrieval.text.identifiers import is_identifier
from retrieval.text.normal import Tokens, is_number, phrase

NEAR = 0.7
"""The least cosine similarity of a cell."""
MARGIN = 0.06
"""The least distance to a cell with another value. In 143 questions for one value in eleven collections, with
all-MiniLM-L6-v2, no wrong cell is as near and as clear. With the right cell removed, as if the collection did not have
the answer, another is taken for it in 5 of 82, all of them variants of its label; with a margin of 0.03 in 8.
"""
_WAYS = 6
"""The most interpretations of a question's names whose cells are compared."""
_OF_EACH = 25
"""The most cells of each interpretation, the best first."""
_MOST = 64
_LONGEST_WORDING = 160
"""The most characters of a cell that are compared."""
_LONGEST_VALUE = 8
"""The most words of a value; longer texts are prose."""
_NEARLY_ALL = 0.9
"""The share of a label that has to match to be the name of its row."""
_CAPITALS = re.compile(r"\b[A-Z]{2,}s?\b")
"""An abbreviation; it may be all that distinguishes two tables."""


@dataclass(frozen=True, slots=True)
class _Exact:
    """The parts of a question that have to match exactly: numbers and codes, abbreviations, and proper names."""

    codes: frozenset[str]
    short: frozenset[str]
    names: tuple[Tokens, ...]

    @classmethod
    def of(cls, question: Tagged, index: Cells) -> _Exact:
        """Return those of a question, without names that the whole collection is about, as they distinguish nothing."""
        text = question.question
        names = (each for each in proper_names(text) if not all(is_topic_word(word, index) for word in each))
        codes = (token for token in question.tokens if token in text.casefold() and _is_exact(token))
        short = (token for word in _CAPITALS.findall(text) for token in phrase(word))
        return cls(frozenset(codes), frozenset(short), tuple(names))

    def is_told(self, binding: Binding) -> bool:
        """True if a cell, or the names around it, has all of them."""
        if not self.short.isdisjoint(binding.unmatched_words):
            return False
        cell = binding.cell
        names = (cell.caption, cell.title, *binding.grid.headings, *cell.row_path, *cell.column_path)
        text = " ".join((binding.place.name, cell.axis, *names, cell.text))
        return self.codes.issubset(phrase(text)) and all(has_run(text, name) for name in self.names)


@dataclass(frozen=True, slots=True)
class _Told:
    """A cell of an entity that the question names."""

    linked: Linked
    subject: Subject
    binding: Binding
    is_one_of_several: bool = False
    """Another cell has the same name and label but another value, and no word of the question chooses between them."""

    @property
    def wording(self) -> str:
        """The cell as a sentence to embed."""
        return f"{self.binding.place.name}: {self.binding.label}: {self.binding.text}"[:_LONGEST_WORDING]

    def may_answer(self, exact: _Exact, coverage: Coverage) -> bool:
        """True for a short value of the kind that is asked for, if everything exact in the question matches."""
        linked, binding = self.linked, self.binding
        said = phrase(binding.text)
        if not 0 < len(said) <= _LONGEST_VALUE or not any(map(str.isalnum, binding.text)):
            return False
        if is_echo(binding.text, linked.question.tokens):
            return False
        if coverage.contradicts(self.subject, binding.unmatched_words, {}) or self._is_named_alone():
            return False
        if is_contradicted(linked, binding) or self._is_of_other() or self._leaves_alternative():
            return False
        words = {each for word in linked.words for each in (word, *linked.implied.get(word, ()))}
        if is_of_none(words, binding.label, binding.text, linked.question.language):
            return False
        return self._is_of_kind(said) and exact.is_told(binding)

    def _is_named_alone(self) -> bool:
        """True if the question names the column and the row, and has more words, which may ask for something else."""
        fit = self.binding.fit
        return (
            self.binding.place.kind is Kind.COLUMN and fit.share >= _NEARLY_ALL and bool(self.binding.unmatched_words)
        )

    def _leaves_alternative(self) -> bool:
        """True if the question names an alternative to the cell's entity, joined by *or* or *vs*."""
        language, linked = self.linked.question.language, self.linked
        apart = language.alternating
        tokens = linked.question.tokens
        names = {token for each in linked.question.names for token in tokens[each.start : each.end]}
        return not apart.isdisjoint(tokens) and not names.isdisjoint(self.binding.unmatched_words)

    def _is_of_other(self) -> bool:
        """True if a word asks for another measure or unit than the cell's; the label may have a second unit."""
        binding, linked = self.binding, self.linked
        told = units_in(f"{binding.label} {binding.text}")
        known = frozenset[str]().union(*(each.units for each in dimensions_in(binding.label, linked.question.language)))
        if any(word in known and word not in told for word in linked.words):
            return True
        return any(is_of_other_unit(word, binding, linked) for word in linked.words)

    def _is_of_kind(self, said: Collection[str]) -> bool:
        """True unless the value is no number for an amount, no time for *when*, or a number for *who*."""
        linked, binding, language = self.linked, self.binding, self.linked.question.language
        if tells_no_time_or_place(binding, linked) or counts_another(binding, linked):
            return False
        if (linked.question.tokens[0],) in language.answers.get("person", ()) and all(map(is_number, said)):
            return False
        has_number = any(map(str.isdigit, binding.text)) or not language.numbers.keys().isdisjoint(said)
        is_amount = linked.amount is not None or bool(asked_how(linked))
        if linked.question.tokens[0] in language.before_adjectives and not linked.wording:
            return False  # *how much was paid for it* may ask for any number
        return not is_amount or (has_number and not is_no_amount(binding, linked) and not self._is_share_of_another())

    def _is_share_of_another(self) -> bool:
        """True for a percentage if the question counts something that the label does not have."""
        amount, language = self.linked.amount, self.linked.question.language
        shares = language.measures_of("%")
        is_untold = bool(amount) and amount in self.binding.unmatched_words and amount not in shares
        return is_untold and not shares.isdisjoint(measures_in(self.binding.text, language))


def _is_exact(token: str) -> bool:
    """True for a number, a code and a symbol: *w_a*."""
    return any(map(str.isdigit, token)) or is_identifier(token)


def by_nearest_cell(question: Tagged, index: Cells) -> LabelRequests[Bound | None]:
    """Return the nearest value of a named entity; None if none is near enough."""
    if question.operation in SUMS and question.language.joining.isdisjoint(question.tokens):
        question = question.as_words()  # *in total*, for a single entity, is part of a label
    if not _asks_for_one(question):
        return None
    told = {each.wording: each for each in islice(_cells(question, index), _MOST)}
    if not told:
        return None
    near = yield AnswerCandidates(question.question, tuple(told), NEAR, MARGIN)
    if len({told[wording].binding.text for wording in near}) != 1:
        return None
    found = told[near[0]]
    if found.is_one_of_several:
        return None
    reading = Reading(found.subject, (found.binding,), found.binding.label, sure=True)
    return Bound(found.linked, (reading,), found.binding.label)


def is_in_doubt(bound: Bound) -> bool:
    """True for a single value, or a superlative, with doubts."""
    if bound.operation == "best":
        return bool(bound.doubtful_word or head_asked(bound, bound.measure, bound.linked.words))
    is_one = bound.is_one_value
    return is_one and any(doubts_of(bound))


def is_same(one: Bound, other: Bound) -> bool:
    """True if both bindings answer with the same cells."""
    cells, others = (list(map(cell_of, answering(each))) for each in (one, other))
    return one.operation == other.operation and cells == others


def _asks_for_one(question: Tagged) -> bool:
    """False for a ranking, a comparison, a computation, a negation or prose, and for an unspecific *how high*."""
    if question.operation not in (None, "count") or question.end is not None or question.best or question.compares:
        return False
    language = question.language
    if any(one in language.before_adjectives and other in language.ends for one, other in pairwise(question.tokens)):
        return False  # *how high*, for anything
    return not (question.negated or question.prose or any(number.limit for number in question.numbers))


def _cells(question: Tagged, index: Cells) -> Iterator[_Told]:
    """Yield the cells of each entity that the question names that may answer."""
    exact, coverage = _Exact.of(question, index), Coverage(index)
    for linked in islice(linkings(question, index), _WAYS):
        if len(linked.subjects) == 1 and not linked.is_ambiguous:
            (subject,) = linked.subjects
            found = candidates_of(linked, subject, index)[:_OF_EACH]
            all_told = (_Told(linked, subject, each, _is_one_of_several(each, found)) for each in _telling_most(found))
            yield from (told for told in all_told if told.may_answer(exact, coverage))


def _is_one_of_several(binding: Binding, found: Sequence[Binding]) -> bool:
    """Return True if another cell has the same name and label but another value, and some words match neither."""
    if not binding.unmatched_words:
        return False
    alike = (each for each in found if (each.place.name, each.label) == (binding.place.name, binding.label))
    return any(each.text != binding.text for each in alike)


def _telling_most(found: Sequence[Binding]) -> list[Binding]:
    """Return the cells for which no other matches the same words and more: a table on *roads* also has the *road* that
    a question mentions.
    """
    left = [frozenset(each.unmatched_words) for each in found]
    return [each for each, own in zip(found, left, strict=True) if not any(other < own for other in left)]
