"""A picture before the words of an item, drawn or named, is no part of its label."""

from __future__ import annotations

import pytest

from tests.kit import Book, answer, book

_FACTS = {"Reed": ("9 m", "Hull"), "Sedge": ("12 m", "York"), "Rush": ("7 m", "Hull")}


def boats(picture: str) -> Book:
    told = [
        f"## {name}\n\n- {picture} **Length:** {length}\n- {picture} **Home port:** {port}\n"
        for name, (length, port) in _FACTS.items()
    ]
    return book("# Boats\n\n" + "\n".join(told))


@pytest.mark.parametrize("picture", ["⚓", "🧑\u200d✈️", ":anchor:", ":anchor: :sailboat:"])
def test_a_picture_is_no_part_of_a_label(picture: str) -> None:
    harbour = boats(picture)

    assert "12 m" in answer("What is the length of the Sedge?", harbour).finding.claim
    assert "2" == answer("How many boats have Hull as their home port?", harbour).finding.verdict


def test_pictures_before_things_are_no_part_of_their_names() -> None:
    fleet = book("# Fleet\n\n- :boat: Reed\n  - ⚓ Crew: 3\n  - Fee: 5\n- :boat: Sedge\n  - ⚓ Crew: 4\n  - Fee: 6\n")

    assert [(("Reed", "3", "5"), ("Sedge", "4", "6"))] == [table.rows for c in fleet.chunks for table in c.tables]


def test_a_word_between_colons_is_a_picture_only_where_it_stands_apart() -> None:
    options = book("# Options\n\n## Reed\n\n- :a:b: 3\n- Ratio: 3:4:5\n")

    assert "3:4:5" in answer("What is the ratio of the Reed?", options).finding.claim


def test_pictures_that_are_all_called_the_same_name_no_rows() -> None:
    sensors = book("""# Sensors

| Product | Model | Name | Weight |
|-|-|-|-|
| ![image](t.png) | 47 | Inner probe | 30 g |
| ![image](h.png) | 56 | Damp probe | 45 g |
| ![image](s.png) | 52 | SubHub | 150 g |
""")

    assert "SubHub" == answer("Which product has the model 52?", sensors).finding.verdict
    assert "SubHub" == answer("Which sensor is the heaviest?", sensors).finding.verdict
    assert all("image" not in chunk.text for chunk in sensors.chunks)


def test_pictures_with_a_name_each_name_their_rows() -> None:
    boats = book("| Boat | Deck |\n|-|-|\n| ![Reed](r.png) | 12 m |\n| ![Rush](u.png) | 9 m |\n")

    assert "9 m" == answer("What is the deck of the Rush?", boats).finding.verdict
