"""Which tables crowd each other, and what sets each of them apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ingest.families import Captioned, find_families, has_lookup_rows
from retrieval.ingest.subjects import Subject, subjects
from retrieval.text.normal import phrase
from retrieval.types import OwnTerms, Table

MATRIX = "ATTACK MATRIX FOR {}"


def table(caption: str, head: str = "Armor Class", keys: tuple[str, ...] = ("3", "4"), *columns: str) -> Captioned:
    others = columns or ("Level 1-3", "Level 4-6")
    rows = tuple((key, *("x" for _ in others)) for key in keys)
    return Captioned(Table(caption, ((head,), *((c,) for c in others)), rows), (caption, "Combat"))


def about(*tables: Captioned) -> list[tuple[str, ...]]:
    """The terms of each table of the one family that these are."""
    return [subject.terms for subject in told(*tables)]


def told(*tables: Captioned) -> list[Subject]:
    (family,) = find_families(tables)
    return subjects([tables[member] for member in family.members], family)


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
    ("caption", "terms"),
    [
        ("I.A. ATTACK MATRIX FOR CLERICS, DRUIDS AND MONKS", ("clerics", "druids", "monks")),
        ("ATTACK MATRIX FOR MAGIC-USERS & ILLUSIONISTS*", ("magic-users", "illusionists")),
        ("Table 3: Attack Matrix for Thieves/Assassins", ("thieves", "assassins")),
        ("Attack Matrix for “Élite” Guards", ("elite guards",)),
    ],
)
def test_the_subject_is_what_the_shared_words_leave(caption: str, terms: tuple[str, ...]) -> None:
    assert [terms, ("fighters",)] == about(table(caption), table("Attack Matrix for Fighters"))


def test_a_caption_that_says_nothing_of_its_own_takes_the_next_heading() -> None:
    same = table("To Hit Table").table
    one, two = (Captioned(same, ("To Hit Table", name, "Classes")) for name in ("Druids", "Bards"))
    assert [("druids",), ("bards",)] == about(one, two)


def test_a_caption_that_most_have_takes_the_next_heading_though_some_have_another() -> None:
    same = table("Figures in use").table
    names = ("Elbe", "Weser", "Ems", "Oder", "Rhine", "Main")
    pages = [Captioned(same, ("Figures in use", name)) for name in names]
    other = table("Saale figures").table
    found = about(*pages, Captioned(other, ("Saale figures", "Saale")))
    assert [*((name.casefold(),) for name in names), ("saale",)] == found


BLAST = ("Psionic Blast Attack, Short Range", "Psionic Blast Attack, Long Range")


def blast(caption: str, *headings: str) -> Captioned:
    numbered = table(caption, "Intelligence + Wisdom", ("6-9", "10-13"), "Roll").table
    return Captioned(numbered, (*((caption,) if caption else ()), *headings))


def test_a_qualifier_after_the_topic_leaves_the_topic_as_subject_and_tells_apart() -> None:
    topic = ("psionic", "psionic blast", "psionic blast attack")
    assert [
        Subject(topic, OwnTerms(("short range", "short"), ("long range",))),
        Subject(topic, OwnTerms(("long range", "long"), ("short range",))),
    ] == told(*map(blast, BLAST))


def test_a_qualifier_in_a_bracket_may_be_named_instead_of_the_topic() -> None:
    assert [
        Subject(("near", "storm attack"), OwnTerms(("near",), ("far away",))),
        Subject(("far away", "storm attack"), OwnTerms(("far away",), ("near",))),
    ] == told(blast("Table 3: Storm Attack (near)"), blast("Table 4: Storm Attack (far away)"))


def test_headings_under_one_heading_are_qualifiers_of_it() -> None:
    above = ("Mind Lance upon Beasts", "Powers")
    topic = ("mind lance", "mind lance upon beasts")
    expected = [
        Subject(("short", *topic), OwnTerms(("short range", "short"), ("long range",))),
        Subject(("long", *topic), OwnTerms(("long range", "long"), ("short range",))),
    ]
    assert expected == told(blast("", "Short Range", *above), blast("", "Long Range", *above))


def test_captions_that_are_equal_under_such_headings_are_told_apart_by_them() -> None:
    above = ("Mind Lance", "Powers")
    one, two = told(blast("Effects", "Short Range", *above), blast("Effects", "Long Range", *above))
    assert ("mind lance" in one.terms, "mind lance" in two.terms) == (True, True)
    assert OwnTerms(("short range",), ("long range",)) == one.contain_own


def test_headings_that_repeat_their_topic_need_only_what_is_left_of_them() -> None:
    one, two = told(*(blast("", f"{name} Saving Throws", "Saving Throws") for name in ("Warden", "Hexer")))
    assert Subject(("warden", "saving throws"), OwnTerms(("warden",), ("hexer",))) == one
    assert Subject(("hexer", "saving throws"), OwnTerms(("hexer",), ("warden",))) == two


def test_a_heading_of_one_word_is_no_topic() -> None:
    one, _ = told(*(blast("", f"{name} Attacks", "Combat") for name in ("Warden", "Hexer")))
    assert Subject(("warden",)) == one


def test_a_subject_that_some_share_asks_for_the_others_where_one_of_these_is_named() -> None:
    captions = ("TEMPERATE CONDITIONS - DEEP WOODS", "TEMPERATE CONDITIONS - FARMS AND ROADS", "ARCTIC CONDITIONS")
    one, two, three = told(*map(blast, captions))
    assert Subject(("temperate", "deep woods"), OwnTerms(("deep woods",), ("farms", "roads"))) == one
    assert Subject(("temperate", "farms", "roads"), OwnTerms(("farms", "roads"), ("deep woods",))) == two
    assert Subject(("arctic",)) == three


WORDS = "Attack Matrix for of , and & ( ) “ Range Short * † - : Clerics Élan I.A. Table 3".split()
CAPTIONS = st.lists(st.sampled_from(WORDS), max_size=8)


@given(st.lists(CAPTIONS.map(" ".join) | st.text(max_size=12), min_size=2, max_size=4))
def test_no_caption_raises_and_every_table_is_in_one_family_at_most(captions: list[str]) -> None:
    tables = [table(caption) for caption in captions]
    families = find_families(tables)
    placed = [member for family in families for member in family.members]

    assert len(set(placed)) == len(placed)
    for family in families:
        for subject in subjects([tables[member] for member in family.members], family):
            apart = subject.contain_own or OwnTerms((), ())
            assert all(phrase(term) for term in (*apart.own, *apart.others))
            assert all(subject.terms)
