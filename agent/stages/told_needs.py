"""Which needs a model's answer tells, though the rules could not compute them.

The rules look for a cell; a model reads the passages. A fact that they lack is told where a sentence that a passage
bears out has all of its words. It is told as well by an answer in which nothing is wrong or missing, where that speaks
of every thing that the need names: then it is the need's words that the book has not, and not the fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from agent.types import Need
from agent.writing.checking.cited import marks_of
from agent.writing.wording.writer import Written
from retrieval.text.normal import content_words


@dataclass(frozen=True, slots=True)
class ToldNeeds:
    """What a model wrote of a question, with what the collection calls things, and with what it has no word for."""

    written: Written
    question: str
    names_in: Callable[[str], Sequence[str]]
    absent: Sequence[str] = ()

    def tells(self, need: Need) -> bool:
        """Whether the answer tells a fact that the rules lack."""
        words = frozenset(content_words(need.need))
        if words and any(words <= each for each in self._borne_out()):
            return True
        names = [*self.names_in(need.need), *words.intersection(self.absent)]
        asked = frozenset(content_words(self.question))
        return self.is_sound and asked.intersection(content_words(" ".join(names))) <= self._said

    def speaks_of(self, name: str) -> bool:
        """Whether a sound answer has all words of a name, or a number."""
        return self.is_sound and self._said.issuperset(content_words(name))

    @property
    def is_sound(self) -> bool:
        """True for an answer with a source, in which nothing is doubted, and that says of nothing that it lacks it."""
        written = self.written
        return bool(written.borne_out) and not (written.problems or written.not_found or written.is_uncited)

    @property
    def _said(self) -> frozenset[str]:
        """The words of the answer, with those of what it cites."""
        return frozenset(content_words(self.written.draft.text)).union(*self._borne_out())

    def _borne_out(self) -> Iterator[frozenset[str]]:
        """The words of each sentence that is borne out, with those of what it cites, such as the title of a table."""
        citations = {each.n: f"{each.title} {each.quote}" for each in self.written.draft.citations}
        for sentence in self.written.borne_out:
            cited = " ".join(citations.get(n, "") for n in marks_of(sentence))
            yield frozenset(content_words(f"{sentence} {cited}"))
