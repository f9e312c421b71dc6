"""Sentences that come back with other amounts under other names are records of what these name."""

from __future__ import annotations

import pytest

from retrieval.tables.cells import Grid
from tests.kit import Book, answer, book, library

_FACTS = {
    "TL9 Reed": ("261", "MCr35.928", "36", "six"),
    "TL9 Sedge": ("75", "MCr82.3", "13", "25"),
    "TL11 Rush": ("1,096.5", "MCr26.388", "428", "eleven"),
    "TL9 Ship's Tern": ("12", "MCr1,146.9", "60", "three"),
}
_TEXT = (
    "Built on a {2}0-ton hull (8 Hull), the {0} is seen on all routes, see Chapter {2}. There are {4} staterooms. "
    "Cargo capacity is {1} tons. The ship costs {2} (with discounts) and takes {3} weeks to build. It sails 4 seas."
)


def _of(name: str) -> str:
    cargo, cost, weeks, rooms = _FACTS[name]
    return _TEXT.format(name.partition(" ")[2], cargo, cost, weeks, rooms)


SHIPS = book(
    "# Vessels\n\nThese are all 4 of them.\n\n" + "\n\n".join(f"## {name}\n\n{_of(name)}" for name in _FACTS) + "\n"
)
PAGES = library({f"ships/{name.lower()}.md": f"# {name}\n\n{_of(name)}\n" for name in _FACTS})


@pytest.mark.parametrize("ships", [SHIPS, PAGES])
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What does the Reed cost?", "MCr 35.928"),
        ("Which costs more, the Reed or the Rush?", "TL9 Reed"),
        ("Which has more cargo capacity, the Reed or the Rush?", "TL11 Rush"),
        ("How long does it take to build the Sedge?", "13 weeks"),
        ("Which has more staterooms, the Rush or the Ship's Tern?", "TL11 Rush"),
        ("How many staterooms does the Reed have?", "6 staterooms"),
    ],
)
def test_what_sentences_tell_of_each_thing_is_found_by_its_name(question: str, told: str, ships: Book) -> None:
    said = answer(question, ships)

    assert (told, ()) == (said.finding.verdict, said.needs)


def test_the_best_of_all_is_found() -> None:
    said = answer("Which vessel takes the longest to build?", SHIPS)

    assert ("TL11 Rush", ()) == (said.finding.verdict, said.needs)


def test_a_citation_quotes_the_sentence() -> None:
    said = answer("What does the Reed cost?", SHIPS)

    assert ["The ship costs MCr35.928 (with discounts) and takes 36 weeks to build."] == [
        citation.quote for citation in said.citations
    ]


def test_the_sentences_are_kept_with_the_cells() -> None:
    [grid] = (grid for chunk in SHIPS.chunks if chunk.title == "TL9 Reed" for grid in Grid.from_chunk(chunk))

    assert grid == Grid.from_json(grid.chunk_id, grid.number, grid.to_json())


def test_the_prose_stays_as_it_is() -> None:
    texts = [chunk.text for chunk in SHIPS.chunks if chunk.title == "TL9 Reed"]

    assert [f"Vessels > TL9 Reed\n{_of('TL9 Reed')}"] == texts
    assert {"section"} == {chunk.chunk_type for chunk in SHIPS.chunks}


def _told(*texts: str) -> set[tuple[str, str]]:
    """The labels and values that are read in sections of these texts."""
    names = ("Reed", "Sedge", "Rush", "Tern", "Lark", "Wren", "Rook", "Fen")
    parts = (f"## {name}\n\n{text}\n" for name, text in zip(names, texts, strict=False))
    chunks = book("# Boats\n\n" + "\n".join(parts)).chunks
    return {(row[0], row[1]) for chunk in chunks for table in chunk.tables for row in table.rows if table.sentences}


def test_a_name_and_what_is_said_of_it_are_left_out() -> None:
    texts = "A typical Reed weighs 3 tons.", "The old Sedge weighs about 5 tons.", "The Rush (a barge) weighs 7 tons."

    assert {("weighs", "3 tons"), ("weighs", "about 5 tons"), ("weighs", "7 tons")} == _told(*texts)


def test_a_part_of_a_thing_is_not_the_thing() -> None:
    texts = "A Reed is 3 feet long.", "A Sedge is 5 feet long.", "A Rush is 7 feet long.", "Its oar is 9 feet long."

    assert {"3 feet long", "5 feet long", "7 feet long"} == {value for _, value in _told(*texts)}
    assert not {value for _, value in _told(*texts[:2], texts[3])}


def test_amounts_of_several_things_are_told_apart() -> None:
    texts = [f"It can carry {n} passengers. Laden it can carry {n + 9} long tons." for n in (3, 5, 8)]

    assert {"carry passengers", "carry long tons"} == {label for label, _ in _told(*texts)}


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(["She weighs 3 tons.", "She weighs 5 tons."], id="two only"),
        pytest.param([*(f"She weighs {n} tons." for n in (3, 5, 7)), *["She is fast."] * 4], id="few of many"),
        pytest.param(["She needs 2 permits."] * 4, id="the same of all"),
        pytest.param([f"She weighs {n} tons. Now she weighs {n + 1} tons." for n in (3, 5, 7)], id="twice"),
        pytest.param([f"More is said in Chapter {n}." for n in (3, 5, 7)], id="a reference"),
        pytest.param([f"A storm does {n}d6 damage." for n in (3, 5, 7)], id="dice"),
        pytest.param([f"She was the {n}th of her sort." for n in (4, 5, 7)], id="a place in an order"),
        pytest.param(["She weighs 3 tons.", "She weighs 5 tons.", "She may not weigh 7 tons."], id="denied"),
        pytest.param([f"weight = {n} tons." for n in (3, 5, 7)], id="code"),
        pytest.param([f"She weighs {n} to {n + 2} tons." for n in (3, 5, 7)], id="a range"),
    ],
)
def test_what_is_no_fact_of_each_is_prose(texts: list[str]) -> None:
    assert set() == _told(*texts)


def test_the_best_of_those_of_whom_it_is_told_may_not_be_the_best_of_all() -> None:
    told = [(name, f"Cargo capacity is {n} tons.") for n, name in enumerate("Fen Mere Tarn Wren Rook Lark".split(), 7)]
    told.append(("Tern", "Its vast hold takes many tons."))
    parts = (f"## {name}\n\n{text} She has a crew of {n}.\n" for n, (name, text) in enumerate(told, 3))
    boats = book("# Boats\n\n" + "\n".join(parts))

    assert ["Cargo capacity of the others"] == [
        need.need for need in answer("Which boat has the largest cargo capacity?", boats).needs
    ]


def test_a_kind_by_the_beginning_of_its_word_ranks_nothing() -> None:
    parts = "\n".join(
        f"## {name}\n\nA sheet with {n} entries.\n" for name, n in (("Port data", 3), ("Fees", 9), ("Lock data", 5))
    )

    assert answer("Which dataset has the most entries?", book(f"# Lists\n\n{parts}")).needs
