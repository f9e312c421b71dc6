"""Who has a value that the question says whole: its words are not read for ends, negations or limits."""

from __future__ import annotations

import pytest

from tests.kit import answer, book, library

HARBOUR = book("""# Accounts

| Account type | Queue priority | Storage | Mooring rule |
|---|---|---|---|
| Guest | Low | 2 MB | No advance |
| Skipper | Highest | 16 MB | Cannot be moved |
| Pilot | Highest | 16 MB | No advance |
| Harbour master | Medium | 64 MB | Cannot be moved |

# Nets

| Net | Mesh | Unit | Made by |
|---|---|---|---|
| Drift net unit | 12 | g | Holt |
| Seine | 14 | g | Holt + Reeve |
| Trawl | 12 | g m | Holt |
| Purse net | 20 | g m | Reeve |

# Levels

| Pilot level | Total trips | Total leave |
|---|---|---|
| Level 1 | 1 coastal | 4 days |
| Level 1 abroad | 1 coastal | 6 days |
| Level 2 | 4 coastal | 6 days |

# Draughts

| Draught level | Uses |
|---|---|
| Draught | 16 |
| Greater Draught | 14 |
| Lesser Draught | 18 |

## Draughts

## Uses
""")


@pytest.mark.parametrize(
    ("question", "names", "others"),
    [
        ("Which account types have Highest as their queue priority?", "Skipper, Pilot", "Guest, Harbour master"),
        ("List the account types whose queue priority is Highest.", "Skipper, Pilot", "Guest, Harbour master"),
        ("Which account types have the mooring rule No advance?", "Guest, Pilot", "Skipper, Harbour master"),
        ("Which account types are No advance?", "Guest, Pilot", "Skipper, Harbour master"),
        ("Show me all account types with mooring rule Cannot be moved", "Skipper, Harbour master", "Guest, Pilot"),
        ("Which account types have 16 MB for storage?", "Skipper, Pilot", "Guest, Harbour master"),
        ("Which nets have g as their unit?", "Drift net unit, Seine", "Trawl, Purse net"),
        ("List the pilot levels whose total trips is 1 coastal.", "Level 1, Level 1 abroad", "Level 2"),
        ("Which pilot levels have total trips 1 coastal and total leave 6 days?", "Level 1 abroad", "Level 2"),
    ],
)
def test_who_has_a_value_that_is_said_whole(question: str, names: str, others: str) -> None:
    found = answer(question, HARBOUR)
    claim = found.finding.claim
    assert not found.needs
    assert all(name in claim for name in names.split(", "))
    assert not any(f"{name} (" in claim for name in others.split(", "))


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many account types have the queue priority Highest?", "2"),
        ("How many nets have g for unit?", "2"),
        ("How many pilot levels have the total trips 1 coastal?", "2"),
        ("How many account types have 16 MB as their storage?", "2"),
    ],
)
def test_how_many_have_it(question: str, count: str) -> None:
    found = answer(question, HARBOUR)
    assert not found.needs
    assert found.finding.claim.startswith(f"{count}:")


def test_a_value_that_may_be_one_among_others_is_left_to_its_words() -> None:
    found = answer("Which nets are made by Holt?", HARBOUR)
    assert all(name in found.finding.claim for name in ("Drift net unit", "Seine", "Trawl"))


def test_an_end_within_a_name_is_a_part_of_it() -> None:
    found = answer("How many uses does Greater Draught have?", HARBOUR)
    assert "14" in found.finding.claim
    assert "16" not in found.finding.claim


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which pilot level with total leave 6 days has the most total trips?", "Level 2"),
        ("Which net with unit g m has the smallest mesh?", "Trawl"),
        ("Which nets with unit g have a mesh of more than 12?", "Seine"),
    ],
)
def test_what_is_asked_of_those_who_have_a_value(question: str, name: str) -> None:
    found = answer(question, HARBOUR)
    assert not found.needs
    assert name in (found.finding.verdict or found.finding.claim)


def test_an_item_of_a_list_is_a_value_too() -> None:
    rows = "| Gilding | Miller 4 |\n| Turning | Cooper 2, Miller 4 |\n| Baking | Miller 2 |\n| Forging | Smith 4 |\n"
    trades = book(f"# Crafts\n\n| Craft | Open to |\n|---|---|\n{rows}")
    claim = answer("Which crafts are open to Miller 4?", trades).finding.claim
    assert claim.startswith("2:")
    assert "Baking" not in claim


def test_a_word_for_putting_in_order_may_be_a_measure_of_somebody() -> None:
    states = book("# States\n\n| State | Rank |\n|---|---|\n| Dazed | B |\n| Asleep | A |\n| Bound | A |\n")
    assert "B" in answer("What rank does Dazed have?", states).finding.claim
    assert answer("How many states have the rank A?", states).finding.claim.startswith("2:")


def test_the_name_of_a_section_chooses_nobody_in_it() -> None:
    charms = ("Reed charm", "Mends a rope"), ("Tern charm", "Cuts a rope"), ("Wren charm", "Dries nets")
    pages = "".join(f"### {name}\n\n- **Use:** once\n- **Effect:** {effect}\n\n" for name, effect in charms)
    front = "**Printed on page:** 4\n\n**Edition:** second\n\n"
    quays = {f"book/{name}.md": f"# {name}\n\n{front}Nothing." for name in ("Elm", "Ash", "Oak", "Fir", "Yew", "Box")}
    goods = library({"book/rope-goods.md": f"# Rope goods\n\n{front}## Charms\n\n{pages}", **quays})
    assert answer("How many charms does the rope goods section list?", goods).finding.claim.startswith("3:")


def test_a_count_is_no_value_of_several_nor_a_text() -> None:
    result = answer("How many account types have the mooring rule Never moved?", HARBOUR)
    assert result.needs or result.finding.claim.startswith(("0", "None"))


def test_a_label_is_called_by_its_last_word_and_some_are_listed_with_a_value() -> None:
    rows = "| Ares | XU9-15 | Act 1 |\n| Boda | XU9-15 | |\n| Cero | ZU8 | National plan |\n| Dora | XU9-15 | Act 4 |\n"
    plans = book(f"# Ports\n\n| Port | Radio plan | Document |\n|---|---|---|\n{rows}")
    assert answer("How many ports are listed with the XU9-15 plan?", plans).finding.claim.startswith("3:")


def test_how_long_something_of_it_is_is_not_how_long_it_is() -> None:
    looms = "| Loom | Length | Weight |\n|---|---|---|\n| Reed | 4 m | 90 kg |\n| Tern | 5 m | 70 kg |\n"
    assert answer("How long was the warranty on the Reed?", book(f"# Looms\n\n{looms}")).needs
    assert "4 m" in answer("How long is the Reed?", book(f"# Looms\n\n{looms}")).finding.claim


def test_how_heavy_it_is_is_told_in_a_unit_where_something_is() -> None:
    facts = "- **Weight (with cable):** about {kg} kg\n- **Ports:** 4\n"
    gateways = {
        f"gateways/{name}.md": f"---\nweight: {at}\n---\n\n# {name}\n\n{facts.format(kg=kg)}"
        for name, at, kg in (("Reed", 900, 2), ("Tern", 910, 3), ("Wren", 920, 1))
    }
    claim = answer("How heavy is the Reed?", library(gateways)).finding.claim
    assert "2 kg" in claim
    assert "900" not in claim


def test_one_of_many_tables_with_the_same_heads_is_read_as_they_are() -> None:
    letters = {"A": "Ares, Alba", "B": "Boda, Brae", "C": "Cero, Cove", "D": "Dora, Dunn"}
    tables = "".join(
        f"## {letter}\n\n| Port | Radio plan | Document |\n|---|---|---|\n"
        + "".join(f"| {name} | XU9-15 | |\n" for name in names.split(", "))
        for letter, names in letters.items()
    )
    rows = "| Vane | ZU8 | |\n| Vico | QW7-2 or 4 | |\n| Viti | XU9-15 | |\n"
    last = f"## V\n\n| Port | Radio plan | Document |\n|---|---|---|\n{rows}"
    plans = book(f"# Radio plans by port\n\n{tables}{last}")
    assert answer("How many ports are listed with the XU9-15 plan?", plans).finding.claim.startswith("9:")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which account types have a storage under 16 MB?", "Guest"),
        ("Which account types have a storage over 16 MB?", "Harbour master"),
        ("Which account types have a storage of at least 16 MB?", "Skipper, Pilot, Harbour master"),
        ("Which account types have a storage of 16 MB?", "Skipper, Pilot"),
    ],
)
def test_a_limit_is_no_value_though_some_have_just_that(question: str, names: str) -> None:
    assert names == answer(question, HARBOUR).finding.verdict


def test_a_limit_is_no_value_of_its_label() -> None:
    darts = book("""# Darts

| Dart | Effect | Cost |
|---|---|---|
| Bolas | Snare 3 | 12 |
| Hoop | Damage 1 | 2 |
| Lance | Damage 2 | 4 |
""")
    said = answer("Which darts have a cost of 4 or more?", darts).finding.claim
    assert "Bolas" in said and "Lance" in said and "Hoop" not in said


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which devices have Supported False?", "gemini, keck"),
        ("How many devices have Supported = False?", "2"),
        ("Which devices have QL Tested True?", "gemini, wht"),
    ],
)
def test_yes_and_no_are_values_beside_their_label(question: str, names: str) -> None:
    devices = book("""# Devices

| Device | Site | Supported | QL Tested |
|---|---|---|---|
| bok | Bok | True | False |
| gemini | South | False | True |
| wht | North | True | True |
| keck | Hawaii | False | False |
""")
    assert names == answer(question, devices).finding.verdict
