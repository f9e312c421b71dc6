"""The value of one case: the cell that its entity, its keys and its attribute find, and none that tells something else.

A domain that can work out what stands in no cell of its own brings a `ValueReader` that does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from agent.reasoning.cases import Case
from agent.reasoning.labels import beginning
from agent.reasoning.notebook import Fact, Notebook
from agent.reasoning.vetoes import counts_another
from agent.types import Reasoned, Step
from agent.understanding.intent import Comparison
from retrieval.tables.reading import CellQuery
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import phrase, query_words
from retrieval.types import Chunk

_CHANGES = frozenset({"bonus", "penalty", "adjustment", "modifier"})
"""Heads of what is added to a measure; they do not tell the measure itself."""
_MAY = frozenset({"may", "can", "allowed", "permitted"})
Valued = tuple[Case, Fact | None]


class ValueReader:
    """Reads the values of a look-up from cells. A domain overrides what it knows better."""

    measures = frozenset({"level"})
    """Of these a number is asked, and no sentence without one tells them."""
    permitted: Mapping[str, str] = {}
    """What is permitted to those who may do this: *armor* to those who may *wear* it."""

    def resolved(self, comparison: Comparison, notebook: Notebook, steps: list[Step]) -> Comparison:
        """The comparison with what had to be looked up first."""
        return comparison

    def answered(self, comparison: Comparison, notebook: Notebook) -> Reasoned | None:
        """The whole answer, where it is found in a way of the domain's own."""
        return None

    def worked_out(
        self, cases: Sequence[Case], comparison: Comparison, notebook: Notebook, steps: list[Step]
    ) -> Sequence[Fact | None] | None:
        """The values of all cases, where they stand in no cells and have to be worked out; None where they do not."""
        return None

    def value(self, case: Case, comparison: Comparison, notebook: Notebook, steps: list[Step]) -> Fact | None:
        """The value of one case, and no cell that tells something else than was asked."""
        fact = self.read(case, self.wordings(case.attribute, comparison.question), notebook, steps)
        if fact is None or self._is_any_row(fact, case):
            return None
        return None if fact.cell is not None and counts_another(comparison.question, fact.cell) else fact

    def read(self, case: Case, want: tuple[str, ...], notebook: Notebook, steps: list[Step]) -> Fact | None:
        """The cell under the keys of a case: of its entity's own chunks, else of those that tell of it."""
        fact = notebook.read(CellQuery(case.entity, case.keys, want))
        if fact is None and case.keys:
            fact = notebook.read(CellQuery("", case.keys, want), among=telling_of(case.entity, notebook.chunks))
        return fact

    def wordings(self, attribute: str, question: str = "") -> tuple[str, ...]:
        """The wordings of what is asked; *what goods a pedlar may sell* are the *goods permitted*."""
        if attribute in ("length", "last"):  # *how long does it last*
            return (attribute, "duration", "time")
        *words, last = attribute.split() or [""]
        verb = next((word for word in (*words, last) if word in self.permitted), "")
        what = self.permitted[verb] if verb else " ".join(words)
        return (attribute, f"{what} permitted") if what and _MAY & set(phrase(question)) else (attribute,)

    def tells_changes(self, case: Case) -> bool:
        """Whether a cell that only tells a change, such as a bonus, is what a case asks for."""
        return not case.entity

    def _is_any_row(self, fact: Fact, case: Case) -> bool:
        """True for a cell that only tells a change, or that no key chose in a table whose rows are levels or bands."""
        cell = fact.cell
        if cell is None:
            return False
        is_change = set(phrase(cell.column)) & _CHANGES and not set(phrase(case.attribute)) & _CHANGES
        if is_change and not self.tells_changes(case):
            return True
        if case.keys or cell.table.is_record:
            return False
        rows = [row for row in cell.table.rows if cell.row.endswith(row[0])]
        named = set(phrase(case.entity)) & set(phrase(cell.row))
        return not named and any(read_label(row[0]).span is not None for row in rows)


def valued(
    case: Case, comparison: Comparison, notebook: Notebook, steps: list[Step], reader: ValueReader
) -> Iterator[Valued]:
    """The case's value; where its attribute is a list and no one column covers it, the value of each part."""
    whole = reader.value(case, comparison, notebook, steps)
    if len(comparison.parts) < 2 or (whole is not None and _covers(whole, comparison.parts)):
        yield case, whole
        return
    first, *_ = comparison.parts
    shared = " ".join(first.split()[:-1])
    parts = []
    for part in comparison.parts:
        worded = dict.fromkeys((f"{shared} {part}".strip() if part != first else part, part))
        facts = (reader.value(replace(case, attribute=words), comparison, notebook, steps) for words in worded)
        parts.append((replace(case, attribute=part), next((fact for fact in facts if fact is not None), None)))
    columns = {(fact.cell.chunk.id, fact.cell.row, fact.cell.column) for _, fact in parts if fact and fact.cell}
    if len(columns) < 2:
        yield case, whole
    else:
        yield from parts


def _covers(fact: Fact, parts: Sequence[str]) -> bool:
    """True when one cell's head has something of every part: *death, paralysis and poison* is one column."""
    if fact.cell is None:
        return True
    head = {beginning(word) for word in phrase(f"{fact.cell.column} {fact.cell.row}")}
    words = [phrase(part) for part in parts]
    letters = all(word in head for part in words for word in part if len(word) == 1)
    return letters and all(any(beginning(word) in head for word in part) for part in words)


def telling_of(entity: str, chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks whose prose names the entity where their titles do not: *what a cutpurse can do*."""
    wanted = phrase(entity)
    return [chunk for chunk in chunks if chunk.tables and wanted and query_words(_prose(chunk)).has(wanted)]


def _prose(chunk: Chunk) -> str:
    cells = {cell for table in chunk.tables for row in table.rows for cell in row}
    lines = [line for line in chunk.text.split("\n") if not any(cell and cell in line for cell in cells)]
    return "\n".join(lines)[:2000]
