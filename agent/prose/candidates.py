"""The sentences that may answer a question, with the words that they share with it, and what is quoted of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agent.prose.units import Unit
from retrieval.types import Chunk


@dataclass(frozen=True, slots=True)
class Quote:
    """A passage of a chunk."""

    text: str
    chunk: Chunk


@dataclass(frozen=True, slots=True)
class ProseAnswer:
    """The best passages, whether they are a complete answer, and the stems of words that they are assumed to mean."""

    quotes: tuple[Quote, ...] = ()
    is_whole: bool = False
    assumed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Candidate:
    """A sentence, with the words of the question in itself, in the text it refers to (`context_words`) and in its
    section names. `similarity` is the cosine similarity to the question, 0 if it was not compared. `synonym_words` are
    the words of the question for which the sentence has a synonym.
    """

    unit: Unit
    chunk: Chunk
    sentence_words: frozenset[str]
    context_words: frozenset[str]
    section_words: frozenset[str]
    similarity: float = 0.0
    synonym_words: frozenset[str] = frozenset()

    @property
    def covered_words(self) -> frozenset[str]:
        return self.sentence_words | self.context_words | self.section_words | self.synonym_words

    @property
    def quote(self) -> Quote:
        """The sentence or row, with the text before it if that has a word of the question or leads in a list."""
        with_context = self.context_words - self.sentence_words or self.unit.list_lead
        return Quote(self.unit.whole if with_context else self.unit.text, self.chunk)


def is_within(one: Candidate, other: Candidate) -> bool:
    """True if the text of one candidate is part of the other's."""
    return one.unit.text in other.unit.text


def is_item_of(item: Candidate, whole: Candidate) -> bool:
    """True for an item of a list that matches no more of the question than the list's lead-in."""
    return item is not whole and item.sentence_words <= whole.covered_words and item.unit.text in whole.unit.text


def distinct_quotes(best: Iterable[Candidate]) -> tuple[Quote, ...]:
    """Return the passages without those that another one contains."""
    quotes: list[Quote] = []
    for quote in (each.quote for each in best):
        if not any(quote.text in other.text or other.text in quote.text for other in quotes):
            quotes.append(quote)
    return tuple(quotes)
