"""An open answer of a model: mended by sentence, in its own marks; what is no answer gives way to the rules."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from agent.llm.protocol import LLMRequest
from agent.llm.scripted import ScriptedLLM
from agent.settings.settings import Settings
from agent.types import Answer
from agent.writing.wording.writer import WORDS_ALONE
from tests.agent.shelf import BOOK, agent_on

QUESTION = "Describe how hexers rest and where a bog ogre lives."
PLAN = json.dumps({"kind": "open", "sub_queries": [
    {"id": "a", "text": "how long must a hexer rest before casting again"},
    {"id": "b", "text": "bog ogre lives in swamps"},
]})  # fmt: skip


def number_of(request: LLMRequest, title: str) -> str:
    """The number under which a passage was shown to the model; of several with the title, the last."""
    lines = request.messages[1].content.split("\n")
    places = [i for i, line in enumerate(lines) if line.startswith("<<passage") and lines[i + 1] == title]
    return lines[places[-1]].split("[")[1].split("]")[0]


def marked(text: str, request: LLMRequest) -> str:
    """The text with `{Hexer}` and `{Bog Ogre}` as the numbers of their passages."""
    for title in ("Hexer", "Bog Ogre"):
        text = text.replace("{" + title + "}", number_of(request, title)) if "{" + title + "}" in text else text
    return text


def writing(*answers: str) -> ScriptedLLM:
    """A model that plans, and then writes these one after the other."""
    rest = list(answers)
    return ScriptedLLM(lambda request: PLAN if request.purpose == "plan" else marked(rest.pop(0), request))


async def asked(tmp_path: Path, llm: ScriptedLLM, question: str = QUESTION) -> Answer:
    return await (await agent_on(tmp_path, llm)).ask(question)


RIGHT = "A hexer must rest for 8 hours before casting again [{Hexer}]."
OGRE = "A bog ogre lives in swamps and fears fire [{Bog Ogre}]."


async def test_only_what_is_wrong_is_asked_for_again_in_the_models_own_marks(tmp_path: Path) -> None:
    llm = writing(f"{RIGHT}\n- It has 4+1 hit dice [{{Hexer}}].\n{OGRE}", "1. It has 4+1 hit dice [{Bog Ogre}].")
    answer = await asked(tmp_path, llm)
    repair = llm.requests[-1]
    said = repair.messages[-1].content
    assert (
        marked("1. - It has 4+1 hit dice [{Hexer}].\n   -> cite [{Bog Ogre}], which has the number 4+1", repair) in said
    )
    assert "rest for 8 hours" not in said
    assert 1 == answer.text.count("rest for 8 hours")
    assert "- It has 4+1 hit dice [" in answer.text
    assert "(unverified)" not in answer.text
    assert ("complete", 3) == (answer.stop_reason, answer.usage.llm_calls)


async def test_a_sentence_that_no_source_has_may_be_left_out(tmp_path: Path) -> None:
    llm = writing(f"{RIGHT} It costs 77 gp [{{Hexer}}].\n{OGRE}", "1. -")
    answer = await asked(tmp_path, llm)
    told = marked("[{Hexer}] does not tell the number 77 of what the sentence tells it of", llm.requests[-1])
    assert told in llm.requests[-1].messages[-1].content
    assert "77" not in answer.text
    assert "complete" == answer.stop_reason


async def test_a_whole_answer_in_place_of_the_sentences_is_taken(tmp_path: Path) -> None:
    answer = await asked(tmp_path, writing(f"{RIGHT} It costs 77 gp [{{Hexer}}].", f"{RIGHT}\n{OGRE}"))
    assert answer.text.startswith("A hexer must rest for 8 hours")
    assert ("complete", 2) == (answer.stop_reason, len(answer.text.splitlines()))


@pytest.mark.parametrize(
    ("reply", "note"),
    [
        ('{"answer": "8 hours", "cites": [4]}', "it wrote JSON"),
        ("```json\n[1, 2, 3]\n```", "it wrote JSON"),
        ("Quantum llamas improvise tangerine symphonies [{Hexer}].", "it wrote of something else"),
        ("It costs 77 gp [{Hexer}]. A hexer has 9 lives [{Hexer}]. So be it.", "most of what it wrote has no support"),
    ],
)
async def test_what_is_no_answer_gives_way_to_the_rules(reply: str, note: str, tmp_path: Path) -> None:
    answer = await asked(tmp_path, writing(reply, reply))
    assert any(each.endswith(note) for each in answer.notes)
    assert "llamas" not in answer.text
    assert "77" not in answer.text


async def test_one_sentence_that_is_borne_out_answers_an_open_question(tmp_path: Path) -> None:
    wrong = f"{RIGHT}\n{OGRE}\nIt costs 77 gp [{{Hexer}}]."
    answer = await asked(tmp_path, writing(wrong, wrong))
    assert "Not found" not in answer.text
    assert () == answer.unanswered
    assert "It costs 77 gp" in answer.text
    assert ("partial", 1) == (answer.stop_reason, answer.text.count("(unverified)"))


FED = BOOK.replace("casting again.", "casting again. Food for one is 8 gp a week; that of a bog ogre is 9 gp.")
FEEDING = json.dumps(
    {
        "kind": "compare",
        "entities": ["hexer", "bog ogre"],
        "attribute": "cost to feed",
        "sub_queries": [{"id": "a", "text": "cost to feed a hexer"}],
    }
)


async def test_what_was_only_not_computed_is_said_so(tmp_path: Path) -> None:
    fed = "The cost to feed a hexer is 8 gp a week, and for a bog ogre 9 gp [{Hexer}]."
    llm = ScriptedLLM(lambda request: FEEDING if request.purpose == "plan" else marked(fed, request))
    answer = await (await agent_on(tmp_path, llm, book=FED)).ask("Which costs more to feed, a hexer or a bog ogre?")
    assert "9 gp [" in answer.text
    assert ("complete", False) == (answer.stop_reason, "Not found" in answer.text)
    assert any(note.startswith("not computed, but told by a passage") for note in answer.notes)


async def test_a_sound_answer_that_speaks_of_all_that_was_named_needs_no_word_of_the_question(tmp_path: Path) -> None:
    eats = "A hexer eats for 8 gp a week, and a bog ogre for 9 gp [{Hexer}]."
    llm = ScriptedLLM(lambda request: FEEDING if request.purpose == "plan" else marked(eats, request))
    answer = await (await agent_on(tmp_path, llm, book=FED)).ask("Which costs more to feed, a hexer or a bog ogre?")
    assert ("complete", False) == (answer.stop_reason, "Not found" in answer.text)
    lacking = f"{eats}\nNot found: who costs more."
    llm = ScriptedLLM(lambda request: FEEDING if request.purpose == "plan" else marked(lacking, request))
    answer = await (await agent_on(tmp_path, llm, book=FED)).ask("Which costs more to feed, a hexer or a bog ogre?")
    assert "partial" == answer.stop_reason


async def test_a_comparison_of_which_a_model_tells_half_is_partial(tmp_path: Path) -> None:
    half = "The cost to feed a hexer is 8 gp a week [{Hexer}]."
    llm = ScriptedLLM(lambda request: FEEDING if request.purpose == "plan" else marked(half, request))
    answer = await (await agent_on(tmp_path, llm, book=FED)).ask("Which costs more to feed, a hexer or a bog ogre?")
    assert ("partial", ["bog ogre"]) == (answer.stop_reason, [each.need for each in answer.unanswered])


async def test_what_a_model_did_not_find_makes_the_answer_partial(tmp_path: Path) -> None:
    answer = await asked(tmp_path, writing(f"{RIGHT}\nNot found: what bog ogres eat."))
    assert "partial" == answer.stop_reason
    assert ["Not found: what bog ogres eat."] == [each.need for each in answer.unanswered]
    neither = f"{RIGHT}\nNeither the food nor the age of a bog ogre was found [{{Bog Ogre}}]."
    assert "partial" == (await asked(tmp_path, writing(neither))).stop_reason


async def test_a_model_that_denies_what_the_rules_only_assume_makes_the_answer_partial(tmp_path: Path) -> None:
    llm = ScriptedLLM(["Not found: the damage of an ogre.", "Not found: the damage of an ogre."])
    settings = Settings(collection="small", absolute_min=0.0)
    answer = await (await agent_on(tmp_path, llm, settings)).ask("What is the damage of an ogre?")
    assert ("partial", True) == (answer.stop_reason, answer.text.startswith("Not found: the damage of an ogre."))
    assert any(note.startswith("the rules read it otherwise: ") and "1d10" in note for note in answer.notes)


async def test_a_model_that_tells_something_else_than_the_rules_read_is_heard_in_part(tmp_path: Path) -> None:
    settings = Settings(collection="small", absolute_min=0.0)
    llm = ScriptedLLM(lambda request: marked(OGRE, request))
    answer = await (await agent_on(tmp_path, llm, settings)).ask("What is the damage of the bog ogre?")
    assert answer.text.startswith("A bog ogre lives in swamps")
    assert ("partial", None) == (answer.stop_reason, answer.verdict)
    assert any(note.startswith("the rules read it otherwise: ") and "1d10" in note for note in answer.notes)
    llm = ScriptedLLM(lambda request: "I like swamps.")
    answer = await (await agent_on(tmp_path, llm, settings)).ask("What is the damage of the bog ogre?")
    assert ("complete", "1d10") == (answer.stop_reason, answer.verdict)


async def test_what_the_rules_did_not_find_makes_the_answer_partial(tmp_path: Path) -> None:
    answer = await (await agent_on(tmp_path)).ask("What is the wingspan of a bog ogre?")
    assert "partial" == answer.stop_reason
    assert answer.unanswered


async def test_a_sentence_that_cites_nothing_is_marked_as_such(tmp_path: Path) -> None:
    answer = await asked(tmp_path, writing(f"{RIGHT}\n- Hexers always win initiative."))
    assert "- Hexers always win initiative. (uncited)" in answer.text
    assert 1 == answer.text.count("(un")


async def test_what_is_told_in_words_alone_is_said_not_to_be_checked(tmp_path: Path) -> None:
    numbers, words = await asked(tmp_path, writing(RIGHT)), await asked(tmp_path, writing(f"{RIGHT}\n{OGRE}"))
    assert (False, True) == (WORDS_ALONE in numbers.notes, WORDS_ALONE in words.notes)


async def test_all_sources_share_one_numbering_that_the_prompt_tells(tmp_path: Path) -> None:
    llm = ScriptedLLM(lambda request: "reaver 14, hexer 17: the reaver [1].")
    await asked(tmp_path, llm, "Does a reaver or a hexer of 5th level need the lower roll to hit AC 3?")
    shown = next(each for each in llm.requests if each.purpose == "synthesize").messages[1].content
    assert "<<sources of the findings" in shown
    assert "[1] Reaver Attack Table" in shown


async def test_what_a_finding_says_is_not_said_again_by_its_sources(tmp_path: Path) -> None:
    llm = ScriptedLLM(lambda request: "reaver 14, hexer 17: the reaver [1].")
    await asked(tmp_path, llm, "Does a reaver or a hexer of 5th level need the lower roll to hit AC 3?")
    shown = next(each for each in llm.requests if each.purpose == "synthesize").messages[1].content
    sources = shown.partition("<<sources of the findings")[2].partition("<<end")[0]

    assert "[2] Hexer Attack Table" in sources
    assert not re.search(r"= 1[47]", sources)


async def test_a_number_of_the_question_may_stand_in_a_name_of_the_plan(tmp_path: Path) -> None:
    book = "# Lamps\n\n| Lamp | Weight |\n|---|---|\n| Glow2 | 30 g |\n| Glow3+ | 52 g |\n| Beam4 | 70 g |\n"
    step = {"id": "a", "do": "read", "subjects": [{"name": "Glow3+"}], "measures": ["weight"]}
    replies = {"plan": json.dumps({"steps": [step]}), "synthesize": "The Glow3+ weighs 52 g [1]."}
    llm = ScriptedLLM(lambda request: replies[request.purpose])
    answer = await (await agent_on(tmp_path, llm, book=book)).ask(
        "How heavy is the plus version of the third glow lamp?"
    )
    assert ("complete", "The Glow3+ weighs 52 g [1].") == (answer.stop_reason, answer.text)


CLOCKS = """# Clocks

| Clock | Deviation |
|---|---|
| Tarn | 2 s |
| Holm | 5 s |
"""


@pytest.mark.parametrize(
    ("told", "stop_reason", "verdict"),
    [
        ("Holm has the higher deviation, 5 s, and Tarn 2 s [1][2].", "complete", "Holm"),
        ("Tarn is the better one: its deviation is 2 s, that of Holm 5 s [1][2].", "partial", None),
    ],
)
async def test_a_model_that_names_another_winner_is_heard_in_part_and_without_a_verdict(
    tmp_path: Path, told: str, stop_reason: str, verdict: str | None
) -> None:
    agent = await agent_on(tmp_path, ScriptedLLM(lambda request: told), book=CLOCKS)
    answer = await agent.ask("Which has the higher deviation, Tarn or Holm?")
    assert answer.text.startswith(told.split(" [")[0][:20])
    assert (stop_reason, verdict) == (answer.stop_reason, answer.verdict)


async def test_advice_that_a_repair_repeats_is_no_part_of_the_answer(tmp_path: Path) -> None:
    first = "A hexer must rest for 9 hours before casting again [{Hexer}]. A bog ogre lives in swamps [{Bog Ogre}]."
    again = "1. A hexer must rest for 8 hours before casting again [{Hexer}].\n   -> it does not tell the number 9."
    given = await asked(tmp_path, writing(first, again))
    assert "rest for 8 hours before casting again [1]. A bog ogre" in given.text
    assert "->" not in given.text
