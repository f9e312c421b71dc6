"""Labels that dots or a tab lead to their values are read as other labels are."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

_FACTS = {"Reed": ("9 m", "Hull", "3"), "Sedge": ("12 m", "York", "8"), "Rush": ("7 m", "Hull", "2")}


@pytest.mark.parametrize("between", [" ........ ", " . . . . . ", "……", "\t", "\t\t"])
@pytest.mark.parametrize("mark", ["", "- "])
def test_a_label_is_led_to_its_value(between: str, mark: str) -> None:
    told = [
        f"## {name}\n\n"
        + "\n".join(f"{mark}{label}{between}{value}" for label, value in zip(_LABELS, values, strict=True))
        for name, values in _FACTS.items()
    ]
    boats = book("# Boats\n\n" + "\n\n".join(told))

    assert "12 m" in answer("What is the length of the Sedge?", boats).finding.claim
    assert "2" == answer("How many boats have Hull as their home port?", boats).finding.verdict


_LABELS = ("Length", "Home port", "Crew")


@pytest.mark.parametrize(
    "text",
    [
        "Preface ........ iv\nTides ........ 9\nWinds ........ 12",
        "The boats ........ well, they\nare at sea and nobody knows where.",
        "```\nLength ........ 9 m\nCrew ........ 3\n```",
        "Reed\tSedge\tRush\n9 m\t12 m\t7 m",
    ],
)
def test_contents_prose_code_and_wider_tables_have_no_labels(text: str) -> None:
    assert [] == [table for chunk in book(f"# Boats\n\n{text}\n").chunks for table in chunk.tables]
