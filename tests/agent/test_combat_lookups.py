"""Look-ups of what fights are computed from: who is asked about, against whom, and what is told."""

from __future__ import annotations

import pytest

from agent.domains.combat.types import Lookup, Measure
from agent.planning.rules import ByRules
from agent.understanding.question.intent import reads_cells
from agent.understanding.words.lexicon import Lexicon
from retrieval.text.normal import title_key
from tests.kit import answer, book, sample_book, understand

BOOK = book("""# Cleric

**Cleric Attack Matrix**

| Level | AC 6 | AC 4 | AC 3 | AC -2 |
|---|---|---|---|---|
| 1-6 | 14 | 16 | 17 | 20 |
| 7-9 | 10 | 12 | 13 | 18 |

# Thief

**Thief Attack Matrix**

| Level | AC 6 | AC 4 | AC 3 | AC -2 |
|---|---|---|---|---|
| 1-6 | 15 | 17 | 18 | 21 |
| 7-9 | 12 | 14 | 15 | 20 |

# Troll

|||
|---|---|
| Armor Class | 4 |
| Hit Dice | 6+6 |
| Size | Large |

# Marsh Frog

|||
|---|---|
| Armor Class | 6 |
| Hit Dice | 2 |
| Size | Small |

# Armor

| Armor | Armor Class |
|---|---|
| Leather | 8 |
| Plate mail | 3 |

# Weapons

| Weapon | Damage vs Small or Medium | Damage vs Large |
|---|---|---|
| Long sword | 1d8 | 1d12 |
| Dagger | 1d4 | 1d3 |
| Sword, two-handed | 1d10 | 3d6 |
""")


@pytest.mark.parametrize(
    ("question", "described"),
    [
        ("What does a 7th level cleric need to hit AC 6?", "roll to hit of 7th level cleric against armor class 6"),
        (
            "Does a cleric or a thief of 5th level need the lower roll to hit armour class -2?",
            "roll to hit of 5th level cleric and 5th level thief against armor class -2",
        ),
        (
            "What do a thief and a cleric need at levels 3 and 5 respectively to hit AC 4?",
            "roll to hit of 3rd level thief and 5th level cleric against armor class 4",
        ),
        (
            "What number does a 7th level thief need against AC 3?",
            "roll to hit of 7th level thief against armor class 3",
        ),
        ("7th level cleric attacking a troll: d20 to hit?", "roll to hit of 7th level cleric against troll"),
        (
            "A troll comes. Our cleric is 5th level. What must she roll on the d20 to hit it?",
            "roll to hit of 5th level cleric against troll",
        ),
        ("How much damage does a long sword do to a troll?", "damage of long sword (long sword) against troll"),
        ("What is the armor class of plate mail?", "armor class of plate mail (plate mail)"),
    ],
)
def test_who_is_asked_about_and_against_whom(question: str, described: str) -> None:
    intent = understand(question, BOOK)
    assert isinstance(intent, Lookup)
    assert described == intent.described


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What does a 7th level cleric need to hit a troll?", "12"),
        ("What is the lowest roll with which a 7th level cleric hits AC 6?", "10"),
        ("Who hits a troll more easily, a 7th level thief or a 7th level cleric?", "cleric"),
        ("What does a 2nd level cleric need to hit someone in plate mail?", "17"),
        ("Is a troll harder to hit than a marsh frog?", "troll"),
        ("Is a marsh frog easier to hit than a troll, going by armor class?", "marsh frog"),
        ("How much damage does a long sword do to a troll?", "1d12"),
        ("How much damage does a long sword do to a marsh frog?", "1d8"),
        ("How much damage does a two-handed sword do to a troll?", "3d6"),
    ],
)
def test_what_is_looked_up_on_the_way_is_told(question: str, verdict: str) -> None:
    result = answer(question, BOOK)
    assert (verdict, ()) == (result.finding.verdict, result.needs)


@pytest.mark.parametrize(("question", "left"), [("to hit a troll, moss?", "moss"), ("to hit a moss troll?", "moss")])
def test_a_word_that_says_which_of_a_name_is_told_where_the_book_has_no_such_one(question: str, left: str) -> None:
    (need,) = answer(f"What does a 7th level cleric need {question}", BOOK).needs
    assert need.need.endswith(f"no account was taken: {left}")
    assert not answer("What does a 7th level cleric need to hit a troll, please?", BOOK).needs


@pytest.mark.parametrize(
    "question",
    [
        "What is the armor class of a troll?",
        "What is the size of a troll?",
        "How does a thief rest?",
        "What bonus to hit does a 5th level thief with strength 18 get against a troll?",
    ],
)
def test_what_a_table_alone_tells_is_no_look_up_of_combat(question: str) -> None:
    assert not isinstance(understand(question, BOOK), Lookup)


def test_which_armor_class_is_harder_to_hit_is_not_guessed() -> None:
    bare = book("# Troll\n\n|||\n|---|---|\n| Armor Class | 4 |\n| Hit Dice | 6 |\n\n"
                "# Frog\n\n|||\n|---|---|\n| Armor Class | 6 |\n| Hit Dice | 2 |\n\n"
                "One of ten frogs is a leader, with an attack equal to a monster of 3 hit dice, AC 3. "
                "Its spittle reaches those whose number equals its hit dice.\n")  # fmt: skip
    result = answer("Which is harder to hit, a troll or a frog?", bare)
    assert not reads_cells(understand("Is a troll harder to hit than a frog, going by armor class?", bare))
    bound = bare.binder.bind_by_words("Is a troll harder to hit than a frog, going by armor class?")
    assert bound is not None and "better" == bound.end
    assert (None, ["which way armor classes go"]) == (result.finding.verdict, [need.need for need in result.needs])


def test_what_betters_the_defense_is_no_bonus_to_hit() -> None:
    told = answer("What does a dexterity of 17 add to hit?", sample_book()).finding
    assert "Not found: bonus to hit of dexterity 17." == told.claim


def test_the_target_is_looked_for_first() -> None:
    known = Lexicon({title_key(name): name for name in ("clerics", "Troll")})
    plan = ByRules("What does a 3rd-level cleric need to hit a troll?", known).plan
    assert ["troll armor class hit dice"] == [each.text for each in plan.sub_queries]


def test_the_armor_class_on_the_way_is_a_whole_number() -> None:
    steps = answer("What does a 3rd level thief need to roll to hit a troll?", BOOK).finding.steps
    assert ["4", "17"] == [str(step.value) for step in steps]


WORN = book("""# Armory of the Reach

A lower armor class is better. Magic armor and shields better it by their plus.

| Armor class | What is worn |
|---|---|
| 10 | No armor |
| 9 | Shield only |
| 8 | Leather or padded coat |
| 7 | Leather or padded coat and shield, scale, or ring |
| 6 | Scale or ring and shield, or mail hauberk |
| 5 | Mail hauberk and shield, or plate |
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What armor class does plate give?", "5"),
        ("What armor class does scale and a shield give?", "6"),
        ("What is the armor class of a shield?", "9"),
        ("What is the armor class of leather?", "8"),
        ("What armor class does plate +2 give?", "3"),
        ("What armor class does no armor give?", "10"),
        ("What armor class does scale and a +1 shield give?", "5"),
    ],
)
def test_a_shield_is_of_the_armor_beside_it_and_a_bonus_of_what_it_stands_at(question: str, told: str) -> None:
    assert told == answer(question, WORN).finding.verdict


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("How likely is a troll to hit AC 4?", "chance to hit of troll against armor class 4"),
        ("Average damage of a long sword vs a troll", "damage of long sword (long sword) against troll"),
    ],
)
def test_how_likely_a_hit_is_and_what_a_weapon_does_on_average_are_no_fight(question: str, asked: str) -> None:
    intent = understand(question, sample_book())
    assert isinstance(intent, Lookup)
    assert asked == intent.described


def test_what_compares_is_no_part_of_a_name_and_nothing_found_is_told_of_all() -> None:
    result = answer("Who hits a grue more easily, a 3rd level druid or a 6th level cleric?", sample_book())
    assert "Not found: roll to hit of druid and cleric." == result.finding.claim
    assert ["the armor class of the grue"] == [need.need for need in result.needs]


@pytest.mark.parametrize(
    "question",
    [
        "My 5th-level fighter swings at a basilisk. What must I roll?",
        "lvl 5 fighter attacking a basilisk - d20 roll needed?",
        "What does a fighter of level five have to roll to hit a basilisk?",
    ],
)
def test_who_attacks_a_creature_needs_a_roll_to_hit_it(question: str) -> None:
    lookup = understand(question, sample_book())
    assert isinstance(lookup, Lookup)
    assert (Measure.TO_HIT, [("fighter", 5)], ["basilisk"]) == (
        lookup.measure,
        [(who.subject, who.level) for who in lookup.of],
        [who.subject for who in lookup.against],
    )


@pytest.mark.parametrize(
    "question",
    [
        "Who gets to level eight sooner in XP, the paladin or the ranger?",
        "Is 8th level reached on fewer experience points by a paladin or by a ranger?",
        "xp level 8 paladin vs ranger",
    ],
)
def test_a_word_beside_a_level_is_nobody_where_others_are_known(question: str) -> None:
    lookup = understand(question, sample_book())
    assert isinstance(lookup, Lookup)
    assert [("paladin", 8), ("ranger", 8)] == [(who.subject, who.level) for who in lookup.of]
