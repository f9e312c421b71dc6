"""Decide which needs a model's answer covers, though the rules could not compute them.

The rules look for a cell; a model reads the passages. A missing fact is covered if a sentence that a passage supports
has all words of its need. It is also covered by an answer without problems or gaps that has every name in the need:
then only the need's wording is missing from the book, not the fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from agent.types import Need
from agent.writing.checking.cited import marks_of
from agent.writing.wording.writer import Written
from retrieval.text.normal import content_words


@dataclass(frozen=True, slots=True)
class NeedCoverage:
    """A model's answer to a question, with the collection's names and the words that the collection does not have."""

    written: Written
    question: str
    names_in: Callable[[str], Sequence[str]]
    absent: Sequence[str] = ()

    def covers(self, need: Need) -> bool:
        """True if the answer covers a fact that the rules lack."""
        words = frozenset(content_words(need.need))
        if words and any(words <= each for each in self._supported_words()):
            return True
        names = [*self.names_in(need.need), *words.intersection(self.absent)]
        asked = frozenset(content_words(self.question))
        return self.is_sound and asked.intersection(content_words(" ".join(names))) <= self._answer_words

    def has_words_of(self, name: str) -> bool:
        """True if a sound answer has all words of a name, or a number."""
        return self.is_sound and self._answer_words.issuperset(content_words(name))

    @property
    def is_sound(self) -> bool:
        """True for an answer with a source and without doubts, in which nothing is reported as missing."""
        written = self.written
        return bool(written.borne_out) and not (written.problems or written.not_found or written.is_uncited)

    @property
    def _answer_words(self) -> frozenset[str]:
        """The words of the answer, and of the citations of its supported sentences."""
        return frozenset(content_words(self.written.draft.text)).union(*self._supported_words())

    def _supported_words(self) -> Iterator[frozenset[str]]:
        """Yield the words of each supported sentence, with those of its citations, such as the title of a table."""
        citations = {each.n: f"{each.title} {each.quote}" for each in self.written.draft.citations}
        for sentence in self.written.borne_out:
            cited = " ".join(citations.get(n, "") for n in marks_of(sentence))
            yield frozenset(content_words(f"{sentence} {cited}"))
