"""Find the entity that is described in other words than the question's: *what keeps the water out* is the *Tarpaulin*.

Table rows and record lines describe an entity in a cell, sections by their first sentences. The entry with the nearest
description is the answer if all others are clearly farther. If a value is asked for, only entries with a value compete.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from agent.languages.phrases import found
from agent.languages.scales import Dimension
from agent.prose.asked import ProseQuestion
from agent.prose.entries import Entry, Value
from agent.prose.kinds import Amount, amounts
from agent.prose.nearest import Nearness
from agent.prose.question_reader import Kind
from agent.prose.units import has_section_name
from agent.prose.words import stem, stems, weights
from agent.understanding.linking.nearness import MARGIN
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import in_own_words
from retrieval.text.normal import STOP_WORDS, phrase

MOST_COMPARED = 24
"""Entries whose wordings are compared."""
_SHARED = 0.25
"""Weight of the word coverage in the score, beside the embedding similarity."""
_LEAST = 0.42
"""Least score of an entry that may be meant. Over eight collections, right entries that stand out score 0.45 to 1.0."""
_FEWEST = 2
"""Least number of entries to compare: an entry alone has no margin over others."""
_MOST_NEAR = 2
_COINED = re.compile(r"(?:\w*\d|\w*[a-z][A-Z]|\w+[_./](?=\w))[\w./-]*(?<![./-])")
_VALUED: tuple[Kind, ...] = ("amount", "time", "frequency", "person", "place")
"""The kinds of answer that an entry gives only in a cell beside its description."""
_NEVER_IN_ENTRIES: tuple[Kind, ...] = ("reason", "manner", "outcome", "overview", "whether")
"""The kinds of answer that an entry never gives."""


@dataclass(frozen=True)
class DescriptionSearch:
    """The entries of some chunks, compared with one question."""

    asked: ProseQuestion
    question: Tagged
    entries: Sequence[Entry]

    @cached_property
    def candidates(self) -> list[Entry]:
        """The entries that may be meant and have what is asked for, highest coverage first."""
        if self.asked.kind in _NEVER_IN_ENTRIES or self.question.compares:
            return []
        some = [each for each in self.entries if not each.is_loose or self._has_kind_noun(each.name_stems)]
        if self._is_valued:
            some = [each for each in some if self.values(each)]
        for is_meant in (self._is_of_kind, self._is_under_subject):
            own = [each for each in some if is_meant(each)]
            some = own if len(own) >= _FEWEST else some
        return sorted(some, key=self.coverage, reverse=True)[:MOST_COMPARED]

    def _is_of_kind(self, entry: Entry) -> bool:
        return self._has_kind_noun(stems(entry.head))

    def _has_kind_noun(self, called: frozenset[str]) -> bool:
        return bool(self.asked.noun) and self.asked.noun in called

    def _is_under_subject(self, entry: Entry) -> bool:
        subject = self.asked.subject
        return bool(subject) and stems(subject) != {self.asked.noun} and has_section_name(subject, entry.chunk)

    @cached_property
    def _is_valued(self) -> bool:
        """True if a value is asked for, not the entity that has it: *which lamp burns for how long* asks for a lamp."""
        language = self.question.language
        opening = language.kinds | language.before_adjectives
        first = next((token for token in self.question.tokens if token in opening), "")
        if first in language.kinds:
            return not self.asked.noun and bool(self._measured)
        return self.asked.kind in _VALUED

    @cached_property
    def _measured(self) -> tuple[Dimension, ...]:
        """The dimensions that have a measure or a verb in the question."""
        known = self.question.language.dimensions
        return tuple(each for each in known if not (each.measures | each.verbs).isdisjoint(self.question.tokens))

    def to_compare(self) -> tuple[str, ...]:
        """Return the wordings of the candidates."""
        return tuple(each.wording(self.asked.words) for each in self.candidates)

    def values(self, entry: Entry) -> tuple[Value, ...]:
        """Return the cells that answer: those under a column header that the question names, else the only amount."""
        is_amount = self._is_valued and self.asked.kind in ("amount", "frequency")
        fitting = tuple(each for each in entry.other_cells if not is_amount or self._fits(each.text))
        named = tuple(each for each in fitting if self._is_named(each.head))
        return named or (fitting if is_amount and len(fitting) == 1 else ())

    @cached_property
    def _question_stems(self) -> frozenset[str]:
        """The stems of the question, and of all other words for the measures that it asks for."""
        measures = (word for each in (*self.asked.dimensions, *self._measured) for word in each.measures)
        return frozenset(map(stem, (*self.question.tokens, *measures)))

    def _is_named(self, head: str) -> bool:
        said = stems(head) - STOP_WORDS
        return bool(said) and said <= self._question_stems

    def _fits(self, text: str) -> bool:
        """True for a text with exactly one number, of the dimension that is asked for."""
        numbers = amounts(text)
        return len(numbers) == 1 and self._is_of_unit(numbers[0])

    def _is_of_unit(self, amount: Amount) -> bool:
        if self._is_counted(amount):
            return True
        dimensions = self.asked.dimensions
        return any(amount.unit in each.units for each in dimensions) or not dimensions

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        return weights(self.asked.words, [each.all_stems for each in self.entries])

    def coverage(self, entry: Entry) -> float:
        """Return the weighted share of the question's words that an entry has."""
        return self._weight(entry.all_stems) / (self._weight(self.asked.words) or 1.0)

    def _weight(self, words: frozenset[str]) -> float:
        return sum(weight for word, weight in self._weights.items() if word in words)

    def best_entry(self, nearness: Nearness) -> Entry | None:
        """Return the entry that is nearest to the question by a margin and agrees with its names, or None."""
        ranked = self._ranked(nearness)
        if len(ranked) < _FEWEST or self._asks_for_several or not self._matches_names(ranked[0][1]):
            return None
        score, best = ranked[0]
        others = (each for each, entry in ranked[1:] if self._answer_text(entry) != self._answer_text(best))
        return best if score >= _LEAST and score - next(others, 0.0) >= MARGIN else None

    def nearest_entries(self, nearness: Nearness) -> tuple[Entry, ...]:
        """Return the entries that may be meant, nearest first."""
        ranked = self._ranked(nearness)
        least = max(_LEAST, ranked[0][0] - MARGIN) if ranked else _LEAST
        return tuple(entry for score, entry in ranked[:_MOST_NEAR] if score >= least)

    def _ranked(self, nearness: Nearness) -> list[tuple[float, Entry]]:
        """Return the entries with their scores, best first."""
        scored = []
        for entry in self.candidates:
            similar = nearness.similarity.get(entry.wording(self.asked.words), 0.0)
            scored.append((similar + _SHARED * self.coverage(entry), entry))
        return sorted(scored, key=lambda pair: -pair[0])

    def _answer_text(self, entry: Entry) -> tuple[str, ...]:
        """Return the name and the values of an entry as it would answer."""
        return (entry.name, *(value.text for value in self.values(entry)))

    def _matches_names(self, entry: Entry) -> bool:
        """True if an entry fits subject, coined words and counts, and the question neither names nor negates it."""
        unnamed = self._coined_words(self.question.question) - self._coined_words(entry.full_text) - entry.name_stems
        is_named = found(self.question.tokens, phrase(entry.name)) is not None
        if is_named or unnamed or stems(self.asked.subject) - entry.all_stems:
            return False
        is_counted = all(self._may_count(value.text) for value in self.values(entry))
        return is_counted and not self.asked.is_negated  # a negated description is near to the plain one

    def _may_count(self, text: str) -> bool:
        """False for an amount of something else than what is counted: metres do not answer *how many boats*."""
        if not self.asked.counted or self.asked.dimensions:
            return True
        return all(map(self._is_counted, amounts(text)))

    def _is_counted(self, amount: Amount) -> bool:
        """True for a number of what is counted, or without a unit."""
        return not amount.unit or stem(amount.unit) == self.asked.counted

    @staticmethod
    def _coined_words(text: str) -> frozenset[str]:
        """Return the coined words of a text: those with marks, digits or capitals inside."""
        return frozenset(match[0].casefold() for match in _COINED.finditer(text))

    @cached_property
    def _asks_for_several(self) -> bool:
        """True for a plural as in *which lamps*, where several may be meant; the verb in *which lamp lets* is none."""
        tokens, kinds = self.question.tokens, self.question.language.kinds
        start = next((place for place, token in enumerate(tokens) if token in kinds), len(tokens)) + 1
        if self._is_valued:
            return False
        for noun in takewhile(lambda token: token.isalpha() and token not in STOP_WORDS, tokens[start:]):
            word = in_own_words((noun,), self.question.question).casefold()
            if word != noun and stem(word) == stem(noun):
                return any(stem(noun) in each.name_stems | stems(each.head) for each in self.candidates)
        return False
