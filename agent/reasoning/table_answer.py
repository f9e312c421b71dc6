"""What a question means that no name or key leads to: the cells whose row and column say every word of it.

*What does it cost to park for four hours in the centre?* names nobody; the table of parking knows all its words. One
cell is a lookup, several rows or columns a comparison. A thing may lead from its own table to another: the zone of a
town to the fares of that zone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.reasoning.accounting import open_letters
from agent.reasoning.cases import Case, cases_of
from agent.reasoning.grounding import Grounded, candidates, grounded, is_within_reach, named_rows, single
from agent.reasoning.judging import apart_or_together, judge, told_in_short
from agent.reasoning.labels import MARKS, PART, Asking, kind_of
from agent.reasoning.members import as_groups, memberships
from agent.reasoning.notebook import Fact, Notebook
from agent.reasoning.quantities import number_of
from agent.reasoning.vetoes import counts_another
from agent.types import Finding, Reasoned, Step
from agent.understanding.clauses import NEXT_QUESTION, tokens_of
from agent.understanding.intent import Comparison
from retrieval.tables.cells import Grid
from retrieval.tables.reading import Reading, says_something
from retrieval.text.normal import phrase
from retrieval.types import Chunk

_BACK = re.compile(r"\b(?:(?P<there>there)|(?P<its>its|their)|(?P<it>it|they|them))\b", re.IGNORECASE)
_Told = list[tuple[Case, Fact]]


def told_by_cells(comparison: Comparison, notebook: Notebook) -> Reasoned | None:
    """The answer of the cells that a question means word by word; None where its words do not lead to any."""
    if not comparison.question or comparison.others:
        return None
    if any(name.endswith(" level") for name, _ in comparison.keys):
        return None  # the number of *3rd level spells* belongs to the spells, and selects no row
    parts = _parts(comparison.question, notebook.chunks)
    steps: list[Step] = []
    told: _Told = []
    for part in parts:
        cells = _told(part, notebook, steps)
        if cells is None or any(fact.cell and counts_another(part, fact.cell) for _, fact in cells):
            return None
        if _are_all_of_a_kind(cells, len(comparison.entities)):
            return None  # a *long sword* is named, and not all swords
        told += cells
    told = [(_named_by_key(case, comparison), fact) for case, fact in told]
    found = _reasoned(comparison, told, steps, notebook, whole=len(parts) == 1)
    return None if open_letters(comparison, found) else found


def _are_all_of_a_kind(told: _Told, named: int) -> bool:
    """True for more rows of one kind than are named."""
    rows = {fact.cell.row for _, fact in told if fact.cell}
    return 0 < named < len(rows) and len(set(map(kind_of, rows))) == 1


def _named_by_key(case: Case, comparison: Comparison) -> Case:
    """The case as the question calls it, where it is called by no more than its key: *3* is the *3rd level thief*."""
    names = [one.name for one in cases_of(comparison) if case.name in dict(one.keys).values()]
    return replace(case, name=names[0]) if len(names) == 1 else case


def goes_back(question: str) -> bool:
    """True for two questions of which the second goes back to the first: *and what does a ticket there cost*."""
    pieces = NEXT_QUESTION.split(question)
    return len(pieces) == 2 and _BACK.search(pieces[-1]) is not None


def _parts(question: str, chunks: Sequence[Chunk]) -> list[str]:
    """A question and the one that goes on from it, with the name it goes back to: *and what does it cost there*."""
    pieces = NEXT_QUESTION.split(question)
    back = _BACK.search(pieces[-1])
    names = _named(pieces[0], chunks) if len(pieces) == 2 and back else []
    if len(names) != 1 or back is None:
        return [question]
    name = f"to {names[0]}" if back["there"] else f"{names[0]}'s" if back["its"] else names[0]
    return [pieces[0], pieces[1][: back.start()] + name + pieces[1][back.end() :]]


def _named(text: str, chunks: Sequence[Chunk]) -> list[str]:
    asking = _asking(text)
    found = {name for chunk in chunks for table in chunk.tables for name, *_ in named_rows(asking, table)}
    return sorted(name for name in found if name)


def _asking(question: str) -> Asking:
    return Asking.of(tokens_of(question))


def _told(question: str, notebook: Notebook, steps: list[Step]) -> _Told | None:
    asking = _asking(question)
    if not is_within_reach(asking, notebook.chunks):
        return _by_groups(asking, notebook, steps)
    meant = candidates(asking, notebook.chunks)
    if parts := _of_one_kind(meant, notebook):
        return [told for part in parts for told in _cells(part, notebook)]
    if (found := single(meant)) is not None:
        return list(_cells(found, notebook))
    return _by_way_of(asking, notebook, steps) or _by_groups(asking, notebook, steps)


def _of_one_kind(meant: Sequence[Grounded], notebook: Notebook) -> list[Grounded]:
    """The rows of one kind in all parts of a table: every *Sword, …* of *Weapons (2 of 3)* and *(3 of 3)*.

    Of a part that was not retrieved nobody knows, so it is a need.
    """
    found = {one.chunk.title: one for one in meant if PART.search(one.chunk.title)}
    whole = {PART.sub("", title) for title in found}
    rows = [one.table.rows[r][0] for one in found.values() for r in one.rows]
    if len(whole) != 1 or len(set(map(kind_of, rows))) != 1 or kind_of(rows[0]) == rows[0]:
        return []
    (title,) = whole
    titles = {chunk.title for chunk in notebook.chunks}
    have = [name for name in titles if PART.search(name) and PART.sub("", name) == title]
    if len(have) < max(int(match[1]) for name in found if (match := PART.search(name))):
        notebook.need(f"the other parts of {title}", title, purpose="the whole of a table")
    return [found[name] for name in sorted(found)]


def _by_groups(asking: Asking, notebook: Notebook, steps: list[Step]) -> _Told | None:
    """The cells of the groups whose members are named: a *reaver* is one of the *Warriors*."""
    members = memberships(asking, notebook.chunks)
    found = grounded(as_groups(asking, members), notebook.chunks) if members else None
    if found is None:
        return None
    groups = [one.group for one in members]
    for group in groups:
        cite = notebook.cite(group.chunk, group.quote)
        steps.append(Step(f"{group.member}: {group.name} ({group.head})", group.name, (cite,)))
    names = {group.name: group.member for group in groups} if len({g.name for g in groups}) == len(groups) else {}
    return [(replace(case, name=names.get(case.name, case.name)), fact) for case, fact in _cells(found, notebook)]


def _cells(found: Grounded, notebook: Notebook) -> Iterator[tuple[Case, Fact]]:
    """Each cell under the name by which it differs from the others."""
    table = found.table
    grid = next(grid for grid in Grid.all_of(found.chunk) if grid.table is table)
    names = [row[0].strip(MARKS) for row in table.rows]
    for r in found.rows:
        for c in found.columns:
            row, head, text = names[r], " ".join(table.columns[c]), table.rows[r][c]
            cell = Reading(grid.cell(r, c), found.chunk, table, 0.0)
            quote = cell.quote
            if names.count(row) > 1:  # the next cell is a key as well
                second = f"{' '.join(table.columns[1])} {table.rows[r][1]}"
                quote = f"{cell.row} / {second} / {head} = {text}"
            name, attribute = (head, row) if len(found.rows) == 1 and len(found.columns) > 1 else (row, head)
            yield Case(name, name, (), attribute), Fact(text, notebook.cite(found.chunk, quote), cell)


def _by_way_of(asking: Asking, notebook: Notebook, steps: list[Step]) -> _Told | None:
    """The cells that a value of a named row leads to: *Norby* is in zone B, and zone B has a fare."""
    ways = []
    for chunk in notebook.chunks:
        for table in chunk.tables:
            named = list(named_rows(asking, table))
            others = [other for other in notebook.chunks if table not in other.tables] if named else []
            for name, row, start, end in named:
                for path, value in zip(table.columns[1:], row[1:], strict=True):
                    head = " ".join(path)
                    words = phrase(f"{head} {value}")
                    found = grounded(Asking.of((*asking.tokens[:start], *words, *asking.tokens[end:])), others)
                    if found is not None and found.holds(words):
                        ways.append((found, name, head, value, chunk, table))
    if len({tuple(found.cell(r, c) for r in found.rows for c in found.columns) for found, *_ in ways}) != 1:
        return None
    found, name, head, value, chunk, table = ways[0]
    cite = notebook.cite(chunk, f"{' '.join(table.columns[0])} {name} / {head} = {value}".strip())
    steps.append(Step(f"{name}: {value} ({head})", value, (cite,)))
    return list(_cells(found, notebook))


def _reasoned(comparison: Comparison, told: _Told, steps: list[Step], notebook: Notebook, *, whole: bool) -> Reasoned:
    cases, facts = [case for case, _ in told], [fact for _, fact in told]
    if any(not says_something(fact.text) for fact in facts):
        where = ", ".join(f"{case.attribute} of {case.name}" for case, fact in told if not says_something(fact.text))
        notebook.need(where, where, purpose="an empty cell")
    several = not whole or len({case.attribute for case in cases}) > 1
    asked = replace(comparison, attribute=cases[0].attribute)
    better, claim = (None, ", ".join(told_in_short(*pair) for pair in told)) if several else judge(cases, facts, asked)
    steps += [Step(told_in_short(case, fact), fact.text, (fact.cite,)) for case, fact in told]
    apart, more, total = (None, [], "") if several else apart_or_together(facts, asked)
    one = len({fact.cell.row for fact in facts if fact.cell is not None}) == 1
    if apart is not None and one and comparison.prefer is None and "difference" not in tokens_of(comparison.question):
        apart, more = None, []  # *price and weight* of one thing
    steps += more
    values = [_value(case, fact.text) for case, fact in told]
    data = {"attribute": asked.attribute, "values": values, "better": better, "difference": apart}
    verdict = better or (facts[0].text if len(facts) == 1 else None)
    return notebook.reasoned(Finding("compare", claim + total, tuple(dict.fromkeys(steps)), data, verdict))


def _value(case: Case, text: str) -> dict[str, object]:
    said = text if says_something(text) else None
    return {"name": case.name, "value": said, "number": number_of(text, case.attribute), "attribute": case.attribute}
