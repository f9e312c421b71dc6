"""Where several are asked for, all rows that fit are the answer, and no doubt which of them is meant."""

from __future__ import annotations

from agent.reasoning.structure.each_row import each_row
from agent.reasoning.structure.member import Value
from agent.reasoning.structure.readings import reading_of
from agent.understanding.program import Bound, Linked, Reading, Subject
from agent.understanding.tagged import tagged
from retrieval.tables.cells import Grid
from retrieval.types import Chunk, Table

ROOMS = Table("Pump rooms", (("Pump",), ("Keeper",)), (("Alder", "Ada"), ("Birch", "Ben"), ("Cedar", "Ada")))


def _both(question: str) -> Bound | None:
    """What both rows of Ada are taken for."""
    grid = next(Grid.all_of(Chunk("c", "", "Pump rooms", tables=(ROOMS,))))
    values = (Value("Pump", ("pump",), ROOMS.rows[row][0], 0, grid, row, 0) for row in (0, 2))
    found = tuple(reading_of("Ada", value, value.row).best for value in values)
    asked = tagged(question)
    return each_row(Bound(Linked(asked, (), ()), (Reading(Subject("ada", "Ada"), found),), "Pump", "read"), asked)


def test_all_rows_are_told_where_several_are_asked_for() -> None:
    bound = _both("Which pumps have Ada as their keeper?")

    assert bound is not None
    assert [("Alder", "Keeper", "Ada"), ("Cedar", "Keeper", "Ada")] == [
        (each.name, each.best.label, each.best.text) for each in bound.readings
    ]


def test_of_one_that_is_asked_for_two_are_a_doubt() -> None:
    assert _both("Which pump has Ada as its keeper?") is None
