"""Sentences that stand in cells, under questions, or behind several labels."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

MANUAL = book("""# Kiln

* **Loader** -- At least 20 years old; a test each year. The record load is 8.1 kg, lifted in 2006.
* **Stoker** -- Keeps the fire. Works in pairs.

## Questions

**Can two kilns share one flue?** Yes, as long as both burn the same wood.

**May I open the door early?** Never.

## Firing

Tighten the two door screws to 4 N·m. The first glow comes at 196 °C at the door, and the second glow at about 224 °C.
The kiln needs a warm-up of three minutes. K-3: Highest heat on record: 1312 °C on 4 June 2013.
The keeper of Lower Kiln is Ada Holt.
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the record load of the loader?", "8.1 kg"),
        ("Can two kilns share one flue?", "Yes, as long as both burn the same wood"),
        ("To what torque are the door screws tightened?", "4 N"),
        ("At what temperature does the second glow come?", "224"),
        ("How long does the kiln need to warm up?", "three minutes"),
        ("What is the highest heat on record at K-3?", "1312"),
        ("Who is the keeper of Lower Kiln?", "Ada Holt"),
    ],
)
def test_a_sentence_answers_with_what_stands_before_it(question: str, told: str) -> None:
    found = answer(question, MANUAL)

    assert told in found.finding.claim
    assert not found.needs


@pytest.mark.parametrize(
    "question",
    [
        "Can two kilns share one chimney?",
        "What is the lowest heat on record at K-3?",
        "What is the record load of the stoker?",
        "At what temperature does the third glow come?",
    ],
)
def test_another_question_is_not_answered_so(question: str) -> None:
    assert answer(question, MANUAL).needs


RULES = book("""# Rafts

Dogs are not taken in rafts. Opening a gate without the keeper is fined 150.00; the gate is then locked.

The tanker may not cross the bridge, which carries no more than 12 tonnes.
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Are dogs taken in rafts?", "Dogs are not taken"),
        ("What is the fine for opening a gate without the keeper?", "150.00"),
        ("Is the tanker allowed to cross the bridge?", "may not cross"),
    ],
)
def test_rules_answer_what_they_rule(question: str, told: str) -> None:
    found = answer(question, RULES)

    assert told in found.finding.claim
    assert not found.needs


@pytest.mark.parametrize("question", ["Are cats taken in rafts?", "Is the tanker allowed to pass the tunnel?"])
def test_rules_for_others_do_not(question: str) -> None:
    assert answer(question, RULES).needs
