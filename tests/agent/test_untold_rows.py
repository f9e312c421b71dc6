"""A value is of the row that the question chooses; what names the table alone chooses none."""

from __future__ import annotations

import pytest

from tests.kit import answer, book, library

SONGS = book("""# Barge Songs

The songs of the crews.

| Crew | Song | Author | Duration | Verses |
|---|---|---|---|---|
| Hull | Low Water | Ida Marsh | 63 | 4 |
| Goole | Come Home the Tide | Jon Pell | 90 | 5 |
| Selby | Tow Line | Kit Lowe | 75 | 3 |

# Moorings

| Basin | Old Quay | New Quay |
|---|---|---|
| **Basin size** | **# Rings** | **# Posts** |
| North | 4 | 8 |
| South | 6 | 2 |
""")

INNS = library(
    {
        "inns/river.md": "# 1. River inns\n\n## Heron\n\n- Beds: 12\n- Rent: 30\n\n## Ibis\n\n- Beds: 9\n- Rent: 25\n",
        "inns/old.md": "# 2. Old inns\n\n## Kite\n\n- Beds: 14\n- Rent: 35\n\n## Lark\n\n- Beds: 8\n- Rent: 20\n",
        "inns/hostels.md": "# 3. Hostels\n\n## Rook\n\n- Beds: 40\n- Rent: 10\n\n## Swan\n\n- Beds: 7\n- Rent: 15\n",
    }
)


@pytest.mark.parametrize(
    "question",
    [
        "Where does the length of the barge songs come from?",
        "How long are the barge songs?",
        "How big are the moorings of Old Quay?",
    ],
)
def test_what_names_a_table_is_told_no_value_of_one_row(question: str) -> None:
    bound = SONGS.binder.bind_by_words(question)

    assert bound is None or len(bound.readings[0].found) > 1


def test_a_row_that_is_named_is_told() -> None:
    assert answer("How long is the barge song of Goole?", SONGS).finding.verdict == "90"


def test_a_word_of_several_groups_may_be_said_of_all() -> None:
    reasoned = answer("Which inn has the most beds?", INNS)

    assert reasoned.needs or reasoned.finding.verdict == "Rook"
