"""The best of all there are: every row of the tables that list a kind, or every stat block of it.

Nothing is claimed until all of them were read. Equals are all named, and what has no value is said to be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.planner.attributes import rank_asked
from agent.planner.clauses import tokens_of
from agent.reasoners.facts import Notebook
from agent.reasoners.labels import PART, stem, words_of
from agent.reasoners.quantities import Quantity, best_of, lower_is_better, number_of, quantities_of
from agent.types import Comparison, Finding, Reasoned, Step
from retrieval.ingest.rules import ordinal
from retrieval.spans import read_label
from retrieval.tables.measures import want_score
from retrieval.tables.reading import CellQuery, read_cell
from retrieval.types import Chunk, Table

_KEYED = re.compile(r"(?:^|\s)[-−+]?\d[\d–-]*\+?$")
"""A head that is a value of a key, as *AC 9* is; no attribute of the rows."""
_ATTRIBUTES = words_of("property attribute feature characteristic")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A member of the kind with its value, and where that stands."""

    name: str
    text: str
    head: str
    chunk: Chunk
    quote: str


def superlative(comparison: Comparison, notebook: Notebook) -> Reasoned | None:
    """Rank all that `comparison.among` lists; None when no column there says what is wanted."""
    by_id = {chunk.id: chunk for chunk in notebook.chunks}
    for id_, title in comparison.among:
        if id_ not in by_id:
            text = f"{title} {comparison.attribute}".strip()
            notebook.need(f"all of {title}, to tell the best of it", text, purpose="all there are", entities=(title,))
    want = _want(comparison.attribute)
    chunks = [by_id[id_] for id_, _ in comparison.among if id_ in by_id]
    entries = [entry for chunk in chunks for entry in _entries(chunk, want, words_of(comparison.question))]
    if notebook.needs:
        return notebook.reasoned(
            _finding(comparison, "Not all of them could be read, so the best is not told.", (), [])
        )
    entries = list({(entry.name, entry.text): entry for entry in entries}.values())
    valued = [e for e in entries if number_of(e.text, comparison.attribute) is not None]
    if not valued:
        return None
    return _ranked(comparison, valued, [e for e in entries if e not in valued], notebook)


def headed(comparison: Comparison, chunks: Sequence[Chunk]) -> tuple[tuple[str, str], ...]:
    """The one table whose rows can be ranked by what the question says: *the cheapest berth*, by *Berth fee*."""
    said = words_of(comparison.attribute) & set(map(stem, tokens_of(comparison.question)))
    labels = (
        (chunk, label)
        for chunk in chunks
        for table in chunk.tables
        for label in ([row[0] for row in table.rows] if table.is_record else map(" ".join, table.columns[1:]))
    )
    found = {chunk.id: chunk for chunk, label in labels if said and said <= words_of(label)}
    whole = [one for one in found.values() if one.chunk_type == "table" and not PART.search(one.title)]
    return ((whole[0].id, whole[0].title),) if len(whole) == len(found) == 1 else ()


def _want(attribute: str) -> tuple[str, ...]:
    """What is light has little weight, or where a table gives none, little density."""
    return (attribute, attribute.replace("weight", "density")) if "weight" in attribute else (attribute,)


def _entries(chunk: Chunk, want: tuple[str, ...], asked: frozenset[str]) -> Iterator[_Entry]:
    for table in chunk.tables:
        if table.is_record:
            cell = read_cell(CellQuery(chunk.title, (), want), [chunk])
            if cell is not None:
                yield _Entry(chunk.title, cell.text, cell.column, chunk, cell.quote)
        elif (column := _column(table, want, asked)) is not None:
            head = " ".join(table.columns[column])
            for row in table.rows:
                if read_label(row[0].strip(" *")).name and row[column].strip():
                    quote = f"{' '.join(table.columns[0])} {row[0]} / {head} = {row[column]}"
                    yield _Entry(row[0].strip(" *†‡"), row[column].strip(), head, chunk, quote)
        elif (line := _row(table, want, asked)) is not None:
            for path, text in zip(table.columns[1:], line[1:], strict=True):
                if text.strip():
                    quote = f"{line[0]} / {' '.join(path)} = {text}"
                    yield _Entry(" ".join(path).strip(" *†‡"), text.strip(), line[0], chunk, quote)


def _row(table: Table, want: tuple[str, ...], asked: frozenset[str]) -> tuple[str, ...] | None:
    """The row that says best what is wanted, where the members stand side by side as columns."""
    heads = [" ".join(path) for path in table.columns]
    keyed = sum(bool(_KEYED.search(head)) for head in heads[1:])
    if words_of(heads[0]) - _ATTRIBUTES or keyed > 1 or not all(head[:1].isalpha() for head in heads[1:]):
        return None
    best = _best_label(want, [row[0] for row in table.rows], asked)
    return None if best is None else table.rows[best]


def _best_label(want: tuple[str, ...], labels: Sequence[str], asked: frozenset[str]) -> int | None:
    """The label that says best what is wanted; of equals the one with more words of the question, else the first."""
    scores = [(want_score(want, label), len(words_of(label) & asked)) for label in labels]
    best = max(scores, default=(0.0, 0))
    return scores.index(best) if best[0] > 0 else None


def _column(table: Table, want: tuple[str, ...], asked: frozenset[str]) -> int | None:
    """The column whose head says best what is wanted."""
    if sum(bool(read_label(row[0].strip(" *")).name) for row in table.rows) < 0.8 * len(table.rows):
        return None  # its rows are numbers, not members of a kind
    heads = [" ".join(path) for path in table.columns]
    return _best_label(want, ["", *("" if _KEYED.search(head) else head for head in heads[1:])], asked)


def _ranked(comparison: Comparison, entries: Sequence[_Entry], blank: Sequence[_Entry], notebook: Notebook) -> Reasoned:
    low, rank = is_low(comparison), rank_asked(comparison.question)
    quantities = quantities_of([entry.text for entry in entries], comparison.attribute)
    best = [entries[place] for place in _best_but(rank - 1, quantities or [], low)]
    where = ", ".join(dict.fromkeys(f"{entry.chunk.title}" for entry in entries))
    if not best:
        notebook.need(
            f"{comparison.attribute} in one measure, to rank {where}", comparison.attribute, purpose="one measure"
        )
        claim = "They are equal, or given in measures that can't be ranked."
        return notebook.reasoned(_finding(comparison, claim, (), []))
    names = " and ".join(dict.fromkeys(entry.name for entry in best))
    verb = "share the" if len(best) > 1 else "has the"
    end = ("" if rank == 1 else f"{ordinal(rank)} ") + ("lowest" if low else "highest")
    claim = f"{names} {verb} {end} {best[0].head}: {best[0].text} (of all {len(entries)} in {where})."
    steps = [
        Step(f"{entry.name}: {entry.text} ({entry.head})", entry.name, (notebook.cite(entry.chunk, entry.quote),))
        for entry in best
    ]
    others = dict.fromkeys(entry.chunk.id for entry in entries if entry.chunk not in [one.chunk for one in best])
    others = others if rank == 1 else {}
    for id_ in others:
        entry = _best_in(id_, entries, low, comparison.attribute)
        text = f"{entry.chunk.title} has none better than {entry.name}: {entry.text} ({entry.head})"
        steps.append(Step(text, None, (notebook.cite(entry.chunk, entry.quote),)))
    if blank:
        steps.append(Step(f"left out, for lack of a number: {', '.join(f'{e.name} ({e.text})' for e in blank)}"))
    return notebook.reasoned(_finding(comparison, claim, tuple(steps), best))


def _best_but(rest: int, quantities: Sequence[Quantity], low: bool) -> list[int]:
    """The places of the best when so many better ones are left out; none where equals leave open which is next."""
    left = list(range(len(quantities)))
    for _ in range(rest):
        best = best_of([quantities[i] for i in left], low)
        if len(best) != 1:
            return []
        left.pop(best[0])
    return [left[i] for i in best_of([quantities[i] for i in left], low)]


def _best_in(chunk_id: str, entries: Sequence[_Entry], low: bool, attribute: str) -> _Entry:
    """One chunk's best, by which it is cited."""
    own = [entry for entry in entries if entry.chunk.id == chunk_id]
    quantities = quantities_of([entry.text for entry in own], attribute) or []
    return own[next(iter(best_of(quantities, low)), 0)] if quantities else own[0]


def _finding(comparison: Comparison, claim: str, steps: tuple[Step, ...], best: Sequence[_Entry]) -> Finding:
    values = [
        {"name": entry.name, "value": entry.text, "number": number_of(entry.text, comparison.attribute)}
        for entry in best
    ]
    better = best[0].name if len(best) == 1 else None
    rank = rank_asked(comparison.question)
    data: dict[str, object] = {"attribute": comparison.attribute, "values": values, "better": better}
    data |= {"difference": None} | {"rank": rank} if rank > 1 and best else {}
    return Finding("compare", claim, steps, data, better)


def is_low(comparison: Comparison) -> bool:
    """Whether the lower end of the scale is asked for: by the word itself, or because lower is better there."""
    scale = lower_is_better(comparison.attribute)
    return {"low": True, "better": scale, "worse": not scale}.get(comparison.prefer or "high", False)
