"""Tables on terminals of any width: no value is cut, and no number is folded."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from typer.testing import CliRunner

from agent.cli.app import app
from agent.render.table_layout import Sheet
from tests.agent.logged import ask, retrieved

words = st.text("abcdef", min_size=1, max_size=12)
numbers = st.integers(0, 10**9).map("{:,}".format)
texts = st.lists(words, max_size=12).map(" ".join)


def shown(sheet: Sheet, width: int) -> str:
    console = Console(file=StringIO(), width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(sheet)
    return capture.get()


@given(
    st.integers(16, 200),
    st.lists(st.tuples(words, numbers, numbers, numbers, numbers, texts), min_size=1, max_size=4),
    st.booleans(),
)
def test_no_value_is_ever_cut(width: int, rows: list[tuple[str, ...]], ruled: bool) -> None:
    sheet = Sheet("id", "in part>", "failed>", "p50 ms>", "tokens of the prompt>", "what was asked", ruled=ruled)
    for row in rows:
        sheet.add(*row)
    screen = shown(sheet, width)
    assert set() == {word for row in rows for cell in row for word in cell.split()} - set(screen.split())
    assert max(map(len, screen.splitlines())) <= width


def test_a_wide_table_folds_text_and_heads_before_it_is_told_in_words() -> None:
    sheet = Sheet("run", "in part>", "question")
    sheet.add("1a2b3c4d", "1,234", "Who wins: an owlbear or an orc?")
    assert ["run        in part   question", "1a2b3c4d     1,234   Who wins: an owlbear or an orc?"] == [
        line.rstrip() for line in shown(sheet, 60).splitlines() if "─" not in line
    ]
    assert "1a2b3c4d     1,234   Who wins: an" in shown(sheet, 40)
    told = ["run: 1a2b3c4d", "  in part: 1,234", "  question: Who wins: an", "  owlbear or an orc?"]
    assert told == [line.rstrip() for line in shown(sheet, 25).splitlines()]


def test_an_empty_row_is_told_as_nothing() -> None:
    sheet = Sheet("distance", "relevance")
    sheet.add("", "")
    assert "" == shown(sheet, 15)


@pytest.mark.parametrize("width", [80, 50, 30])
def test_a_log_has_no_other_numbers_on_a_narrow_terminal(width: int, empty_place: Path) -> None:
    for number in range(3):
        hits = [retrieved(5, 5, {"gap": 2}), retrieved(1234567, 2)]
        ask(empty_place / "logs", f"0123abc{number}", "What is an owlbear?", hits, ms=770.0 + number, cost=1234.5678)
    plain = CliRunner().invoke(app, ["logs"]).stdout
    terminal = {"FORCE_COLOR": "1", "TERM": "dumb", "COLUMNS": str(width), "LINES": "50"}
    narrow = CliRunner().invoke(app, ["logs"], env=terminal).stdout
    assert width >= max(map(len, narrow.splitlines()))
    assert numbers_in(plain) == numbers_in(narrow)


def numbers_in(screen: str) -> set[str]:
    return {found.rstrip(":.,;") for found in re.findall(r"[$\w:,.-]*\d[\w:,.-]*", screen)}
