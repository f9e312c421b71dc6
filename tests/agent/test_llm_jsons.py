"""JSON out of a model's text: where it hides, what is refused, and what the model is told about it."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from agent.llm.json_extraction import parsed


class Inner(BaseModel):
    text: str


class Plan(BaseModel):
    steps: list[Inner]
    rounds: int = 1


class Anything(BaseModel):
    """Fits every object, and keeps it."""

    model_config = ConfigDict(extra="allow")


GOOD = '{"steps": [{"text": "a {brace} and a \\" quote"}], "rounds": 2}'
PLAN = Plan(steps=[Inner(text='a {brace} and a " quote')], rounds=2)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\ufeff  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"Sure, here it is:\n\n{GOOD}\n\nIs there anything else?",
        f'He said "yes". The set {{x | x > 1}} is {{odd}}: {GOOD}',
        f'<think>Maybe {{"steps": []}}? No.</think>{GOOD}',
        f'The form is {{"steps": [...]}}. {GOOD}',
        f'{GOOD} It is not {{"rounds": "one"}}.',
        json.dumps(json.loads(GOOD), indent=4),
    ],
)
def test_an_object_is_found_wherever_it_is(text: str) -> None:
    assert PLAN == parsed(text, Plan)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no JSON object in the answer; give one and nothing else"),
        ("I can't do that.", "there is no JSON object in the answer; give one and nothing else"),
        ("[1, 2]", "there is no JSON object in the answer; give one and nothing else"),
        ('{"rounds": 2}', "the object does not fit: steps: Field required"),
        (
            '{"steps": [{"text": "a"}, {"text": 7}]}',
            "the object does not fit: steps.1.text: Input should be a valid string",
        ),
        ('{"steps": [],}', "the object does not fit: Invalid JSON: trailing comma at line 1 column 14"),
        ('{"steps": [{"text": "a', "the object does not fit: Invalid JSON: EOF while parsing a string at line 1"),
        (
            '{"steps": [{"text": "a"\n "b"}]}',
            "the object does not fit: Invalid JSON: expected `,` or `}` at line 2",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, said: str) -> None:
    with pytest.raises(ValueError) as caught:
        parsed(text, Plan)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("cut", range(1, len(GOOD)))
def test_an_object_that_is_cut_off_is_never_the_smaller_one_inside(cut: int) -> None:
    with pytest.raises(ValueError):
        parsed(GOOD[:cut], Anything)


def test_an_answer_that_is_cut_off_is_not_made_up_for_by_a_draft_before_it() -> None:
    with pytest.raises(ValueError, match="EOF while parsing"):
        parsed('<think>{"steps": []}?</think>{"steps": [{"text": "a"', Plan)


def test_a_complaint_is_short_however_long_the_object() -> None:
    wrong = json.dumps({"steps": [{"text" * 50: "x" * 1000}] * 500})
    with pytest.raises(ValueError, match=r"and 495 more$") as caught:
        parsed(wrong, Plan)
    assert 1000 > len(str(caught.value))


HUGE = 10_000_000


@pytest.mark.parametrize(
    "text",
    [
        "{" * HUGE,
        '{"a":' * (HUGE // 5),
        '{"a":[' * (HUGE // 6),
        '{"a":x}' * (HUGE // 7),
        '{"' * (HUGE // 2),
        "{ " * (HUGE // 2),
        "{" + " " * HUGE,
        '{"a":"' + "\\" * HUGE,
        '{"a":' + "9" * HUGE,
        '{"a":' + "9" * HUGE + "}",
        '{"a":1}' * (HUGE // 7),
        "}" * HUGE,
    ],
    ids=lambda text: text[:8],
)
def test_ten_megabytes_take_no_longer_than_they_must(text: str) -> None:
    began = time.perf_counter()
    try:
        parsed(text, Plan)
    except ValueError as error:
        assert 1000 > len(str(error))
    assert 3 > time.perf_counter() - began


@pytest.mark.parametrize("depth", [100, 101, 900, 1_100, 100_000])
def test_depth_is_bounded_without_a_recursion_error(depth: int) -> None:
    text = '{"a":' * depth + "1" + "}" * depth
    try:
        parsed(text, Anything)
    except ValueError:
        assert 100 < depth
    else:
        assert 100 == depth


words = st.text(max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=10,
)


@given(
    st.dictionaries(words, values, min_size=1, max_size=4), st.booleans(), st.sampled_from(["", "So: ", "```json\n"])
)
def test_every_object_comes_back_as_it_was(value: dict[str, object], as_ascii: bool, before: str) -> None:
    text = before + json.dumps(value, ensure_ascii=as_ascii)

    assert value == parsed(text, Anything).model_dump()


@given(st.text(alphabet='{}[]":, \\ab1\n\ud800') | st.text())
def test_nothing_but_a_value_error_is_ever_raised(text: str) -> None:
    try:
        found = parsed(text, Anything)
    except ValueError as error:
        assert str(error)
    else:
        assert isinstance(found, Anything)
