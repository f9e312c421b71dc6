"""Rules as JSON: what is none is refused with its place, whatever it is."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval import satisfies
from retrieval.errors import RuleError
from retrieval.filters.rule import MAX_TERMS, judge, rule_from_json, rule_to_json
from retrieval.text.normal import Words

MALFORMED = [
    ([], "has to be an object, not list"),
    ("cleric", "has to be an object, not str"),
    ({"contains": "x"}, "unknown operator 'contains'"),
    ({1: "x"}, "unknown operator '1'"),
    ({"contain_one_of": "cleric"}, "contain_one_of has to be a list, not str"),
    ({"contain_one_of": ["cleric"]}, "each group of contain_one_of has to be a list, not str"),
    ({"contain_one_of": [[None]]}, "has to hold text, not NoneType"),
    ({"contain_one_of": None}, "contain_one_of has to be a list, not NoneType"),
    ({"contain_all_of": [["a"]]}, "has to hold text, not list"),
    ({"contain_all_of": [True]}, "has to hold text, not bool"),
    ({"contain": None}, "contain has to hold text, not NoneType"),
    ({"contain": ""}, "no letters or digits"),
    ({"contain": "?!"}, "no letters or digits"),
    ({"contain_range": 3}, "has to be an object with min, max"),
    ({"contain_range": {}}, "has to be an object with min, max"),
    ({"contain_range": {"min": 1, "maximum": 2}}, "has to be an object with min, max"),
    ({"contain_range": {"of": ["level"]}}, "has to be an object with min, max"),
    ({"contain_range": {"min": "1"}}, "where a number is needed"),
    ({"contain_range": {"min": True}}, "where a number is needed"),
    ({"contain_range": {"min": None, "max": 2}}, "where a number is needed"),
    ({"contain_range": {"min": float("nan")}}, "where a number is needed"),
    ({"contain_range": {"min": float("-inf"), "max": float("inf")}}, "where a number is needed"),
    ({"contain_range": {"max": 10**400}}, "where a number is needed"),
    ({"contain_range": {"min": 3, "max": 2}}, "min 3 is above max 2"),
    ({"contain_range": {"min": 1, "of": "level"}}, "contain_range.of has to be a list, not str"),
    ({"contain_range": {"min": 1, "of": ["—"]}}, "no letters or digits"),
    ({"contain_own": ["short"]}, "has to be an object with others"),
    ({"contain_own": {"own": ["short"]}}, "has to be an object with others"),
    ({"contain_own": {"others": ["long"], "of": []}}, "has to be an object with others"),
    ({"contain_own": {"others": "long"}}, "contain_own.others has to be a list, not str"),
    ({"contain_own": {"own": [None], "others": []}}, "has to hold text, not NoneType"),
    ({"contain_own": {"others": ["a"] * (MAX_TERMS + 1)}}, f"the limit is {MAX_TERMS}"),
    ({"contain_all_of": ["a"] * (MAX_TERMS + 1)}, f"the limit is {MAX_TERMS}"),
    ({"contain_one_of": [["a"] * 50_000, ["b"] * 50_000]}, f"query_must has 100000 terms; the limit is {MAX_TERMS}"),
    ({"contain_range": {"min": 1, "of": ["a"] * (MAX_TERMS + 1)}}, f"the limit is {MAX_TERMS}"),
]


@pytest.mark.parametrize(("rule", "reason"), MALFORMED)
def test_a_malformed_rule_is_refused_with_its_place(rule: Any, reason: str) -> None:
    with pytest.raises(RuleError, match=re.escape(reason)):
        satisfies("a cleric", rule)
    with pytest.raises(RuleError) as refused:
        rule_from_json(rule, "book.jsonl:7 (chunk c1)")

    assert "book.jsonl:7 (chunk c1)" == refused.value.place
    assert str(refused.value).startswith("book.jsonl:7 (chunk c1): ")
    assert reason in str(refused.value)


NAMES = st.sampled_from(
    [
        "contain",
        "contain_one_of",
        "contain_all_of",
        "contain_range",
        "contain_own",
        "min",
        "max",
        "of",
        "own",
        "others",
        "odd",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_any_json_is_a_rule_or_refused(value: object) -> None:
    try:
        rule = rule_from_json(value, "here")
    except RuleError as error:
        assert "here" == error.place
    else:
        assert rule == rule_from_json(rule_to_json(rule), "here")
        assert isinstance(judge(Words("a level 3 cleric"), rule).missing, tuple)
