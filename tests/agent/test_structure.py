"""Questions that cells answer, over a book of a trade that no code knows, with the real embedding model."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.ask import Agent
from agent.types import Answer
from tests.agent.shelf import reading

ROLLING_STOCK = """# Locomotives

## Engine QX7.200

Built for steep lines.

**Weight** 84 t

**Power** 2,400 kW (3,218 hp)

**Top speed** 120 km/h

## Engine QX7.200B

Built for long lines.

**Weight** 91 t

**Power** 2,900 kW (3,889 hp)

**Top speed** 140 km/h

## Marmot

A small engine.

**Weight** 22 t

**Power** 260 kW

**Top speed** 35 km/h

# Wagons

| Wagon | Load (t) | Axles | Cost |
|---|---|---|---|
| **Covered wagons** |
| Kestrel | 28 | 2 | 41,000 kr |
| Osprey | 57 | 4 | 66,000 kr |
| **Flat wagons** |
| Wren | 31 | 2 | 30,000 kr |
| Heron, Long | 62 | 6 | 58,000 kr |

# Brake force by gradient

| Gradient | Wagons allowed | Brake force (kN) |
|---|---|---|
| 1-10 | 40 | 30 |
| 11-20 | 26 | 55 |
"""


PEOPLE = """# Grey Tower

The Grey Tower is a tower in the north. It was built by Ann Bole in 1702 for the lord of the valley.

# House of Cards

The House of Cards is an inn. Its builder was Ivo Lund, and its cellar is deep.

# Ann Bole

Ann Bole (1660 to 1741) was a mason.

# Ivo Lund

Ivo Lund (1690 to 1733) was a carpenter.

# Per Holt

Per Holt was a painter of ships.
"""


@pytest.fixture(scope="module")
async def agent(tmp_path_factory: pytest.TempPathFactory) -> Agent:
    return await reading(ROLLING_STOCK, tmp_path_factory.mktemp("stock"))


def verdict(answer: Answer) -> tuple[str, str | None]:
    return answer.stop_reason, answer.verdict


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the weight of the QX7.200B?", "91 t"),
        ("How heavy is the Marmot?", "22 t"),
        ("How many axles does an Osprey have?", "4"),
        ("What is the price of a Long Heron?", "58,000 kr"),
    ],
)
async def test_a_value_is_read_from_the_cell_of_its_name(agent: Agent, question: str, value: str) -> None:
    answer = await agent.ask(question)

    assert ("complete", value) == verdict(answer)
    (citation,) = answer.citations
    chunk = next(p.chunk for p in answer.evidence.passages if p.chunk.id == citation.chunk_id)
    assert citation.cell is not None
    assert value == chunk.tables[citation.cell.table].rows[citation.cell.row][citation.cell.column]


@pytest.mark.parametrize(
    ("question", "value"),
    [("How many wagons are allowed at a gradient of 14?", "26"), ("brake force, gradient 7", "30")],
)
async def test_a_number_alone_chooses_the_row_of_a_table(agent: Agent, question: str, value: str) -> None:
    assert ("complete", value) == verdict(await agent.ask(question))


async def test_what_the_nearest_label_was_taken_for_is_told(agent: Agent) -> None:
    answer = await agent.ask("What is the price of a Wren?")

    assert "assumed: price means Cost" in answer.text


@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("Which has more power, QX7.200 or QX7.200B?", "QX7.200B"),
        ("Which carries the smaller load: a kestrel, an osprey or a wren?", "kestrel"),
        ("Which wagon has the highest load?", "Heron, Long"),
        ("Which is the cheapest covered wagon?", "Kestrel"),
        ("Which locomotive has the lowest weight?", "Marmot"),
    ],
)
async def test_values_are_compared_and_ranked_over_all_of_a_kind(agent: Agent, question: str, winner: str) -> None:
    assert ("complete", winner) == verdict(await agent.ask(question))


async def test_every_compared_value_is_cited_from_a_passage_of_the_answer(agent: Agent) -> None:
    answer = await agent.ask("Which has more power, QX7.200 or QX7.200B?")

    assert ["Power = 2,400 kW (3,218 hp)", "Power = 2,900 kW (3,889 hp)"] == [c.quote for c in answer.citations]
    assert {c.chunk_id for c in answer.citations} <= {passage.chunk.id for passage in answer.evidence.passages}


@pytest.mark.parametrize(
    "question",
    [
        "What is the weight of the QX7.300?",
        "How many axles does the Marmot have?",
        "Which has more power, QX7.200 or the Badger?",
        "How many wagons are allowed at a gradient of 35?",
        "Which wagon is better, a wren or an osprey?",
    ],
)
async def test_what_no_cell_tells_is_never_complete(agent: Agent, question: str) -> None:
    assert "complete" != (await agent.ask(question)).stop_reason


async def test_titles_are_searched_for_each_by_itself_and_followed_where_they_lead(
    tmp_path: Path,
) -> None:
    agent = await reading(PEOPLE, tmp_path)
    evidence = await agent.search("Whose builder lived longer, the Grey Tower or the House of Cards?")

    assert evidence.plan is not None
    named = [each.text for each in evidence.plan.sub_queries if each.purpose == "what is named"]
    assert ["Grey Tower", "House of Cards"] == named
    assert {"Grey Tower", "House of Cards", "Ann Bole", "Ivo Lund"} <= {p.chunk.title for p in evidence.passages}


TURNING = """# Warding table

| Spirit | Ward 1 | Ward 5 |
|---|---|---|
| Shade | 10 | 4 |
| Wight | 13 | 7 |

# Shade

**Armour** 5

**Speed** 12
"""


async def test_a_row_under_a_head_does_not_answer_for_another_measure(tmp_path: Path) -> None:
    agent = await reading(TURNING, tmp_path)

    assert ("complete", "4") == verdict(await agent.ask("What is Ward 5 of a shade?"))
    assert "complete" != (await agent.ask("What does a ward 5 need to roll to strike a wight?")).stop_reason


TOLLS = """# Tolls

**Tolls of Barges**

| Axle class | Day toll | Night toll |
|---|---|---|
| 1-3 | 14 | 21 |
| 4-6 | 19 | 27 |

**Tolls of Ferries**

| Axle class | Day toll | Night toll |
|---|---|---|
| 1-3 | 11 | 16 |
| 4-6 | 15 | 24 |
"""


async def test_a_sub_query_about_a_numbered_row_has_what_the_rule_of_the_row_asks_for(tmp_path: Path) -> None:
    answer = await (await reading(TOLLS, tmp_path)).ask("What is the night toll of ferries of axle class 5?")
    asked = [look for look in answer.evidence.retrieved if look.sub_query.chunk_ids]
    assert asked
    assert all(set(look.sub_query.chunk_ids) <= look.pinned for look in asked)
    assert ("24", "complete") == (answer.verdict, answer.stop_reason)
