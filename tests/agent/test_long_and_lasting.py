"""*Long* is said of a length and of a time: of what something is, and of what it does."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

ROUTES = {
    heads: book(
        f"# Routes\n\n| Route | Ascent (m) | {heads} |\n|-|-|-|-|\n"
        "| Goat Ladder | 910 | 7.4 | 4.5 |\n| Torren Path | 1120 | 12.1 | 4 |\n| Ridge Way | 640 | 9.0 | 3.5 |\n"
    )
    for heads in ("Length (km) | Time (h)", "length_km | time_h")
}


@pytest.mark.parametrize("heads", ROUTES)
@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which route is the longest?", "Torren Path"),
        ("Which is longer, the Goat Ladder or the Ridge Way?", "Ridge Way"),
        ("How long is the Ridge Way?", "9.0"),
        ("Which route is the shortest?", "Goat Ladder"),
        ("Which route takes the longest?", "Goat Ladder"),
        ("Of all routes, which burns longest?", "Goat Ladder"),
        ("Which takes longer, the Torren Path or the Goat Ladder?", "Goat Ladder"),
        ("How long does the Ridge Way take?", "3.5"),
        ("How much longer does the Goat Ladder take than the Ridge Way?", "1"),
    ],
)
def test_what_something_does_is_long_in_time(heads: str, question: str, verdict: str) -> None:
    found = answer(question, ROUTES[heads])

    assert verdict == found.finding.verdict
    assert not found.needs


def test_a_unit_behind_a_word_is_no_part_of_a_symbol() -> None:
    assert "1120" in answer("What is the ascent of the Torren Path?", book(
        "# Routes\n\n| Route | ascent_m |\n|-|-|\n| Goat Ladder | 910 |\n| Torren Path | 1120 |\n"
    )).finding.claim  # fmt: skip
