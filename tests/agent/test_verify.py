"""The verifier finds every number and citation that nothing supports."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from agent.types import Citation, Finding, Step
from agent.verify import marked, verify
from retrieval.types import Chunk, Passage

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
