"""The verifier finds every number and citation that nothing supports."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.questions import classic
from agent.types import Citation, Finding, Step, Unanswered
from agent.writing.checking.verify import marked, verify
from agent.writing.wording.synthesizer import Draft, synthesize
from retrieval.types import Chunk, Passage
from tests.kit import answer, sample_book

FINDING = Finding(
    "combat",
    "The 7th level druid wins with a probability of 50.2%.",
    (
        Step("4th level fighter needs 9 to hit armor class 9", 9, (1,)),
        Step("7th level druid has 7d8 with +2 each: 45.5 hit points on average", 45.5, (1,)),
        Step("a long sword costs 1,250 gp", 1250, (1,)),
    ),
)
CITATIONS = (Citation(1, "c1", "ATTACK MATRIX", "book.md", None, "Armor Class 9 / Level 3-4 = 9"),)
PASSAGES = (Passage(Chunk("c1", "", "ATTACK MATRIX"), 0.9, 0.1, ("q1",)),)
TEXT = "\n".join([FINDING.claim, *(f"- {step.text} [1]" for step in FINDING.steps)])


def test_a_draft_made_of_its_findings_is_supported() -> None:
    assert () == verify(TEXT, [FINDING], CITATIONS, PASSAGES, "Who wins?")


@given(st.data())
def test_any_changed_digit_is_caught(data: st.DataObject) -> None:
    places = [m.start() for m in re.finditer(r"\d", TEXT) if TEXT[m.start() - 1] != "["]
    place = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != TEXT[place]]))
    changed = TEXT[:place] + digit + TEXT[place + 1 :]
    assert verify(changed, [FINDING], CITATIONS, PASSAGES, "Who wins?")


def test_a_citation_without_its_chunk_leads_nowhere() -> None:
    (problem,) = verify("It is so [1]", [], CITATIONS, (), "?")
    assert "citation [1] leads nowhere" == problem.reason


def test_numbers_of_two_sources_do_not_support_one_sentence() -> None:
    assert verify("4th level fighter needs 9 and has 45.5", [FINDING], CITATIONS, PASSAGES, "?")


def test_what_has_no_support_is_marked_where_it_stands() -> None:
    text = f"{FINDING.claim}\nIt costs 77 gp."
    problems = verify(text, [FINDING], CITATIONS, PASSAGES, "?")
    assert [FINDING.claim, "It costs 77 gp. (unverified)"] == marked(text, problems).split("\n")


def test_the_question_supports_its_own_numbers() -> None:
    assert () == verify("You asked about 99 balloons.", [], (), (), "What of 99 balloons?")


def test_a_sentence_cites_what_its_step_does() -> None:
    sentence = f"- {FINDING.steps[0].text}"
    two = (*CITATIONS, Citation(2, "c1", "ATTACK MATRIX", "book.md", None, "Level 1-2 = 11"))
    assert () == verify(f"{sentence} [1]", [FINDING], two, PASSAGES, "?")
    assert verify(f"{sentence} [2]", [FINDING], two, PASSAGES, "?")
    assert verify(f"{sentence} [1][1]", [FINDING], two, PASSAGES, "?")


def test_the_order_of_numbers_counts() -> None:
    assert verify("4th level fighter needs 4 to hit armor class 9", [FINDING], CITATIONS, PASSAGES, "?")


QUESTIONS = [
    *classic(),
    *(
        f"What does a {level}th level {name} need to roll to hit AC {armor_class}?"
        for name in ("cleric", "fighter", "thief", "magic-user", "paladin", "druid", "ranger")
        for level, armor_class in ((4, 3), (7, -1), (9, 10))
    ),
    *(
        f"Who wins: a {level}th level {name} with AC {level - 2} or {other}?"
        for name, other in (("druid", "an owlbear"), ("ranger", "a troll"), ("assassin", "a minotaur"))
        for level in (4, 8)
    ),
    *(
        f"What are the armor class, hit dice and damage of {one}?"
        for one in ("an owlbear", "a troll", "an orc", "a goblin", "a griffon", "a harpy", "a wyvern", "a zombie")
    ),
    *(
        f"How much damage does a {weapon} do to {target}?"
        for weapon in ("long sword", "halberd", "battle axe")
        for target in ("a troll", "a goblin")
    ),
    "Which weapon costs the most?",
    "What is the armor class of plate mail and a shield?",
    "Who wins: 3 orcs or a 7th level fighter with AC 2?",
    "Who wins: a 5th level monk with AC 6, an ogre or a 4th level fighter with AC 3?",
    "What do a thief and a cleric need at levels 3 and 5 respectively to hit AC 4?",
    "Which class needs the fewest experience points to reach 5th level?",
]


@pytest.fixture(scope="module")
def drafts() -> list[tuple[str, Draft]]:
    """The drafts of all questions on full evidence."""
    reasoned = [(question, answer(question, sample_book())) for question in QUESTIONS]
    return [
        (question, synthesize(each.finding, each.citations, [Unanswered(n.need, ()) for n in each.needs], "'sample'"))
        for question, each in reasoned
    ]


def test_no_changed_digit_of_fifty_answers_goes_unseen(drafts: list[tuple[str, Draft]]) -> None:
    passages = [Passage(chunk, 0.9, 0.1, ("q1",)) for chunk in sample_book().chunks]
    changed, unseen = 0, []
    for question, draft in drafts:
        lines = [line for line in draft.text.split("\n") if line not in draft.missing]
        assert () == verify("\n".join(lines), draft.findings, draft.citations, passages, question)
        for line in lines:
            for other in _with_a_digit_changed(line):
                changed += 1
                if other not in lines and not verify(other, draft.findings, draft.citations, passages, question):
                    unseen.append((question, line, other))
    assert 50 <= len(drafts)
    assert 3000 < changed
    assert [] == unseen


def _with_a_digit_changed(line: str) -> Iterator[str]:
    for match in re.finditer(r"\d", line):
        for step in (1, 4, 9):
            yield f"{line[: match.start()]}{(int(match[0]) + step) % 10}{line[match.end() :]}"
