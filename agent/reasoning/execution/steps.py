"""The steps of a finding: cited values with their row and column, and the assumed and unmatched words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent.reasoning.notebook import Notebook
from agent.reasoning.values.cell_text import value_of
from agent.reasoning.values.quantities import number_of
from agent.reasoning.values.ranges import told_side
from agent.types import IN_DOUBT, CellRef, Finding, Reasoned, Row, Step
from agent.understanding.linking.program import Bound, Reading
from retrieval.tables.bind import Binding
from retrieval.tables.match import label_words, matches_any
from retrieval.tables.names import SHORT
from retrieval.text.normal import phrase
from retrieval.types import Chunk


def names_of(readings: Iterable[Reading]) -> list[str]:
    """Return the names of the subjects of some readings."""
    return [reading.name for reading in readings]


_EMPTY = "no mark"
"""What an answer shows for an empty cell of a table of marks."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Writes the steps of a bound question into a notebook, from the retrieved chunks."""

    bound: Bound
    notebook: Notebook
    chunks: dict[str, Chunk]

    def value(self, reading: Reading, binding: Binding | None = None) -> Step:
        """Return a value with its row and column, cited."""
        cell = (binding or reading.best).cell
        own = set(phrase(reading.name))
        named = () if len(reading.found) == 1 else (cell.caption or cell.title,)
        path = [part for part in (*named, *cell.row_path, cell.column_label) if part and set(phrase(part)) != own]
        where = f" ({', '.join(dict.fromkeys(path))})" if path else ""
        cite = self.notebook.cite(self.chunks[cell.chunk_id], cell.quote, CellRef(cell.table, cell.row, cell.column))
        row = Row((binding or reading.best).label or self.bound.measure, ((reading.name, cell.text),))
        return Step(f"{reading.name}: {cell.text or _EMPTY}{where}", cell.text, (cite,), row)

    def doubt(self, need: str, purpose: str = IN_DOUBT) -> None:
        """Record what remains to be found out for a complete answer."""
        self.notebook.need(need, self.bound.linked.question.question, purpose=purpose)

    def assumed(self) -> tuple[Step, ...]:
        """Return the assumptions about labels and names, and the unmatched words."""
        wording = self.bound.linked.wording
        assumed = {f"{wording} means {reading.assumed}" for reading in self.bound.readings if reading.assumed}
        assumed |= {meant for reading in self.bound.readings for meant in self._other_words(reading.best)}
        short = [reading for reading in self.bound.readings if reading.subject.key.startswith(SHORT)]
        assumed |= {f"{reading.name} means {reading.best.place.name}" for reading in short}
        assumed |= set(self.bound.linked.name_assumptions)
        sides = told_side(self.bound, [value_of(reading.best) for reading in self.bound.readings])
        assumed |= {sides} if sides else set()
        steps = [Step(f"assumed: {what}") for what in sorted(assumed)]
        unmatched = ", ".join(self._unmatched)
        return (*steps, Step(f"not heeded: {unmatched}")) if unmatched else tuple(steps)

    @property
    def _unmatched(self) -> list[str]:
        """The unmatched words, except those that name the operation: *which ones count as residential*."""
        said = {
            words
            for operation, words in self.bound.linked.question.language.commands
            if operation == self.bound.operation
        }
        return [word for word in self.bound.unmatched_question_words if (word,) not in said]

    def _other_words(self, binding: Binding) -> Iterator[str]:
        """Yield the words of the question that the label has as a synonym: *price means Cost*."""
        said, linked = label_words(binding.label), self.bound.linked
        for word in binding.fit.label & {*linked.implied, *linked.related}:
            if not matches_any(word, said) and word not in linked.question.language.adjectives:
                yield f"{word} means {binding.label}"

    def _datum(self, reading: Reading, binding: Binding) -> dict[str, object]:
        """Return a value as data."""
        text = value_of(binding)
        return {"name": reading.name, "value": text, "number": number_of(text, self.bound.measure)}

    def reasoned(
        self,
        claim: str,
        steps: tuple[Step, ...],
        shown: tuple[Reading, ...],
        *,
        verdict: str | None,
        better: str | None = None,
        apart: float | None = None,
    ) -> Reasoned:
        """Return the finding, with the assumptions as its first steps and the shown values as data."""
        values = [self._datum(reading, binding) for reading in shown for binding in reading.found]
        data = {"attribute": self.bound.measure, "values": values, "better": better, "difference": apart}
        assumed = self.assumed()
        notes = map(Step, self.bound.linked.notes)
        finding = Finding("structure", claim, (*assumed, *notes, *steps), data, verdict, is_doubted=bool(assumed))
        return self.notebook.reasoned(finding)
