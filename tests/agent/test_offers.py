"""What a planning model is told of a collection: the titles that a question leads to, as short as they can be told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.llm.scripted import ScriptedLLM
from agent.llm.tokens import estimated_tokens, prompt_tokens
from agent.planning.families import families
from tests.agent.shelf import BOOK as FIGHTERS
from tests.agent.shelf import reading

PLAN = json.dumps({"kind": "open", "sub_queries": [{"id": "a", "text": "boats"}]})
ROUTES = ("Reed", "Rush", "Sedge", "Willow", "Alder", "Osier", "Iris")
FARES = "\n\n".join(
    f"""## {route} line

The {route} line is one of the lines of the lake, and it runs all the year.

**Timetable of the {route} line**

| Stop | Leaves at | Crossing time | Fare |
|---|---|---|---|
| North pier | 9:{n}0 | {n} min | {n} € |
| Mill bridge | 10:{n}0 | 1{n} min | 2{n} € |"""
    for n, route in enumerate(ROUTES)
)
BOOK = f"""# Ferries of the lake

# Lines

{FARES}

# Passengers

## Dogs and bicycles

Whoever brings a dog has to keep it on a lead, and a bicycle is left on the lower deck.

## Lost property

What was left on board is kept at the office for a month.
"""
GERMAN = """# Fähren auf dem See

## Hunde und Fahrräder

Wer einen Hund mit an Bord bringt, muss ihn an der Leine führen, und ein Fahrrad steht auf dem unteren Deck.
"""
LATIN = """# Naves in lacu

## De canibus

Canis in nave vinculo tenendus est, birota in inferiore tabulato ponenda.
"""


async def told(book: str, question: str, folder: Path) -> list[str]:
    """The lines that a model is told of a book for a question."""
    llm = ScriptedLLM([PLAN])
    await (await reading(book, folder, llm)).plan(question)
    return llm.requests[0].messages[1].content.partition("<<offer ")[2].split("\n")[1:-1]


async def test_tables_that_look_alike_are_one_line_with_their_heads(tmp_path: Path) -> None:
    lines = await told(BOOK, "Which is cheaper from the mill bridge, the Reed or the Willow line?", tmp_path)

    assert (
        "- Timetable of the {Reed | Willow | Alder | Osier | 3 more} line - Stop Mill bridge"
        " [columns: Stop; Leaves at; Crossing time; Fare / rows: Mill bridge]"
    ) in lines
    assert estimated_tokens("\n".join(lines)) < 200


async def test_the_whole_request_for_a_plan_is_short(tmp_path: Path) -> None:
    llm = ScriptedLLM([PLAN])
    asker = await reading(BOOK, tmp_path, llm)
    await asker.plan("Which is cheaper from the mill bridge, the Reed or the Willow line?")

    assert prompt_tokens(llm.requests[0]) < 1_800


async def test_a_passage_in_other_words_is_offered(tmp_path: Path) -> None:
    lines = await told(BOOK, "May I take my puppy aboard?", tmp_path)

    assert "- Dogs and bicycles" == lines[lines.index("titles:") + 1]


async def test_the_parts_of_a_book_are_told(tmp_path: Path) -> None:
    (parts,) = [line for line in await told(BOOK, "What may I bring?", tmp_path) if line.startswith("parts: ")]

    assert parts.endswith("; Passengers / Dogs and bicycles; Passengers / Lost property")


@pytest.mark.parametrize(
    ("book", "question", "language"),
    [
        (BOOK, "Is there an office for lost property?", ["language of the books: English"]),
        (GERMAN, "Is a dog welcome?", ["language of the books: German"]),
        (LATIN, "Is a dog welcome?", []),
    ],
)
async def test_a_language_that_is_known_is_told(book: str, question: str, language: list[str], tmp_path: Path) -> None:
    lines = await told(book, question, tmp_path)

    assert language == [line for line in lines if line.startswith("language")]


async def test_what_only_tells_pieces_apart_is_left_out(tmp_path: Path) -> None:
    piece = "The crew coils the ropes, and whoever stands in the way is asked to move. " * 12
    pieces = "\n\n".join(f"{piece} This is said {n} times." for n in range(12))
    lines = await told(f"# Lake\n\n## On ropes\n\n{pieces}\n\n## On sails\n\nSails are red.\n", "ropes", tmp_path)

    assert 1 == sum("On ropes" in line for line in lines if line.startswith("- "))


def test_families_differ_in_two_places_at_the_most() -> None:
    titles = [f"{who} Saves - Level {level}" for who in ("Reaver", "Bog Witch", "Hexer") for level in (1, 2, 3, 4, 5)]

    (family,) = families(titles)
    assert "{Reaver | Bog Witch | Hexer} Saves - Level {1 | 2 | 3 | 4 | 1 more}" == family.form
    assert set(titles) == set(family.titles)


def test_two_titles_are_no_family() -> None:
    assert ["Reed line", "Rush line"] == [family.form for family in families(["Reed line", "Rush line"])]


async def test_things_with_the_same_labels_are_one_line_for_a_measure_that_is_asked(tmp_path: Path) -> None:
    huts = "\n\n".join(
        f"## {name}\n\nA hut above the lake.\n\n- Beds: {n}\n- Height above the lake: {n}00 m\n- Warden: {name} Hall"
        for n, name in enumerate(("Crag", "Fell", "Moor", "Tarn"), start=3)
    )
    lines = await told(f"# Huts\n\n{huts}", "Which one has the greatest height above the lake?", tmp_path)
    (line,) = [line for line in lines if "Height" in line]

    assert line.endswith("} [labels: Beds; Height above the lake; Warden]")
    assert 4 == sum(line.count(name) for name in ("Crag", "Fell", "Moor", "Tarn"))


async def test_of_a_family_the_table_is_shown_whose_heads_are_asked_for(tmp_path: Path) -> None:
    kinds = "\n\n".join(f"## {name} rope\n\n- Made on: {name}\n- Strands: {n}" for n, name in enumerate(ROUTES, 3))
    prices = "## Sold rope\n\n| Rope | Price | Weight |\n|---|---|---|\n| Reed | 9 € | 2 kg |\n| Rush | 4 € | 3 kg |"
    question = "Is the Reed rope the one with the lowest price for its weight?"
    lines = await told(f"# Ropes\n\n{kinds}\n\n{prices}", question, tmp_path)

    assert "- Sold rope [columns: Rope; Price; Weight / rows: Reed; Rush]" in lines
    assert ["} rope [labels: Made on; Strands]"] == [line[-33:] for line in lines if "} rope" in line]


async def test_the_nearest_rows_of_a_long_table_are_told_and_how_many_more_there_are(tmp_path: Path) -> None:
    rows = "\n".join(f"| Mooring {n} of the old harbour | {n} m | {n} € |" for n in range(1, 40))
    table = f"| Mooring | Depth | Fee |\n|---|---|---|\n{rows}\n| Swan quay | 9 m | 3 € |"
    book = f"# Moorings\n\n**Table of moorings**\n\n{table}"
    lines = await told(book, "What does a boat pay for a night at the swan quay?", tmp_path)
    (line,) = [line for line in lines if line.startswith("- Table of moorings [")]

    assert line.startswith("- Table of moorings [columns: Mooring; Depth; Fee / rows: Swan quay; ")
    assert line.endswith(" more]")


async def test_of_many_heads_those_are_told_whole_that_are_near_in_other_words(tmp_path: Path) -> None:
    heads = [f"Inspection of part {n} of the hull" for n in range(1, 12)] + ["Top speed under sail"]
    row = " | ".join(str(n) for n in range(12))
    table = f"| Boat | {' | '.join(heads)} |\n|{'---|' * 13}\n| Reed | {row} |\n| Rush | {row} |"
    book = f"# Boats\n\n**Boats of the lake**\n\n{table}"
    lines = await told(book, "Which of the boats is the fastest?", tmp_path)
    (line,) = [line for line in lines if line.startswith("- Boats of the lake [")]

    assert line.startswith("- Boats of the lake [columns: Boat; Top speed under sail; ")
    assert " / rows: Reed; Rush]" in line


async def test_where_things_are_columns_the_measures_are_told_as_rows(tmp_path: Path) -> None:
    table = "| | R-A | R-1 |\n|---|---|---|\n| House | 9 acres | 2 acres |\n| Lot width | 80 ft | 50 ft |"
    book = f"# Zones\n\n**Lots by zone**\n\n{table}"
    lines = await told(book, "Which zone asks for the biggest lot for a house?", tmp_path)

    assert "- Lots by zone [columns: R-A; R-1 / rows: House; Lot width]" in lines


async def test_the_one_page_that_has_a_table_is_a_line_of_its_own(tmp_path: Path) -> None:
    prose = "\n\n".join(
        f"## Remote {name}\n\nThe crane is steered from the pier." for name in ("control", "mode", "start")
    )
    table = "## Remote input\n\n| Input | Job |\n|---|---|\n| DI 1 | Start |\n| DI 2 | Stop |"
    lines = await told(f"# Crane\n\n{prose}\n\n{table}", "How many inputs have a job in remote mode?", tmp_path)

    assert "- Remote input [columns: Input; Job / rows: DI 1; DI 2]" in lines
    assert ["- Remote {mode | control | start}"] == [line for line in lines if "Remote {" in line]


async def asked_of(book: str, question: str, folder: Path) -> ScriptedLLM:
    """A model that was asked for a plan and for an answer."""
    llm = ScriptedLLM([PLAN, "No boat is told of."])
    await (await reading(book, folder, llm)).ask(question)
    return llm


async def test_where_nobody_fights_no_model_is_told_of_fights(tmp_path: Path) -> None:
    planning, writing, *_ = (await asked_of(BOOK, "May I take my puppy aboard of the Reed line?", tmp_path)).requests

    assert "fight" not in f"{planning.messages[0].content}{planning.schema}"
    assert "duel_odds" not in {tool.name for tool in writing.tools}


async def test_where_some_fight_a_model_is_told_of_fights(tmp_path: Path) -> None:
    question = "Which of the reaver and the hexer needs more rest?"
    planning, writing, *_ = (await asked_of(FIGHTERS, question, tmp_path)).requests

    assert "\n- fight: " in planning.messages[0].content
    assert "combatants" in str(planning.schema)
    assert "duel_odds" in {tool.name for tool in writing.tools}
