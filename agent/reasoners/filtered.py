"""All rows of a kind that meet a condition, and how many: those below a number, or those that have a certain value.

Nothing is told until every table of the kind was read; a row whose cell can't be judged is named, and the answer is
then only one in part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from agent.planner.attributes import is_negated
from agent.planner.clauses import tokens_of
from agent.planner.conditions import OVER_OR_UNDER, Threshold, asks_number, is_conditional, threshold
from agent.reasoners.facts import Notebook
from agent.reasoners.grounding import told_by_name
from agent.reasoners.labels import MARKS, Asking, is_age, name_words, partly, stem, words_of
from agent.reasoners.quantities import number_of, quantities_of
from agent.types import Comparison, Finding, Reasoned, Step
from retrieval.spans import read_label
from retrieval.text import is_number, number
from retrieval.types import Chunk, Table

_WITHOUT = frozenset({"no", "without"})
_Judge = Callable[[str], bool | None]


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A column of a table, and what its cells are judged by; None is what can't be judged."""

    chunk: Chunk
    table: Table
    column: int
    judge: _Judge
    named: int


def is_filter(comparison: Comparison) -> bool:
    """True where all that meet a condition are asked for, and not the best of them."""
    return bool(comparison.among) and is_conditional(tokens_of(comparison.question))


def filtered(comparison: Comparison, notebook: Notebook) -> Reasoned | None:
    """The rows of `comparison.among` that meet the condition; None when no column accounts for the question."""
    tokens = tokens_of(comparison.question)
    by_id = {chunk.id: chunk for chunk in notebook.chunks}
    for id_, title in comparison.among:
        if id_ not in by_id:
            text = f"{title} {comparison.attribute}".strip()
            notebook.need(f"all of {title}, to tell which meet it", text, purpose="all there are", entities=(title,))
    if notebook.needs:
        nothing: dict[str, object] = {"attribute": comparison.attribute, "values": [], "better": None}
        return notebook.reasoned(Finding("compare", "Not all of them could be read.", (), nothing))
    asking, limit = Asking.of(tokens), threshold(tokens)
    chunks = [by_id[id_] for id_, _ in comparison.among]
    found = [one for chunk in chunks for table in chunk.tables for one in _choices(asking, limit, chunk, table)]
    best = [one for one in found if one.named == max(each.named for each in found)]
    if not best or len({(one.table.columns[one.column], one.chunk.title) for one in best}) > 1:
        return None
    return _told(comparison, best, asks_number(tokens), notebook)


def _choices(asking: Asking, limit: Threshold | None, chunk: Chunk, table: Table) -> Iterator[_Chosen]:
    if table.is_record or len(table.columns) < 2:
        return
    heads = [" ".join(path) for path in table.columns]
    told = told_by_name(asking, chunk, table)
    if limit is not None:
        yield from _below_or_above(asking, limit, chunk, table, told)
        return
    turned = {i for i in asking.needed if is_negated(asking.tokens[i : i + 1])}
    for c, head in enumerate(heads[1:], start=1):
        named = {i for i in asking.needed if stem(asking.tokens[i]) in words_of(head)}
        if named and asking.tokens[min(named) - 1] in _WITHOUT and asking.needed <= told | named:
            yield _Chosen(chunk, table, c, _is_nothing, len(named - told))
        for i in (i for i in asking.needed if is_age(asking.tokens, i) and "age" in words_of(head)):
            if asking.needed <= told | named | {i}:
                yield _Chosen(chunk, table, c, _covering(number(asking.tokens[i])), 1)
        for value in dict.fromkeys(row[c] for row in table.rows):
            at = _places(asking, value, words_of(head))
            if at and asking.needed <= told | named | at | turned:
                judge = _without(value) if turned - at else _having(value)
                yield _Chosen(chunk, table, c, judge, len((named | at) - told))


def _below_or_above(
    asking: Asking, limit: Threshold, chunk: Chunk, table: Table, told: Collection[int]
) -> Iterator[_Chosen]:
    heads = [" ".join(path) for path in table.columns]
    own = {limit.number, *(i for i in range(limit.start, limit.number) if asking.tokens[i] in OVER_OR_UNDER)}
    columns = partly(asking, heads, asking.needed - own - set(told), ())
    columns = {c: at for c, at in columns.items() if c}
    if len(columns) != 1:
        return
    ((c, at),) = columns.items()
    cells = [row[c] for row in table.rows]
    units = words_of(f"{heads[c]} {' '.join(cells)}")
    open_ = asking.needed - own - set(told) - at
    if all(i > limit.number and stem(asking.tokens[i]) in units for i in open_):
        unit = asking.tokens[limit.number + 1] if limit.number + 1 in open_ else ""
        yield _Chosen(chunk, table, c, _held_against(limit, asking.tokens[limit.number], unit, cells), len(at))


def _places(asking: Asking, value: str, head: Collection[str]) -> set[int]:
    """Where the question has the whole of a cell, as words; a number only beside the head: *two hands*, *circle 2*."""
    words = tuple(stem(word) for word in name_words(value))
    tokens = [stem(token) for token in asking.tokens]
    starts = [i for i in range(len(tokens)) if words and tuple(tokens[i : i + len(words)]) == words]
    if words and is_number(words[0]):
        starts = [i for i in starts if len(words) == 1 and {*tokens[i - 1 : i], *tokens[i + 1 : i + 2]} & set(head)]
    return set(range(starts[0], starts[0] + len(words))) if starts else set()


def _covering(wanted: float) -> _Judge:
    return lambda cell: None if (span := read_label(cell).span) is None else wanted in span


def _is_nothing(cell: str) -> bool:
    return cell.strip(" -–—").lower() in ("", "0", "no", "none", "nothing")


def _having(value: str) -> _Judge:
    wanted = words_of(value)

    def judge(cell: str) -> bool | None:
        words = words_of(cell)
        return True if words == wanted else None if wanted <= words else False

    return judge


def _without(value: str) -> _Judge:
    has = _having(value)

    def judge(cell: str) -> bool | None:
        held = has(cell) if cell.strip(" -–—") else None
        return None if held is None else not held

    return judge


def _held_against(limit: Threshold, number: str, unit: str, cells: Sequence[str]) -> _Judge:
    bare = {re.sub(r"[^a-z°%]", "", cell.lower()) for cell in cells if number_of(cell) is not None}
    bound = f"{number} {unit or (next(iter(bare)) if len(bare) == 1 else '')}".strip()

    def judge(cell: str) -> bool | None:
        held = quantities_of([cell, bound]) or quantities_of([cell, number])
        if held is None:
            return None
        low, high = held[0].number, held[0].number if held[0].top is None else held[0].top
        at = held[1].number
        judged = {(x < at if limit.low else x > at) or (limit.exact and x == at) for x in (low, high)}
        return judged.pop() if len(judged) == 1 else None

    return judge


def _told(comparison: Comparison, chosen: Sequence[_Chosen], count: bool, notebook: Notebook) -> Reasoned:
    steps, values, unsure = [], [], []
    judged = 0
    for one in chosen:
        first, head = " ".join(one.table.columns[0]), " ".join(one.table.columns[one.column])
        for row in one.table.rows:
            name, cell = row[0].strip(MARKS), row[one.column]
            meets, judged = one.judge(cell), judged + 1
            if meets is None:
                unsure.append(f"{name} ({cell.strip() or 'nothing'})")
            elif meets:
                cite = notebook.cite(one.chunk, f"{first} {row[0]} / {head} = {cell}".strip())
                steps.append(Step(f"{name}: {cell} ({head})", name, (cite,)))
                values.append({"name": name, "value": cell, "number": number_of(cell, comparison.attribute)})
    if not values and not unsure:
        cite = notebook.cite(chosen[0].chunk, chosen[0].chunk.title)
        steps.append(Step(f"none of the {judged} in {chosen[0].chunk.title}", 0, (cite,)))
    if unsure:
        notebook.need(f"whether these meet it: {', '.join(unsure)}", comparison.question, purpose="unclear cells")
    names = ", ".join(str(value["name"]) for value in values) or "none"
    where = ", ".join(dict.fromkeys(one.chunk.title for one in chosen))
    claim = f"{len(values)} of {judged} in {where}: {names}."
    if count:
        steps.append(Step(f"the number is {len(values)}", len(values)))
    data = {"attribute": comparison.attribute, "values": values, "better": None, "difference": None} | (
        {"count": len(values)} if count else {}
    )
    verdict = (str(len(values)) if count else names) if not unsure else None
    return notebook.reasoned(Finding("compare", claim, tuple(steps), data, verdict))
