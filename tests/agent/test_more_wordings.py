"""More ways to ask: *that of*, *the same as*, a decade, the larger of two, and what is told before the question."""

from __future__ import annotations

import pytest

from agent.types import Reasoned
from tests.kit import answer, book

YARD = book(
    """# Boats

| Boat | Home port | Length | Crew | Built |
|---|---|---|---|---|
| Reed | York | 12 m | 4 | 1931 |
| Tern | Hull | 15 m | 6 | 1948 |
| Holm | Hull | 21 m | 9 | 1936 |
| Heron | York | 17 m | 7 | 1933 |

# Smith

**Smith Hazards**

| Grade | Fire | Flood |
|---|---|---|
| 1-3 | 17 | 12 |
| 4-6 | 15 | 11 |

# Miller

**Miller Hazards**

| Grade | Fire | Flood |
|---|---|---|
| 1-3 | 16 | 14 |
| 4-6 | 13 | 12 |

# Beasts

## Marsh Ogre

**Vigor Points** 59 (7d10+21)

**Spell Duration** 10 minutes
"""
)


@pytest.mark.parametrize(
    "question, told",
    [
        ("Which boat has the same home port as the Reed?", "Heron"),
        ("What boat comes from the same home port as the Reed?", "Heron"),
        ("Which boats were built in the 1930s?", "Reed, Holm, Heron"),
        ("How many boats were built during the 1930s?", "3"),
        ("How many boats come from Hull?", "2"),
        ("State the boat with the largest crew.", "Holm"),
        ("Can somebody explain how long the Tern is?", "15 m"),
        ("We had a long talk about it last night. How long is the Tern?", "15 m"),
        ("What I need is the crew of the Tern.", "6"),
        ("The Tern is longer than the Reed, isn't it?", "Tern"),
        ("My brother claims that the Tern is longer than the Reed. Is that right?", "Tern"),
        ("Which is older, the Reed or the Tern?", "Reed"),
        ("Which boat is longer than all the others?", "Holm"),
        ("Which boat is the longest and how long is it?", "Holm"),
        ("What is the fire hazard of a miller 5?", "13"),
        ("fire hazard miller gr. 5", "13"),
        ("smith at 5th grade: fire?", "15"),
        ("How many vigor points does the table give a marsh ogre?", "59 (7d10+21)"),
    ],
)
def test_it_is_told(question: str, told: str) -> None:
    assert told == answer(question, YARD).finding.verdict


def test_a_decade_may_be_a_key() -> None:
    dues = book("# Dues\n\n| Decade | Mooring |\n|---|---|\n| 1920s | 3 |\n| 1930s | 5 |\n| 1940s | 8 |\n")

    assert "5" == answer("What is the mooring for the 1930s?", dues).finding.verdict


@pytest.mark.parametrize("measure", ["Crew", "Length"])
def test_that_of_another_asks_the_same_of_it(measure: str) -> None:
    result = answer(f"{measure} of the Reed against that of the Tern?", YARD)

    assert ["Reed", "Tern"] == [value["name"] for value in _values(result)]
    assert () == result.needs


@pytest.mark.parametrize(
    "question",
    [
        "5th grade smith vs 5th grade miller, fire hazard",
        "Fire hazard of a smith (grade 5) or a miller (grade 5)",
        "smith of grade 5 and miller of grade 5: fire",
        "Which has the higher fire hazard, smith 5 or miller 5?",
    ],
)
def test_each_of_several_has_a_number_of_his_own(question: str) -> None:
    assert [("smith", "15"), ("miller", "13")] == [
        (value["name"], value["value"]) for value in _values(answer(question, YARD))
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Suppose a smith and a miller, each of grade 5, meet fire. Who has the lower number, and by how many?",
        "smith or miller grade 5 fire hazard which is lower and by how many points",
        "Is the fire hazard of a smith at grade 5 lower than that of a miller, and by how many points?",
    ],
)
def test_a_difference_is_counted_in_anything(question: str) -> None:
    result = answer(question, YARD)

    assert 2 == result.finding.values["difference"]
    assert () == result.needs


def _values(result: Reasoned) -> list[dict[str, object]]:
    values = result.finding.values["values"]
    assert isinstance(values, list)
    return values


def test_what_is_called_another_measure_does_not_tell_how_old_something_is() -> None:
    hills = book(
        "# Hills\n\n| Hill | Length | Height | Name of the owner |\n|-|-|-|-|\n| Grey Tor | 17 m | 3 m | Ann |\n"
    )

    assert answer("The Grey Tor is how old?", hills).needs


GOODS = book(
    """# Goods

| Item | Price | Weight |
|---|---|---|
| Anvil | 30 crowns | 90 kg |
| Barrel | 7 crowns | 25 kg |

You can have a blade gilded: it costs $80 to gild one sword.
"""
)


def test_what_somebody_has_besides_may_be_another_one() -> None:
    assert answer("What does an anvil with a stand cost?", GOODS).needs
    assert not answer("What does an anvil cost?", GOODS).needs


@pytest.mark.parametrize(
    "question", ["How much is charged for having a sword gilded?", "What does it cost to gild a sword?"]
)
def test_a_verb_of_money_is_told_in_any_form(question: str) -> None:
    assert "$80" in answer(question, GOODS).finding.claim


def test_two_may_be_the_ends_of_a_way() -> None:
    result = answer("How many kg do I gain going from a barrel to an anvil in weight?", GOODS)

    assert ["barrel", "anvil"] == [value["name"] for value in _values(result)]


def test_nobody_is_his_own_like() -> None:
    assert answer("Which boat has the same home port as the Gull?", YARD).needs


@pytest.mark.parametrize("question", ["cost of gilding a sword", "price to gild a sword?"])
def test_an_amount_is_told_where_its_measure_frames_the_question(question: str) -> None:
    smith = book("# Smith\n\nThis cost of gilding tells of the gold. A sword is gilded for $80 by any smith.\n")

    assert "$80" in answer(question, smith).finding.claim


@pytest.mark.parametrize(
    "question", ["Reed or Tern crew?", "Reed vs Tern crew", "Look up the crew of the Reed or the Tern."]
)
def test_what_is_asked_may_stand_right_behind_the_last_of_them(question: str) -> None:
    assert ["Reed", "Tern"] == [value["name"] for value in _values(answer(question, YARD))]


def test_a_word_beside_a_name_that_nothing_tells_leaves_a_doubt() -> None:
    charms = book(
        "# Fly\n\n- **Casting time** 1 action\n- **Duration** 10 minutes\n- **Range** touch\n\n"
        "# Stag Beetle\n\nA stag beetle eats wood.\n"
    )

    assert answer("How long does a stag beetle fly?", charms).needs
    assert "10 minutes" == answer("How long does fly last?", charms).finding.verdict


def test_an_alternative_behind_an_abbreviation_belongs_to_its_question() -> None:
    gains = book("""# Gain

| Value | linear inc. | bent inc. |
|---|---|---|
| 10 | 130 ms | 220 ms |
| 11 | 96 ms | 170 ms |
""")
    finding = answer("At gain value 10, which is faster: linear inc. or bent inc.?", gains).finding
    assert "linear inc" == finding.verdict
    assert "130 ms" in finding.claim and "220 ms" in finding.claim
