"""House rules in sentences: who does what, how, when and what happens, however the question says it."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

RULES = book("""# Stores rules

The hatch is open from 05:30 to 22:00 on weekdays and from 07:00 to 18:00 on Saturdays. It stays shut on Sundays. \
Outside these hours the duty engineer holds the key, and a driver may not draw parts without the duty engineer.

A part that has been dropped goes into the yellow cage, even if it looks sound, and is inspected by the foreman before \
it is fitted. Dropped brake parts are not inspected but scrapped at once.

# Library rules

Damp copies are never put back in the box. They are dried between blotting paper for two days and then pressed under \
the hymn books. Pencil marks are rubbed out before a set is returned.

New members pay a joining fee of 15 euro. Singers under 18 need a parent's signature.

# Sled rules

One sled carries at most two guests, who together may weigh no more than 160 kg. The dogs are fed twice a day, at \
seven and at five. Guests get a thermal suit and boots; mittens can be bought at the desk. A tour is called off when \
it is colder than -35 °C.
""")
QUOTES = {
    "What happens to dropped brake parts?": "scrapped at once",
    "Who inspects a dropped part?": "by the foreman",
    "Where does a dropped part go?": "yellow cage",
    "Who has the key outside these hours?": "duty engineer holds the key",
    "How are damp copies dried?": "between blotting paper",
    "How long are damp copies dried?": "for two days",
    "How much do new members pay?": "15 euro",
    "What do singers under 18 need?": "a parent's signature",
    "Who needs a parent's signature?": "Singers under 18",
    "When are dogs fed?": "at seven and at five",
    "How often are the dogs fed?": "twice a day",
    "What do guests get?": "a thermal suit",
    "Where can mittens be bought?": "at the desk",
    "At what temperature is a tour called off?": "-35 °C",
    "What is rubbed out before a set is returned?": "Pencil marks",
}


@pytest.mark.parametrize("question", QUOTES)
def test_the_sentence_that_tells_it_is_quoted(question: str) -> None:
    found = answer(question, RULES)

    assert QUOTES[question] in found.finding.claim
    assert not found.needs


@pytest.mark.parametrize(
    "question",
    [
        "What happens to late singers?",
        "Who dries the damp copies?",
        "How much do guests pay?",
        "When are the guests fed?",
        "Where can boots be returned?",
        "Who inspects the sled?",
    ],
)
def test_a_sentence_about_something_else_is_no_answer(question: str) -> None:
    assert answer(question, RULES).needs
