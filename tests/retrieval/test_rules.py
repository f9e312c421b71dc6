"""The rule of a row: its subjects in one group, its key in another, and it holds for those who ask for that row."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.filters.rule import rule_from_json, rule_to_json, satisfies
from retrieval.ingest.rules import key_terms, ordinal, row_rule
from retrieval.types import QueryMust, RangeRule

CLASSES = ("clerics", "druids", "monks")


def test_a_single_number_is_spelled_out_in_a_group_of_its_own() -> None:
    rule = row_rule(CLASSES, "Opponent Armor Class", "6")

    assert QueryMust((CLASSES, ("armor class 6", "armour class 6", "ac 6", "a.c. 6"))) == rule


@pytest.mark.parametrize("key", ["-3", "−3", "-3*"])
def test_negative_keys(key: str) -> None:
    rule = row_rule(CLASSES, "Armour Class", key)

    assert satisfies("a druid against AC -3", rule)
    assert not satisfies("a druid against AC 3", rule)


@pytest.mark.parametrize(
    ("head", "key", "span"),
    [
        ("Level", "7-9", RangeRule(7, 9, ("level",))),
        ("Level", "19+", RangeRule(19, math.inf, ("level",))),
        ("Hit Dice", "up to 1-1", RangeRule(-math.inf, 0.989, ("hit dice",))),
        ("Hit Dice", "1+1 to 2", RangeRule(1.01, 2, ("hit dice",))),
        ("Strength", "18/51-75", RangeRule(18.51, 18.75, ("strength",))),
        ("Character", "Level 4-6", RangeRule(4, 6, ("character", "level"))),
    ],
)
def test_a_range_becomes_contain_range_of_its_terms(head: str, key: str, span: RangeRule) -> None:
    assert QueryMust((CLASSES,), contain_range=span) == row_rule(CLASSES, head, key)


def test_a_sum_of_two_abilities_may_be_named_by_either() -> None:
    rule = row_rule(("psionic",), "Intelligence and Wisdom Total", "10-13")

    assert rule.contain_range is not None
    assert {"intelligence", "wisdom"} <= set(rule.contain_range.of)
    assert satisfies("psionic blast, intelligence and wisdom total of 12", rule)
    assert not satisfies("psionic blast, intelligence and wisdom total of 14", rule)


@pytest.mark.parametrize(
    ("key", "query", "holds"),
    [
        ("Tree, Animated", "an animated tree in the forest", True),
        ("Giants", "hill giant", True),
        ("Bear", "owlbear", False),
        ("Level 7", "a 7th level fighter", True),
        ("Level 7", "an 8th level fighter", False),
        ("7th", "a fighter of 7th level", True),
        ("1-1", "a fighter against 1-1 HD", False),
    ],
)
def test_keys_in_words(key: str, query: str, holds: bool) -> None:
    assert holds == bool(satisfies(query, row_rule((), "Level", key)))


def test_die_less_one_rows_are_found() -> None:
    rule = row_rule(CLASSES, "Hit Dice", "1-1")

    assert satisfies("a cleric against a creature of 1-1 hit dice", rule)
    assert not satisfies("a cleric against a creature of 1 hit die", rule)


@pytest.mark.parametrize("key", ["—", "***", "?", "-"])
def test_a_key_without_words_asks_for_nothing(key: str) -> None:
    assert QueryMust((CLASSES,)) == row_rule(CLASSES, "Level", key)


@pytest.mark.parametrize("head", ["#", "—", ""])
def test_a_head_without_words_leaves_the_number(head: str) -> None:
    assert QueryMust((CLASSES, ("6",))) == row_rule(CLASSES, head, "6")


def test_no_subject_makes_no_empty_group() -> None:
    assert 1 == len(row_rule((), "Level", "6").contain_one_of)
    assert 1 == len(row_rule(("***",), "Level", "6").contain_one_of)


@pytest.mark.parametrize(
    ("head", "terms"),
    [("Level", ("level",)), ("Attacker’s Level", ("attacker's level", "level")),
     ("Intelligence + Wisdom", ("intelligence + wisdom", "intelligence", "wisdom")), ("*", ())],
)  # fmt: skip
def test_terms_of_a_head(head: str, terms: tuple[str, ...]) -> None:
    assert terms == key_terms(head)


def test_ordinals() -> None:
    assert ["1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "113th"] == [
        ordinal(n) for n in (1, 2, 3, 4, 11, 12, 21, 113)
    ]


HEADS = st.sampled_from(["Level", "Opponent Armor Class", "AC", "Hit Dice", "Strength", "Int + Wis"])
NAMED = {"Opponent Armor Class": "armour class", "Int + Wis": "wisdom"}


@given(HEADS, st.integers(0, 20), st.integers(0, 6), st.integers(0, 30))
def test_a_rows_rule_holds_for_its_numbers_and_for_no_others(head: str, low: int, width: int, asked: int) -> None:
    key = f"{low} to {low + width}" if width else str(low)
    rule = row_rule(CLASSES, head, key)
    query = f"What does a druid need with {NAMED.get(head, head)} {asked}?"

    assert (low <= asked <= low + width) == bool(satisfies(query, rule))
    assert not satisfies(query.replace("druid", "fighter"), rule)


@given(st.text(max_size=15), st.text(max_size=15), st.lists(st.text(max_size=8), max_size=3))
def test_every_generated_rule_is_well_formed(head: str, key: str, subjects: list[str]) -> None:
    rule = row_rule(subjects, head, key)

    assert rule == rule_from_json(rule_to_json(rule), "here")
    assert all(rule.contain_one_of)
