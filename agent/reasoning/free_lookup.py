"""A question that names nobody and has its answer in a cell: that of the row whose name it holds, or of its keys."""

from __future__ import annotations

from agent.reasoning.notebook import Fact, Notebook
from agent.types import Finding, Reasoned, Step
from agent.understanding.intent import Comparison
from retrieval.tables.measures import want_score
from retrieval.tables.reading import CellQuery, Reading, read_cells
from retrieval.text.normal import content_words, is_number, normal, phrase

_ANY_KEY = frozenset(
    {"score", "ability", "type", "number", "total", "to", "up", "and", "or", "above", "higher", "over"}
)
"""Words of a row's label that narrow nothing."""
_CLOSE = 0.5
"""Scores nearer than this to the best do not decide between two tables."""


def free_lookup(
    comparison: Comparison, notebook: Notebook, want: tuple[str, ...], steps: list[Step]
) -> Reasoned | None:
    """The one cell that the words and keys of a question find."""
    fact = _free_lookup(comparison, notebook, want)
    if fact is None or fact.cell is None:
        return None
    where = ", ".join(part for part in (fact.cell.row, fact.cell.column) if part)
    step = Step(f"{fact.text} ({where})", fact.text, (fact.cite,))
    data: dict[str, object] = {"attribute": comparison.attribute, "values": [], "better": None}
    return notebook.reasoned(Finding("compare", step.text, (*steps, step), data, fact.text))


def _free_lookup(comparison: Comparison, notebook: Notebook, want: tuple[str, ...]) -> Fact | None:
    """*What does a long sword cost?* names a row and a column of some table."""
    if comparison.keys:
        cells = _named(read_cells(CellQuery("", comparison.keys, want), notebook.chunks), comparison)
        if cells and not _is_torn(cells) and _is_meant(cells[0], comparison):
            return Fact(cells[0].text, notebook.cite(cells[0].chunk, cells[0].quote), cells[0])
    words = frozenset(content_words(comparison.attribute))
    for chunk in notebook.chunks:
        for table in chunk.tables:
            for row in table.rows:
                name = phrase(row[0])
                if not words.issuperset(name) or all(map(is_number, name)):  # a row called 12 is none that a text names
                    continue
                rest = " ".join(sorted(words.difference(name)))
                if rest and any(want_score((rest,), " ".join(path)) > 0 for path in table.columns[1:]):
                    return notebook.read(CellQuery(row[0], (), (rest,)), among=[chunk])
    return None


def _is_meant(cell: Reading, comparison: Comparison) -> bool:
    """False for a row of *Monster Level 5* where the question says nothing of monsters."""
    said = {word for name, _ in comparison.keys for word in phrase(name)} | set(phrase(comparison.attribute))
    if "hit dice" in said:
        said.add("monster")
    words = (word for word in phrase(cell.row) if word.isalpha() and word not in _ANY_KEY)
    return set(words) <= said or not any(map(str.isdigit, cell.row))


def _named(cells: list[Reading], comparison: Comparison) -> list[Reading]:
    """The cells of rows that the question has a word of; all of them where there is none."""
    said = set(phrase(comparison.attribute))
    return [cell for cell in cells if said & set(phrase(cell.row))] or cells


def _is_torn(cells: list[Reading]) -> bool:
    """True when tables or rows of different names answer alike but not the same: nobody said which class is meant."""
    near = [cell for cell in cells if cell.score >= cells[0].score - _CLOSE]
    answers = {(normal(cell.caption), cell.text) for cell in near}
    rows = {cell.row for cell in near if not any(map(str.isdigit, cell.row))}
    names = max(len(rows), len({caption for caption, _ in answers}))
    return names > 1 and len({text for _, text in answers}) > 1
