"""Sentences end where they end, and not at an abbreviation, an initial or the number of a line."""

from __future__ import annotations

import pytest

from retrieval.text.sentences import sentences


@pytest.mark.parametrize(
    "whole",
    [
        "Flash it in DFU mode (i.e. hold the button) first.",
        "Use a fast card, e.g. Class 10.",
        "It takes approx. 5 minutes vs. 10 before.",
        "Oars, ropes, etc. are not included.",
        "See Fig. 3 and No. 4 in vol. 2.",
        "It was built by J. R. Mason for Dr. Brandt.",
        "2. Fold the sail.",
    ],
)
def test_an_abbreviation_ends_no_sentence(whole: str) -> None:
    assert [whole, "The next."] == list(sentences(f"{whole} The next."))


@pytest.mark.parametrize(
    "text",
    [
        "It has oars, ropes, etc. The sail is extra.",
        "May I? No. The sail is wet.",
        "It has vitamin C. It keeps well.",
        "So did I. Then we sailed.",
        "It costs 5. Nobody pays.",
        "One line\nand another",
    ],
)
def test_what_looks_like_an_abbreviation_may_end_one(text: str) -> None:
    assert len(list(sentences(text))) > 1
