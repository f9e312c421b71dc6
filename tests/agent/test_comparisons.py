"""Lookups and comparisons: entities, attribute and keys of a question."""

from __future__ import annotations

import pytest

from agent.planning.rules import ByRules
from agent.understanding.lexicon import Lexicon
from retrieval.text.normal import title_key
from tests.agent.lookups import lookup_of

NAMES = (
    "fighters",
    "clerics",
    "thieves",
    "magic-users",
    "Orc",
    "Troll",
    "Wolf, Winter",
    "Dragon, Black",
    "Dragon, Gold",
)
BOOK = Lexicon({title_key(name): name for name in NAMES})


@pytest.mark.parametrize(
    ("question", "entities", "keys"),
    [
        ("Among cleric, thief and fighter, which class has the best saving throw versus spells at level 9?",
         ("cleric", "thief", "fighter"), (("level", "9"),)),
        ("What is a magic user's saving throw against spells at 13th level?", ("magic user",), (("level", "13"),)),
        ("Is the Orc or the Wolf, Winter better armoured?", ("Orc", "Wolf, Winter"), ()),
        ("What is the difference between a black dragon and a gold dragon?", ("black dragon", "gold dragon"), ()),
        ("How does initiative work?", (), ()),
    ],
)  # fmt: skip
def test_entities_and_keys_are_found(
    question: str, entities: tuple[str, ...], keys: tuple[tuple[str, str], ...]
) -> None:
    asked = lookup_of(question, BOOK)
    assert (entities, keys) == (asked.entities, asked.keys)


@pytest.mark.parametrize(
    ("question", "level"),
    [
        ("saving throw vs poison, cleric 5", "5"),
        ("What does a cleric of level IV need to save versus poison?", "4"),
        ("How many clerics 20 feet away are seen?", None),
        ("Which level I spells has a cleric?", None),
    ],
)
def test_a_number_behind_a_name_that_is_keyed_by_level_is_its_level(question: str, level: str | None) -> None:
    book = Lexicon(BOOK.names, axes={"cleric": ("level",)})
    assert level == dict(lookup_of(question, book).keys).get("level")


def test_a_level_of_something_else_is_not_that_of_the_one_who_is_named() -> None:
    asked = lookup_of("How many spells of the third level has a cleric at level 12?", BOOK)
    assert (("spell level", "3"), ("level", "12")) == asked.keys


@pytest.mark.parametrize(
    ("question", "attribute", "prefer"),
    [
        ("Which has more Hit Dice, the Orc or the Troll?", "Hit Dice", "high"),
        ("Who has the better saving throw against spells, a thief or a cleric?", "saving throw spells", "better"),
        ("Which is faster, an orc or a troll?", "speed", "high"),
        ("Compare the stats of an orc versus a troll", "", None),
    ],
)
def test_the_attribute_is_what_is_left(question: str, attribute: str, prefer: str | None) -> None:
    asked = lookup_of(question, BOOK)
    assert (attribute, prefer) == (asked.attribute, asked.prefer)


def test_an_unknown_alternative_is_an_entity_too() -> None:
    assert ("orc", "flumph") == lookup_of("Which has more hit dice, an orc or a flumph?", BOOK).entities


def test_a_single_question_passes_through_as_asked() -> None:
    question = "How many spells does a cleric of 9th level have?"
    assert [question] == [s.text for s in ByRules(question, BOOK).plan.sub_queries]


def test_a_comparison_asks_for_each_side_on_its_own() -> None:
    made = ByRules("Who has the better saving throw against spells at 5th level, a cleric or a thief?", BOOK).plan
    assert ["cleric saving throw spells level 5", "thief saving throw spells level 5"] == [
        s.text for s in made.sub_queries
    ]


def test_the_best_of_all_there_are_is_a_superlative() -> None:
    assert lookup_of("Which alloy is the lightest?", BOOK).superlative
