"""Looked-up values side by side, with the better one and the difference; or what the book says in words.

One entity makes a lookup, several a comparison, none an open question that is answered by quotation. What has no
cell and no sentence is a need, and in the end unanswered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from agent.prose.overview import description
from agent.reasoning.case_values import ValueReader, telling_of, valued
from agent.reasoning.cases import Case, cases_of
from agent.reasoning.free_lookup import free_lookup
from agent.reasoning.from_prose import PROSE, from_prose, is_description, is_owned
from agent.reasoning.judging import apart_or_together, directed, judge, told_in_short
from agent.reasoning.labels import words_of
from agent.reasoning.lists import listed_items
from agent.reasoning.notebook import Fact, Notebook
from agent.reasoning.quantities import lower_is_better, number_of
from agent.reasoning.side_by_side import side_by_side
from agent.reasoning.table_answer import goes_back, told_by_cells
from agent.reasoning.vetoes import vetted
from agent.types import Finding, Reasoned, Row, Step
from agent.understanding.intent import Comparison
from agent.understanding.tagged import tagged
from agent.understanding.typos import taken_for
from retrieval.tables.reading import CellQuery
from retrieval.text.normal import phrase
from retrieval.types import Chunk

__all__ = ["lower_is_better", "reason"]

_ALL = frozenset(
    {"stat", "statistic", "attribute", "characteristic", "property", "profile", "value", "number", "everything"}
)
_PRICE = ("price", "cost")
_AS = re.compile(r"\bas an?\b", re.IGNORECASE)


@dataclass(slots=True)
class _Asked:
    """A comparison with what there is to answer it; each way to answer writes a notebook of its own."""

    comparison: Comparison
    chunks: Sequence[Chunk]
    prefix: str
    final: bool
    reader: ValueReader
    by_cells: Reasoned | None = None

    def notebook(self) -> Notebook:
        return Notebook(self.chunks, self.prefix)


def reason(
    comparison: Comparison,
    chunks: Sequence[Chunk],
    prefix: str = "q",
    *,
    final: bool = True,
    reader: ValueReader | None = None,
) -> Reasoned:
    """Look up what is asked on what `chunks` say.

    `final` allows quoting prose where no cell answers. `reader` is how a domain reads the values of its own look-ups.
    """
    asked = _Asked(comparison, chunks, prefix, final, reader or ValueReader())
    first = next(told for way in _WAYS if (told := way(asked)) is not None)
    found = first if first.finding.reasoner == PROSE else vetted(asked.comparison, first, chunks, prefix)
    found = vetted(comparison, asked.by_cells, chunks, prefix) if found.needs and asked.by_cells else found
    assumed = [Step(f"assumed: {word} means {name}") for word, name in taken_for(comparison).items()]
    if not assumed:
        return found
    return replace(found, finding=replace(found.finding, steps=(*assumed, *found.finding.steps)))


def _by_domain(asked: _Asked) -> Reasoned | None:
    """What a domain knows by a way of its own."""
    return asked.reader.answered(asked.comparison, asked.notebook())


def _by_section(asked: _Asked) -> Reasoned | None:
    """All that is said of what is to be described: its section and its values."""
    comparison = asked.comparison
    if not comparison.entities or not is_description(comparison.question):
        return None
    names = tuple(name for name in comparison.entities if not is_owned(name, comparison.question))
    notebook = asked.notebook()
    found = side_by_side(names or comparison.entities, notebook)
    told = description(names[0], asked.chunks) if len(names) == 1 else None
    if told is None:
        return found
    steps = (Step(told[0], None, (notebook.cite(told[1], told[0]),)), *found.finding.steps)
    return notebook.reasoned(replace(found.finding, steps=tuple(dict.fromkeys(steps))))


def _by_cells(asked: _Asked) -> Reasoned | None:
    """What cells tell of a question that names nobody, or of one thing in two columns; else it is kept for later."""
    asked.by_cells = told = told_by_cells(asked.comparison, asked.notebook())
    if told is None:
        return None
    several = len(asked.comparison.entities) < len(told.finding.values["values"])
    several = several or goes_back(asked.comparison.question)
    return told if not asked.comparison.entities or (several and not told.needs) else None


def _by_names(asked: _Asked) -> Reasoned:
    """What is asked of those who are named, once what has to be known first was looked up."""
    notebook, steps = asked.notebook(), list[Step]()
    comparison = asked.reader.resolved(asked.comparison, notebook, steps)
    if not comparison.entities or comparison.superlative:
        return _of_nobody(comparison, notebook, asked.reader.wordings(comparison.attribute), steps)
    if (joint := _joint(comparison, notebook, asked.final)) is not None:
        return joint
    if (
        _wants_everything(comparison.attribute)
        and not _asks_whether(comparison.question)
        and not {name for name, _ in comparison.keys} - {"level"}
    ):
        told = asked.by_cells
        return told if told and not told.needs else side_by_side(comparison.entities, notebook)
    return _looked_up(replace(asked, comparison=comparison), notebook, steps)


def _of_nobody(comparison: Comparison, notebook: Notebook, want: tuple[str, ...], steps: list[Step]) -> Reasoned:
    """The one cell that the words find; else what the book says in words."""
    is_ranking = comparison.superlative or comparison.prefer is not None
    found = None if is_ranking else free_lookup(comparison, notebook, want, steps)
    if found is not None:
        return found
    if comparison.cells_only:
        data: dict[str, object] = {"attribute": comparison.attribute, "values": [], "better": None}
        return notebook.reasoned(Finding("compare", "", tuple(steps), data))
    return from_prose(tagged(comparison.question or comparison.described), notebook, tuple(steps))


_WAYS: tuple[Callable[[_Asked], Reasoned | None], ...] = (
    _by_domain,
    _by_section,
    _by_cells,
    _by_names,
)
"""The ways to answer, tried in turn: the first that knows what is meant answers."""


def _looked_up(asked: _Asked, notebook: Notebook, steps: list[Step]) -> Reasoned:
    """Each case's values; where there is none at all, what the book says in words."""
    comparison, reader, final = asked.comparison, asked.reader, asked.final
    cases = list(cases_of(comparison))
    worked_out = reader.worked_out(cases, comparison, notebook, steps)
    if worked_out is not None:
        return _compared(cases, worked_out, comparison, notebook, steps)
    found = [pair for case in cases for pair in valued(case, comparison, notebook, steps, reader)]
    if final and not any(fact for _, fact in found) and not comparison.keys and not comparison.others:
        said = from_prose(tagged(comparison.question or comparison.described), asked.notebook(), tuple(steps))
        if said.citations and (not said.needs or len(cases) == 1 or said.finding.values["values"]):
            return said
    found = [(case, fact if fact is None or _is_own(case, fact, found) else None) for case, fact in found]
    told = bool(notebook.needs)  # what a step on the way lacks says why
    for case, fact in found:
        if fact is None and not told:
            _need(case, comparison, notebook, reader)
    comparison = directed(comparison, found, notebook, steps, final)
    return _compared([case for case, _ in found], [fact for _, fact in found], comparison, notebook, steps)


def _is_own(case: Case, fact: Fact, found: Sequence[tuple[Case, Fact | None]]) -> bool:
    """False for a cell that two have found and that says nothing of this one."""
    shared = any(other and other.cite == fact.cite and one.entity != case.entity for one, other in found)
    if not shared or fact.cell is None:
        return True
    said = " ".join((fact.cell.chunk.title, *fact.cell.chunk.headings, fact.cell.caption, fact.cell.quote))
    return words_of(case.entity) <= words_of(said)


def _joint(comparison: Comparison, notebook: Notebook, final: bool) -> Reasoned | None:
    """Two names that find one cell together: the row of the one in a table of the other."""
    if len(comparison.entities) != 2 or comparison.prefer is not None or comparison.others:
        return None
    one, two = comparison.entities
    want = (comparison.attribute,) if comparison.attribute else ()
    for owner, row in ((one, two), (two, one)):
        case = Case(f"{row}, {owner}", owner, (*comparison.keys, ("", row)), comparison.attribute)
        fact = notebook.read(CellQuery(owner, case.keys, want or _PRICE))
        if fact is None and comparison.keys:
            fact = notebook.read(CellQuery("", case.keys, want), among=telling_of(owner, notebook.chunks))
        if fact is not None:
            return _compared([case], [fact], comparison, notebook, [])
    return _in_lists(comparison, notebook, final)


def _in_lists(comparison: Comparison, notebook: Notebook, final: bool) -> Reasoned | None:
    """What the lists of the one say of the other: *can a halfling be a paladin*, *how high … reach as a fighter*."""
    if comparison.keys or not (_asks_whether(comparison.question) or _AS.search(comparison.question)):
        return None
    (one, two), wanted = comparison.entities, words_of(comparison.attribute)
    items = [
        (Case(f"{name}, {owner} ({label})", owner, (), label), fact)
        for owner, name in ((one, two), (two, one))
        for label, fact in listed_items(owner, name, notebook)
        if not wanted or wanted & words_of(label)
    ]
    if not items and not final:
        text = f"{one} {two} {comparison.attribute} limit limitation"
        notebook.need(f"{two} of {one}", text, purpose="limits", entities=comparison.entities)
    cases, facts = [case for case, _ in items], [fact for _, fact in items]
    return _compared(cases, facts, comparison, notebook, []) if items else None


def _wants_everything(attribute: str) -> bool:
    words = set(phrase(attribute))
    return not words or words <= _ALL


def _asks_whether(question: str) -> bool:
    """True for *can an elf be a ranger*, which asks for no values; not for *can you compare …*."""
    first, second, *_ = (*phrase(question), "", "")
    return first in ("can", "could", "may", "must") and second not in ("you", "i", "we")


def _need(case: Case, comparison: Comparison, notebook: Notebook, reader: ValueReader) -> None:
    keys = " ".join(f"{name} {value}" for name, value in case.keys)
    if not comparison.others:
        worded = reader.wordings(case.attribute, comparison.question)
        want = next((words for words in worded if words.endswith("permitted")), case.attribute)
        text = " ".join(part for part in (case.entity, want, keys) if part)
        notebook.need(
            f"{case.attribute or 'what the book says'} of {case.name}{f' ({keys})' if keys else ''}",
            text,
            purpose=case.attribute,
            entities=(case.entity,),
        )


def _compared(
    cases: Sequence[Case], facts: Sequence[Fact | None], comparison: Comparison, notebook: Notebook, steps: list[Step]
) -> Reasoned:
    several = len({case.attribute for case in cases}) > 1
    values = [
        {"name": case.name, "value": fact.text if fact else None}
        | {"number": number_of(fact.text, case.attribute) if fact else None}
        | ({"attribute": case.attribute} if several else {})
        for case, fact in zip(cases, facts, strict=True)
    ]
    for case, fact in zip(cases, facts, strict=True):
        if fact is not None:
            row = Row(case.attribute, ((case.name, fact.text),))
            steps.append(Step(told_in_short(case, fact), fact.text, (fact.cite,), row))
    better, claim = judge(cases, facts, comparison)
    apart, more, total = (None, [], "") if several else apart_or_together(facts, comparison)
    steps += more
    data = {"attribute": comparison.attribute, "values": values, "better": better, "difference": apart}
    verdict = better or (facts[0].text if len(facts) == 1 and facts[0] else None)
    return notebook.reasoned(Finding("compare", claim + total, tuple(dict.fromkeys(steps)), data, verdict))
