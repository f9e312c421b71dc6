"""Reasoners on small tables: what they read, what they compute, and what they refuse to guess."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent.domains.combat.rulebook.attacks import read_rates
from agent.domains.combat.types import Combatant, Duel
from agent.reasoning import first_needs, reason
from agent.reasoning.values.quantities import lower_is_better
from agent.understanding.question.intent import Lookup
from retrieval.ingest.read import read_sources
from retrieval.types import Chunk, Table
from tests.kit import Book, answer, book, book_of, combatants, fight

SHARED = Path(__file__).parents[3] / "shared"


TEXT = """# Rules

## Reaver

A reaver's hit die is a ten-sided die. Reavers attack once per round at 1st to 6th levels; at 7th level and above they
attack twice per round.

**Reaver Advancement**

| Level | Experience Points | Hit Dice |
|---|---|---|
| 1 | 0 | 1 |
| 4 | 8,000 | 4 |
| 7 | 70,000 | 7 |

**Reaver Attack Table**

| Level | AC 9 | AC 3 | AC -1 |
|---|---|---|---|
| 1-3 | 11 | 17 | 20 |
| 4-6 | 8 | 14 | 18 |
| 7+ | 5 | 11 | 15 |

## Hexer

The hit die of a hexer is a d4.

**Hexer Advancement**

| Level | Experience Points | Hit Dice |
|---|---|---|
| 1 | 0 | 1 |
| 4 | 10,000 | 4 |
| 7 | 60,000 | 7 |

**Hexer Attack Table**

| Level | AC 9 | AC 3 | AC -1 |
|---|---|---|---|
| 1-3 | 12 | 18 | 22 |
| 4-6 | 11 | 17 | 21 |
| 7+ | 9 | 15 | 19 |

## Weapons

| Weapon | Damage |
|---|---|
| Sword, long | 1d8 |
| Staff | 1d6 |

## Beasts

### Bog Cat

ARMOR CLASS: 6
HIT DICE: 3+1
NO. OF ATTACKS: 2
DAMAGE: 1-4/1-6

### Marsh Hound

ARMOR CLASS: 7
HIT DICE: 2
NO. OF ATTACKS: 1
DAMAGE: 2-8
"""
BOOK = book(TEXT)


def test_a_duel_of_another_book_is_read_and_computed() -> None:
    question = (
        "Who wins: a 7th level reaver with AC 3 wielding a long sword or a 4th level hexer with AC 9 wielding a staff?"
    )
    a, b = combatants(question, BOOK)
    assert (5, 17) == (a["to_hit"], b["to_hit"])
    assert (38.5, 10.0) == (a["average_hit_points"], b["average_hit_points"])
    assert (2.0, 1.0) == (a["attacks_per_round"], b["attacks_per_round"])
    assert a["win_probability"] > 0.99


def test_a_missing_table_is_a_need_and_no_verdict() -> None:
    chunks = BOOK.only(lambda chunk: "Hexer Attack" not in chunk.title)
    duel = Duel((Combatant("7th level reaver", "reaver", 7, 3), Combatant("4th level hexer", "hexer", 4, 9)))
    result = reason(duel, chunks)
    reaver, hexer = result.finding.values["combatants"]
    assert result.finding.verdict is None
    assert (5, None) == (reaver["to_hit"], hexer["to_hit"])
    assert ["the roll a level 4 hexer needs to hit armor class 3"] == [need.need for need in result.needs]


def test_an_armor_class_that_is_not_given_is_asked_for_never_assumed() -> None:
    duel = Duel((Combatant("7th level reaver", "reaver", 7), Combatant("4th level hexer", "hexer", 4, 9)))
    result = reason(duel, BOOK.chunks)
    assert result.finding.values["winner"] is None
    assert any("armor class of 7th level reaver" in need.need for need in result.needs)


def test_assumptions_are_stated() -> None:
    duel = Duel((Combatant("7th level reaver", "reaver", 7, 3), Combatant("4th level hexer", "hexer", 4, 9)))
    steps = [step.text for step in reason(duel, BOOK.chunks).finding.steps if step.text.startswith("assumed")]
    assert any("long sword" in step for step in steps)
    assert any("strength" in step for step in steps)
    assert any("once a round" in step for step in steps)


def test_every_read_number_is_cited() -> None:
    duel = Duel((Combatant("7th level reaver", "reaver", 7, 3), Combatant("4th level hexer", "hexer", 4, 9)))
    result = reason(duel, BOOK.chunks)
    quotes = {citation.n: citation.quote for citation in result.citations}
    rolls = [step for step in result.finding.steps if " needs " in step.text]
    assert ["Level 7+ / AC 9 = 5", "Level 4-6 / AC 3 = 17"] == [quotes[step.cites[0]] for step in rolls]


def test_without_evidence_the_needs_are_the_plan() -> None:
    duel = Duel((Combatant("a", "reaver", 7, 3, {"strength": "16"}), Combatant("b", "hexer", 4, 9, {"strength": "16"})))
    purposes = [need.sub_query.purpose for need in first_needs(duel)]
    assert 2 == purposes.count("to hit")
    assert 1 == purposes.count("strength")


@pytest.mark.parametrize(
    ("question", "better", "values"),
    [
        ("Which needs fewer experience points to reach 7th level, a reaver or a hexer?", "hexer", ["70,000", "60,000"]),
        ("Does a reaver or a hexer of 4th level need the lower roll to hit AC -1?", "reaver", ["18", "21"]),
        ("Which has more hit dice, a bog cat or a marsh hound?", "bog cat", ["3+1", "2"]),
        ("Is the bog cat or the marsh hound better armoured (lower armour class)?", "bog cat", ["6", "7"]),
    ],
)
def test_values_stand_side_by_side(question: str, better: str, values: list[str]) -> None:
    finding = answer(question, BOOK).finding
    assert better == finding.values["better"]
    assert values == [entry["value"] for entry in finding.values["values"]]


def test_two_levels_of_one_class_are_two_cases() -> None:
    finding = answer("What do a 4th level reaver and a 7th level reaver need to hit AC 3?", BOOK).finding
    assert ["14", "11"] == [entry["value"] for entry in finding.values["values"]]


def test_a_level_beyond_the_bands_is_not_guessed() -> None:
    bounded = book(TEXT.replace("| 7+ | 9 |", "| 7-9 | 9 |"))
    result = answer("What does a 12th level hexer need to hit AC 9?", bounded)
    assert [None] == [entry["value"] for entry in result.finding.values["values"]]
    assert result.needs


def test_a_monster_attacks_on_the_matrix_of_monsters() -> None:
    matrix = Table(
        "ATTACK MATRIX FOR MONSTERS",
        (("Armor Class",), ("Hit Dice 2-3+",), ("Hit Dice 4-5+",)),
        (("7", "9", "8"), ("6", "10", "9")),
    )
    with_matrix = book_of([*BOOK.chunks, Chunk("m", "", "ATTACK MATRIX FOR MONSTERS", tables=(matrix,))])
    cat, hound = combatants("Who would win, a bog cat or a marsh hound?", with_matrix)
    assert (9, 10) == (cat["to_hit"], hound["to_hit"])
    assert (14.5, 9.0) == (cat["average_hit_points"], hound["average_hit_points"])
    assert 2.0 == cat["attacks_per_round"]


def test_what_the_odds_leave_out_is_said() -> None:
    extra = TEXT.replace("DAMAGE: 1-4/1-6", "DAMAGE: 1-4/1-6\nSPECIAL ATTACKS: Hug\nSPECIAL DEFENSES: Nil")
    finding = fight("Who would win, a bog cat or a marsh hound?", book(extra)).finding
    steps = [step.text for step in finding.steps if step.text.startswith("not counted")]
    assert ["not counted for bog cat: special attacks (Hug)"] == steps


@pytest.mark.parametrize(
    ("text", "rates"),
    [
        ("One attack at 1st to 7th level, 3/2 attacks at 8th to 14th level, and two attacks at 15th level and above.",
         [("1", 1, 7), ("3/2", 8, 14), ("2", 15, float("inf"))]),
        ("Reavers strike once per round at levels 1-6; at levels 7-12 three attacks every two rounds (3/2 attacks).",
         [("1", 1, 6), ("3/2", 7, 12)]),
        ("They fear fire.", []),
    ],
)  # fmt: skip
def test_attack_rates_are_read_from_prose(text: str, rates: list[tuple[str, int, float]]) -> None:
    found = [(str(rate.per_round), rate.low, rate.high) for rate in read_rates(text)]
    assert rates == found or [r[0] for r in rates] == [f[0] for f in found]


@pytest.mark.parametrize(
    ("attribute", "low"),
    [("saving throw spells", True), ("armour class", True), ("hit dice", False), ("roll hit", True)],
)
def test_the_book_s_scales_run_the_right_way(attribute: str, low: bool) -> None:
    assert low is lower_is_better(attribute)


def test_prose_is_quoted_where_no_cell_answers() -> None:
    drake = book(
        "# Fire Drake\n\nARMOR CLASS: 2\nHIT DICE: 9\nMOVE: 9\n\nThe breath weapon of a drake is\na cone of fire.\n",
    )
    result = reason(Lookup("breath weapon of fire drake", ("fire drake",)), drake.chunks)
    assert "The breath weapon of a drake is a cone of fire." == result.finding.claim


def test_what_has_no_stat_block_is_compared_by_how_its_section_begins() -> None:
    result = answer("What is the difference between a reaver and a hexer?", BOOK)
    assert () == result.needs
    assert [
        "reaver: A reaver's hit die is a ten-sided die. Reavers attack once per round at 1st to 6th levels; at 7th "
        "level and above they attack twice per round.",
        "hexer: The hit die of a hexer is a d4.",
    ] == [step.text for step in result.finding.steps]


def test_what_no_sentence_says_is_not_quoted() -> None:
    result = reason(Lookup("lightsaber"), BOOK.chunks)
    assert ["lightsaber"] == [need.need for need in result.needs]
    assert () == result.citations


@pytest.fixture(scope="module")
def osric() -> Book:
    folder = SHARED / "corpora" / "osric"
    if not folder.is_dir():
        pytest.skip("the OSRIC corpus is not beside this checkout")
    return Book(lambda: read_sources([folder]).chunks)


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SHARED / "questions" / name).read_text(encoding="utf-8").splitlines()]


def test_every_duel_of_a_real_book_is_right_on_full_evidence(osric: Book) -> None:
    wrong = []
    characters = osric.only(lambda chunk: chunk.source.startswith("01."))
    for entry in records("osric-duels.jsonl"):
        truth = entry["truth"]
        a, b = combatants(entry["question"], osric, characters)
        read = [a["to_hit"], b["to_hit"], a["average_hit_points"], b["average_hit_points"]]
        exact = read == [truth["a_needs"], truth["b_needs"], truth["a_avg_hp"], truth["b_avg_hp"]]
        rates = [a["attacks_per_round"], b["attacks_per_round"]] == [truth["a_attacks"], truth["b_attacks"]]
        odds = abs(a["win_probability"] - truth["p_a"]) <= 0.02 and abs(b["win_probability"] - truth["p_b"]) <= 0.02
        if not (exact and rates and odds):
            wrong.append(entry["id"])
    assert [] == wrong


def test_every_lookup_of_a_real_book_is_right_on_full_evidence(osric: Book) -> None:
    wrong = []
    for entry in records("osric-lookups.jsonl"):
        finding = answer(entry["question"], osric).finding
        read = {str(step.value).replace(",", "") for step in finding.steps}
        better = finding.values["better"]
        said = better is None or entry["answer"].lower().startswith(better.lower())
        if not said or not all(any(r.split(" ")[0] == str(v) for r in read) for v in entry["values"].values()):
            wrong.append((entry["question"], sorted(read)))
    assert [] == wrong


def test_what_a_fight_can_do_without_is_looked_for_widely_and_not_missing() -> None:
    told = fight("Who wins: a 4th level hexer with AC 3 or a 4th level reaver with AC 3?", book(TEXT))

    sought = [need.sub_query for need in told.sought if need.sub_query.purpose == "attacks"]
    assert ["level 4 hexer bonus attacks per melee round"] == [each.text for each in sought]
    assert all(each.is_wide for each in sought)
    assert "attacks" not in {need.sub_query.purpose for need in told.needs}
