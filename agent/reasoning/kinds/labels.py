"""The labels of some members, their values, and the words of a question that match them.

Only the labels of these members count, not those of other kinds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from agent.reasoning.kinds.member import Label, Member
from agent.reasoning.measures.dimensions import (
    rated_by,
    without_unit,
)
from agent.reasoning.values.conditions import flag_of, is_numbered
from agent.understanding.question.tagged import Tagged
from retrieval.tables.match import WordForms, matches_any, measure_forms
from retrieval.text.calendar import covered_by
from retrieval.text.normal import phrase

_FAIRLY = 0.4
"""The share of a label, including its unit, that a question for the best must have."""


@dataclass(frozen=True)
class Labels:
    """The labels of some members of one kind, with the words of a question by their places. `named` are the labels that
    the question has as names, with the places of their words. All members match the `called` words. The `tabled` words
    are in the name of their table, and stand for no flag or measure.
    """

    question: Tagged
    members: Sequence[Member]
    said: Sequence[tuple[int, str]]
    named: dict[Label, frozenset[int]] = field(default_factory=dict)
    called: frozenset[str] = frozenset()
    tabled: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    """The words of the asked noun phrase."""
    _measured: dict[Label, bool] = field(default_factory=dict, init=False, compare=False)
    _told: dict[Label, frozenset[str]] = field(default_factory=dict, init=False, compare=False)

    @cached_property
    def labels(self) -> dict[Label, tuple[str, ...]]:
        """Every label with its values."""
        found: dict[Label, list[str]] = {}
        for member in self.members:
            for value in member.values:
                found.setdefault(value.words, []).append(value.text)
        return {label: tuple(texts) for label, texts in found.items()}

    def texts(self, label: Label) -> tuple[str, ...]:
        """Return the values under a label."""
        return self.labels.get(label, ())

    def words_of(self, label: Label) -> frozenset[str]:
        """Return the words of the question that match a label; adjectives match by the measures that they imply."""
        if label not in self._told:
            places = self.named.get(label, frozenset())
            own = (*label, *self._covered(label))
            measured = self._measured_words(own)
            told = (
                word
                for i, word in self.said
                if i in places or not (self._named[i].isdisjoint(own) and self._implied[i].isdisjoint(measured))
            )
            self._told[label] = frozenset(told)
        return self._told[label]

    def _measured_words(self, label: Label) -> frozenset[str]:
        """Return the words of a label without those by which a rate is counted, the *year* of *visitors per year*."""
        return frozenset(label) - rated_by(" ".join(label), self.question.language)

    @cached_property
    def _named(self) -> dict[int, frozenset[str]]:
        """The label words that match each word of the question, by its place."""
        return {i: frozenset(self._forms.of(word)) for i, word in self.said}

    @cached_property
    def _implied(self) -> dict[int, frozenset[str]]:
        """The label words that match a measure that a word of the question implies, by its place."""
        told = {i: self.question.implied_of_kind(i) for i, _ in self.said}
        every = [word for label in self.labels for word in label]
        return {i: frozenset(measure_forms(words, every)) for i, words in told.items()}

    @cached_property
    def _forms(self) -> WordForms:
        return WordForms(word for label in self.labels for word in (*label, *self._covered(label)))

    def _covered(self, label: Label) -> tuple[str, ...]:
        """Return the days and months that a label covers without naming them: *Mon–Wed*."""
        return covered_by(self._texts_of_labels.get(label, ""))

    def is_measured(self, label: Label) -> bool:
        """True if half of the values under a label are numbers."""
        if label not in self._measured:
            self._measured[label] = is_numbered(self.texts(label), " ".join(label))
        return self._measured[label]

    def is_flag(self, label: Label) -> bool:
        """True for a label whose values are all yes or no."""
        language = self.question.language
        told = {flag_of(text, language) for text in self.texts(label)}
        return True in told and told <= {True, False}

    def flag(self, word: str) -> Label | None:
        """Return the label with this word whose values are all yes or no: *required*. The name of the table, which may
        stand behind its labels, is no part of them.
        """
        if (word,) in self.labels and not self.is_flag((word,)):
            return None  # the *milk* of goats, beside *raw milk: yes*
        named = any(word in member.grid.context for member in self.members[:1])
        said = (self.plain[label] if named else label for label in self.labels)
        pairs = zip(self.labels, said, strict=True)
        return next((label for label, words in pairs if matches_any(word, words) and self.is_flag(label)), None)

    @cached_property
    def plain(self) -> dict[Label, Label]:
        """Every label without its unit, and without the header above its own unless labels would coincide."""
        language = self.question.language
        inner = {value.words: value.own_label for member in self.members for value in member.values}
        times = Counter(inner.values())
        labels = {words: text if times[text] == 1 else self._texts_of_labels[words] for words, text in inner.items()}
        return {words: phrase(without_unit(text, language)) for words, text in labels.items()}

    @cached_property
    def _texts_of_labels(self) -> dict[Label, str]:
        return {value.words: value.label for member in self.members for value in member.values}
