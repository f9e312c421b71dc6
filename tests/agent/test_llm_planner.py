"""The model's plans: what is taken from them, what is added, what is repaired, and when the rules take over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent.domains.combat.types import Duel
from agent.errors import LLMError, LLMRefused, SettingsError
from agent.llm.protocol import Reply
from agent.llm.scripted import ScriptedLLM
from agent.planning.catalog_context import Offer, Offers
from agent.planning.drafts import plan_shape
from agent.planning.from_draft import MAX_SUB_QUERIES, planned
from agent.planning.rules import ByRules
from agent.settings.settings import Settings
from agent.types import Plan, Reading, Turn
from agent.understanding.question.intent import Lookup
from agent.understanding.question.plan_step import NamedSubject
from agent.understanding.words.lexicon import Lexicon
from retrieval.catalogs.catalog import Catalog
from retrieval.types import Chunk, QueryMust
from tests.agent.shelf import agent_on

QUESTION = "Who wins: a 4th level reaver with an armor class of 3 or a 5th level hexer with an armor class of 9?"
LORE = "What do the books tell of reavers and of hexers?"


def drafted(*sub_queries: dict[str, Any], **more: Any) -> str:
    return json.dumps({"kind": "open", "sub_queries": list(sub_queries), **more})


EMPTY = Lexicon()
KNOWN = Lexicon({"reaver": "reaver", "hexer": "hexer"})


def plan_of(*sub_queries: dict[str, Any], question: str = LORE, lexicon: Lexicon = EMPTY, **more: Any) -> Plan:
    draft = plan_shape().model_validate_json(drafted(*sub_queries, **more))
    return planned(draft, ByRules(question, lexicon), Offer(chunk_types=("row",), tags=("north",)))


def step(id_: str, text: str, **more: Any) -> dict[str, Any]:
    return {"id": id_, "text": text, **more}


def test_sub_queries_keep_their_order_and_get_ids_of_ours() -> None:
    plan = plan_of(step("a", "reaver lore"), step("b", "hexer lore"))
    assert [("q1", "reaver lore"), ("q2", "hexer lore")] == [(s.id, s.text) for s in plan.sub_queries]


def test_what_depends_on_another_comes_after_it_and_takes_its_value() -> None:
    reads = {"subject": "bog ogre", "attribute": "armor class", "type": "integer"}
    plan = plan_of(step("second", "reaver to hit AC {first}"), step("first", "bog ogre armor class", reads=reads))
    assert ["bog ogre armor class", "reaver to hit AC {q1}"] == [s.text for s in plan.sub_queries]
    assert ("q1",) == plan.sub_queries[1].depends_on
    assert {"q1": Reading("bog ogre", "armor class", "integer")} == plan.readings


def test_the_same_query_in_other_words_order_aside_is_asked_once() -> None:
    plan = plan_of(step("a", "Reaver lore"), step("b", "reavers lore"), step("c", "hexer", depends_on=["b"]))
    assert ["Reaver lore", "hexer"] == [s.text for s in plan.sub_queries]
    assert ("q1",) == plan.sub_queries[1].depends_on


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ((), "sub_queries is empty"),
        ((step("a", "x", depends_on=["b"]), step("b", "y", depends_on=["a"])), "circle"),
        ((step("a", "x", depends_on=["a"]),), "circle"),
        ((step("a", "x", depends_on=["z"]),), "'z', which is not in the plan"),
        ((step("a", "x {z}"),), "'z', which is not in the plan"),
        ((step("a", "x"), step("b", "y {a}")), "'a', which has no reads"),
        ((step("a", "x"), step("a", "y")), "used more than once"),
    ],
)
def test_a_plan_that_can_not_run_says_why(steps: tuple[dict[str, Any], ...], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        plan_of(*steps)


def test_ten_thousand_sub_queries_are_capped_and_that_is_told() -> None:
    plan = plan_of(*(step(f"s{number}", f"rule number {number}") for number in range(10_000)))
    assert MAX_SUB_QUERIES == len(plan.sub_queries)
    told = "rule number 24; rule number 25; rule number 26 and 9973 more"
    assert (f"only {MAX_SUB_QUERIES} sub-queries are run; left out: {told}",) == plan.notes


def test_a_plan_may_narrow_only_to_what_there_is() -> None:
    plan = plan_of(step("a", "x", chunk_types=["row", "secret"], tags=["north", "nowhere"]))
    assert (("row",), ("north",)) == (plan.sub_queries[0].chunk_types, plan.sub_queries[0].tags)


def test_roles_that_the_reasoner_needs_are_added_where_the_plan_lacks_them() -> None:
    fight = [{"subject": "Reaver", "level": 4, "armor_class": 3}, {"subject": "hexer", "level": 5, "armor_class": 9}]
    known = step("a", "level 4 reaver roll needed to hit opponent armor class 9")
    plan = plan_of(known, question=QUESTION, kind="fight", combatants=fight)
    assert isinstance(plan.intent, Duel)
    texts = [s.text for s in plan.sub_queries]
    assert 1 == sum("reaver" in text and "armor class 9" in text for text in texts)
    assert any("hexer" in text and "armor class 3" in text for text in texts)


def test_with_numbers_that_the_question_does_not_hold_a_fight_is_what_the_rules_read() -> None:
    fight = [{"subject": "reaver", "level": 12, "armor_class": 3}, {"subject": "hexer", "level": 5, "armor_class": 9}]
    intent = plan_of(step("a", "x"), question=QUESTION, kind="fight", combatants=fight).intent
    assert isinstance(intent, Duel)
    assert [(4, 3), (5, 9)] == [(who.level, who.armor_class) for who in intent.combatants]


def test_what_the_model_leaves_out_of_a_combatant_the_rules_fill_in() -> None:
    sketch = [{"subject": "Hexer"}, {"subject": "reaver", "level": 4}]
    intent = plan_of(step("a", "x"), question=QUESTION, kind="fight", combatants=sketch).intent
    assert isinstance(intent, Duel)
    assert [("5th level hexer", 9), ("4th level reaver", 3)] == [(w.name, w.armor_class) for w in intent.combatants]


def test_what_no_odds_count_and_who_is_wanted_stays_with_a_fight_that_a_model_planned() -> None:
    question = "Who is less likely to win underwater: a blind 4th level reaver with AC 3 or a 5th level hexer, AC 9?"
    sketch = [{"subject": "reaver", "level": 4, "armor_class": 3}, {"subject": "hexer", "level": 5, "armor_class": 9}]
    intent = plan_of(step("a", "x"), question=question, kind="fight", combatants=sketch).intent
    assert isinstance(intent, Duel)
    assert (("underwater",), True) == (intent.left_out, intent.asks_loser)
    assert [("blind",), ()] == [who.left_out for who in intent.combatants]


def test_what_the_rules_read_of_a_combatant_stands_and_the_difference_is_told() -> None:
    swapped = [
        {"subject": "hexer", "level": 4, "armor_class": 3, "weapon": "dagger"},
        {"subject": "reaver", "level": 5, "armor_class": 9},
    ]
    plan = plan_of(step("a", "x"), question=QUESTION, kind="fight", combatants=swapped)
    assert isinstance(plan.intent, Duel)
    assert [(5, 9, None), (4, 3, None)] == [(who.level, who.armor_class, who.weapon) for who in plan.intent.combatants]
    assert (
        "the question says 9 of the armor class of the hexer, the language model 3; the question stands" in plan.notes
    )
    assert "the question says nothing of the weapon of the hexer, the language model dagger; the question stands" in (
        plan.notes
    )


@pytest.mark.parametrize(
    ("entities", "keys"),
    [
        (["reaver"], [("level", "3"), ("armor class", "5")]),
        (["hexer"], [("level", "5"), ("armor class", "3")]),
        (["reaver"], [("level", "5"), ("armor class", "4")]),
    ],
)
def test_a_comparison_that_the_question_does_not_bear_out_is_what_the_rules_read(
    entities: list[str], keys: list[tuple[str, str]]
) -> None:
    plan = plan_of(
        step("a", "x"), lexicon=KNOWN, question="What is the saving throw of a 5th level reaver in armor class 3?",
        kind="compare", entities=entities, attribute="saving throw",
        keys=[{"name": name, "value": value} for name, value in keys],
    )  # fmt: skip
    assert isinstance(plan.intent, Lookup)
    assert (plan.question, ("reaver",)) == (plan.intent.question, plan.intent.names)
    assert ["the question is taken as the rules read it"] == [note.split(":")[0] for note in plan.notes]


def test_a_name_of_the_book_may_stand_for_one_that_the_rules_do_not_know() -> None:
    plan = plan_of(
        step("a", "x"), lexicon=KNOWN, question="What is the saving throw of a 5th level wizard in armor class 3?",
        kind="compare", entities=["hexer"], attribute="saving throw", keys=[{"name": "level", "value": "5"}],
    )  # fmt: skip
    assert isinstance(plan.intent, Lookup)
    assert (("hexer",), ()) == (plan.intent.names, plan.notes)


@pytest.mark.parametrize(("levels", "told"), [((5, 4), [9, 3]), ((None, 4), [None, 3]), ((4, 4), [None, None])])
def test_twins_are_filled_in_where_a_level_tells_them_apart(levels: tuple[int, int], told: list[int | None]) -> None:
    twins = "Who wins: a 4th level reaver with an armor class of 3 or a 5th level reaver with an armor class of 9?"
    sketch = [{"subject": "reaver", "level": level} for level in levels]
    intent = plan_of(step("a", "x"), question=twins, kind="fight", combatants=sketch).intent
    assert isinstance(intent, Duel)
    assert told == [who.armor_class for who in intent.combatants]


def test_a_question_that_the_model_calls_open_is_open_unless_those_who_fight_are_known() -> None:
    assert Lookup(LORE) == plan_of(step("a", "x")).intent
    assert isinstance(plan_of(step("a", "x"), question=QUESTION, lexicon=KNOWN).intent, Duel)
    unknown = QUESTION.replace("hexer", "lawyer")
    assert Lookup(unknown) == plan_of(step("a", "x"), question=unknown, lexicon=KNOWN).intent


def test_a_model_may_say_who_fights_together_and_with_what_bonus() -> None:
    question = "Who wins: a reaver with a sword +2 and a hexer against a bog ogre?"
    party = [{"subject": "reaver", "weapon": "sword", "weapon_bonus": 2, "side": 1}, {"subject": "hexer", "side": 1}]
    ogre = {"subject": "bog ogre", "side": 2}
    intent = plan_of(step("a", "x"), question=question, kind="fight", combatants=[*party, ogre]).intent
    assert isinstance(intent, Duel)
    assert (((0, 1), (2,)), [2, 0, 0]) == (intent.sides, [who.weapon_bonus for who in intent.combatants])

    half = plan_of(step("a", "x"), question=question, kind="fight", combatants=[*party, {"subject": "bog ogre"}]).intent
    assert isinstance(half, Duel)
    assert () == half.sides
    party[0]["weapon_bonus"] = 3
    invented = plan_of(step("a", "x"), question=question, kind="fight", combatants=[*party, ogre]).intent
    assert isinstance(invented, Duel)
    assert [2, 0] == [who.weapon_bonus for who in invented.combatants]  # as the rules read it


def test_a_comparison_in_the_older_shape_is_a_step_with_its_keys() -> None:
    plan = plan_of(
        step("a", "x"), question="Which is better at level 5, a reaver or a hexer, against armor class 3?",
        kind="compare", entities=["reaver", "hexer"], attribute="roll to hit",
        keys=[{"name": "Level", "value": "5"}, {"name": "AC", "value": "3"}],
    )  # fmt: skip
    keys = (("Level", "5"), ("AC", "3"))
    (stated,) = plan.steps
    assert (NamedSubject("reaver", keys), NamedSubject("hexer", keys)) == stated.subjects
    assert ("compare", ("roll to hit",)) == (stated.operation, stated.measures)


def test_an_offer_has_what_the_question_touches() -> None:
    rule = QueryMust((("fighter", "fighters"), ("ac 3",)))
    chunks = [Chunk("a", "", "Attack matrix for fighters", query_must=rule), Chunk("b", "", "Cookery")]
    offered = Offers(Catalog.from_chunks(chunks)).offer("What does a fighter need?")
    assert "- Attack matrix for fighters" in offered.text.split("\n")
    assert "Cookery" not in offered.text
    assert (("fighter", "fighters"),) == offered.groups


async def test_the_model_sees_the_question_and_the_offer(tmp_path: Path) -> None:
    llm = ScriptedLLM([drafted(step("a", "level 4 reaver attack table"))])
    plan = await (await agent_on(tmp_path, llm)).plan(QUESTION)
    assert "llm" == plan.planner
    asked = "\n".join(message.content for message in llm.requests[0].messages)
    assert QUESTION in asked
    assert "Reaver Attack Table" in asked
    assert llm.requests[0].schema is not None


async def test_a_bad_plan_is_repaired_once_with_its_error_shown(tmp_path: Path) -> None:
    llm = ScriptedLLM([drafted(step("a", "x", depends_on=["z"])), drafted(step("a", "reaver attack table level 4"))])
    plan = await (await agent_on(tmp_path, llm)).plan(QUESTION)
    assert ("llm", ()) == (plan.planner, plan.notes)
    assert "'z', which is not in the plan" in llm.requests[1].messages[-1].content


@pytest.mark.parametrize("bad", ["no JSON at all", drafted(), '{"sub_queries": [{"id": "a"', '{"sub_queries": 7}'])
async def test_two_bad_plans_and_the_rules_take_over_and_say_so(bad: str, tmp_path: Path) -> None:
    llm = ScriptedLLM([bad, bad])
    plan = await (await agent_on(tmp_path, llm)).plan(QUESTION)
    assert ("rules", 2) == (plan.planner, len(llm.requests))
    assert plan.notes[0].startswith("planned by rules, not by the language model")


async def test_a_plan_that_was_cut_off_is_not_shown_again(tmp_path: Path) -> None:
    endless = Reply('{"steps": [{"id": "s1", "do": "read", "text": "' + "on and " * 500, finish_reason="length")
    llm = ScriptedLLM([endless, drafted(step("a", "reaver attack table level 4"))])
    plan = await (await agent_on(tmp_path, llm)).plan(QUESTION)
    assert ("llm", 3) == (plan.planner, len(llm.requests[1].messages))
    assert "short JSON object" in llm.requests[1].messages[-1].content


async def test_a_plan_begins_with_its_steps_unless_it_follows_others(tmp_path: Path) -> None:
    llm = ScriptedLLM([drafted(step("a", "level 4 reaver attack table"))] * 2)
    agent = await agent_on(tmp_path, llm)
    first = await agent.plan(QUESTION)
    await agent.plan("And what would people in the swamps say about all of it?", after=[Turn(first)])
    alone, later = (list(request.schema["properties"]) for request in llm.requests if request.schema)
    assert (["steps", "sub_queries", "assumed"], ["standalone", "steps"]) == (alone, later[:2])
    assert [False, True] == ["standalone" in request.messages[0].content for request in llm.requests]


@pytest.mark.parametrize("error", [LLMError("it is asleep"), LLMRefused("wrong key")])
async def test_a_model_that_fails_is_replaced_by_the_rules(error: LLMError, tmp_path: Path) -> None:
    plan = await (await agent_on(tmp_path, ScriptedLLM([error]))).plan(QUESTION)
    assert ("rules", (f"planned by rules, not by the language model: {error}",)) == (plan.planner, plan.notes)


async def test_a_simple_question_costs_no_planner_call(tmp_path: Path) -> None:
    llm = ScriptedLLM([])
    agent = await agent_on(tmp_path, llm, Settings(collection="small", planner="auto"))
    assert "rules" == (await agent.plan("What is the armor class of a bog ogre?")).planner
    assert [] == llm.requests


FLEET = "# Fleet\n\n| Boat | Crew | Fee |\n|---|---|---|\n| Reed | 3 | 5 |\n| Sedge | 12 | 9 |\n| Rush | 7 | 2 |\n"


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Which has more crew, the Reed or the Sedge?", False),
        ("Which boat has the highest fee?", False),
        ("Which has more sailors, the Reed or the Sedge?", True),
        ("Which has more crew in fog, the Reed or the Sedge?", True),
    ],
)
async def test_what_cells_answer_without_a_doubt_costs_no_planner_call(
    question: str, asked: bool, tmp_path: Path
) -> None:
    llm = ScriptedLLM(lambda request: drafted(step("a", "crew of the Reed and the Sedge")))
    plan = await (await agent_on(tmp_path, llm, Settings(collection="small"), FLEET)).plan(question)
    assert (asked, "llm" if asked else "rules") == (bool(llm.requests), plan.planner)


async def test_minimal_effort_is_the_question_itself_and_no_call(tmp_path: Path) -> None:
    llm = ScriptedLLM([])
    agent = await agent_on(tmp_path, llm, Settings(collection="small", planner="llm", effort="minimal"))
    assert [QUESTION] == [s.text for s in (await agent.plan(QUESTION)).sub_queries]


async def test_without_a_model_the_planner_llm_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="language model"):
        await agent_on(tmp_path, None, Settings(collection="small", planner="llm"))


async def test_the_model_sees_the_question_before_in_a_conversation(tmp_path: Path) -> None:
    llm = ScriptedLLM([drafted(step("a", "level 4 reaver attack table"))] * 2)
    agent = await agent_on(tmp_path, llm)
    first = await agent.plan(QUESTION)
    await agent.plan("And what would people in the swamps say about all of it?", after=[Turn(first)])
    assert QUESTION in llm.requests[1].messages[1].content


async def test_a_question_that_goes_on_is_planned_as_it_is_understood(tmp_path: Path) -> None:
    agent = await agent_on(tmp_path)
    first = await agent.plan("What does a 5th level reaver need to hit armor class 3?")
    plan = await agent.plan("And a hexer?", after=[Turn(first)])
    assert "hexer" in plan.understood
    assert "5" in plan.understood
