"""Rows that a number names, in tables that look alike: they are asked for by the header over their numbers."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

_STEPS = {
    "Osprey 64": [("400 MHz", "0.95 V"), ("600 MHz", "0.95 V"), ("800 MHz", "1.0 V"), ("1000 MHz", "1.1 V")],
    "Heron Pro": [("400 MHz", "0.82 V"), ("1400 MHz", "1.12 V"), ("1800 MHz", "1.2 V"), ("2000 MHz", "1.25 V")],
    "Quartz A": [("400 MHz", "0.9 V"), ("800 MHz", "0.9 V"), ("1100 MHz", "0.9 V"), ("1800 MHz", "1.05 V")],
}


def _page(name: str, rows: list[tuple[str, str]]) -> str:
    lines = "\n".join(f"| {frequency} | {voltage} |" for frequency, voltage in rows)
    return f"# {name}\n\n## Frequencies & Voltages\n\n| Frequency | Voltage |\n|-|-|\n{lines}\n"


BOARDS = book("\n".join(_page(name, rows) for name, rows in _STEPS.items()))


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which frequencies of the Osprey 64 have 0.95 V?", "400 MHz, 600 MHz"),
        ("At which frequency does the Osprey 64 have a voltage of 1.1 V?", "1000 MHz"),
        ("Which frequencies of the Heron Pro have a voltage above 1.15 V?", "1800 MHz, 2000 MHz"),
        ("How many frequencies of the Quartz A have a voltage of 0.9 V?", "3"),
        ("How many frequencies does the Heron Pro have?", "4"),
        ("What is the highest frequency of the Heron Pro?", "2000 MHz"),
        ("What is the highest voltage of the Quartz A?", "1800 MHz"),
        ("Which frequency of the Heron Pro has the highest voltage?", "2000 MHz"),
    ],
)
def test_numbers_name_the_rows_of_look_alikes(question: str, verdict: str) -> None:
    assert verdict == answer(question, BOARDS).finding.verdict


def test_the_measure_is_told_without_the_name_of_the_thing() -> None:
    assert "(Voltage: 0.95 V)" in answer("Which frequencies of the Osprey 64 have 0.95 V?", BOARDS).finding.claim


def test_rows_by_number_are_none_of_another_kind() -> None:
    lamps = book("# Lamps\n\n| Beam | Width |\n|-|-|\n| 1 | 5 m |\n| 2 | 7 m |\n| 3 | 9 m |\n")

    assert answer("Which receiver has the widest beam?", lamps).needs
    assert "3" == answer("Which beam has the largest width?", lamps).finding.verdict
