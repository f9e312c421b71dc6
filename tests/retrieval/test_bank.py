"""The rule bank: the verdicts of `judge` for all rules at once, and a file that is read back whole or refused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from retrieval.errors import StoreError
from retrieval.filters.bank import FILE, RuleBank
from retrieval.filters.rule import judge
from retrieval.text.normal import Words
from retrieval.types import OwnTerms, QueryMust, RangeRule

NAMES = (
    "cleric", "Clerics", "thief", "thieves", "magic-user", "magic users", "bear", "owlbear", "giant", "fire giants",
    "frost giant", "young adult red dragon", "psionic blast", "wisdom", "a", "the", "1d8", "18/51", "5+2", "minus", "?",
)  # fmt: skip
OWNERS = ("armor class", "AC", "a.c.", "opponent armour class", "level", "int", "fire giant", "hit dice", "level 3")
NUMBERS = ("1", "10", "3", "3.0", "-3", "−3", "minus 3", "third", "3rd", "twenty-one", "1-1", "18/00", "0", "-0")
LINKS = (" ", " of ", ": ", " is ", "")
JOINTS = (" ", ", ", " and ", " or ", " to ", " with an ", " total ", " from ")

NUMBERED = st.builds("{}{}{}".format, st.sampled_from(OWNERS), st.sampled_from(LINKS), st.sampled_from(NUMBERS))
REVERSED = st.builds("{} {}".format, st.sampled_from(NUMBERS), st.sampled_from(OWNERS))
PART = st.sampled_from(NAMES) | NUMBERED | REVERSED | st.sampled_from(OWNERS) | st.sampled_from(NUMBERS)
TERM = PART | st.builds("{} {}".format, PART, PART)
TEXT = st.text(st.sampled_from("abc ACÅéß1²3-−,./%'&\n"), max_size=20)
QUERIES = st.lists(st.tuples(PART | TEXT, st.sampled_from(JOINTS)), max_size=10).map(
    lambda parts: "".join(part + joint for part, joint in parts)
)
BOUND = st.integers(-5, 22) | st.sampled_from([-math.inf, math.inf, 0.99, 3.5, 5.02, 18.51, math.nan])
RANGE = st.builds(RangeRule, BOUND, BOUND, st.lists(st.sampled_from(OWNERS + NAMES), max_size=3).map(tuple))
GROUP = st.lists(TERM, max_size=4).map(tuple)
RULES = st.builds(
    QueryMust,
    contain_one_of=st.lists(GROUP, max_size=3).map(tuple),
    contain_all_of=GROUP | st.just(()),
    contain=st.none() | TERM | TEXT,
    contain_range=st.none() | RANGE,
    contain_own=st.none() | st.builds(OwnTerms, GROUP, GROUP),
)
EASY = (
    st.builds(lambda *terms: QueryMust((terms,)), TERM, TERM, TERM)
    | st.builds(lambda span: QueryMust(contain_range=span), RANGE)
    | st.builds(lambda own, other: QueryMust(contain_own=OwnTerms((own,), (other,))), TERM, TERM)
)


def one_at_a_time(query: str, rules: Sequence[QueryMust | None]) -> list[bool]:
    words = Words(query)
    return [bool(judge(words, rule)) for rule in rules]


def together(query: str, rules: Sequence[QueryMust | None]) -> list[bool]:
    return [bool(holds) for holds in RuleBank.compile(rules).eligible(Words(query))]


LEVEL_3_AND_ITS_NUMBERS = [
    QueryMust(contain_range=RangeRule(5, 5, ("level 3",))),
    QueryMust(contain="level 3"),
    QueryMust(contain="level 3.0"),
]
BETWEEN_TWO_FLOATS = [
    QueryMust(contain_range=RangeRule(2**53 + 1, 2**53 + 1)),
    QueryMust(contain_range=RangeRule(-(2**53) - 1, 2**53 - 1)),
    QueryMust(contain_range=RangeRule(0, 2**53 + 1)),
]


@given(QUERIES, st.lists(st.none() | EASY | RULES, max_size=8))
@example("an armor class that is a total score of 3", [QueryMust(contain="AC 3"), QueryMust(contain="AC -3")])
@example("AC 3 or 7, 16 strength", [QueryMust(contain=term) for term in ("AC 7", "AC 16", "strength 16", "16")])
@example("level 3 5", LEVEL_3_AND_ITS_NUMBERS)
@example("level 6/2", LEVEL_3_AND_ITS_NUMBERS)
@example(f"{2**53} orcs", BETWEEN_TWO_FLOATS)
@example(f"-{2**53} orcs", BETWEEN_TWO_FLOATS)
@example("AC 3, 7, 10", [QueryMust(contain="AC 3 10"), QueryMust(contain="AC 10")])
@example("ow lbear", [QueryMust(contain="owl bear"), QueryMust(contain="owlbear")])
@example("3", [QueryMust(contain_range=span) for span in (RangeRule(0, math.nan), RangeRule(-9, 9, ("?",)))])
@example("", [QueryMust(), QueryMust(((),)), QueryMust(contain=""), QueryMust(contain_range=RangeRule(-9, 9))])
def test_all_rules_together_hold_as_each_alone(query: str, rules: list[QueryMust | None]) -> None:
    assert one_at_a_time(query, rules) == together(query, rules)


@given(QUERIES, st.lists(EASY | RULES, min_size=1, max_size=5), st.integers(2, 40))
def test_rules_do_not_disturb_each_other(query: str, rules: list[QueryMust], times: int) -> None:
    assert times * one_at_a_time(query, rules) == together(query, times * rules)


def test_a_bank_without_rules_has_no_verdicts() -> None:
    assert [] == together("a cleric", [])
    assert 0 == len(RuleBank.compile([]))


def test_no_rule_and_an_empty_rule_hold_for_every_query() -> None:
    assert [True, True] == together("", [None, QueryMust()])
    assert [True, True] == together("a cleric", [None, QueryMust()])


def test_an_empty_group_fails_its_rule_only() -> None:
    rules = [QueryMust((("cleric",), ())), QueryMust((("cleric",),)), QueryMust(((),))]

    assert [False, True, False] == together("a cleric", rules)


def test_a_rule_that_says_the_same_twice_needs_it_once() -> None:
    twice = QueryMust((("cleric",), ("clerics",)), ("cleric", "Clerics"), "cleric", RangeRule(7, 7))

    assert [True] == together("a 7th level cleric", [twice])
    assert [False] == together("a cleric", [twice])


def test_thousands_of_rules_are_told_apart_by_their_number() -> None:
    rules = [
        QueryMust((("cleric", "druid"), (f"armor class {ac}", f"ac {ac}"))) for _ in range(100) for ac in range(-10, 11)
    ]
    holding = RuleBank.compile(rules).eligible(Words("What does a 7th level druid need against an AC of -6?"))

    assert [21 * times + 4 for times in range(100)] == holding.nonzero()[0].tolist()


MIXED = [
    QueryMust((("cleric", "thieves"), ("AC 6",))),
    None,
    QueryMust(contain_range=RangeRule(4, 6, ("level", "fire giant"))),
    QueryMust(contain_range=RangeRule(-math.inf, 6)),
    QueryMust((("bear",), ())),
    QueryMust((("cleric", "thief"),), contain_own=OwnTerms(("bear",), ("AC 6", "level 9"))),
    QueryMust(contain_own=OwnTerms((), ("AC 6",))),
]


@pytest.mark.parametrize("rules", [MIXED, [], [None], [QueryMust(((),))]])
def test_a_bank_survives_its_file(tmp_path: Path, rules: list[QueryMust | None]) -> None:
    RuleBank.compile(rules).save(tmp_path / "new" / "folder")
    bank = RuleBank.load(tmp_path / "new" / "folder")

    assert len(rules) == len(bank)
    for query in ("a thief, AC 6", "a 5th level bear", "level 9 cleric against an armor class of 6", ""):
        assert one_at_a_time(query, rules) == bank.eligible(Words(query)).tolist()


def test_saving_replaces_the_old_bank_and_leaves_nothing_else(tmp_path: Path) -> None:
    RuleBank.compile(MIXED).save(tmp_path)
    RuleBank.compile([None]).save(tmp_path)

    assert 1 == len(RuleBank.load(tmp_path))
    assert [FILE] == [path.name for path in tmp_path.iterdir()]


def test_a_folder_without_a_bank_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as refused:
        RuleBank.load(tmp_path)

    reason = "can't be read (No such file or directory)"
    assert f"{tmp_path / FILE}: {reason}; versus doctor --repair compiles the rules again" == str(refused.value)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bank")
    RuleBank.compile(MIXED).save(folder)
    return folder / FILE


@given(st.data())
def test_any_damage_is_refused_with_what_to_do(
    saved: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = bytearray(saved.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        del content[place:]
    else:
        content[place] ^= data.draw(st.integers(1, 255))
    damaged = tmp_path_factory.getbasetemp() / FILE
    damaged.write_bytes(content)
    with pytest.raises(StoreError) as refused:
        RuleBank.load(damaged.parent)

    assert str(refused.value).startswith(f"{damaged}: is ")
    assert str(refused.value).endswith("; versus doctor --repair compiles the rules again")


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StoreError) as refused:
        RuleBank.compile(MIXED).save(tmp_path / "taken")

    assert str(refused.value).startswith(f"{tmp_path / 'taken' / FILE}: can't be written (")
