"""All values of several entities side by side: their stat blocks label by label, or else how their sections begin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.prose.overview import is_about_entity, lead
from agent.reasoning.notebook import Notebook
from agent.types import Finding, Reasoned, Row, Step
from retrieval.tables.names import same_name
from retrieval.text.normal import normal, phrase
from retrieval.types import Chunk, Table

_Record = tuple[Chunk, Table]


def side_by_side(entities: Sequence[str], notebook: Notebook) -> Reasoned:
    """Compare entities by all their values. A single entity also gets the opening of its section, and an entity without
    a stat block gets only that.
    """
    alone = len(entities) == 1
    records = [stat_block(entity, notebook) for entity in entities]
    openings = [
        Step(told[0] if alone else f"{entity}: {told[0]}", None, (notebook.cite(told[1], told[0]),))
        for entity, record in zip(entities, records, strict=True)
        if (told := _opening(entity, record is None, alone, notebook)) is not None
    ]
    rows = _rows(entities, records)
    values = list(_value_steps(rows, records, notebook))
    steps = (*openings, *values) if alone else (*values, *openings)
    names = " and ".join(entities)
    claim = f"{names}{'' if alone else ' side by side'}:" if steps else f"Not found: {names}."
    return notebook.reasoned(Finding("compare", claim, steps, {"attribute": "all", "values": rows, "better": None}))


def stat_block(entity: str, notebook: Notebook) -> tuple[Chunk, Table] | None:
    """Return the stat block of an entity, or its row in a table in that form; None if there is neither."""
    found = [
        (chunk, table)
        for chunk in notebook.chunks
        if is_about_entity(entity, chunk)
        for table in chunk.tables
        if table.is_record
    ]
    return min(found, key=lambda pair: len(normal(pair[0].title)), default=None) or _row(entity, notebook)


def _row(entity: str, notebook: Notebook) -> _Record | None:
    """Return the table row of an entity in the form of a stat block."""
    for chunk in notebook.chunks:
        for table in chunk.tables:
            for row in table.rows if not table.is_record else ():
                if same_name(row[0], entity):
                    labels = map(" ".join, table.columns[1:])
                    pairs = tuple((label, cell) for label, cell in zip(labels, row[1:], strict=True) if cell.strip())
                    return chunk, Table(table.caption, ((), ()), pairs)
    return None


def _opening(entity: str, is_all: bool, alone: bool, notebook: Notebook) -> tuple[str, Chunk] | None:
    """Return how the section of a single entity begins, or of one for which that `is_all` there is; if even that is
    missing, record a need.
    """
    told = lead(entity, notebook.chunks) if is_all or alone else None
    if is_all and told is None:
        notebook.need(f"the stat block of {entity}", entity, purpose="stat block", entities=(entity,))
    return told


def _rows(entities: Sequence[str], records: Sequence[_Record | None]) -> dict[str, dict[str, str | None]]:
    """Return every label of any record, with each entity's value or None."""
    labels = dict.fromkeys(label for record in records if record for label, _ in record[1].rows)
    values = [{phrase(label): value for label, value in record[1].rows} if record else {} for record in records]
    return {
        label: {entity: held.get(phrase(label)) for entity, held in zip(entities, values, strict=True)}
        for label in labels
    }


def _value_steps(
    rows: dict[str, dict[str, str | None]], records: Sequence[_Record | None], notebook: Notebook
) -> Iterator[Step]:
    for label, values in rows.items():
        # An entity without a stat block has a need instead: no label is "not stated" for it.
        held = [(*pair, record) for pair, record in zip(values.items(), records, strict=True) if record is not None]
        cites = tuple(_cite(record, notebook) for _, value, record in held if value)
        told = "; ".join(f"{entity} {value or 'not stated'}" for entity, value, _ in held)
        row = Row(label, tuple((entity, value) for entity, value, _ in held))
        yield Step(f"{label}: {told}", None, cites, row)


def _cite(record: _Record, notebook: Notebook) -> int:
    chunk, table = record
    return notebook.cite(chunk, "; ".join(f"{label}: {value}" for label, value in table.rows))
