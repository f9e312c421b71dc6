"""What several places tell of one who is called alike is told, and counted, once; what one table has twice are two."""

from __future__ import annotations

from agent.reasoning.kinds.members import kinds_of
from agent.reasoning.kinds.readings import readings_of, told_once
from agent.understanding.question.tagged import tagged
from retrieval.tables.index import CellIndex
from retrieval.types import Chunk, Table


def _boats(*rows: tuple[str, str]) -> Table:
    return Table("Boats", (("Boat",), ("Rig",)), rows)


def test_a_name_with_the_same_value_elsewhere_is_the_same_and_in_its_own_table_another() -> None:
    here, there = _boats(("Reed", "lug"), ("Reed", "lug"), ("Tern", "gaff")), _boats(("Tern", "gaff"), ("Wren", "lug"))
    chunks = [
        Chunk("a", "", "Boats", source="a.md", tables=(here,)),
        Chunk("b", "", "Boats", source="b.md", tables=(there,)),
    ]
    members = [
        each for group in kinds_of(tagged("Which boat has a lug rig?"), CellIndex.build(chunks)) for each in group
    ]

    told = told_once(readings_of(members, ("rig",)))

    assert ["Reed", "Reed", "Tern", "Wren"] == sorted(reading.name for reading in told)
