"""Rows that nobody names: told by several of their cells, by heads, and by what their table is called."""

from __future__ import annotations

import pytest

from tests.kit import answer, library

KILNS = library(
    {
        "kilns/north.md": """# North Works

## Firings

| Kiln | Clay | Programme | Fuel (kg) | Yield | Loss | Vented |
|---|---|---|---|---|---|---|
| Round | K-10 | 12h | 7.4 | 47.8 | 38.4 | yes |
| Round | K-10 | 20h | 7.6 | 49.7 | 40.3 | no |
| Round | K-20 | 12h | 10.9 | 51.2 | 39.9 | yes |
| Tall Round | K-10 | 12h | 8.9 | 50.8 | 40.4 | yes |
| Tall Round | K-20 | 20h | 12.5 | 52.4 | 42.8 | no |

## Trials

| Place | Kiln | Yield |
|---|---|---|
| Bay_1 | Flat | 68.3 |
| Bay_2 | Flat | 40.6 |
| Bay_3 | Flat | 69.3 |
""",
        "kilns/south.md": """# South Works

## Firings

| Kiln | Clay | Programme | Fuel (kg) | Yield |
|---|---|---|---|---|
| Round | K-20 | 12h | 9.1 | 44.0 |
""",
        "yards/east.md": """# Eastquay

## Tides

| Basin | Rise |
|---|---|
| Inner | 3.1 |
""",
        "yards/west.md": """# Westquay

## Tides

| Basin | Rise |
|---|---|
| Inner | 2.4 |
""",
    }
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How much fuel does the Round kiln take with K-20 clay at North Works?", "10.9"),
        ("yield North Works Tall Round K-20 20h", "52.4"),
        ("What yield does the Flat kiln get at Bay_3 in North Works?", "69.3"),
        ("yield of the Round kiln, North Works, K-10, vented", "47.8"),
        ("What is the yield of K-20 in the Round at South Works?", "44.0"),
        ("What rise has Westquay's inner basin?", "2.4"),
    ],
)
def test_a_row_is_told_by_its_cells_together(question: str, value: str) -> None:
    assert value == answer(question, KILNS).finding.verdict


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which has the higher rise in the inner basin, Eastquay or Westquay?", "Eastquay"),
        ("Compare the yield of the Flat kiln at Bay_1, Bay_2 and Bay_3: which is the lowest?", "Bay_2"),
    ],
)
def test_alternatives_are_told_each_without_the_words_of_the_others(question: str, verdict: str) -> None:
    assert verdict == answer(question, KILNS).finding.verdict


def test_the_best_is_told_by_what_is_asked_for() -> None:
    assert "Bay_2" == answer("In which place has the Flat kiln the lowest yield?", KILNS).finding.verdict


def test_the_words_that_choose_a_row_are_told_as_they_stand_in_the_question() -> None:
    bound = KILNS.binder.bind_by_words("yield North Works Tall Round K-20 20h")

    assert bound is not None
    assert ("yield", "tall", "round", "k", "20", "h") == bound.linked.words


def test_the_table_is_no_thing_that_is_asked_for() -> None:
    asked = "Which kiln has the highest yield in the firings table of the North Works page?"

    assert "Tall Round" in answer(asked, KILNS).finding.claim


@pytest.mark.parametrize(
    "question",
    [
        "How many Round kilns (not Tall ones) are listed for North Works?",  # tall ones may count or not
        "What yield does the Round kiln get with K-30 clay at North Works?",  # no such clay
        "What rise has the inner basin?",  # of which quay
        "What is the glaze of the Round kiln with K-20 clay at North Works?",  # no such measure
        "Who does better in the inner basin's rise, Eastquay or Southquay?",  # no such quay
    ],
)
def test_what_no_row_or_more_than_one_tells_is_not_told(question: str) -> None:
    found = answer(question, KILNS)

    assert found.needs or found.finding.verdict is None


def test_one_value_answers_for_none_of_two_alternatives() -> None:
    assert answer("Who wins on the rise of the inner basin, Eastquay or Southquay?", KILNS).finding.verdict is None


def test_a_number_is_not_told_by_a_word_beyond_a_comma() -> None:
    wards = library({
        "wards.md": """# Wards

## 3 Glass Smith

**Smith Ward Table**

| Grade | Glass dust | Fumes |
|---|---|---|
| 1-4 | 11 | 12 |
| 5-8 | 9 | 10 |
| 9+ | 5 | 6 |

## 4 Potter

**Potter Ward Table**

| Grade | Glass dust | Fumes |
|---|---|---|
| 1-3 | 15 | 16 |
| 4-6 | 12 | 13 |
| 7+ | 5 | 7 |
"""
    })  # fmt: skip
    asked = "Who has the better ward against fumes at 5th grade, a glass smith or a potter, and by how much?"

    assert answer(asked, wards).finding.verdict in (None, "3")  # 10 and 13; 6 and 7 stand beside *5*, of glass dust


def test_the_words_of_the_value_make_no_row_less_alike() -> None:
    """Two rows of one name in two tables are alike, however brief their values: neither is told alone."""
    logs = "# Logs\n\n| Log | Description |\n|-|-|\n| Depth | Depths of days. |\n| Bow Lamp | Alerts of the crew. |\n"
    parts = "# Parts\n\n| Part | Description |\n|-|-|\n| Helm | Of oak. |\n| Bow Lamp | Fitted with brass lamps. |\n"

    assert answer("What description does Bow Lamp have?", library({"logs.md": logs, "parts.md": parts})).needs


def test_a_row_that_fills_a_piece_of_its_table_is_a_row_as_all_others() -> None:
    """Its key names it there too, and is no value of the table: else only such rows were told."""
    rows = [("Ark", "SEA", 30), ("Brig", "RIVER", 900), ("Cog", "SEA", 20), ("Dory", "SEA", 25), ("Fly", "SEA", 900)]
    told = "".join(f"| {name} | {water} | {'old oak ' * (words // 2)} |\n" for name, water, words in rows)
    table = f"| shipName | waterKind | note |\n|-|-|-|\n{told}"
    fleets = library({f"{name}.md": f"# {name}\n\n{table}" for name in ("Fleet_v5", "Fleet_v6")})

    finding = answer("Which shipNames have waterKind SEA in Fleet_v5?", fleets).finding

    assert "Ark, Cog, Dory, Fly" == finding.verdict


@pytest.mark.parametrize(
    "question", ["What are the threats with defense Shield (1 lamp)?", "What is the threat with defense Keep the helm?"]
)
def test_a_value_that_the_question_has_is_not_its_answer(question: str) -> None:
    rows = "| Fast hail | Shield (1 lamp) |\n| Slow hail | Shield (1 lamp) |\n| Reef | Keep the helm |\n"
    reasoned = answer(question, library({"a.md": f"# Threats\n\n| Threat | Defense |\n|-|-|\n{rows}| Fog | None |\n"}))

    assert reasoned.needs or reasoned.finding.verdict in ("Fast hail, Slow hail", "Reef")
