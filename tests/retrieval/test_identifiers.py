"""Identifiers are one token, matched whole; what only looks like one is read as before."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from retrieval.text.identifiers import is_identifier
from retrieval.text.normal import Words, normal, phrase

WHOLE = ["m5.xlarge", "t3a.micro", "d2.xlarge", "Standard_D4s_v3", "R101-FPN", "THAC0", "n2-standard-4", "c6in.metal"]
PART = st.from_regex(r"[a-z]{1,4}[0-9]{1,3}[a-z]{0,2}", fullmatch=True)
NAME = st.builds(lambda head, rest: ".".join([head, *rest]), PART, st.lists(PART, min_size=1, max_size=2))


@pytest.mark.parametrize("name", WHOLE)
def test_an_identifier_is_one_token_wherever_it_stands(name: str) -> None:
    assert (name.lower(),) == normal(name)
    assert ("which", "has", "more", name.lower(), "or", "b") == normal(f"Which has more, {name} or b?")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("AC3", ("armor class", "3")),
        ("AC-6", ("armor class", "-6")),
        ("7th-level", ("level", "7")),
        ("2d6+3", ("2d6+3",)),
        ("d20s", ("1d20",)),
        ("30ft", ("30", "ft")),
        ("18/51", ("18/51",)),
        ("3.5", ("3.5",)),
        ("x2", ("x", "2")),
    ],
)
def test_numbers_dice_and_measures_are_no_identifiers(text: str, tokens: tuple[str, ...]) -> None:
    assert tokens == normal(text)


@given(NAME, NAME)
def test_no_identifier_is_found_in_another(one: str, other: str) -> None:
    assume(one != other and is_identifier(one) and is_identifier(other))

    assert phrase(one) != phrase(other)
    assert not Words(f"how fast is {one}?").has(phrase(other))
