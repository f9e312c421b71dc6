"""A comparison of several named things is a table on a terminal with the room for it, and lines elsewhere."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from agent.render import answer_data, answer_view, to_text
from agent.types import Answer, Row, Step
from agent.writing.wording.synthesizer import line_of
from tests.agent.shelf import agent_on

BOOK = """# Bog Ogre

|||
|---|---|
| Armor Class | 5 |
| Hit Dice | 4+1 |
| Habitat | swamps and fens |

# Fen Troll

|||
|---|---|
| Armor Class | 4 |
| Hit Dice | 6+6 |
"""


@pytest.fixture
async def answer(tmp_path: Path) -> Answer:
    agent = await agent_on(tmp_path, book=BOOK)
    return await agent.ask("Compare the stats of a bog ogre and a fen troll")


def on_terminal(answer: Answer, width: int) -> list[list[str]]:
    """The words of each line."""
    console = Console(file=StringIO(), width=width, force_terminal=True, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(answer_view(answer))
    return [line.split() for line in capture.get().splitlines()]


def ruled(lines: list[list[str]]) -> list[int]:
    """The numbers of the lines that are rules of tables."""
    return [number for number, line in enumerate(lines) if line and set("".join(line)) == {"─"}]


def test_a_terminal_with_room_shows_a_table(answer: Answer) -> None:
    assert [
        ["Bog", "Ogre", "and", "Fen", "Troll", "side", "by", "side:"],
        ["Bog", "Ogre", "Fen", "Troll"],
        ["─" * 51],
        ["Armor", "Class", "5", "4", "[1][2]"],
        ["Hit", "Dice", "4+1", "6+6", "[1][2]"],
        ["Habitat", "swamps", "and", "fens", "not", "stated", "[1]"],
        [],
        ["Sources"],
    ] == on_terminal(answer, 80)[:8]


def test_a_narrow_terminal_shows_the_lines(answer: Answer) -> None:
    lines = on_terminal(answer, 30)
    assert [] == ruled(lines)
    told = [word for line in lines for word in line]
    assert answer.text.split() == told[: len(answer.text.split())]


def test_where_there_is_no_terminal_the_text_is_shown_as_it_is(answer: Answer) -> None:
    assert answer.text in to_text(answer_view(answer))


def test_the_json_of_a_step_knows_no_table(answer: Answer) -> None:
    (finding,) = answer_data(answer)["findings"]
    assert [{"text", "value", "cites"}] == list(map(set, finding["steps"][:1]))


def test_a_line_that_is_not_verified_is_never_hidden_by_a_table(answer: Answer) -> None:
    first = answer.text.splitlines()[1]
    doubted = replace(answer, text=answer.text.replace(first, f"{first} (unverified)"))
    said = [word for line in on_terminal(doubted, 80) for word in line]
    assert "(unverified)" in said
    assert [] == ruled(on_terminal(doubted, 80))


async def test_several_measures_of_several_names_are_a_table_too(tmp_path: Path) -> None:
    agent = await agent_on(tmp_path, book=BOOK)
    lines = on_terminal(await agent.ask("Compare the armor class and hit dice of a bog ogre and a fen troll"), 80)
    assert ["Armor", "Class", "5", "4", "[1][3]"] in lines
    assert ["Hit", "Dice", "4+1", "6+6", "[2][4]"] in lines


def test_a_value_that_no_step_tells_is_not_told_as_left_out_by_the_book(answer: Answer) -> None:
    known = Step("armor class", "5, 4", (), Row("armor class", (("bog ogre", "5"), ("fen troll", "4"))))
    partly = Step("habitat", "fens", (), Row("habitat", (("bog ogre", "fens"),)))
    lines = [line_of(known), line_of(partly), "Not found in 'small': habitat of fen troll."]
    finding = replace(answer.findings[0], steps=(known, partly))
    told = replace(answer, text="\n".join(lines), findings=(finding,), citations=())
    assert [["armor", "class", "5", "4"], ["habitat", "fens", "–"], lines[2].split()] == on_terminal(told, 80)[2:5]


async def test_one_measure_is_told_in_lines(tmp_path: Path) -> None:
    agent = await agent_on(tmp_path, book=BOOK)
    answer = await agent.ask("Compare the armor class of a bog ogre and a fen troll")
    assert answer.text.splitlines()[0].split() == on_terminal(answer, 80)[0]
    assert [] == ruled(on_terminal(answer, 80))
