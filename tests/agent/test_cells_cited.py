"""Who cites a cell tells what is in it, whatever its column is called; but of its row, and not of another's."""

from __future__ import annotations

import pytest

from agent.types import CellRef
from agent.writing.checking import prose
from agent.writing.checking.cited import Source, cited
from retrieval.types import Passage
from tests.kit import book

ARMS = book("""# Arms

| Arm | Rng | Dur |
|---|---|---|
| Rifle, long | 100 | 12 |
| Rifle, short | 60 | 25 |
| Sling | 45 | 8 |
""")
CHUNK = ARMS.chunks[0]
CELLS = {
    1: ("Rifle, long / Rng = 100", CellRef(0, 0, 1)),
    2: ("Rifle, short / Rng = 60", CellRef(0, 1, 1)),
    3: ("Sling / Dur = 8", CellRef(0, 2, 2)),
}


@pytest.mark.parametrize(
    ("sentence", "is_right"),
    [
        ("The long rifle reaches 100 [1].", True),
        ("The long rifle reaches farther, 100 [1] against 60 [2].", True),
        ("The long rifle reaches farther, 60 [2] against 100 [1].", False),
        ("The long rifle reaches 60 [2], the short one 100 [1].", False),
        ("The long rifle reaches 120 [1].", False),
        ("The sling lasts for 8 [3].", True),
        ("The difference is 40 [1][2].", True),
        ("The difference is 41 [1][2].", False),
        ("The long one reaches 40 [1][2].", False),
        ("The sling lasts for 25 [3].", False),
    ],
)
def test_a_number_is_that_of_the_cell_whose_mark_stands_behind_it(sentence: str, is_right: bool) -> None:
    made = cited(sentence, {n: Source(CHUNK, quote, cell) for n, (quote, cell) in CELLS.items()})
    wrong = prose.verify(made.text, (), made.citations, [Passage(CHUNK, 0.9, 0.1, ("q1",))], "?")
    assert is_right == (() == wrong)
