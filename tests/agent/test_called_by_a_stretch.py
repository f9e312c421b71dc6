"""A thing may be called by any stretch of its name that no other thing has."""

from __future__ import annotations

import pytest

from agent.understanding.linking.linkings import linkings
from agent.understanding.linking.mentions import mentions_of
from agent.understanding.question.tagged import tagged
from agent.understanding.words.clauses import tokens_of
from retrieval.tables.index import CellIndex
from tests.agent.at_hand import answered_at_hand, bind_at_hand
from tests.kit import book

GRIPPERS = book("\n".join(
    f"""# Quill-Works {name}

| Characteristic | Value |
|---|---|
| Weight | {weight} kg |
| Stroke | {stroke} mm |
"""
    for name, weight, stroke in (
        ("TR-145 Adaptive Parallel Gripper", 1.3, 145),
        ("TR-95 Adaptive Parallel Gripper", 1.0, 95),
        ("KLM 300 Collaborative Parallel Gripper", 1.5, 60),
        ("KLM 50 Collaborative Parallel Gripper", 0.5, 37),
        ("ZV14 Rotary Gripper", 1.1, 14),
    )
))  # fmt: skip


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the weight of the TR-145?", "1.3 kg"),
        ("What is the weight of the TR 145?", "1.3 kg"),
        ("What is the weight of the tr145?", "1.3 kg"),
        ("What is the stroke of the KLM-50?", "37 mm"),
        ("What is the stroke of the KLM50 gripper?", "37 mm"),
        ("What is the stroke of the ZV-14?", "14 mm"),
        ("What is the stroke of the zv 14?", "14 mm"),
        ("What is the weight of the TR-95 Adaptive Parallel Gripper?", "1.0 kg"),
        ("What is the weight of the KLM 300 Collaborative Parallel?", "1.5 kg"),
        ("What is the weight of the Quill-Works KLM 300?", "1.5 kg"),
        ("What is the stroke of the rotary gripper?", "14 mm"),
        ("What is the stroke of the rotary grippers?", "14 mm"),
        ("What is the stroke of the TR-145s?", "145 mm"),
        ("Is the KLM 300 heavier than the TR-145?", "Quill-Works KLM 300 Collaborative Parallel Gripper"),
    ],
)
def test_a_stretch_of_a_name_means_its_thing_however_letters_and_numbers_are_joined(
    question: str, verdict: str
) -> None:
    found = answered_at_hand(question, GRIPPERS.chunks)

    assert found is not None
    assert verdict == found.finding.verdict


@pytest.mark.parametrize(
    "question",
    [
        "What is the weight of the TR-300?",  # the number of another
        "What is the weight of the TR-14?",
        "What is the weight of the TR-145S?",
        "What is the weight of the 145?",
    ],
)
def test_letters_with_another_number_are_nobody(question: str) -> None:
    assert bind_at_hand(question, GRIPPERS.chunks) is None


LEVELS = book("""# Level 4 Oath Spells

| Trait | Value |
|---|---|
| Range | 60 ft |

# Miller

| Level | Wage | Range |
|---|---|---|
| 3 | 10 | 20 ft |
| 4 | 12 | 30 ft |

# Yields of 2021 and 2022

| Crop | 2021 | 2022 |
|---|---|---|
| Rye | 4 t | 5 t |
| Oats | 2 t | 3 t |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the wage of a miller at level 4?", "12"),
        ("What is the range of a level 4 miller?", "30 ft"),
        ("What is the yield of rye in 2021?", "4 t"),
    ],
)
def test_a_number_that_a_table_is_keyed_by_is_no_part_of_a_name(question: str, verdict: str) -> None:
    found = answered_at_hand(question, LEVELS.chunks)

    assert found is not None
    assert verdict == found.finding.verdict


def test_a_level_that_the_table_does_not_have_means_no_name() -> None:
    assert bind_at_hand("What is the range of a miller at level 9?", LEVELS.chunks) is None


MANY = book("\n".join(f"# Heron {n} Reed Cutter\n\n- Weight: {n} kg\n- Price: {n} marks\n" for n in range(2, 10)))


def test_what_many_names_have_means_none_of_them() -> None:
    assert bind_at_hand("What is the weight of the reed cutter?", MANY.chunks) is None


SYMBOLS = book("""# Priors

| Parameter | Prior | Default |
|---|---|---|
| w_a | -3 | 2 |
| w_p | -2 | 1 |
| iron_ingot | 4 | 5 |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the default w_a?", "2"),
        ("What is the prior of w_p?", "-2"),
        ("What is the default of an iron ingot?", "5"),
    ],
)
def test_letters_that_an_underscore_joins_are_one_symbol(question: str, verdict: str) -> None:
    found = answered_at_hand(question, SYMBOLS.chunks)

    assert found is not None
    assert verdict == found.finding.verdict


LEAPS = book("""# Powers

| Power | Cost |
|---|---|
| Leap self, unladen | 1 |
| Leap self, light pack | 2 |
| Leap self, heavy full pack | 3 |
| Leap others | 4 |
""")


def test_what_a_few_rows_of_a_table_are_called_by_means_each_of_them() -> None:
    found = answered_at_hand("What is the cost of the self?", LEAPS.chunks)

    assert found is not None
    assert found.finding.verdict is None
    assert "Leap self, heavy full pack 3, Leap self, light pack 2, Leap self, unladen 1." == found.finding.claim


WORKS = book("""# Craft

| Craft | Material | Maker first |
|---|---|---|
| Balloon | Silk | Sky Watch |
| Cart | Oak | Wood Yard |

# Buildings

| Building | Maker | Price |
|---|---|---|
| Sky Watch Office | Barracks | 500 |
| Wood Yard | Mill | 300 |
""")


def test_what_one_name_has_comes_before_a_row_that_only_tells_of_it() -> None:
    index = CellIndex.build(WORKS.chunks)
    question = "What is the maker of the Sky Watch?"
    asked = tagged(question, mentions_of(tokens_of(question), index), index.measure_words)

    assert ["Sky Watch Office"] == [subject.text for subject in next(linkings(asked, index)).subjects]


ARMS = book("""# Arms

| Property | TR5 | TR10 |
|---|---|---|
| Payload | 5 kg | 10 kg |
| Reach | 900 mm | 1300 mm |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the payload of the TR5?", "5 kg"),
        ("What is the payload of the TR 5?", "5 kg"),
        ("What is the reach of the tr-10?", "1300 mm"),
    ],
)
def test_the_coined_head_of_a_column_is_a_thing_too(question: str, verdict: str) -> None:
    found = answered_at_hand(question, ARMS.chunks)

    assert found is not None
    assert verdict == found.finding.verdict
