"""Who passes by what a long value says, and lists of a value that those have who pass: pages of ferries."""

from __future__ import annotations

import pytest

from tests.agent.at_hand import answered_at_hand, bind_at_hand
from tests.kit import Book, library

FERRIES = {
    "Wren": ("Originally built by Åsa Holt and her crew, a member of the Harbour Guild.", "Tarn", "Open", "2009"),
    "Rook": ("Built and lent by Åsa Holt, a member of the Harbour Guild, for a race.", "Mere", "Closed", "2011"),
    "Sedge": ("Originally built by Piet Maas and his two sons in the yard of the old town.", "Tarn", "Open", "2012"),
    "Brook": ("Originally lent by Piet Maas and released under the Slow Water project.", "Fen", "Open", "2013"),
    "Heron": ("Originally built by Ida Lund and released under the Slow Water project.", "Fen", "Held", "2014"),
    "Plover": ("Kept by the town.", "Upper Fen", "Open", "2015"),
}


def _page(name: str, builder: str, river: str, licence: str, year: str) -> str:
    labels = {"Yard or owner": builder, "Ferry river": river, "Licence": licence, "Year": year}
    return f"# {name} ferry\n\n" + "".join(f"- {label}: {value}\n" for label, value in labels.items())


BOOK: Book = library({f"pages/{name.lower()}.md": _page(name, *own) for name, own in FERRIES.items()})


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("How many ferries were built by Åsa Holt?", "2"),
        ("Which ferries were lent by Åsa Holt?", "Rook ferry"),
        ("Which ferries were lent by Piet Maas?", "Brook ferry"),
        ("How many ferries were released under the Slow Water project?", "2"),
    ],
)
def test_a_name_that_a_long_value_says_chooses_with_the_word_before_it(question: str, verdict: str) -> None:
    found = answered_at_hand(question, BOOK.chunks)

    assert found is not None
    assert verdict == found.finding.verdict


@pytest.mark.parametrize(
    "question",
    [
        "Which trips of the Heron ferry are licenced open?",  # its licence is held, and others have one that is open
        "How many ferries were sold by Åsa Holt?",
        "How many ferries were not built by Åsa Holt?",
        "How many ferries were built by Åsa Lund?",
        "How many ferries were built in the town?",
    ],
)
def test_what_is_not_said_so_chooses_nobody(question: str) -> None:
    assert bind_at_hand(question, BOOK.chunks) is None
