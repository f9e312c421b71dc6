"""A model reads a table whole, whatever parts it is stored in, and code counts its rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.llm.protocol import ToolCall
from agent.writing.checking.cited import Source
from agent.writing.wording.library import Library, nowhere
from agent.writing.wording.tools import Toolbox
from retrieval.types import Chunk, Table
from tests.agent.shelf import agent_on
from tests.agent.tool_users import NO_FERRY, talking, told

HEADS = (("Boat",), ("Rig",), ("Length",), ("Price",))
BOATS = (
    ("Reed", "sloop", "7 m", "900 gp"),
    ("Reed", "ketch", "8 m", "1,500 gp"),
    ("Rush", "ketch", "9 m", "1,800 gp"),
    ("Sedge", "yawl", "8-12 m", "-"),
    ("Tern", "yawl", "long", "2,400 gp"),
)


def part(number: int, *rows: int) -> Chunk:
    table = Table("Boats", HEADS, tuple(BOATS[row] for row in rows))
    return Chunk(f"b{number}", "", f"Boats ({number} of 3)", headings=("Harbour",), line=4, tables=(table,))


PARTS = [part(2, 2, 3), part(1, 0, 1), part(3, 4)]


async def read(table: str, chunks: Sequence[Chunk] = PARTS, **arguments: Any) -> str:
    """What is told of a table that is stored in these parts, the first of which has the number 1."""

    async def anything(text: str) -> Sequence[Chunk]:
        return chunks

    async def titled(text: str) -> Sequence[Chunk]:
        return () if text == "Wages" else chunks

    tools = Toolbox([], {1: Source(chunks[0])}, lambda: [], Library(nowhere, anything, titled=titled))
    return await tools.answer(ToolCall("1", "read_table", json.dumps({"table": table, **arguments})))


def where(column: str, relation: str, value: str) -> dict[str, Any]:
    return {"where": [{"column": column, "relation": relation, "value": value}]}


async def test_all_parts_of_a_table_are_read_in_their_order() -> None:
    first, blank, heads, *rows = (await read("[1]")).split("\n")

    assert ("[4] Boats: 5 rows, with 4 different Boat", "", "Boat | Rig | Length | Price") == (first, blank, heads)
    assert ["[2] Reed | sloop | 7 m | 900 gp", "[2] Reed | ketch | 8 m | 1,500 gp"] == rows[:2]
    assert ["[1]", "[1]", "[3]"] == [row[:3] for row in rows[2:]]


@pytest.mark.parametrize("name", ["1", "[1]", "passage [1]", "Boats", "Boats (2 of 3)", "boats, Harbour"])
async def test_a_table_is_named_by_a_number_or_a_title(name: str) -> None:
    assert ": 5 rows" in await read(name)


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        (where("Rig", "is", "ketch"), 2),
        (where("rig", "is not", "ketch"), 3),
        (where("Boat", "has", "ree"), 0),
        (where("Length", "at most", "8 m"), 2),
        (where("Length", "below", "8"), 1),
        (where("Price", "is", "1500"), 1),
        (where("Price", "above", "1500 gp"), 2),
    ],
)
async def test_the_rows_that_meet_a_condition_are_counted(condition: dict[str, Any], count: int) -> None:
    assert f"Boats: {count} of 5 rows: " in (await read("Boats", **condition)).split("\n")[0]


async def test_rows_of_which_it_is_open_are_told_so_and_not_counted() -> None:
    said = await read("Boats", columns=["Length"], **where("Length", "above", "8 m"))

    assert ": 1 of 5 rows: Length above 8 m; of 2 more it is open" in said
    assert 2 == said.count("(whether it meets the conditions is open)")
    assert "Sedge | 8-12 m (whether" in said


async def test_where_no_row_has_a_value_those_that_there_are_are_told() -> None:
    assert "Rig is one of: sloop; ketch; yawl" in await read("Boats", **where("Rig", "is", "schooner"))


async def test_a_column_that_is_not_there_is_told_with_those_that_are() -> None:
    said = await read("Boats", columns=["Captain"])
    assert "error: Boats has no column 'Captain'; there are Boat, Rig, Length, Price" == said


async def test_a_limit_that_is_no_number_is_refused() -> None:
    assert (await read("Boats", **where("Length", "above", "ketch"))).startswith("error: 'ketch' is no number")


async def test_parts_that_are_not_at_hand_are_told() -> None:
    assert "2 of its parts are not at hand; there may be more rows" in await read("1", PARTS[:1])


async def test_a_table_that_is_not_there_is_told_with_those_that_are() -> None:
    assert (await read("Wages")).startswith("not found: no table is called 'Wages'; near are: Boats (Boat, Rig")
    assert "error: [7] is no passage and no source" == await read("[7]")


async def test_of_a_long_table_it_is_told_how_many_rows_are_left_out() -> None:
    rows = tuple((f"Boat {n}", "ketch " * 20, "1 m", "2 gp") for n in range(90))
    said = await read("Fleet", [Chunk("f", "", "Fleet", tables=(Table("Fleet", HEADS, rows),))])

    assert 7000 > len(said)
    assert said.endswith("more rows are not shown; ask for fewer columns, or under conditions")
    assert 90 == said.count("\n[") + int(said.split("\n")[-1].split()[1])


async def test_records_that_are_labelled_alike_are_one_table() -> None:
    sheets = [
        Chunk(name, "", name, tables=(Table("", ((), ()), (("Grip", grip), ("Weight", "1 kg"))),))
        for name, grip in (("AG 1", "2 kg"), ("AG 2", "6 kg"), ("AG 3", "1 kg"))
    ]
    said = await read("AG", sheets, **where("Grip", "at least", "2 kg"))

    assert "AG: 2 of 3 rows: Grip at least 2 kg" in said
    assert "[2] AG 2 | 6 kg | 1 kg" in said


async def test_records_that_stand_elsewhere_are_not_counted_with_those_of_a_title() -> None:
    sheet = Table("", ((), ()), (("Grip", "2 kg"), ("Weight", "1 kg")))
    own, other = (Chunk(name, "", name, tables=(sheet,)) for name in ("AG 1", "PG 1"))

    async def titled(text: str) -> Sequence[Chunk]:
        return [own]

    tools = Toolbox([other], {}, lambda: [], Library(nowhere, nowhere, titled=titled))
    assert "PG 1" not in await tools.answer(ToolCall("1", "read_table", json.dumps({"table": "AG"})))


async def test_a_row_without_a_key_is_told_by_that_above_it() -> None:
    rows = (("Guard", "1", "9"), ("", "2", "11"), ("", "3", "13"), ("Agent", "1", "11"))
    table = Table("Software", (("Software",), ("Rating",), ("TL",)), rows)
    said = await read("Software", [Chunk("s", "", "Software", tables=(table,))], **where("Rating", "at least", "2"))

    assert "2 of 4 rows: Rating at least 2, with 1 different Software" in said
    assert ["[1] (below Guard) | 2 | 11", "[1] (below Guard) | 3 | 13"] == said.split("\n")[-2:]


STYLES = "\n\n".join(
    f"# {name}\n\nA beer.\n\n- OG: 1.{n}0\n- ABV: {n}.0%" for n, name in enumerate(("Alt", "Bock", "Gose"), start=4)
)


async def test_a_label_leads_to_all_that_have_it_where_no_table_is_called_so(tmp_path: Path) -> None:
    call = "read_table", {"table": "beer styles", **where("ABV", "at least", "5%")}
    llm = talking(call, answer="Two beers have an ABV of at least 5% [{0}].")
    answer = await (await agent_on(tmp_path, llm, book=STYLES)).ask(NO_FERRY)
    (said,) = told(llm.requests[-1])

    assert "all with ABV: 2 of 3 rows: ABV at least 5%" in said
    assert "Bock |" in said
    assert "(un" not in answer.text


FLEET = "# Fleet\n\n| Boat | Rig | Note |\n|---|---|---|\n" + "\n".join(
    f"| Lark {n} | {'ketch' if n % 3 else 'sloop'} | {'It was built by the yard at the lake for the mail. ' * 3} |"
    for n in range(40)
)


async def test_a_count_by_the_tool_is_cited_as_the_passages_that_were_counted(tmp_path: Path) -> None:
    call = "read_table", {"table": "Fleet", "columns": ["Rig"], **where("Rig", "is", "sloop")}
    llm = talking(call, answer="14 boats of the fleet are sloops [{0}].")
    answer = await (await agent_on(tmp_path, llm, book=FLEET)).ask(NO_FERRY)

    assert "Fleet: 14 of 40 rows: Rig is sloop" in told(llm.requests[-1])[0]
    assert answer.text.startswith("14 boats of the fleet are sloops [1]")
    assert "(un" not in answer.text
    assert {"Fleet"} == {each.title.partition(" (")[0] for each in answer.citations}


async def test_a_count_that_nobody_made_is_doubted(tmp_path: Path) -> None:
    call = "read_table", {"table": "Fleet", "columns": ["Rig"], **where("Rig", "is", "sloop")}
    llm = talking(call, answer="55 boats of the fleet are sloops [{0}].")
    answer = await (await agent_on(tmp_path, llm, book=FLEET)).ask(NO_FERRY)

    assert "(unverified)" in answer.text
