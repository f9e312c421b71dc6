"""A kind is told apart by what is said of its members in brief; a word in a sentence about one makes it nothing."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

SETTINGS = book("""# Settings

| Setting | Description |
|---|---|
| PLACE_REF | The site where the mill was built. Example: north-2 |
| REF | The number of the mill, which changes each time that it is sold |
| STORE | Where the flour is kept until somebody fetches it |

# Breeds

| Breed | Known for | Kept in |
|---|---|---|
| Marsh goat | A proud climber with a keen sense of smell, a loud voice and very sharp horns | stable, open pen |
| Hill goat | Sturdy walkers that know each path well, and never get lost above the trees | open pen |

# Tools

| Tool | Force | Price |
|---|---|---|
| Awl | 6 | 120 kr |
| Adze | 8 | 90 kr |

## Makeshift

| Size | Tool force |
|---|---|
| light | 2 |
| one-handed | 3 |
| two-handed | 4 |
""")


@pytest.mark.parametrize("question", ["How many mill sites are there?", "Which breeds have a keen sense of smell?"])
def test_a_word_in_a_sentence_neither_counts_nor_lists(question: str) -> None:
    result = answer(question, SETTINGS)
    assert result.finding.verdict is None
    assert result.needs


def test_a_list_of_brief_values_does() -> None:
    assert "Marsh goat" == answer("Which breeds are kept in a stable?", SETTINGS).finding.verdict


@pytest.mark.parametrize("question", ["What's the priciest tool?", "Which tool is the most expensive?"])
def test_an_adjective_ranks_by_a_measure_that_it_speaks_of_and_by_no_other(question: str) -> None:
    assert "Awl" == answer(question, SETTINGS).finding.verdict
