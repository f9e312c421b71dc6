"""Numbers that stand in a source under another name than the sentence gives them, or the other way round.

A line that begins with what it is said of, *Claw. It cuts for 7*, says nothing of a *beak* that another line begins
with; what is said of *m5* and *m6* is not said of *t2*; and *from 5 to 25* is not *from 25 to 5*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from agent.writing.claims import Said, is_identifier
from agent.writing.facts import TEXT, Fact, facts_of, text_of
from agent.writing.numbers import Number, plain
from retrieval.text.normal import is_number, normal
from retrieval.types import Chunk


def misplaced(chunk: Chunk, sentence: Said) -> frozenset[int]:
    """Return the places of the numbers of a sentence that a chunk has, but for another name or in another order.

    >>> from agent.writing.claims import said
    >>> owl = Chunk("1", "Beak. It pecks for 7.\\nClaw. It cuts for 9.", "Owl")
    >>> read = said("its claw does 7")
    >>> [read.tokens[place] for place in misplaced(owl, read)]
    ['7']
    """
    facts = facts_of(chunk)
    labels = frozenset(fact.label for fact in facts if fact.label)
    codes = frozenset(filter(is_identifier, sentence.words))
    here = (codes - frozenset(normal(" ".join((chunk.title, *chunk.headings))))) & _tokens(chunk)
    found = set(_turned(chunk, sentence))
    for number in (one[0] for one in sentence.numbers):
        own = [fact for fact in facts if fact.has(number.value)]
        clause = _clause(sentence, number)
        if own and all(_is_labelled_otherwise(fact, labels, clause) for fact in own):
            found.add(number.place)
        if here and own and all(_is_of_other_codes(fact, codes) for fact in own):
            found.add(number.place)
    return frozenset(found)


def _clause(sentence: Said, number: Number) -> frozenset[str]:
    """The words of the clause that a number stands in."""
    start = max(each for each in sentence.clauses if each <= number.place)
    end = min((each for each in sentence.clauses if each > number.place), default=len(sentence.tokens))
    return frozenset(sentence.tokens[start:end])


def _is_labelled_otherwise(own: Fact, labels: frozenset[frozenset[str]], clause: frozenset[str]) -> bool:
    """Whether a clause has the label of another line, and nothing of this one's that the other has not."""
    others = [label for label in labels if label != own.label and label <= clause]
    return bool(own.label) and any((own.label - label).isdisjoint(clause) for label in others)


def _is_of_other_codes(own: Fact, codes: frozenset[str]) -> bool:
    """Whether a text says something of things with codes, and of none of these."""
    its = frozenset(filter(is_identifier, own.beside))
    return own.of <= TEXT and bool(its) and its.isdisjoint(codes)


@lru_cache(maxsize=512)
def _tokens(chunk: Chunk) -> frozenset[str]:
    return frozenset(normal(plain(text_of(chunk))))


def _turned(chunk: Chunk, sentence: Said) -> Iterator[int]:
    """The places of two numbers that lead from one to the other, where the chunk leads the other way only."""
    told = list(_ways(sentence.tokens))
    there = _ways_of(chunk) if told else frozenset()
    for start, end in told:
        way = sentence.tokens[start], sentence.tokens[end]
        if way not in there and way[::-1] in there:
            yield from (start, end)


@lru_cache(maxsize=512)
def _ways_of(chunk: Chunk) -> frozenset[tuple[str, str]]:
    tokens = normal(plain(text_of(chunk)))
    return frozenset((tokens[start], tokens[end]) for start, end in _ways(tokens))


def _ways(tokens: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The places of two numbers with *to* between them, and at most a word that is the first one's unit."""
    for i, token in enumerate(tokens[1:-1], start=1):
        if token == "to" and is_number(tokens[i + 1]):
            start = next((j for j in (i - 1, i - 2) if j >= 0 and is_number(tokens[j])), None)
            if start is not None:
                yield start, i + 1
