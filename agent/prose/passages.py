"""Rank what a text says by its nearness to a question: each sentence, list item and table row by itself.

A section is found by the average of all that it says, and one sentence of it is lost there: *damage is reported to the
boatman* is far from a chapter of rules. By itself it is near to *whom do I tell when I have broken an oar*. Nearness is
no proof, so a passage that was found so is shown as one that may not answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.prose.asked import prose_question
from agent.prose.candidates import Quote
from agent.prose.kinds import KindGate
from agent.prose.nearest import Nearness, unit_wording
from agent.prose.units import Unit, table_rows, told_in_cells, units_of, untabled_rows
from agent.understanding.question.tagged import Tagged
from retrieval.types import Chunk

MOST_PASSAGES = 4
MOST_COMPARED = 128
"""Statements that are compared, those of the nearest chunks first: embedding takes some milliseconds each. Over 3,069
chunks, with 96 questions in other words than the books', twice as many find no more.
"""
_OF_KIND = 0.05
"""Bonus for a statement that holds an answer of the kind that is asked for."""
_LEAST = 0.25
"""Least cosine similarity of a statement that is near."""
_BESIDE = 0.75
"""Least share of the best score for a statement that is shown beside the best."""


@dataclass(frozen=True)
class NearestPassages:
    """The statements of some chunks, compared with one question."""

    question: Tagged
    chunks: Sequence[Chunk]

    @cached_property
    def _statements(self) -> dict[str, tuple[Unit, Chunk]]:
        """The distinct statements by the wordings to embed, at most `MOST_COMPARED`."""
        pronouns = self.question.language.statement_words("pronouns")
        told = ((unit, chunk) for chunk in self.chunks for unit in _statements_of(chunk, pronouns))
        distinct: dict[str, tuple[Unit, Chunk]] = {}
        for unit, chunk in told:
            distinct.setdefault(unit_wording(unit, chunk), (unit, chunk))
            if len(distinct) == MOST_COMPARED:
                break
        return distinct

    def to_compare(self) -> tuple[str, ...]:
        """Return the wordings to embed."""
        return tuple(self._statements)

    def nearest(self, nearness: Nearness) -> tuple[Quote, ...]:
        """Return the nearest statements, best first; none if no statement is near.

        >>> from agent.understanding.question.tagged import tagged
        >>> chunk = Chunk("c1", "Tell the boatman. Oars are long.", "Damage")
        >>> passages = NearestPassages(tagged("Whom do I tell?"), [chunk])
        >>> near = dict(zip(passages.to_compare(), (0.6, 0.1)))
        >>> [quote.text for quote in passages.nearest(Nearness(near))]
        ['Tell the boatman.']
        """
        kind = KindGate(prose_question(self.question), self.question.language)
        scored = []
        for wording, (unit, chunk) in self._statements.items():
            similar = nearness.similarity.get(wording, 0.0)
            if similar >= _LEAST and not unit.text.endswith("?"):
                scored.append((similar + (_OF_KIND if kind.holds(unit) else 0.0), Quote(unit.whole, chunk)))
        scored.sort(key=lambda pair: -pair[0])
        return tuple(quote for score, quote in scored[:MOST_PASSAGES] if score >= _BESIDE * scored[0][0])


def _statements_of(chunk: Chunk, pronouns: frozenset[str]) -> Iterator[Unit]:
    """Yield the sentences, list items and table rows of a chunk."""
    yield from (unit for unit in units_of(chunk, pronouns) if not unit.list_lead)
    yield from told_in_cells(chunk)
    yield from table_rows(chunk)
    yield from untabled_rows(chunk)
