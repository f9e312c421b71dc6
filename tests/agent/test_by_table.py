"""Steps of a model's plan that are written by the heads and rows it was shown, whichever way round a table stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.types import Answer
from tests.agent.test_llm_steps import do, planned, who

YARD = """# Zones

**Lots by zone**

| | R-A | R-1 | S&O |
|---|---|---|---|
| House | 19 acres | 9 acres | 4 acres |
| Barn | 30 acres | 12 acres | 7 acres |

# R

**R**

| Office | Permit |
|---|---|
| House | 125 days |

# Watches

**Visits by night**

| Station | u | g |
|---|---|---|
| Reed bank | 12 | 40 |
| Far shoal | 0 | 61 |
| Old weir | 33 | 17 |

**Depth by night**

| Station | u | g |
|---|---|---|
| Reed bank | 7.5 | 8.1 |
| Far shoal | 3.2 | 4.4 |
| Old weir | 9.9 | 9.2 |

# Levels

**Halo census**

| z | Om_p | Om_m |
|---|---|---|
| 0.5 | 252965 | 300000 |
| 1.0 | 151694 | 180000 |
"""


async def answered(folder: Path, question: str, **step: object) -> Answer:
    return await planned(folder, question, do(**step), book=YARD)  # type: ignore[arg-type]


async def test_a_kind_that_nothing_is_called_is_read_in_the_one_table_that_has_the_heads(tmp_path: Path) -> None:
    question = "Which station had more than 30 visits in u?"
    where = [{"measure": "visits by night u", "relation": "above", "value": "30"}]
    answer = await answered(tmp_path, question, what="list", kind="station", where=where)

    assert "Old weir" in answer.text
    assert "33" in answer.text
    assert "Reed bank" not in answer.text


async def test_of_several_tables_with_the_heads_the_one_is_read_that_is_named_before_them(tmp_path: Path) -> None:
    question = "Was the Reed bank visited more in g or in u?"
    subjects = [who("Reed bank")]
    measures = ["Visits by night u", "Visits by night g"]
    answer = await answered(tmp_path, question, what="compare", subjects=subjects, measures=measures)

    assert {"12", "40"} <= set(answer.text.replace(",", " ").replace(";", " ").split())
    assert "8.1" not in answer.text


@pytest.mark.parametrize(
    ("subjects", "measures"),
    [(["R-A", "R-1", "S&O"], ["House"]), (["House"], ["R-A", "R-1", "S&O"])],
)
async def test_a_table_is_read_whichever_way_round_it_stands(
    subjects: list[str], measures: list[str], tmp_path: Path
) -> None:
    question = "How large a lot does a house need in R-A, R-1 and S&O?"
    answer = await answered(tmp_path, question, what="read", subjects=list(map(who, subjects)), measures=measures)

    assert [place for place in ("19 acres", "9 acres", "4 acres") if place not in answer.text] == []
    assert "125" not in answer.text


@pytest.mark.parametrize(
    ("subject", "measure"),
    [
        (who("Halo census", z="0.5"), "Om_p"),
        (who("0.5"), "Om_p"),
        (who("Om_p"), "0.5"),
        (who("Om_p", z="0.5"), "halos"),
    ],
)
async def test_a_row_may_be_a_key_a_subject_or_a_measure(
    subject: dict[str, object], measure: str, tmp_path: Path
) -> None:
    question = "In the halo census, how many halos does Om_p have at z 0.5?"
    answer = await answered(tmp_path, question, what="read", subjects=[subject], measures=[measure])

    assert "252965" in answer.text
    assert "300000" not in answer.text


async def test_a_word_of_a_kind_that_another_table_has_is_of_that(tmp_path: Path) -> None:
    answer = await answered(
        tmp_path, "Which zone has the most visits in u?", what="highest", kind="zone", measures=["u"]
    )

    assert answer.verdict != "complete" or "has the highest" not in answer.text


async def test_a_row_of_the_offer_stands_for_what_the_question_says_of_it_in_short(tmp_path: Path) -> None:
    table = "| Coin | SP | GP |\n|---|---|---|\n| Gold (gp) | 10 | 1 |\n| Platinum (pp) | 100 | 10 |"
    book = f"# Coins\n\n**Exchange of coins**\n\n{table}"
    question = "How many GP do I get for one of platinum, and how many SP?"
    step = do("read", subjects=[who("Platinum (pp)")], measures=["GP", "SP"])
    answer = await planned(tmp_path, question, step, book=book)

    assert "Platinum (pp)" in answer.text
    assert "100" in answer.text
