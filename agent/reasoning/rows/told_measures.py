"""How words of a question match one measure of a table of alternatives: by its label, and by the units of its
values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from agent.languages.language import Language
from agent.reasoning.measures.dimensions import dimensions_in, measures_in
from agent.reasoning.rows.chosen_rows import Word
from agent.reasoning.rows.lineup import Measure
from agent.reasoning.values.several_amounts import is_said, unit_words
from agent.understanding.question.tagged import Tagged
from retrieval.tables.match import label_words

Words = Mapping[int, Word]
"""Words of a question by their places."""


@dataclass(frozen=True)
class Told:
    """A measure with the `words` of the question besides the names; of these, the `open` ones match nothing around the
    values. If the measure is only the nearest in meaning, `assumed` is the wording that it was taken for.
    """

    question: Tagged
    measure: Measure
    words: Words
    open: Words
    assumed: str = ""
    is_sure: bool = True

    @cached_property
    def direct(self) -> frozenset[int]:
        """The places of the words that are in the label."""
        head = label_words(self.measure.label)
        return frozenset(i for i, word in self.words.items() if is_said(word.text, head))

    @cached_property
    def implied(self) -> frozenset[int]:
        """The places of the words that imply a measure in the label: *wider*, for *Width*."""
        head = label_words(self.measure.label)
        told = (i for i, word in self.words.items() if any(set(each.split()) <= {*head} for each in word.implied))
        return frozenset(told) - self.direct

    @cached_property
    def by_unit(self) -> frozenset[int]:
        """The places of the words that match the units of all values: *cost* and *monthly*, for *$5 a month*."""
        units = frozenset.intersection(*map(unit_words, self.measure.plain_texts))
        told = frozenset(i for i, word in self.words.items() if is_said(word.text, units))
        return (told | self.of_dimension) - self.direct - self.implied

    @cached_property
    def of_dimension(self) -> frozenset[int]:
        """The places of the words for the dimension of the values."""
        language = self.question.language
        of_label = frozenset(each for found in dimensions_in(self.measure.label, language) for each in found.measures)
        measured = (measures_in(text, language) or of_label for text in self.measure.plain_texts)
        meant = frozenset.intersection(*measured)
        large = {word for word, each in language.adjectives.items() if each.scale.of_any} if meant else set[str]()
        said = {i: _spoken_of(word, language) for i, word in self.words.items()}
        return frozenset(i for i, word in self.words.items() if word.text in large or not meant.isdisjoint(said[i]))

    @property
    def places(self) -> frozenset[int]:
        """The places of all matched words."""
        return self.direct | self.implied | self.by_unit

    @property
    def left(self) -> Words:
        """The unmatched words."""
        return {i: word for i, word in self.open.items() if i not in self.places}

    @property
    def fit(self) -> tuple[int, int]:
        """The number of matched words, and how many of them are in the label; larger is better."""
        return len(self.places), len(self.direct)

    @property
    def share(self) -> float:
        """The share of the label's words that the question has."""
        said = label_words(self.measure.label)
        return len(self.direct) / len(said) if said else 0.0

    @property
    def rank(self) -> tuple[float, ...]:
        """The sort key across tables; larger is better."""
        return self.is_sure, -len(self.left), *self.fit, self.share


def _spoken_of(word: Word, language: Language) -> frozenset[str]:
    """Return the measures that a word names or implies."""
    verbs = (each.measures for each in language.dimensions if word.text in each.verbs)
    return frozenset((word.text, *word.implied)).union(*verbs)
