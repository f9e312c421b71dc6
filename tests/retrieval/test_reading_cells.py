"""Reading a cell: against direct computation for every way of laying out a table, and honest absence."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.reasoning.notebook import Notebook
from agent.types import CellRef
from retrieval.tables.measures import want_score
from retrieval.tables.names import same_name
from retrieval.tables.reading import CellQuery, Reading, read_cell, read_cells
from retrieval.types import Chunk, Table


def chunk(*tables: Table, title: str = "Combat", headings: tuple[str, ...] = ()) -> Chunk:
    return Chunk("c", "", title, headings=headings, tables=tables)


def text_of(cell: Reading | None) -> str | None:
    return cell.text if cell is not None else None


@dataclass(frozen=True)
class Matrix:
    """A lookup by level and armor class, as data: the last band is open."""

    starts: tuple[int, ...]
    classes: tuple[int, ...]

    def bands(self, name: str) -> list[str]:
        pairs = zip(self.starts, self.starts[1:], strict=False)
        ends = [f"-{after - 1}" if after - 1 > start else "" for start, after in pairs]
        return [f"{name}{start}{end}" for start, end in zip(self.starts, [*ends, "+"], strict=True)]

    def cell(self, band: int, column: int) -> str:
        return str(1000 + 100 * band + column)

    def answer(self, level: int, armor_class: int) -> str | None:
        band = max((i for i, start in enumerate(self.starts) if start <= level), default=None)
        if band is None or armor_class not in self.classes:
            return None
        return self.cell(band, self.classes.index(armor_class))

    def by_armor_class(self, heads: list[tuple[str, ...]]) -> Table:
        rows = [
            (str(ac), *(self.cell(b, c) for b in range(len(self.starts)))) for c, ac in enumerate(self.classes)
        ]  # fmt: skip
        return Table("ATTACK MATRIX FOR CLERICS", (("Opponent Armor Class",), *heads), tuple(rows))

    def by_level(self, keys: list[str], heads: list[tuple[str, ...]]) -> Table:
        rows = [(key, *(self.cell(b, c) for c in range(len(self.classes)))) for b, key in enumerate(keys)]
        return Table("ATTACK MATRIX FOR CLERICS", (("Level",), *heads), tuple(rows))

    def tables(self) -> dict[str, Table]:
        classes = [str(ac) for ac in self.classes]
        return {
            "named bands across": self.by_armor_class([(band,) for band in self.bands("Level ")]),
            "bands under a spanning head": self.by_armor_class([("Attacker’s Level", band) for band in self.bands("")]),
            "bare bands across": self.by_armor_class([(band,) for band in self.bands("")]),
            "classes under a spanning head": self.by_level(self.bands(""), [("Roll to hit AC", ac) for ac in classes]),
            "named classes across": self.by_level(self.bands(""), [(f"AC {ac}",) for ac in classes]),
            "bare classes across": self.by_level(self.bands(""), [(ac,) for ac in classes]),
            "named bands down": self.by_level(self.bands("Level "), [("Armour Class", ac) for ac in classes]),
        }


STARTS = st.lists(st.integers(1, 4), min_size=2, max_size=5).map(lambda steps: tuple(accumulate(steps)))
CLASSES = st.lists(st.integers(-10, 10), min_size=1, max_size=6, unique=True).map(tuple)


@given(st.builds(Matrix, STARTS, CLASSES), st.integers(0, 25), st.integers(-11, 11), st.booleans())
def test_every_layout_gives_the_cell_that_computation_gives(matrix: Matrix, level: int, ac: int, swap: bool) -> None:
    keys = (("level", str(level)), ("armor class", str(ac)))
    query = CellQuery("cleric", keys[::-1] if swap else keys)
    read = {layout: text_of(read_cell(query, [chunk(table)])) for layout, table in matrix.tables().items()}

    assert dict.fromkeys(read, matrix.answer(level, ac)) == read


@given(st.builds(Matrix, STARTS, CLASSES), st.integers(1, 25))
def test_another_subject_is_never_answered_for(matrix: Matrix, level: int) -> None:
    query = CellQuery("fighter", (("level", str(level)), ("armor class", str(matrix.classes[0]))))

    assert all(read_cell(query, [chunk(table)]) is None for table in matrix.tables().values())


BANDS = [("7-12",), ("8",), ("7-9",), ("1-20",)]


@pytest.mark.parametrize(("level", "text"), [("8", "b"), ("7", "c"), ("12", "a"), ("2", "d"), ("21", None)])
def test_the_narrowest_band_wins(level: str, text: str | None) -> None:
    across = Table("Fighters", (("Armor Class",), *BANDS), (("3", "a", "b", "c", "d"),))
    rows = tuple((band, cell) for (band,), cell in zip(BANDS, "abcd", strict=True))
    down = Table("Fighters", (("Level",), ("Roll",)), rows)

    assert text == text_of(read_cell(CellQuery("fighter", (("level", level), ("armor class", "3"))), [chunk(across)]))
    assert text == text_of(read_cell(CellQuery("fighter", (("level", level),), ("roll",)), [chunk(down)]))


STRENGTH = Table(
    "Strength",
    (("Score",), ("Bonus to Hit",), ("Bonus to Damage",), ("Minor Tests",)),
    (
        ("3", "-3", "-1", "1-1"),
        ("16", "None", "+1", "1-3"),
        ("18", "+1", "+2", "1-3"),
        ("18/51-75", "+2", "+3", "1-4"),
        ("18/00", "+3", "+6", "1-5"),
        ("19", "+4", "+7", "1-5"),
    ),
)


@pytest.mark.parametrize(
    ("score", "want", "text"),
    [("16", "damage", "+1"), ("18", "hit", "+1"), ("18/60", "bonus to damage", "+3"), ("18/00", "damage", "+6"),
     ("19", "damage", "+7"), ("17", "damage", None), ("16", "charm", None)],
)  # fmt: skip
def test_the_column_is_the_one_that_says_what_is_wanted(score: str, want: str, text: str | None) -> None:
    query = CellQuery("strength", (("score", score),), (want,))

    assert text == text_of(read_cell(query, [chunk(STRENGTH)]))


def test_earlier_wordings_are_preferred() -> None:
    table = Table("Orcs", (("Level",), ("Attacks",), ("Damage",)), (("1", "2", "1d8"),))

    assert "1d8" == text_of(read_cell(CellQuery("orc", (("level", "1"),), ("damage", "attacks")), [chunk(table)]))
    assert "2" == text_of(read_cell(CellQuery("orc", (("level", "1"),), ("attacks", "damage")), [chunk(table)]))
    assert "2" == text_of(read_cell(CellQuery("orc", (("level", "1"),), ("speed", "attacks")), [chunk(table)]))


WEAPONS = Table(
    "Weapons",
    (("Weapon",), ("Damage vs. Size", "S-M"), ("Damage vs. Size", "L"), ("Cost",)),
    (("Sword, long*", "1d8", "1d12", "15 gp"), ("Dagger", "1d4", "1d3", "2 gp"), ("Staff, quarter", "1d6", "—", "n/a")),
)


@pytest.mark.parametrize("name", ["long sword", "Long Swords", "sword, long", "longsword", "longswords"])
def test_spellings_of_a_name_read_one_row(name: str) -> None:
    assert "15 gp" == text_of(read_cell(CellQuery(name, (), ("cost",)), [chunk(WEAPONS)]))
    assert "1d12" == text_of(read_cell(CellQuery(name, (), ("damage L",)), [chunk(WEAPONS)]))


@pytest.mark.parametrize("name", ["short sword", "swordfish", "longs word", "long sword of fire"])
def test_a_part_of_a_name_is_another_thing(name: str) -> None:
    assert None is read_cell(CellQuery(name, (), ("cost",)), [chunk(WEAPONS)])


def test_a_dash_or_not_applicable_is_no_answer() -> None:
    assert [] == read_cells(CellQuery("quarter staff", (), ("cost",)), [chunk(WEAPONS)])
    assert [] == read_cells(CellQuery("quarter staff", (), ("damage L",)), [chunk(WEAPONS)])


OWLBEAR = Table("Owlbear", ((), ()), (("Armor Class", "5"), ("Hit Dice", "5+2"), ("Damage/Attack", "1-6/1-6/2-12")))


def test_a_stat_block_is_read_by_its_labels() -> None:
    records = [chunk(OWLBEAR, title="Owlbear")]

    assert "5+2" == text_of(read_cell(CellQuery("owlbears", (), ("HD",)), records))
    assert "5" == text_of(read_cell(CellQuery("owlbear", (), ("AC",)), records))
    assert None is read_cell(CellQuery("bear", (), ("hit dice", "HD")), [chunk(OWLBEAR, title="Owlbear")])
    assert None is read_cell(CellQuery("owlbear", (), ("alignment",)), records)
    assert None is read_cell(CellQuery("owlbear", (("level", "3"),), ("AC",)), records)


def test_the_quote_shows_where_the_cell_stands() -> None:
    record = read_cell(CellQuery("owlbear", (), ("HD",)), [chunk(OWLBEAR)])
    cell = read_cell(CellQuery("dagger", (), ("cost",)), [chunk(WEAPONS)])

    assert record is not None
    assert "Hit Dice = 5+2" == record.quote
    assert cell is not None
    assert "Weapon Dagger / Cost = 2 gp" == cell.quote


def test_a_fact_is_cited_down_to_its_cell() -> None:
    notebook = Notebook([chunk(OWLBEAR, WEAPONS)])
    fact = notebook.read(CellQuery("dagger", (), ("cost",)))

    assert fact is not None
    (citation,) = notebook.citations
    assert (fact.cite, CellRef(table=1, row=1, column=3)) == (citation.n, citation.cell)


def test_a_things_own_record_is_preferred_to_one_under_its_heading() -> None:
    young = Table("", ((), ()), (("Hit Dice", "3"),))
    own = Table("", ((), ()), (("Hit Dice", "9"),))
    chunks = [chunk(young, title="Hatchling", headings=("Dragon",)), chunk(own, title="Dragon")]

    assert ["9", "3"] == [cell.text for cell in read_cells(CellQuery("dragon", (), ("hit dice",)), chunks)]


BLOCKS = Table(
    "Giants",
    ((), ("Hill Giant",), ("Stone, Frost",), ("Fire Giant",)),
    (("Hit Dice:", "8+2", "9", "11"), ("Armor Class:", "4", "0", "-1")),
)


@pytest.mark.parametrize(
    ("name", "want", "text"),
    [("hill giants", "HD", "8+2"), ("giant, fire", "AC", "-1"), ("frost", "HD", "9"), ("cloud giant", "AC", None)],
)
def test_stat_blocks_side_by_side(name: str, want: str, text: str | None) -> None:
    assert text == text_of(read_cell(CellQuery(name, (), (want,)), [chunk(BLOCKS, title="Monsters")]))


CLASSES_TABLE = Table(
    "Attacks per Round",
    (("Class",), ("Level",), ("Attacks",)),
    (
        ("Fighter, Paladin", "1-6", "1/1"),
        ("Fighter, Paladin", "7-12", "3/2"),
        ("Ranger", "1-7", "1/1"),
        ("Monk or Mystic", "1-99", "2/1"),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "level", "text"),
    [("fighter", "7", "3/2"), ("paladins", "6", "1/1"), ("Ranger", "7", "1/1"), ("mystic", "3", "2/1"),
     ("thief", "3", None), ("ranger", "8", None)],
)  # fmt: skip
def test_a_class_column_may_list_several(name: str, level: str, text: str | None) -> None:
    first, second, third = CLASSES_TABLE.columns
    rows = tuple((b, a, c) for a, b, c in CLASSES_TABLE.rows)

    for one in (CLASSES_TABLE, Table(CLASSES_TABLE.caption, (second, first, third), rows)):
        assert text == text_of(read_cell(CellQuery(name, (("level", level),), ("attacks",)), [chunk(one)]))


def test_a_name_of_the_row_outranks_a_list_that_holds_it() -> None:
    table = Table("Saves", (("Class",), ("Roll",)), (("Fighter, Paladin", "a"), ("Paladin", "b")))

    assert "b" == text_of(read_cell(CellQuery("paladin", (), ("roll",)), [chunk(table)]))


def test_a_column_without_a_row_is_no_reading() -> None:
    matrix = Table("Clerics", (("Level",), ("AC", "3"), ("AC", "4")), (("19+", "5", "6"),))
    rates = Table("Clerics", ((), ("Level 1-3",), ("Level 4+",)), (("Attacks", "1", "2"), ("Parries", "3", "4")))

    assert None is read_cell(CellQuery("cleric", (("armor class", "4"),), ("roll",)), [chunk(matrix)])
    assert "2" == text_of(read_cell(CellQuery("cleric", (("level", "5"),), ("attacks",)), [chunk(rates)]))


def test_a_row_name_that_stands_twice_gives_no_reading() -> None:
    columns = ("Calling",), ("Rank",), ("Venom",)
    twice = Table("Trials", columns, (("Warriors", "1-2", "13"), ("Warriors", "3-4", "12"), ("Priests", "1-4", "11")))
    assert ["13", "12"] == [cell.text for cell in read_cells(CellQuery("Warriors", (), ("venom",)), [chunk(twice)])]
    assert read_cell(CellQuery("Warriors", (), ("venom",)), [chunk(twice)]) is None
    assert "11" == text_of(read_cell(CellQuery("Priests", (), ("venom",)), [chunk(twice)]))


def test_no_chunk_and_no_table_give_no_reading() -> None:
    assert None is read_cell(CellQuery("cleric", (("level", "7"),)), [])
    assert None is read_cell(CellQuery("cleric", (("level", "7"),)), [chunk()])


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [("Sword, long", "long sword", True), ("longsword", "sword, long", True), ("Owl Bear", "owlbear", True),
     ("owlbear", "bear", False), ("dragon, red", "dragon, black", False), ("", "", True), ("", "orc", False)],
)  # fmt: skip
def test_names(a: str, b: str, same: bool) -> None:
    assert same == same_name(a, b)
    assert same == same_name(b, a)


def test_a_head_that_shares_no_word_scores_nothing() -> None:
    assert 0 == want_score(("armor class",), "Hit Dice")
    assert 1 == want_score(("armor class",), "AC")
    assert 0 == want_score((), "AC")


CELLS = st.text(max_size=6) | st.sampled_from(["Level", "1-3", "Fighter", "AC", "7", "-3", "Roll"])


@st.composite
def grids(draw: st.DrawFn) -> Table:
    width = draw(st.integers(1, 4))
    row = st.lists(CELLS, min_size=width, max_size=width).map(tuple)
    heads = st.lists(st.lists(CELLS, max_size=2).map(tuple), min_size=width, max_size=width).map(tuple)
    return Table(draw(CELLS), draw(heads), tuple(draw(st.lists(row, max_size=3))))


@given(grids(), CELLS, CELLS, CELLS)
def test_whatever_is_read_stands_in_the_table(table: Table, subject: str, key: str, want: str) -> None:
    queries = CellQuery(subject, ((key, "2"),), (want,)), CellQuery(subject, (), (want,)), CellQuery("", (("", key),))
    for query in queries:
        for cell in read_cells(query, [chunk(table)]):
            assert any(cell.text in row for row in table.rows)
