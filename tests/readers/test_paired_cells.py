"""A table of labels and values side by side, two pairs to a row, is the record of what it stands below."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

_BOATS = {
    "Reed": ("9 m", "1912", "3 oars", "Hull"),
    "Sedge": ("12 m", "1931", "8 oars", "York"),
    "Rush": ("7 m", "1898", "2 oars", "Hull"),
    "Tern": ("15 m", "1904", "9 oars", "Leith"),
}
_PAGE = """## {name}

|     |     |
|:----|----:|
|[Home](/) > [Boats](/boats) > [{name}](#x) | [top](#top) |

|   |   |   |   |
|--:|:--|--:|:--|
| **Length** | {length} | **Built** | {built} |
| **Home port** | {port} | **Crew** | {crew} |
|   |   |   | and a boy |
"""
BOATS = book(
    "# Boats\n\n"
    + "\n".join(
        _PAGE.format(name=name, length=length, built=built, crew=crew, port=port)
        for name, (length, built, crew, port) in _BOATS.items()
    )
    + """
## Signals

| Flag | Meaning | | Flag | Meaning |
|:-----|:--------|-|:-----|:--------|
| Red  | Fire    | | Blue | Fog     |
| Green| Pilot   | | White| Plague  |
"""
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("When was the Sedge built?", "1931"),
        ("What is the crew of the Reed?", "3 oars and a boy"),
        ("Which boat has the greatest length?", "Tern"),
        ("Which is longer, the Reed or the Rush?", "Reed"),
        ("How many boats have Hull as their home port?", "2"),
        ("What is the meaning of the white flag?", "Plague"),
    ],
)
def test_pairs_are_read(question: str, told: str) -> None:
    said = answer(question, BOATS)
    assert told in said.finding.claim
    assert not said.needs


def test_a_line_of_links_is_no_fact() -> None:
    assert all("Home >" not in chunk.text for chunk in BOATS.chunks)
