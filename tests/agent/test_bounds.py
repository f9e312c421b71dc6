"""Numbers have bounds before anything is computed: what is beyond them is told, at once and in little memory."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.domains.combat import totals
from agent.domains.combat.fighting.odds import Fighter, duel_odds
from agent.llm.protocol import ToolCall
from agent.reasoning.values import dice
from agent.writing.wording.tools import Toolbox
from tests.agent.shelf import BOOK, agent_on
from tests.agent.test_crowds import BOOK as BEASTS

MOST_BYTES = 50_000_000


@pytest.fixture
def little_memory() -> Iterator[None]:
    """A test may not take more than `MOST_BYTES` at any moment."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.timeout(20)
@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who wins, 5000000000 imps or a 4th level reaver with AC 3?", "at most 1,500 hit points a side"),
        ("Who wins, 20000000 imps or 20000000 bog cats?", "at most 1,500 hit points a side"),
        ("Who wins, a bog cat and 20000000 imps against a marsh giant?", "at most 1,500 hit points a side"),
        ("Who wins, an imp with 9999 hit points or a bog cat?", "at most 1,500 hit points a side"),
        ("Who wins, an imp with 99999999999 hit points or a bog cat?", "10,000 at most"),
        ("Who wins, an imp with -5 hit points or a bog cat?", "-5"),
    ],
)
async def test_a_fight_beyond_the_bounds_says_that_it_was_not_computed_and_why(
    question: str, told: str, tmp_path: Path
) -> None:
    answer = await (await agent_on(tmp_path, book=BEASTS)).ask(question)
    assert ("partial", None) == (answer.stop_reason, answer.verdict)
    assert told in answer.text.split("\n")[0]


@pytest.mark.timeout(20)
@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize(
    "row",
    [
        "| Hit Dice | 999999999d8 |",
        "| Hit Dice | 5d0 |",
        f"| Hit Dice | {'9' * 5000} |",
        "| Damage | 9999999d9999999 |",
        "| Damage | 9999999 claws (1d6) |",
        "| Attacks | 99999999 |",
        f"| Armor Class | {'9' * 5000} |",
        "| Hit Points | -5 |",
    ],
)
async def test_a_book_of_absurd_numbers_costs_a_verdict_and_no_more(row: str, tmp_path: Path) -> None:
    name = row.split("|")[1].strip()
    lines = [line for line in BOOK.split("\n") if not line.startswith(f"| {name} |")]
    lines.insert(lines.index("|---|---|") + 1, row)
    agent = await agent_on(tmp_path, book="\n".join(lines))
    answer = await agent.ask("Who wins, a bog ogre or a 4th level reaver with AC 3?")
    assert answer.stop_reason in ("complete", "partial")


@pytest.mark.parametrize("points", [-1, totals.MOST + 1])
def test_a_total_that_has_no_distribution_is_refused(points: int) -> None:
    with pytest.raises(dice.NotComputed):
        totals.exactly(points)


@pytest.mark.timeout(20)
def test_a_duel_at_the_bound_is_computed() -> None:
    slow = Fighter(totals.exactly(1500), 0.05, (totals.total(dice.Dice(1, 200, -199), 1),) * 12)
    odds = duel_odds(slow, slow)
    assert odds.first == pytest.approx(odds.second)
    assert 1 == pytest.approx(odds.first + odds.second + odds.both + odds.unresolved)


@pytest.mark.timeout(20)
@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize(
    "expression",
    [
        "1 if 5 > 9 else 5",
        "'9'*9*9*9*9*9*9*9*9*9",
        "[9]*999999999",
        "9**9**9**9",
        "9 << 999999999",
        "(lambda: 9)()",
        "__import__('os')",
        "abs.__class__",
        "9 if 9 else",
        "round(9, ndigits=2)",
        "round(9, 1, 1)",
        "min()",
        "max(*[9])",
        "abs(9, 9)",
        "9 and 9",
        "True + 9",
        "9j",
        "f'{9}'",
        "(9 := 9)",
        "9 / 0",
        "9e300 * 9",
        "1e999",
        "9" * 199,
        "9*" * 99 + "9",
        "(" * 99 + "9" + ")" * 99 + "(",
        "-" * 150 + "9 9",
        "",
        "\0",
        "{9: 9}[9]",
    ],
)
def test_a_bad_expression_is_an_answer_to_the_model(expression: str) -> None:
    tools = Toolbox([], {}, lambda: ["It says 9 and 5."])
    said = tools.use(ToolCall("1", "calculate", json.dumps({"expression": expression})))
    assert said.startswith("error: ")
    assert () == tuple(tools.results)
