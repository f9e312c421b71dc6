"""Labels of rows and columns: every form books use, and what lies within them."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from retrieval.text.label_ranges import Span, read_label, value

INF = math.inf

FORMS = [
    ("7-9", 7, 9),
    ("7–9", 7, 9),
    ("7 - 9", 7, 9),
    ("1—3", 1, 3),
    ("7 to 9", 7, 9),
    ("1 through 3", 1, 3),
    ("1st-3rd", 1, 3),
    ("1st to 3rd level", 1, 3),
    ("Level 1-3", 1, 3),
    ("Fighter, levels 1-3", 1, 3),
    ("10-8", 8, 10),
    ("9 to 3", 3, 9),
    ("9 to 1", 1, 9),
    ("01-05", 1, 5),
    ("96-00", 96, 100),
    ("1,001-2,000", 1001, 2000),
    ("60'-70'", 60, 70),
    ("10%-20%", 10, 20),
    ("-3 to -1", -3, -1),
    ("-1 to -3", -3, -1),
    ("-3--1", -3, -1),
    ("−3 to +1", -3, 1),
    ("3 or 4", 3, 4),
    ("17 & 18", 17, 18),
    ("19+", 19, INF),
    ("16 +", 16, INF),
    ("1,000+", 1000, INF),
    ("17 & up", 17, INF),
    ("17 and up", 17, INF),
    ("11+ & up", 11, INF),
    ("9th and above", 9, INF),
    ("9th or higher", 9, INF),
    ("+3 or better", 3, INF),
    ("at least 5", 5, INF),
    ("≥ 5", 5, INF),
    ("3rd or lower", -INF, 3),
    ("10% or less", -INF, 10),
    ("-2 and below", -INF, -2),
    ("up to 3rd", -INF, 3),
    ("over 3 up to 6", 3.001, 6),
    ("more than 2 and up to 5 kg", 2.001, 5),
    ("at most 4", -INF, 4),
    ("no more than 4", -INF, 4),
    ("2-3+", 2, 3.99),
    ("1+1 to 2", 1.01, 2),
    ("1+1", 1.01, 1.01),
    ("1-1", 0.99, 0.99),
    ("HD 1-1", 0.99, 0.99),
    ("18/01-50", 18.01, 18.5),
    ("18/51-75", 18.51, 18.75),
    ("18/91-00", 18.91, 18.999),
    ("18/43", 18.43, 18.43),
    ("-10", -10, -10),
    ("−10", -10, -10),
    ("+1", 1, 1),
    ("(3)", 3, 3),
    ("3*", 3, 3),
    ("3†", 3, 3),
    ("3¹", 3, 3),
    ("7th level", 7, 7),
    ("0-level", 0, 0),
    ("AC -3", -3, -3),
    ("½", 0.5, 0.5),
    ("3/2", 1.5, 1.5),
    ('12"', 12, 12),
]


@pytest.mark.parametrize(("label", "low", "high"), FORMS)
def test_a_label_covers_what_it_says(label: str, low: float, high: float) -> None:
    assert Span(low, high) == read_label(label).span


@pytest.mark.parametrize(
    ("label", "inside", "outside"),
    [
        ("less than 5", 4.99, 5),
        ("under 3", 2, 3),
        ("< 3", 2, 3),
        ("over 20", 21, 20),
        ("more than 4", 5, 4),
        ("> 4", 5, 4),
        ("up to 1-1", 0.5, 0.99),
        ("less than 1 hit die", 0.99, 1),
    ],
)
def test_what_is_beyond_an_open_end_excludes_the_end(label: str, inside: float, outside: float) -> None:
    span = read_label(label).span

    assert span is not None
    assert inside in span
    assert outside not in span


@pytest.mark.parametrize(
    "label", ["Fighter", "1d6", "d6", "2d4+1", "3:1", "1 in 6", "3, 4, 5", "3 or 7", "n/a", "", " ", "-", "x" * 999]
)
def test_words_and_dice_are_no_range(label: str) -> None:
    assert None is read_label(label).span


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Level 4-6", ("level",)),
        ("4th-6th level", ("level",)),
        ("Armour Class -3", ("armor class",)),
        ("Chain mail (5)", ("chain", "mail")),
        ("Less than 1 hit die", ("hit dice",)),
        ("7-9", ()),
        ("Fighters", ("fighter",)),
    ],
)
def test_the_name_is_what_remains_without_the_number(label: str, name: tuple[str, ...]) -> None:
    assert name == read_label(label).name


WHOLE = st.integers(-30, 130)
JOINT = st.sampled_from(["-", "–", " - ", " to ", " through "])
WRAP = st.sampled_from(["{}", "Level {}", "AC {}", "{}*", "({})", "levels {}", "{} points"])


@given(WHOLE, WHOLE, WHOLE, JOINT, WRAP)
def test_a_value_is_in_a_range_iff_it_lies_between_its_ends(v: int, a: int, b: int, joint: str, wrap: str) -> None:
    assume(a <= b and (a, b) != (1, 1))  # "1-1" is a die less one
    span = read_label(wrap.format(f"{a}{joint}{b}")).span

    assert span is not None
    assert (a <= v <= b) == (v in span)


@given(WHOLE, WHOLE, WRAP)
def test_a_single_value_covers_itself_only(v: int, n: int, wrap: str) -> None:
    span = read_label(wrap.format(n)).span

    assert span is not None
    assert (v == n) == (v in span)


@given(st.integers(0, 130), WHOLE, st.sampled_from(["{}+", "{} and up", "{} or more", "at least {}", "{}th & above"]))
def test_an_open_range_goes_on_for_ever(a: int, v: int, form: str) -> None:
    span = read_label(form.format(a)).span

    assert span is not None
    assert (a <= v) == (v in span)


@given(st.text(max_size=40) | st.text("0123456789+-/ toandup%.thlevel'", max_size=24))
def test_no_label_raises(text: str) -> None:
    span = read_label(text).span

    assert span is None or span.minimum <= span.maximum


@pytest.mark.parametrize("text", ["", "x", "1d6", "--1", "1+", "3 4"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a number"):
        value(text)


@pytest.mark.parametrize("text", ["Figure 30.8-1", "30.8-1", "Table 2.5-1: yards", "8.1.2-1", "§ 1-1.5-1"])
def test_the_number_of_a_figure_is_read_as_a_label_without_harm(text: str) -> None:
    assert read_label(text).name is not None


@given(st.from_regex(r"[0-9.+/ -]{1,12}", fullmatch=True))
def test_no_run_of_digits_and_marks_is_harmful(text: str) -> None:
    label = read_label(text)
    assert label.span is None or label.span.width >= 0
