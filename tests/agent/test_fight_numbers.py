"""The numbers of fights over the books of `test_fight_books.py` and `test_fight_groups.py`.

Every number that is expected was worked out by hand from the book.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.agent import test_fight_books, test_fight_groups
from tests.kit import rolls_points_damage

BOOKS = test_fight_books.BOOKS | test_fight_groups.BOOKS

CASES = [
    # 7d8+2 and 4d10 are read as written; each strikes at the other's class.
    (
        "keep",
        "Who wins: a 4th level knight with AC 3 or a 7th level flamen with AC 5?",
        (13, 22.0, 4.5),
        (15, 33.5, 4.5),
    ),
    # The monsters' die is the book's.
    ("keep", "Would a lvl 4 knight in plate mail and shield defeat a kiln ogre?", (13, 22.0, 4.5), (14, 15.0, 5.5)),
    ("keep", "Fight: knight lvl 4 w/ knife AC 7 v. flamen lvl 4 AC 5", (13, 22.0, 2.5), (13, 18.0, 4.5)),
    (
        "keep",
        "4th-level knight (plate mail, shield, long sword) or kiln ogre: who wins?",
        (13, 22.0, 4.5),
        (14, 15.0, 5.5),
    ),
    (
        "keep",
        "Both are 4th level: a knight with AC 7 and a flamen with AC 3. Who wins?",
        (15, 22.0, 4.5),
        (13, 18.0, 4.5),
    ),
    (
        "keep",
        "A 4th level knight with AC 3 takes on a kiln ogre with 20 hp. Who wins?",
        (13, 22.0, 4.5),
        (13, 20.0, 5.5),
    ),
    ("keep", "Can a 4th level knight, unarmoured, beat a kiln ogre?", (13, 22.0, 4.5), (6, 15.0, 5.5)),
    (
        "keep",
        "A 1st level knight in chain mail is ambushed by a soot goblin with a knife",
        (13, 5.5, 4.5),
        (15, 16 / 6, 2.5),
    ),
    ("road", "Who wins: a 4th level sellsword with AC 16 or a brine ghoul?", (10, 22.0, 4.5), (14, 9.0, 2.5)),
    ("road", "Would a level 5 warlock in leather and shield beat a dune raider?", (11, 12.5, 4.5), (12, 4.5, 3.5)),
    (
        "road",
        "odds of a sellsword of 5th level, AC 14, with a great axe against a dune raider",
        (8, 27.5, 6.5),
        (13, 4.5, 3.5),
    ),
    (
        "lanterns",
        "Who wins: a 5th level guard with AC 4 or a 5th level alchemist with AC 7?",
        (10, 22.5, 4.5),
        (14, 12.5, 4.5),
    ),
    (
        "lanterns",
        "Can a third level alchemist with AC 7 and a cosh beat a sewer ghoul?",
        (13, 7.5, 2.5),
        (11, 9.0, 2.5),
    ),
    # A class without a matrix of its own has that of its group; beyond its name level it gains points and no dice.
    ("hollow", "Can a 4th level swordsman in chain beat a barrow hag?", (12, 22.0, 4.5), (10, 24.0, 23 / 6)),
    ("hollow", "Would an 11th level huntsman in chain defeat a fen troll?", (8, 47.0, 4.5), (8, 35.0, 14 / 3)),
    (
        "hollow",
        "What are the chances of a 2nd level hexer with AC 5, 7 hit points and a stiletto against a fen troll?",
        (17, 7.0, 2.5),
        (8, 35.0, 14 / 3),
    ),
    # Hit points by a die for each level, with what is added to each; what an arm does is the only dice of its table.
    (
        "fells",
        "Can a 4th level warden in full harness and shield with a glaive beat a crag adder?",
        (9, 22.0, 5.5),
        (18, 4.5, 2.0),
    ),
    ("fells", "3rd level poacher (AC 12, club) vs 3rd level outrider (AC 13)", (11, 10.5, 2.5), (9, 13.5, 4.5)),
    # The groups are the columns.
    (
        "salt",
        "A 6th level thegn and a 6th level skald, both in mail, duel. Who wins?",
        (11, 33.0, 4.5),
        (14, 21.0, 4.5),
    ),
    (
        "salt",
        "How would a 5th level skald in hide with a dirk fare against a kelpie?",
        (13, 17.5, 2.5),
        (10, 18.0, 7.0),
    ),
    (
        "salt",
        "Would a 4thlevel skald with AC 4 and a dirk survive a fight with a kelpie?",
        (14, 14.0, 2.5),
        (13, 18.0, 7.0),
    ),
    ("salt", "a pair of 5th level thegns in mail versus a draugr: the odds?", (12, 27.5, 4.5), (11, 23.5, 5.5)),
    ("salt", "Is a kelpie a fair fight for a 5th level thegn in mail?", (13, 18.0, 7.0), (11, 27.5, 4.5)),
    (
        "salt",
        "Can a 5th level thegn in hide beat a kelpie if the thegn has 30 hit points and an axe?",
        (11, 30.0, 4.5),
        (10, 18.0, 7.0),
    ),
]


@pytest.mark.parametrize(("name", "question", "first", "second"), CASES, ids=[case[1][:60] for case in CASES])
def test_rolls_hit_points_and_damage_are_those_of_the_book(
    name: str, question: str, first: tuple[Any, ...], second: tuple[Any, ...]
) -> None:
    read = rolls_points_damage(question, BOOKS[name])
    assert [pytest.approx(first, abs=1e-3), pytest.approx(second, abs=1e-3)] == read
