"""Pages whose titles are alike but for a name or two: fact sheets of barges, some of them in several revisions."""

from __future__ import annotations

import pytest

from tests.agent.at_hand import answered_at_hand, bind_at_hand
from tests.kit import Book, library

BARGES = {
    "wren/v0.1.0": ("Wren", "May 2, 2009", "Built by Ada Holt", "31", "12"),
    "wren/v0.2.0": ("Wren", "June 9, 2011", "Built by Ada Holt", "29", "11"),
    "rook/v1.0.0": ("Rook", "May 4, 2010", "Built by Piet Maas", "44", "17"),
    "upper-sedge/v1.0.0": ("Upper Sedge", "July 1, 2012", "Built by Ida Lund", "52", "25"),
    "tarn/v2.0.0": ("Tarn", "March 3, 2013", "Built by Ada Holt", "38", "16"),
    "brook/v1.0.0": ("Brook", "April 8, 2014", "Lent by Piet Maas", "61", "30"),
    "mere/v1.0.0": ("Mere", "August 6, 2015", "Built by Ida Lund", "47", "19"),
    "fen/v1.0.0": ("Fen", "August 7, 2016", "Built by Ida Lund", "49", "21"),
}


def _page(folder: str, name: str, date: str, builder: str, full: str, half: str) -> str:
    return f"""# Barge sheet for {name} TRL

## Barge facts

- Yard or owner: {builder} and her crew.
- Barge haunt: {name} / {name} river
- Barge date: {date}
- Barge type: `Sail-and-Oar`
- Barge version: `{folder.rpartition("/")[2]}`
- Licence: OPEN

## Trials

|Trial|TTM|TTH|
|-----|---|---|
|Long run|{full} min|{half} min|
"""


_ROWS = "|Part|Length|Wood|\n|---|---|---|\n|Mast|{mast} m|Fir|\n|Boom|{boom} m|Oak|\n"


def _with_parts(name: str, mast: int, boom: int) -> str:
    files = "#### Chart sizes\n\n- `north.map`: 221K\n- `south.map`: 46M\n"
    return f"# Barge sheet for {name} TRL\n\n## Part lengths\n\n{_ROWS.format(mast=mast, boom=boom)}\n{files}"


_REVISED = ("Wren r1.1", "Rook r2.0", "Old Fen r1.3")
PARTS: Book = library({f"parts/{n}.md": _with_parts(name, 9 + n, 4 + n) for n, name in enumerate(_REVISED)})
"""Tables of one form, of which each row is a chunk that has the page in its title."""


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Is the mast of the Wren or of the Rook longer?", "Rook"),
        ("How big is north.map of the Wren barge?", "221K"),
        ("How big is south.map of the Rook?", "46M"),
    ],
)
def test_the_parts_of_a_page_are_no_other_things_of_its_name(question: str, verdict: str) -> None:
    found = answered_at_hand(question, PARTS.chunks)

    assert found is not None
    assert verdict in str(found.finding.verdict)


SHEETS: Book = library({f"barges/{folder}/SHEET.md": _page(folder, *own) for folder, own in BARGES.items()})


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the licence of the Rook?", "OPEN"),
        ("Tarn TTM?", "38 min"),
        ("TTH of the Upper Sedge barge?", "25 min"),
        ("TTM of Wren v0.2.0?", "29 min"),
        ("Barge date of Wren v0.1.0?", "May 2, 2009"),
        ("Has the Fen or the Mere the higher TTM?", "Fen"),
        ("Which version is the Tarn barge?", "v2.0.0"),
    ],
)
def test_a_page_is_called_by_what_others_do_not_share_of_its_title(question: str, verdict: str) -> None:
    found = answered_at_hand(question, SHEETS.chunks)

    assert found is not None
    assert verdict == found.finding.verdict


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("When was the Rook barge launched?", "May 4, 2010"),
        ("On which day was the Tarn barge made?", "March 3, 2013"),
    ],
)
def test_when_something_was_is_its_only_date_that_is_of_nothing_else(question: str, verdict: str) -> None:
    found = answered_at_hand(question, SHEETS.chunks)

    assert found is not None
    assert verdict == found.finding.verdict


@pytest.mark.parametrize(
    "question",
    [
        "Who launched the Rook sail-and-oar barge?",  # a haunt is no person, and neither is a type
        "When was the licence of the Rook barge changed?",  # the date is of the barge
    ],
)
def test_a_word_that_all_are_called_by_chooses_no_label(question: str) -> None:
    assert bind_at_hand(question, SHEETS.chunks) is None
