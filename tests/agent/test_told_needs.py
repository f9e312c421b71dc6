"""What a sound answer of a model tells is not told as not found, however the rules would have called it."""

from __future__ import annotations

import pytest

from agent.stages.told_needs import NeedCoverage
from agent.types import Citation, Need
from agent.writing.checking.verify import Problem
from agent.writing.wording.synthesizer import Draft
from agent.writing.wording.writer import Written
from retrieval.types import SubQuery

SAID = "Four lamps work with it: Glow2 and Glow3 [1]."
CITED = (Citation(1, "c", "Lamps", "lamps.md", None, "Glow2 | 30 g"),)


def told(question: str, *, names: tuple[str, ...] = (), problems: tuple[Problem, ...] = ()) -> NeedCoverage:
    written = Written(Draft(SAID, (), CITED, ()), problems, None, borne_out=(SAID,))
    return NeedCoverage(written, question, lambda need: names)


@pytest.mark.parametrize(
    ("names", "is_told"),
    [
        ((), True),
        (("Glow2",), True),
        (("Beam4",), False),  # it is asked for, and the answer does not speak of it
        (("Specifications",), True),  # nobody asked for it: it is only where the rules looked
    ],
)
def test_a_sound_answer_tells_what_it_speaks_of(names: tuple[str, ...], is_told: bool) -> None:
    need = Need("how many can go with it", SubQuery("q1", "how many can go with it"))
    assert is_told == told("How many lamps can go with Glow2 or Beam4?", names=names).covers(need)


def test_an_answer_with_a_doubt_tells_only_what_one_sentence_says() -> None:
    doubtful = told("How many lamps?", problems=(Problem(SAID, "no"),))
    assert not doubtful.covers(Need("how heavy", SubQuery("q1", "how heavy")))
    assert doubtful.covers(Need("four lamps", SubQuery("q1", "four lamps")))


def test_a_name_of_small_words_alone_is_none() -> None:
    assert told("With how many can I go?").has_words_of("CAN")
    assert not told("How many?").has_words_of("Beam4")
