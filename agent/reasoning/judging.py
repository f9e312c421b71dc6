"""Values side by side: which is the better, by how much, and in what words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.reasoning.cases import Case
from agent.reasoning.labels import words_of
from agent.reasoning.notebook import Fact, Notebook
from agent.reasoning.quantities import best_of, lower_is_better, number_of, quantities_of, same_unit
from agent.types import Step
from agent.understanding.clauses import tokens_of
from agent.understanding.intent import Comparison
from retrieval.tables.measures import canonical
from retrieval.text.label_ranges import read_label

_JUDGED = ("better", "worse")
_LEVELS = ("level", "rank", "grade", "tier")
_WITH_PLUS = re.compile(r"\s*\d+\s*[+−-]\s*\d")
"""Hit dice of *4+1* are more than 4, but by no number."""


def told_in_short(case: Case, fact: Fact) -> str:
    """A value with the row and column it stands in."""
    return f"{case.name}: {fact.text} ({where(fact)})" if fact.cell is not None else f"{case.name}: {fact.text}"


def where(fact: Fact) -> str:
    """The row and column of a fact's cell."""
    assert fact.cell is not None
    return ", ".join(part for part in (fact.cell.row, fact.cell.column) if part)


def _is_low(comparison: Comparison) -> bool:
    """Whether the lower end of the scale is asked for: by the word itself, or because lower is better there."""
    scale = lower_is_better(comparison.attribute)
    return {"low": True, "better": scale, "worse": not scale}.get(comparison.prefer or "high", False)


def judge(cases: Sequence[Case], facts: Sequence[Fact | None], comparison: Comparison) -> tuple[str | None, str]:
    """The better one, or None, and the claim. What lacks is a need: whether it was looked for, the needs tell."""
    if len(cases) == 1 or not any(facts):
        return None, _single(cases[0], facts[0])
    told = [(case, fact) for case, fact in zip(cases, facts, strict=True) if fact is not None]
    listing = ", ".join(f"{_label(case, cases)} {fact.text}" for case, fact in told)
    found = [fact.text for fact in facts if fact is not None]
    if len(found) < len(cases) or len({case.attribute for case in cases}) > 1:
        return None, f"{listing}."
    low = _is_low(comparison)
    quantities = quantities_of(found, comparison.attribute)
    if quantities is None:
        return None, f"{listing}."
    best = best_of(quantities, low)
    if len(best) > 1 and (comparison.prefer is not None or len(best) == len(cases)):
        return None, f"{' and '.join(cases[i].name for i in best)} are equal: {listing}."
    if comparison.prefer is None or not best:
        return None, f"{listing}."
    why = f"{'lower' if low else 'higher'} is {comparison.prefer if comparison.prefer in _JUDGED else 'asked for'}"
    name = cases[best[0]].name
    return name, f"{name} ({listing}; {why})."


def directed(
    comparison: Comparison,
    found: Sequence[tuple[Case, Fact | None]],
    notebook: Notebook,
    steps: list[Step],
    final: bool,
) -> Comparison:
    """The comparison with the better end of the scale, where no word tells it: of what falls with the level, the low.

    For what a level brings is better than what the one before it brought; other levels are read to know that.
    """
    cells = [(case, fact.cell) for case, fact in found if fact is not None and fact.cell is not None]
    name = next((name for name, _ in comparison.keys if name in _LEVELS), None)
    if not cells or name is None or comparison.prefer not in _JUDGED or lower_is_better(comparison.attribute):
        return comparison
    case, cell = cells[0]
    tables = (table for chunk in notebook.chunks for table in chunk.tables)
    same = [table for table in tables if (table.caption, table.columns) == (cell.table.caption, cell.table.columns)]
    heads = [" ".join(path) for path in cell.table.columns]
    read = [(read_label(row[0]).span, number_of(row[heads.index(cell.column)])) for table in same for row in table.rows]
    rows = sorted((span.minimum, worth) for span, worth in read if span is not None and worth is not None)
    if len(rows) < 2 and not final:
        text = f"{case.entity} {case.attribute} {name} 1 {name} 4 {name} 8"
        notebook.need(f"whether {case.attribute} rises", text, purpose=case.attribute, entities=(case.entity,))
    if not rows or rows[0][1] <= rows[-1][1]:
        return comparison
    steps.append(Step(f"{cell.column} falls from {name} to {name}: the lower the better"))
    return replace(comparison, prefer="low" if comparison.prefer == "better" else "high")


def _single(case: Case, fact: Fact | None) -> str:
    if fact is None:
        return f"Not found: {case.attribute} of {case.name}."
    return told_in_short(case, fact)


def _label(case: Case, cases: Sequence[Case]) -> str:
    """A case's name, with its attribute where several are asked."""
    return case.name if len({c.attribute for c in cases}) == 1 else f"{case.name} {case.attribute}"


def apart_or_together(facts: Sequence[Fact | None], comparison: Comparison) -> tuple[float | None, list[Step], str]:
    """The difference of two values, or the sum of all where that is asked for; as a step, and for the claim."""
    found = [fact for fact in facts if fact is not None]
    heads = words_of(" ".join(fact.cell.column for fact in found if fact.cell is not None))
    asked = "total" in map(canonical, tokens_of(comparison.question)) and "total" not in heads
    quantities = (
        quantities_of([fact.text for fact in found], comparison.attribute) if len(found) == len(facts) > 1 else None
    )
    if asked and comparison.prefer is None and quantities is not None and len({q.unit for q in quantities}) == 1:
        if any(q.top is not None for q in quantities) or any(map(_WITH_PLUS.match, (fact.text for fact in found))):
            return None, [], ""
        unit, number = quantities[0].unit, f"{sum(q.number for q in quantities):,g}"
        total = f"{number} {unit}".strip() if unit.isalpha() or not unit else f"{unit}{number}"
        return None, [Step(f"the total is {total}", total)], f" Together: {total}."
    apart = difference(facts, comparison.attribute)
    return apart, [Step(f"the difference is {apart:g}", apart)] if apart is not None else [], ""


def difference(facts: Sequence[Fact | None], attribute: str) -> float | None:
    """By how much two values differ; None where they are not two numbers of one measure."""
    texts = [fact.text for fact in facts if fact is not None]
    found = quantities_of(texts, attribute) if len(texts) == len(facts) == 2 else None
    if found is None or len({quantity.unit for quantity in found}) > 1 or "size" in attribute.lower():
        return None
    if not same_unit(texts) or any(q.top is not None for q in found) or any(map(_WITH_PLUS.match, texts)):
        return None
    return round(abs(found[0].number - found[1].number), 9)
