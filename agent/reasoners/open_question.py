"""Questions that name nobody: the row whose name the question holds, the cell its keys find, or the nearest sentences.

A quotation is an answer only where every word that matters, and every number, occurs in the evidence, and nothing was
to be ranked or looked up; otherwise it is shown as the nearest passage, and the question stays open.
"""

from __future__ import annotations

from agent.reasoners.facts import Fact, Notebook
from agent.reasoners.passages import is_of_kind, quotes, unseen_words, untold_words
from agent.types import Comparison, Finding, Reasoned, Step
from retrieval.tables.measures import want_score
from retrieval.tables.reading import CellQuery, Reading, read_cells
from retrieval.text import content_words, is_number, normal, phrase

_NEAREST = "The nearest passages, which may not answer the question:"
_ANY_KEY = frozenset(
    {"score", "ability", "type", "number", "total", "to", "up", "and", "or", "above", "higher", "over"}
)
"""Words of a row's label that narrow nothing."""
_CLOSE = 0.5
"""Scores nearer than this to the best do not decide between two tables."""


def open_question(comparison: Comparison, notebook: Notebook, want: tuple[str, ...], steps: list[Step]) -> Reasoned:
    """Answer from the one cell or the sentences that fit; where several tables would fit, ask which is meant."""
    data: dict[str, object] = {"attribute": comparison.attribute, "values": [], "better": None}
    ranking = comparison.superlative or comparison.prefer is not None
    fact = None if ranking else _free_lookup(comparison, notebook, want)
    if fact is not None and fact.cell is not None:
        where = ", ".join(part for part in (fact.cell.row, fact.cell.column) if part)
        step = Step(f"{fact.text} ({where})", fact.text, (fact.cite,))
        return notebook.reasoned(Finding("compare", step.text, (*steps, step), data, fact.text))
    if comparison.cells_only:
        return notebook.reasoned(Finding("compare", "", tuple(steps), data))
    found = quotes(comparison.attribute, notebook.chunks) if not comparison.keys else []
    unseen = unseen_words(comparison.attribute, notebook.chunks)
    of_kind = [quote for quote in found if is_of_kind(comparison.question, quote.text)]
    told = any(not untold_words(comparison.attribute, [quote]) for quote in of_kind)
    if not told or unseen or ranking:
        need = f"{comparison.attribute} (nowhere: {', '.join(unseen)})" if found and unseen else comparison.attribute
        notebook.need(need, comparison.attribute or "?", purpose="open question")
    steps += [Step(q.text, None, (notebook.cite(q.chunk, q.text),)) for q in found]
    if not found:
        return notebook.reasoned(Finding("compare", f"Not found: {comparison.attribute}.", (), data))
    return notebook.reasoned(Finding("compare", _NEAREST if notebook.needs else found[0].text, tuple(steps), data))


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
