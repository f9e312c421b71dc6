"""The steps of a model's plan, asked through the agent: each is bound to cells, and executed as what the rules read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent.errors import LLMError
from agent.llm.schemas import strict
from agent.llm.scripted import ScriptedLLM
from agent.planning.draft_check import MOST_NAMED
from agent.planning.drafts import plan_shape
from agent.planning.from_draft import MAX_STEPS
from agent.settings.settings import Settings
from agent.types import Answer
from tests.agent.shelf import BOOK, agent_on
from tests.agent.test_crowds import BOOK as CATS

HARBOUR = """# Pilots

Captain Ines commands the Heron. In winter the quay is closed after dusk.

**Pilot Fees**

| Grade | Calm | Storm |
|---|---|---|
| 1-3 | 11 | 17 |
| 4-6 | 8 | 14 |

# Stokers

**Stoker Fees**

| Grade | Calm | Storm |
|---|---|---|
| 1-3 | 12 | 18 |
| 4-6 | 10 | 15 |

# Boats

| Boat | Draught | Fare | Cargo | Repair roll |
|---|---|---|---|---|
| Heron | 3 | 40 crowns | 12 t | 2d6 |
| Otter | 5 | 90 crowns | 30 t | 1d8+1 |
| Pike | 2 | 120 crowns | 8 t | 1d4 |
| Teal | 4 | 150 crowns | 45 t | 3d6 |

# Rigging

| Boat | Crew | Masts |
|---|---|---|
| Heron | 4 | 1 |
| Otter | 12 | 2 |
| Teal | 15 | 3 |
"""
OTTER_AND_TEAL = [{"name": "Otter"}, {"name": "Teal"}]
THREE = [*OTTER_AND_TEAL, {"name": "Pike"}]


def do(what: str, id_: str = "a", **more: Any) -> dict[str, Any]:
    return {"id": id_, "do": what, **more}


def who(name: str, **keys: str) -> dict[str, Any]:
    return {"name": name, "keys": [{"name": key, "value": value} for key, value in keys.items()]}


def under(measure: str, value: str) -> dict[str, Any]:
    return {"measure": measure, "relation": "below", "value": value}


async def planned(folder: Path, question: str, *steps: dict[str, Any], book: str = HARBOUR, **more: Any) -> Answer:
    """The answer to a question whose plan a model wrote, in the words of the rules."""
    llm = ScriptedLLM([json.dumps({"steps": list(steps), **more}), LLMError("it is asleep")])
    return await (await agent_on(folder, llm, book=book)).ask(question)


def cells(answer: Answer) -> set[str]:
    """The cells that an answer cites, without their units."""
    return {citation.quote.removesuffix(" crowns").removesuffix(" t") for citation in answer.citations}


@pytest.mark.parametrize(
    ("question", "step", "told", "cited"),
    [
        (
            "What is paid to a grade 2 pilot, and to a stoker at 5, when it storms?",
            do("read", subjects=[who("pilot", grade="2"), who("stoker", grade="5")], measures=["storm fee"]),
            "pilot 17, stoker 15",
            {"1-3 / Storm = 17", "4-6 / Storm = 15"},
        ),
        (
            "All there is on what the Otter takes, in money and in load?",
            do("read", subjects=[{"name": "Otter"}], measures=["fare", "cargo"]),
            "90 crowns",
            {"Otter / Fare = 90", "Otter / Cargo = 30"},
        ),
        (
            "Whichever takes the most load for less than 130 coins?",
            do("highest", kind="boats", measures=["cargo"], where=[under("fare", "130 crowns")]),
            "Otter has the highest Cargo: 30 t (of all 3",
            {"Otter / Cargo = 30"},
        ),
        (
            "Otter, Teal, Pike: the shallow one?",
            do("lowest", subjects=THREE, measures=["draught"]),
            "Pike (Otter 5, Teal 4, Pike 2; lower is asked for)",
            {"Otter / Draught = 5", "Teal / Draught = 4", "Pike / Draught = 2"},
        ),
        (
            "The 2 that load most?",
            do("highest", kind="boats", measures=["cargo"], top=2),
            "Teal 45 t, Otter 30 t",
            {"Teal / Cargo = 45", "Otter / Cargo = 30"},
        ),
        (
            "Otter, Teal, Pike by load?",
            do("highest", subjects=THREE, measures=["cargo"], top=3),
            "Ranked from the highest: Teal 45 t, Otter 30 t, Pike 8 t",
            {"Teal / Cargo = 45", "Otter / Cargo = 30", "Pike / Cargo = 8"},
        ),
        (
            "What do repairs of the Otter come to as a rule?",
            do("average", subjects=[{"name": "Otter"}], measures=["repair roll"]),
            "The average is 5.5 (Otter 1d8+1)",
            {"Otter / Repair roll = 1d8+1"},
        ),
        (
            "How much do all of them load?",
            do("total", kind="boats", measures=["cargo"]),
            "The total is 95 t",
            {"Heron / Cargo = 12", "Otter / Cargo = 30", "Pike / Cargo = 8", "Teal / Cargo = 45"},
        ),
        (
            "Who of Otter, Teal, Pike takes people for less than 130?",
            do("list", subjects=THREE, where=[under("fare", "130 crowns")]),
            "2: Otter (Fare: 90 crowns), Pike (Fare: 120 crowns)",
            {"Otter / Fare = 90", "Pike / Fare = 120"},
        ),
        (
            "How many are above 10 tons?",
            do("count", kind="boats", where=[{"measure": "cargo", "relation": "above", "value": "10 t"}]),
            "3: Heron",
            {"Heron / Cargo = 12", "Otter / Cargo = 30", "Teal / Cargo = 45"},
        ),
        (
            "Those that go above 10 tons, but take people for less than 130: which lies highest in the water?",
            do(
                "lowest",
                kind="boats",
                measures=["draught"],
                where=[{"measure": "cargo", "relation": "above", "value": "10 t"}, under("fare", "130")],
            ),
            "Heron has the lowest Draught: 3 (of all 2",
            {"Heron / Draught = 3"},
        ),
        (
            "All but those of 90 crowns?",
            do("list", kind="boats", where=[{"measure": "fare", "relation": "is not", "value": "90 crowns"}]),
            "3: Heron (Fare: 40 crowns), Pike (Fare: 120 crowns), Teal (Fare: 150 crowns)",
            {"Heron / Fare = 40", "Pike / Fare = 120", "Teal / Fare = 150"},
        ),
        (
            "How many Otters fill a Teal?",
            do("ratio", subjects=OTTER_AND_TEAL, measures=["cargo"]),
            "The ratio is 1.5",
            {"Otter / Cargo = 30", "Teal / Cargo = 45"},
        ),
    ],
)
async def test_a_step_is_computed_from_its_own_cells(
    question: str, step: dict[str, Any], told: str, cited: set[str], tmp_path: Path
) -> None:
    answer = await planned(tmp_path, question, step)
    assert told in answer.text
    assert ("complete", cited) == (answer.stop_reason, cells(answer))


@pytest.mark.parametrize(
    ("steps", "told", "cited"),
    [
        (
            [do("highest", kind="boats", measures=["cargo"]),
             do("read", "b", subjects=[{"name": "{a}"}], measures=["fare"])],
            "Teal: 150 crowns",
            {"Teal / Cargo = 45", "Teal / Fare = 150"},
        ),
        (
            [do("read", subjects=[{"name": "Otter"}], measures=["draught"]),
             do("read", "b", subjects=[who("stoker", grade="{a}")], measures=["calm"])],
            "stoker: 10",
            {"Otter / Draught = 5", "4-6 / Calm = 10"},
        ),
        (
            [do("read", subjects=[{"name": "Otter"}], measures=["fare"]),
             do("read", "b", subjects=[{"name": "Pike"}], measures=["fare"]),
             do("difference", "c", of=["a", "b"])],
            "The difference is 30",
            {"Otter / Fare = 90", "Pike / Fare = 120"},
        ),
        (
            [do("ratio", subjects=[{"name": "Otter"}], measures=["crew", "masts"], text="hands a mast of the Otter"),
             do("ratio", "b", subjects=[{"name": "Teal"}], measures=["crew", "masts"], text="hands a mast of the Teal"),
             do("highest", "c", of=["a", "b"])],
            "Ranked: hands a mast of the Otter 6, hands a mast of the Teal 5.",
            {"Otter / Crew = 12", "Otter / Masts = 2", "Teal / Crew = 15", "Teal / Masts = 3"},
        ),
        (
            [do("find", text="Captain Ines commands"),
             do("read", "b", subjects=[{"name": "{a}"}], measures=["fare"])],
            "Heron: 40 crowns",
            {"Captain Ines commands the Heron.", "Heron / Fare = 40"},
        ),
        (
            [do("lowest", kind="boats", measures=["fare"]),
             do("find", "b", text="Who commands the {a}?")],
            "Captain Ines commands the Heron.",
            {"Heron / Fare = 40", "Captain Ines commands the Heron."},
        ),
        (
            [do("read", subjects=[{"name": "Otter"}], measures=["fare"]),
             do("find", "b", text="When is the quay closed in winter?")],
            "In winter the quay is closed after dusk.",
            {"Otter / Fare = 90", "In winter the quay is closed after dusk."},
        ),
    ],
    ids=["winner", "key", "difference", "ratios", "name in prose", "prose of a winner", "prose besides"],
)  # fmt: skip
async def test_a_step_goes_on_from_another(
    steps: list[dict[str, Any]], told: str, cited: set[str], tmp_path: Path
) -> None:
    answer = await planned(tmp_path, "Could you see to that business for me?", *steps)
    assert told in answer.text
    assert ("complete", cited) == (answer.stop_reason, cells(answer))


@pytest.mark.parametrize(
    ("steps", "lacking", "cited"),
    [
        (
            [do("read", subjects=[{"name": "Walrus"}, {"name": "Otter"}], measures=["fare"])],
            ["fare Walrus"], {"Otter / Fare = 90"},
        ),
        ([do("read", subjects=[{"name": "Otter"}], measures=["rowers", "fare"])], ["rowers"], {"Otter / Fare = 90"}),
        (
            [do("total", subjects=[{"name": "Otter"}], measures=["fare", "cargo"], text="all that the Otter is worth")],
            ["Otter worth"], {"Otter / Fare = 90", "Otter / Cargo = 30"},
        ),
        (
            [do("total", subjects=OTTER_AND_TEAL, measures=["cargo"]),
             do("read", "b", subjects=[{"name": "Pike"}], measures=["cargo"]),
             do("average", "c", of=["a", "b"], text="the mean of that and the Pike")],
            ["the mean of that and the Pike"], {"Otter / Cargo = 30", "Teal / Cargo = 45", "Pike / Cargo = 8"},
        ),
        (
            [do("find", text="Captain Bo commands"),
             do("read", "b", subjects=[{"name": "{a}"}], measures=["fare"], text="the fare of Captain Bo's boat")],
            ["Captain Bo", "the fare of Captain Bo's boat"], set(),
        ),
    ],
    ids=["name", "measure", "units", "result of a result", "prose"],
)  # fmt: skip
async def test_what_a_step_does_not_find_is_told_in_its_words(
    steps: list[dict[str, Any]], lacking: list[str], cited: set[str], tmp_path: Path
) -> None:
    answer = await planned(tmp_path, "Could you see to the Walrus and Otter business of Captain Bo?", *steps)
    assert "partial" == answer.stop_reason
    assert cited <= cells(answer)
    for words in lacking:
        assert any(set(words.split()) <= set(each.need.split()) for each in answer.unanswered), answer.unanswered


async def test_a_name_that_is_not_clear_in_prose_is_not_taken(tmp_path: Path) -> None:
    book = HARBOUR.replace("commands the Heron", "commands the Heron or the Pike")
    steps = [
        do("find", text="Captain Ines commands"),
        do("read", "b", subjects=[{"name": "{a}"}], measures=["fare"], text="the fare of the boat"),
    ]
    answer = await planned(tmp_path, "What does a trip with Captain Ines come to?", *steps, book=book)
    assert "partial" == answer.stop_reason
    assert not {"Heron / Fare = 40", "Pike / Fare = 120"} & cells(answer)


async def test_a_number_of_the_question_that_no_step_has_is_told(tmp_path: Path) -> None:
    step = do("read", subjects=[who("pilot", grade="2")], measures=["storm fee"])
    answer = await planned(tmp_path, "What of a grade 2 pilot when it storms for 7 days?", step)
    assert answer.text.startswith("Not read: 7, which no step")
    assert "partial" == answer.stop_reason


async def test_a_number_that_the_question_does_not_have_is_not_taken(tmp_path: Path) -> None:
    step = do("read", subjects=[who("pilot", grade="2")], measures=["storm fee"])
    answer = await planned(tmp_path, "What would one pay in such weather for a pilot of grade 5?", step)
    assert any(note.startswith("the question is taken as the rules read it") for note in answer.notes)
    assert "1-3 / Storm = 17" not in cells(answer)


async def test_where_nothing_of_a_plan_is_taken_the_question_is_searched_for(tmp_path: Path) -> None:
    step = do("read", subjects=[who("pilot", grade="2")], measures=["storm fee"])
    answer = await planned(tmp_path, "What would one pay in such weather for a pilot of grade 5?", step)
    assert answer.evidence.retrieved


async def test_how_many_from_the_end_may_be_none_where_nothing_is_ranked(tmp_path: Path) -> None:
    step = do("read", subjects=[who("pilot", grade="2")], measures=["storm fee"], top=0)
    answer = await planned(tmp_path, "What is paid to a grade 2 pilot when it storms?", step)
    assert {"1-3 / Storm = 17"} == cells(answer)
    assert not any(note.startswith("the question is taken") for note in answer.notes)


@pytest.mark.parametrize(
    ("question", "purposes", "told"),
    [
        ("What is the fare of the Otter?", ["synthesize"], "90 crowns"),
        ("What do travellers pay on the Otter?", ["plan", "synthesize"], "90 crowns"),
    ],
)
async def test_what_the_rules_bind_to_nothing_goes_to_the_model_however_simple_it_is(
    question: str, purposes: list[str], told: str, tmp_path: Path
) -> None:
    steps = [do("read", subjects=[{"name": "Otter"}], measures=["fare"])]
    asleep = LLMError("it is asleep")
    llm = ScriptedLLM(lambda request: json.dumps({"steps": steps}) if request.purpose == "plan" else asleep)
    settings = Settings(collection="small", planner="auto", absolute_min=0.0)
    answer = await (await agent_on(tmp_path, llm, settings, HARBOUR)).ask(question)
    assert purposes == [request.purpose for request in llm.requests]
    assert told in answer.text


async def test_a_name_of_the_question_that_no_step_has_is_told(tmp_path: Path) -> None:
    step = do("read", subjects=[{"name": "Otter"}], measures=["fare"])
    answer = await planned(tmp_path, "What would the Otter, and what would stokers come to?", step)
    assert answer.text.startswith("Not read: stoker, which no step of the language model's plan has.")
    assert "partial" == answer.stop_reason


@pytest.mark.parametrize(
    ("told", "is_read"),
    [("The Otter takes 90 crowns [1], a stoker none.", True), ("The Otter takes 90 crowns [1].", False)],
)
async def test_a_name_that_no_step_has_is_read_where_the_answer_speaks_of_it(
    told: str, is_read: bool, tmp_path: Path
) -> None:
    plan = json.dumps({"steps": [do("read", subjects=[{"name": "Otter"}], measures=["fare"])]})
    llm = ScriptedLLM(lambda request: plan if request.purpose == "plan" else told)
    answer = await (await agent_on(tmp_path, llm, book=HARBOUR)).ask(
        "What would the Otter, and what would stokers come to?"
    )
    assert is_read == ("Not read" not in answer.text)
    assert ("complete" if is_read else "partial") == answer.stop_reason


async def test_what_is_compared_of_a_kind_is_listed(tmp_path: Path) -> None:
    step = do("compare", kind="boats", measures=["draught"])
    answer = await planned(tmp_path, "Any word on how deep all those things go?", step)
    assert "4: Heron (Draught: 3), Otter (Draught: 5), Pike (Draught: 2), Teal (Draught: 4)" in answer.text


async def test_what_is_assumed_and_what_is_cut_is_told(tmp_path: Path) -> None:
    many = [do("read", f"s{n}", subjects=[{"name": "Otter"}], measures=["fare"]) for n in range(MAX_STEPS)]
    more = do("read", "more", text="the rats of the Otter", subjects=[{"name": "Otter"}], measures=["rats"])
    answer = await planned(tmp_path, "All about that Otter?", *many, more, assumed=["the Otter is a boat"])
    assert "assumed by the language model: the Otter is a boat" in answer.notes
    assert "Not read: the rats of the Otter." in answer.text
    crowd = [{"name": f"Boat{chr(97 + n // 26)}{chr(97 + n % 26)}"} for n in range(MOST_NAMED)]
    step = do("read", subjects=[*crowd, {"name": "Otter"}], measures=["fare"])
    answer = await planned(tmp_path, "All about these boats and the Otter?", step)
    assert "left out: Otter" in answer.text


async def test_several_fights_are_ranked(tmp_path: Path) -> None:
    cat = {"subject": "bog cat"}
    fights = [
        do("fight", f"f{n}", combatants=[{"subject": "reaver", "level": n, "armor_class": 5}, cat]) for n in (1, 4)
    ]
    question = "Has a 1st level reaver or one of the 4th level a better chance against a bog cat, both in AC 5?"
    answer = await planned(tmp_path, question, *fights, do("highest", "best", of=["f1", "f4"]), book=CATS)
    assert answer.text.startswith("Ranked: 4th level reaver 68.0%, 1st level reaver 7.8%.")
    assert ("complete", "4th level reaver") == (answer.stop_reason, answer.verdict)
    assert {"Level 4 / Hit Dice = 4", "Level 1 / Hit Dice = 1", "ARMOR CLASS = 6"} <= cells(answer)


async def test_a_model_words_what_its_steps_found(tmp_path: Path) -> None:
    steps = [
        do("highest", kind="boats", measures=["cargo"]),
        do("read", "b", subjects=[{"name": "{a}"}], measures=["fare"]),
        do("find", "c", text="When is the quay closed in winter?"),
    ]
    said = "The Teal takes most, 45 t, and costs 150 crowns [1]. In winter the quay is closed after dusk [2]."
    llm = ScriptedLLM([json.dumps({"steps": steps}), said])
    answer = await (await agent_on(tmp_path, llm, book=HARBOUR)).ask("Could you see to my cargo and the quay?")
    assert ("complete", said) == (answer.stop_reason, answer.text)


async def test_without_cells_each_step_is_searched_for_in_its_words(tmp_path: Path) -> None:
    steps = [
        do("read", subjects=[{"name": "Otter"}], measures=["fare"]),
        do("read", "b", subjects=[who("pilot", grade="2")], measures=["storm fee"]),
    ]
    llm = ScriptedLLM([json.dumps({"steps": steps}), LLMError("it is asleep")])
    settings = Settings(collection="small", planner="llm", absolute_min=0.0, no_filter=True)
    answer = await (await agent_on(tmp_path, llm, settings, HARBOUR)).ask("The Otter with a grade 2 pilot in a storm?")
    texts = [each.sub_query.text for each in answer.evidence.retrieved]
    assert ["fare of Otter", "storm fee of pilot (grade 2)"] == texts[:2]


async def test_steps_are_in_the_language_of_the_book(tmp_path: Path) -> None:
    boote = "# Boote\n\n| Boot | Preis | Ladung |\n|---|---|---|\n"
    boote += "| Reiher | 40 Kronen | 12 t |\n| Otter | 90 Kronen | 30 t |\n| Hecht | 120 Kronen | 48 t |\n"
    step = do("highest", kind="Boote", measures=["Ladung"], where=[under("Preis", "100 Kronen")])
    answer = await planned(tmp_path, "Welches Boot trägt am meisten für weniger als 100 Kronen?", step, book=boote)
    assert ("Otter", {"Otter / Ladung = 30"}) == (answer.verdict, cells(answer))


async def test_a_measure_may_name_the_result_of_another_step(tmp_path: Path) -> None:
    steps = [
        do("read", subjects=[{"name": "bog ogre"}], measures=["armor class"]),
        do("read", "b", subjects=[who("reaver", level="5")], measures=["AC {a}"]),
    ]
    answer = await planned(tmp_path, "A level 5 reaver meets the bog ogre, what is it to roll?", *steps, book=BOOK)
    assert ("complete", {"Armor Class = 5", "4-6 / AC 5 = 12"}) == (answer.stop_reason, cells(answer))


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([do("read"), do("read")], "an id of steps is used more than once"),
        ([do("total", of=["z"])], "step 'a' takes the result of 'z'"),
        ([do("total", of=["b"]), do("total", "b", of=["a"])], "steps depend on each other in a circle"),
        ([do("guess")], "steps.0.do"),
    ],
)
async def test_steps_that_can_not_be_done_are_shown_to_the_model(
    steps: list[dict[str, Any]], told: str, tmp_path: Path
) -> None:
    good = do("read", subjects=[{"name": "Otter"}], measures=["fare"])
    llm = ScriptedLLM([json.dumps({"steps": each}) for each in (steps, [good])])
    answer = await (await agent_on(tmp_path, llm, book=HARBOUR)).ask("What does one pay on that Otter, pray?")
    assert told in llm.requests[1].messages[-1].content
    assert "90 crowns" in answer.text


def test_the_shape_of_a_plan_has_a_strict_form() -> None:
    assert strict(plan_shape().model_json_schema()) is not None


async def test_cells_that_leave_words_unheeded_are_no_finding_where_a_model_split_the_question(tmp_path: Path) -> None:
    said = "Cargo of the Otter that gets wet is paid for by its master [1]."
    book = f"{HARBOUR}\n# Damage\n\nCargo of the Otter that gets wet is paid for by its master.\n"
    plan = json.dumps({"sub_queries": [{"id": "a", "text": "who pays for wet cargo of the Otter"}]})
    llm = ScriptedLLM([plan, said])
    answer = await (await agent_on(tmp_path, llm, book=book)).ask("What insurance does the Otter have for its cargo?")
    assert ("complete", said) == (answer.stop_reason, answer.text)


@pytest.mark.parametrize(
    ("question", "is_computed"),
    [("Which boat has more cargo, Otter or Teal?", True), ("Tell me of the fare of the Otter.", False)],
)
async def test_what_a_model_only_searches_for_is_computed_if_it_compares(
    question: str, is_computed: bool, tmp_path: Path
) -> None:
    plan = json.dumps({"sub_queries": [{"id": "a", "text": "boats"}]})
    said = "The Teal carries 45 t [1], the Otter 30 t [2]." if is_computed else "It is 90 crowns for the Otter [1]."
    answer = await (await agent_on(tmp_path, ScriptedLLM([plan, said, said]), book=HARBOUR)).ask(question)
    assert is_computed is bool(answer.findings)
