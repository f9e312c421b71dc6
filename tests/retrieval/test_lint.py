"""Suspicious rules: each kind of mistake is named once, and a sound rule is left in peace."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.filters.lint import lint
from retrieval.filters.rule import rule_from_json, satisfies
from retrieval.ingest.rules import row_rule
from retrieval.types import QueryMust, RangeRule

NEVER = "so no query will ever get this chunk"
EMPTY = f"an empty group never holds, {NEVER}"


def found(rule: dict[str, Any]) -> tuple[str, ...]:
    return lint(rule_from_json(rule, "here"))


def anded(*names: str) -> str:
    return (
        f"a query must contain all of: {', '.join(names)}; "
        "if any of them will do, put them in one group, otherwise say contain_all_of"
    )


def redundant(shown: str) -> str:
    return f"one spelling is enough, these match the same queries: {shown}"


def test_the_matrix_of_the_seed_is_told_that_it_asks_for_every_class() -> None:
    """Seed document 1, "Example: Attack Matrix Chunk"; its README, error 1."""
    mistake = {
        "contain_one_of": [
            ["cleric", "clerics"], ["druid", "druids"], ["monk", "monks"], ["armor class 6", "ac 6", "a.c. 6"],
        ]
    }  # fmt: skip

    assert anded("cleric", "druid", "monk") == found(mistake)[0]
    assert not satisfies("What does a 7th level cleric need to hit armor class 6?", mistake)


@pytest.mark.parametrize(
    ("groups", "names"),
    [
        ([["cleric"], ["druid"]], ("cleric", "druid")),
        ([["magic-user", "Magic Users"], ["illusionist"], ["AC 6"]], ("magic-user", "illusionist")),
        ([["cleric", "druid"], ["AC 5", "a.c. 5"], ["AC 6"]], ("AC 5", "AC 6")),
        ([["level 4"], ["level 7"], ["cleric"]], ("level 4", "level 7")),
        ([["a"], ["b"], ["c"], ["d"], ["e"]], ("a", "b", "c", "d", "…")),
    ],
)
def test_groups_of_one_concept_each_look_like_alternatives(groups: list[list[str]], names: tuple[str, ...]) -> None:
    assert anded(*names) in found({"contain_one_of": groups})


@pytest.mark.parametrize(
    "rule",
    [
        {},
        {"contain_one_of": [["cleric", "druid"], ["armor class 6"]]},
        {"contain_one_of": [["cleric"], ["armor class 6"], ["level 7"]]},
        {"contain_one_of": [["psionic", "psychic"], ["int", "wis"]]},
        {"contain_one_of": [["psionic"], ["10"]]},
        {"contain_all_of": ["psionic", "blast"], "contain": "psionic"},
        {"contain_range": {"min": 10, "max": 13, "of": ["int", "wis"]}},
        {"contain_range": {"min": -999_999_999_999, "max": -1}},
    ],
)
def test_a_sound_rule_is_not_complained_about(rule: dict[str, Any]) -> None:
    assert () == found(rule)


def test_groups_with_variants_of_two_concepts_are_no_alternatives() -> None:
    """What the seed's matrix means: one group of all classes, and one for the armor class."""
    assert (redundant("armor class 6 = ac 6"),) == found(
        {"contain_one_of": [["cleric", "druid"], ["armor class 6", "ac 6"]]}
    )


def test_an_empty_group_is_pointed_out() -> None:
    assert (EMPTY,) == found({"contain_one_of": [["cleric"], []]})
    assert (EMPTY,) == found({"contain_one_of": [[], []]})


@pytest.mark.parametrize("span", [{"min": 1e25}, {"max": -1e25}])
def test_a_range_beyond_every_number_is_pointed_out(span: dict[str, float]) -> None:
    assert (f"contain_range lies beyond every number that a query can hold, {NEVER}",) == found({"contain_range": span})


@given(st.integers(0, 10**24 - 1), st.booleans())
def test_a_range_that_some_query_meets_is_never_called_unreachable(number: int, negative: bool) -> None:
    value = float(-number if negative and number < 10**23 else number)
    rule = rule_from_json({"contain_range": {"min": value, "max": value}}, "here")

    assert satisfies(f"{value:.0f} orcs", rule)
    assert () == lint(rule)


@pytest.mark.parametrize(
    ("rule", "shown"),
    [
        ({"contain_one_of": [["cleric", "clerics", "Cleric"]]}, "cleric = clerics = Cleric"),
        ({"contain_one_of": [["cleric", "clerics", "druid"], ["AC 6", "A.C. 6"]]}, "cleric = clerics; AC 6 = A.C. 6"),
        ({"contain_all_of": ["7th level", "cleric", "level 7"]}, "7th level = level 7"),
        ({"contain_range": {"min": 1, "of": ["int", "intelligence"]}}, "int = intelligence"),
        ({"contain_all_of": ["a", "A", "a.", "(a)", "a!"]}, "a = A = a. = (a) = …"),
    ],
)
def test_terms_of_one_normal_form_are_pointed_out_once_a_rule(rule: dict[str, Any], shown: str) -> None:
    assert (redundant(shown),) == found(rule)


def test_the_same_term_in_two_places_is_not_redundant() -> None:
    assert () == found({"contain_one_of": [["cleric", "druid"], ["cleric", "AC 6"]], "contain_all_of": ["clerics"]})


def test_a_rule_of_thousands_of_spellings_gets_a_short_sentence() -> None:
    terms = tuple(f"{letters} {n}" for n in range(2000) for letters in ("AC", "armor class"))

    assert [True] == [len(message) < 200 for message in lint(QueryMust((terms,)))]


def test_a_generated_rule_is_redundant_on_purpose_and_so_is_not_linted_at_ingestion() -> None:
    """`read_sources` lints chunk files only; see also test_read."""
    rule = row_rule(("clerics", "druids"), "Opponent Armor Class", "6")

    assert (redundant("armor class 6 = armour class 6 = ac 6 = a.c. 6"),) == lint(rule)


@given(st.builds(QueryMust, contain_one_of=st.lists(st.lists(st.text(max_size=4)).map(tuple)).map(tuple)))
def test_any_rule_can_be_linted(rule: QueryMust) -> None:
    assert (EMPTY in lint(rule)) == (() in rule.contain_one_of)


def test_the_gravest_comes_first() -> None:
    rule = QueryMust((("cleric", "clerics"), ("druid",), ()), contain_range=RangeRule(1e30, 1e31))

    assert [EMPTY, anded("cleric", "druid"), redundant("cleric = clerics")] == [
        message for message in lint(rule) if not message.startswith("contain_range")
    ]
