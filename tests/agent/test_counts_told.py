"""Who writes *how many* tells a number that stands nowhere: it is right where code counts the same in what is cited."""

from __future__ import annotations

import pytest

from agent.writing.checking import prose
from agent.writing.checking.cited import Source, cited
from agent.writing.checking.verify import Problem
from retrieval.types import Passage
from tests.kit import book

QUAY = book("""# Quay Handbook

## Charges

| Item | Charge |
|---|---|
| Mooring, day | $500 |
| Mooring, night | $200 |
| Crane | $2,500 |
| Pilot | $500 |
| Tug | $500 |
| Water | $25 |

## Harbor board

The board has these members:

- Ada Reed (chair)
- Bo Finch
- Cy Heron
- Di Stork

## Signals

| Line | Meaning |
|---|---|
| IN 1 | start |
| IN 2 | stop |
| IN 3 | clear |
| OUT 1 | ready |
| OUT 2 | alarm |
""")

RIGHT = [
    ("Charges", "Three items cost exactly $500."),
    ("Charges", "Two entries are for mooring."),
    ("Harbor board", "Four members sit on the board."),
    ("Signals", "Three lines are inputs, IN 1 to IN 3."),
]
WRONG = [
    ("Charges", "Four items cost exactly $500."),
    ("Charges", "Three entries are for mooring."),
    ("Harbor board", "Five members sit on the board."),
    ("Signals", "Five lines are inputs, IN 1 to IN 3."),
    ("Charges", "The crane has a charge of $3."),
]


@pytest.mark.parametrize(("title", "sentence"), RIGHT)
def test_a_right_count_is_let_through(title: str, sentence: str) -> None:
    assert () == _wrong_with(title, sentence)


@pytest.mark.parametrize(("title", "sentence"), WRONG)
def test_a_wrong_count_is_found(title: str, sentence: str) -> None:
    assert _wrong_with(title, sentence)


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("Two items are cheap: Mooring, night and Water [1].", True),
        ("Three entries are cheap: Mooring night, Crane and Water [1].", True),
        ("Five entries are cheap: Mooring night, Crane and Water [1].", False),
        ("Three entries are cheap: Mooring night, Buoy and Water [1].", False),
        ("Three cost little [1].\n- Mooring, night: $200 [1].\n- Water: $25 [1].\n- Tug: $500 [1].", True),
        ("Four cost little [1].\n- Mooring, night: $200 [1].\n- Water: $25 [1].", False),
    ],
)
def test_a_count_of_what_the_answer_lists_is_right_where_so_much_is_listed(text: str, is_right: bool) -> None:
    chunk = next(chunk for chunk in QUAY.chunks if chunk.title == "Charges")
    made = cited(text, {1: Source(chunk)})
    wrong = prose.verify(made.text, (), made.citations, [Passage(chunk, 0.9, 0.1, ("q1",))], "?")
    assert is_right == (() == wrong)


MODES = book("""# Lark U8 II radio, long

| Mode | Band | Noise (W / cm^3) |
|---|---|---|
| 7 | 100 | 3 |
| 8 | 100 | 5 |
| 9 | 100 | 4 |
| 10 | 23 | 6 |
""")


@pytest.mark.parametrize(
    ("sentence", "is_right"),
    [
        ("The U8 II has a band of 23 in mode 10 [1].", True),
        ("The noise in mode 8 is 5 W/cm^3 [1].", True),
        ("Not found: whether the MUSTANG-2 has modes.", True),
        ("Whether the MUSTANG-2 has 2 modes.", False),
    ],
)
def test_numbers_of_names_keys_and_powers_are_no_values(sentence: str, is_right: bool) -> None:
    chunk = MODES.chunks[0]
    made = cited(sentence, {1: Source(chunk)})
    wrong = prose.verify(made.text, (), made.citations, [Passage(chunk, 0.9, 0.1, ("q1",))], "?")
    assert is_right == (() == wrong)


def _wrong_with(title: str, sentence: str) -> tuple[Problem, ...]:
    chunk = next(chunk for chunk in QUAY.chunks if chunk.title == title)
    made = cited(f"{sentence} [1]", {1: Source(chunk)})
    return prose.verify(made.text, (), made.citations, [Passage(chunk, 0.9, 0.1, ("q1",))], "?")
