"""Which tables crowd each other, and what sets each of them apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ingest.families import Captioned, find_families, has_lookup_rows, subject_terms
from retrieval.types import Table

MATRIX = "ATTACK MATRIX FOR {}"


def table(caption: str, head: str = "Armor Class", keys: tuple[str, ...] = ("3", "4"), *columns: str) -> Captioned:
    others = columns or ("Level 1-3", "Level 4-6")
    rows = tuple((key, *("x" for _ in others)) for key in keys)
    return Captioned(Table(caption, ((head,), *((c,) for c in others)), rows), (caption, "Combat"))


def members(*tables: Captioned) -> list[tuple[int, ...]]:
    return [family.members for family in find_families(tables)]


def test_two_tables_with_numbers_for_keys_are_a_family() -> None:
    assert [(0, 1)] == members(table(MATRIX.format("CLERICS")), table(MATRIX.format("FIGHTERS")))


def test_a_table_of_its_kind_alone_is_no_family() -> None:
    assert [] == members(table(MATRIX.format("CLERICS")))
    assert [] == members(table(MATRIX.format("CLERICS")), table("TURNING MATRIX", "Undead", ("3", "4")))


def test_tables_keyed_by_words_crowd_from_three_on() -> None:
    names = ("Forest", "Hill", "Plain")
    terrains = [table(f"{name} Encounters", "Creature", ("Orc", "Elf"), "Number") for name in names]

    assert [] == members(*terrains[:2])
    assert [(0, 1, 2)] == members(*terrains)


@pytest.mark.parametrize("head", ["d%", "d100", "1d20", "Die Roll", "Die", "Roll", "Dice Score", "%", "Percentage"])
def test_tables_in_which_a_die_picks_the_row_are_none(head: str) -> None:
    assert [] == members(*(table(f"{name} Treasure", head, ("01-50", "51-00")) for name in ("Forest", "Hill", "Plain")))


@pytest.mark.parametrize(
    "odd",
    [
        Table("x", ((), ()), (("AC", "5"), ("HD", "3"))),
        Table("x", (("A",),), (("1",), ("2",))),
        Table("x", (("A",), ("B",)), (("1", "2"),)),
        Table("x", ((), ("B",)), (("1", "2"), ("2", "3"))),
        Table("x", (("A",), ("B",)), (("1", "2"), ("1", "3"))),
        Table("x", (("A",), ("B",)), (("1", "2"), ("", "3"))),
        Table("x", (("A",), ("B",)), (("1", "2"), ("long " * 20, "3"))),
    ],
    ids=["record", "one column", "one row", "no head", "key twice", "no key", "prose for a key"],
)  # fmt: skip
def test_rows_that_no_key_looks_up(odd: Table) -> None:
    assert not has_lookup_rows(odd)


def test_another_head_or_other_columns_are_another_family() -> None:
    base = [table(f"{name} Saves", "Level", ("1-3", "4-6"), "Death", "Spells") for name in ("Cleric", "Thief")]
    other = [table(f"{name} Saves", "Level", ("1-3", "4-6"), "Gold", "Silver") for name in ("Cleric", "Thief")]

    assert [(0, 2), (1, 3)] == members(base[0], other[0], base[1], other[1])


def test_captions_that_share_no_word_are_no_family() -> None:
    assert [] == members(table("Attack of Clerics"), table("Turning Undead"))


@pytest.mark.parametrize(
    ("caption", "subjects"),
    [
        ("I.A. ATTACK MATRIX FOR CLERICS, DRUIDS AND MONKS", ("clerics", "druids", "monks")),
        ("ATTACK MATRIX FOR MAGIC-USERS & ILLUSIONISTS*", ("magic-users", "illusionists")),
        ("Table 3: Attack Matrix for Thieves/Assassins", ("thieves", "assassins")),
        ("Attack Matrix for “Élite” Guards", ("elite guards",)),
    ],
)
def test_the_subject_is_what_the_shared_words_leave(caption: str, subjects: tuple[str, ...]) -> None:
    tables = [table(caption), table("Attack Matrix for Fighters")]
    (family,) = find_families(tables)

    assert subjects == subject_terms(tables[0].names, family)
    assert ("fighters",) == subject_terms(tables[1].names, family)


def test_a_caption_that_says_nothing_of_its_own_takes_the_next_heading() -> None:
    same = table("To Hit Table").table
    one, two = (Captioned(same, ("To Hit Table", name, "Classes")) for name in ("Druids", "Bards"))
    (family,) = find_families([one, two])

    assert ("druids",) == subject_terms(one.names, family)
    assert ("bards",) == subject_terms(two.names, family)


def test_a_qualifier_after_the_topic_leaves_the_topic_as_subject() -> None:
    captions = ("Psionic Blast Attack, Short Range", "Psionic Blast Attack, Long Range")
    tables = [table(caption, "Intelligence + Wisdom", ("6-9", "10-13"), "Roll") for caption in captions]
    (family,) = find_families(tables)

    assert ("psionic", "psionic blast", "psionic blast attack") == subject_terms(tables[0].names, family)


WORDS = "Attack Matrix for of , and & ( “ * † - : Clerics Élan I.A. Table 3".split()
CAPTIONS = st.lists(st.sampled_from(WORDS), max_size=8)


@given(st.lists(CAPTIONS.map(" ".join) | st.text(max_size=12), min_size=2, max_size=4))
def test_no_caption_raises_and_every_table_is_in_one_family_at_most(captions: list[str]) -> None:
    tables = [table(caption) for caption in captions]
    families = find_families(tables)
    placed = [member for family in families for member in family.members]

    assert len(set(placed)) == len(placed)
    for family in families:
        for member in family.members:
            assert all(isinstance(term, str) and term for term in subject_terms(tables[member].names, family))
