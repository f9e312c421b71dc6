"""Chunks: a row each for families, whole tables otherwise, stable ids, and not a word is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.filters.rule import judge, satisfies
from retrieval.ingest.chunks import TABLE_WORDS, build_chunks
from retrieval.ingest.cutting import PROSE_WORDS
from retrieval.readers.documents.sections import Source
from retrieval.readers.markdown.reader import parse
from retrieval.text.normal import Words
from retrieval.types import Chunk, QueryMust, RangeRule

SAMPLE = sorted((Path(__file__).parents[2] / "agent" / "sample").glob("*.md"))


def chunks(text: str, name: str = "book.md") -> list[Chunk]:
    return build_chunks([Source(name, parse(text, []))])


def pipe(*rows: tuple[str, ...]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def matrix(classes: str, *, caption: bool = True) -> str:
    body = pipe(("Opponent Armor Class", "Level 1-3", "Level 4-6"), ("3", "17", "15"), ("-3", "20", "18"))
    return f"**I.A. ATTACK MATRIX FOR {classes}**\n\n{body}\n" if caption else f"## {classes}\n\n{body}\n"


FAMILY = "# Combat\n\n" + matrix("CLERICS, DRUIDS AND MONKS") + "\n" + matrix("FIGHTERS")


def test_a_family_becomes_a_chunk_per_row_titled_caption_head_key() -> None:
    rows = chunks(FAMILY)

    assert [
        "I.A. ATTACK MATRIX FOR CLERICS, DRUIDS AND MONKS - Opponent Armor Class 3",
        "I.A. ATTACK MATRIX FOR CLERICS, DRUIDS AND MONKS - Opponent Armor Class -3",
        "I.A. ATTACK MATRIX FOR FIGHTERS - Opponent Armor Class 3",
        "I.A. ATTACK MATRIX FOR FIGHTERS - Opponent Armor Class -3",
    ] == [row.title for row in rows]
    assert {"row"} == {row.chunk_type for row in rows}
    assert {("Combat",)} == {row.headings for row in rows}


def test_a_rows_rule_has_a_group_of_subjects_and_a_group_of_keys() -> None:
    spelled = ("armor class -3", "armour class -3", "ac -3", "a.c. -3")

    assert QueryMust((("clerics", "druids", "monks"), spelled)) == chunks(FAMILY)[1].query_must


def test_a_row_keeps_its_cells_under_their_heads_as_text_and_as_data() -> None:
    row = chunks(FAMILY)[0]

    assert row.text.endswith("Opponent Armor Class: 3\nLevel 1-3: 17\nLevel 4-6: 15")
    assert (("3", "17", "15"),) == row.tables[0].rows


def test_ranges_of_a_family_become_contain_range_with_of() -> None:
    body = pipe(("Level", "Death"), ("1-3", "10"), ("4+", "9"))
    rows = chunks(f"**Druid Saves**\n\n{body}\n\n**Thief Saves**\n\n{body}\n")
    spans = [row.query_must.contain_range for row in rows if row.query_must]

    assert [RangeRule(1, 3, ("level",)), RangeRule(4, float("inf"), ("level",))] * 2 == spans


def test_captions_that_are_equal_take_their_subject_from_the_heading() -> None:
    body = pipe(("AC", "Roll"), ("3", "17"), ("4", "16"))
    rows = chunks("".join(f"## {name}\n\n**To Hit Table**\n\n{body}\n\n" for name in ("Bards", "Élan")))
    subjects = [row.query_must.contain_one_of[0] for row in rows if row.query_must]

    assert "Bards To Hit Table - AC 3" == rows[0].title
    assert [("bards",), ("bards",), ("elan",), ("elan",)] == subjects


def test_subjects_with_accents_and_typographic_quotes_are_found_again_in_their_caption() -> None:
    text = matrix("ÉLITE’S GUARD") + "\n" + matrix("“OTHERS”")

    assert 4 == len(chunks(text))


def test_a_unique_table_is_one_chunk_without_a_rule() -> None:
    (table,) = chunks(f"# Strength\n\n{pipe(('Score', 'Bonus'), ('3', '-3'), ('18', '+1'))}\n")

    assert ("table", "Strength", None) == (table.chunk_type, table.title, table.query_must)


def test_tables_in_which_a_die_picks_the_row_are_not_split() -> None:
    body = pipe(("d%", "Creature"), ("01-50", "Orc"), ("51-00", "Elf"))
    text = "".join(f"**{name} Encounters**\n\n{body}\n\n" for name in ("Hill", "Plain"))

    assert [("table", None)] * 2 == [(chunk.chunk_type, chunk.query_must) for chunk in chunks(text)]


def test_a_numbered_caption_says_its_section_too() -> None:
    (table,) = chunks(f"# Weapons\n\n**Table 3**\n\n{pipe(('Weapon', 'Damage'), ('Dagger', '1d4'))}\n")

    assert "Weapons: Table 3" == table.title


@given(st.integers(1, 120), st.integers(1, 12))
@settings(max_examples=25)
def test_long_tables_are_cut_between_rows_with_their_header(rows: int, words: int) -> None:
    body = [(f"thing{n}", "word " * words) for n in range(rows)]
    pieces = chunks(f"# Things\n\n{pipe(('Name', 'Description'), *body)}\n")
    read = [row[0] for piece in pieces for table in piece.tables for row in table.rows]

    assert [f"thing{n}" for n in range(rows)] == read
    assert all("Name | Description" in piece.text or "Name: " in piece.text for piece in pieces)
    assert all(sum(len(" ".join(row).split()) for row in piece.tables[0].rows) <= TABLE_WORDS for piece in pieces)
    assert len(pieces) == len({piece.title for piece in pieces})


def test_records_open_the_prose_of_their_section() -> None:
    (owlbear,) = chunks("# Owlbear\n\nAC: 5\nHD: 5+2\nMOVE: 12\n\nIt hoots.\n")

    assert "record" == owlbear.chunk_type
    assert owlbear.tables[0].is_record
    assert owlbear.text.endswith("AC: 5\nHD: 5+2\nMOVE: 12\n\nIt hoots.")


def test_stat_blocks_side_by_side_become_a_record_each_with_the_notes() -> None:
    text = f"# Giants\n\n{pipe(('', 'Hill', 'Fire'), ('AC:', '4', '-1'), ('HD:', '8', '11'))}\n\n\\* big\n"
    hill, fire = chunks(text)

    assert ["Giants, Hill", "Giants, Fire"] == [hill.title, fire.title]
    assert (("AC", "-1"), ("HD", "11")) == fire.tables[0].rows
    assert hill.text.endswith("* big")


SIDE_BY_SIDE = """# Animals

**Badger**

ARMOR CLASS: 4
HIT DICE: 1+2
DAMAGE: 1-6

**Bog Ogre**

| | **Common** | **Elder (hibernates)** |
|---|---|---|
| Armor Class: | 5 | 4 |
| Hit Dice: | 4+1 | 6 |

Bog ogres sink what they can't eat.

**Marsh Lion**

| | **Marsh Lion** | **Cub** |
|---|---|---|
| Armor Class: | 6 | 7 |
| Hit Dice: | 5 | 1 |
"""


def test_a_bold_name_above_stat_blocks_side_by_side_opens_a_section() -> None:
    found = chunks(SIDE_BY_SIDE)
    by_title = {
        chunk.title: value for chunk in found for t in chunk.tables for name, value in t.rows if name == "Hit Dice"
    }

    assert by_title.items() >= {"Bog Ogre, Common": "4+1", "Bog Ogre, Elder": "6"}.items()
    assert by_title.items() >= {"Marsh Lion": "5", "Marsh Lion, Cub": "1"}.items()
    assert ["Badger"] == [chunk.title for chunk in found if chunk.headings == ("Animals", "Badger")]


def test_of_kinds_side_by_side_the_ordinary_one_is_the_sections_own_record() -> None:
    ogre = next(chunk for chunk in chunks(SIDE_BY_SIDE) if chunk.title == "Bog Ogre")

    assert "record" == ogre.chunk_type
    assert ("Hit Dice", "4+1") in ogre.tables[0].rows
    assert ogre.text.endswith("Bog ogres sink what they can't eat.")


def test_the_caption_of_a_stat_block_is_kept() -> None:
    html = "<table><caption>Grishnak</caption><tr><td>AC:</td><td>5</td></tr><tr><td>HD:</td><td>1</td></tr></table>"
    (chunk,) = chunks(f"# Orcs\n\n{html}\n")

    assert "Grishnak\nAC: 5\nHD: 1" in chunk.text


def test_long_prose_is_cut_between_paragraphs_or_sentences() -> None:
    text = "# Prose\n\n" + "\n\n".join("Words of a sentence stand here. " * 20 for _ in range(6))
    pieces = chunks(text)

    assert 4 <= len(pieces)
    assert ["Prose", "Prose (2)"] == [piece.title for piece in pieces[:2]]
    assert all(piece.text.endswith("here.") for piece in pieces)
    assert 120 == sum(piece.text.count("sentence") for piece in pieces)


def test_prose_without_any_full_stop_is_cut_too() -> None:
    pieces = chunks("# P\n\n" + " ".join(f"w{n}" for n in range(2000)))

    assert [f"w{n}" for n in range(2000)] == re.findall(r"w\d+", " ".join(piece.text for piece in pieces))
    assert all(len(piece.text.split()) <= PROSE_WORDS * 1.5 for piece in pieces)


def test_the_first_line_says_where_a_chunk_stands() -> None:
    (chunk,) = chunks("# Book\n\n## Part\n\n### Chapter\n\n#### Title\n\ntext\n")

    assert "Part > Chapter > Title\ntext" == chunk.text


def test_ids_stay_when_text_above_changes() -> None:
    text = "# A\n\nalpha\n\n## Twin\n\none\n\n" + FAMILY
    longer = "# Before\n\nnew\n\n" + text.replace("alpha", "alpha " * 500)
    before, after = {c.id for c in chunks(text)}, {c.id for c in chunks(longer)}

    assert before < after


def test_ids_are_unique_where_titles_repeat() -> None:
    found = chunks("# Twin\n\none\n\n# Other\n\nx\n\n# Twin\n\ntwo\n\n# twin!\n\nthree\n")

    assert ["book/twin", "book/other", "book/twin~2", "book/twin~3"] == [chunk.id for chunk in found]


def test_the_rows_of_a_long_caption_have_ids_of_their_own() -> None:
    caption = "FIGHTERS, PALADINS, RANGERS, BARDS, AND 0 LEVEL HALFLINGS AND HUMANS*"
    rows = [chunk.id for chunk in chunks(matrix(caption) + "\n" + matrix("CLERICS")) if "paladins" in chunk.id]

    assert 2 == len(rows)
    assert rows[0].endswith("-3")
    assert rows[1].endswith("--3")
    assert not any("~" in row for row in rows)


BAND = tuple((f"{n}", f"{n + 3} of the guests", "none of them at all") for n in range(1, 13))
STACKED = "# Halls\n\n**Seating Plan**\n\n" + pipe(
    ("Table", "Seats for the evening", "Seats kept free"), ("By Day", "", ""), *BAND, ("By Night", "", ""), *BAND
)


def test_groups_of_rows_that_look_alike_are_told_apart_by_their_names() -> None:
    rows = [chunk for chunk in chunks(STACKED) if chunk.chunk_type == "row"]
    day, night = ([row for row in rows if name in row.title] for name in ("By Day", "By Night"))

    assert (12, 12) == (len(day), len(night))
    assert "Seating Plan, By Day - Table 3" == day[2].title
    holding = [row.title for row in rows if satisfies("seating plan, table 3 by night", row.query_must)]
    assert [night[2].title] == holding
    assert [day[2].title, night[2].title] == [
        row.title for row in rows if satisfies("seating plan: table 3", row.query_must)
    ]


def test_groups_of_rows_that_fit_into_one_chunk_crowd_nobody() -> None:
    short = pipe(("Table", "Seats", "Free"), ("By Day", "", ""), *BAND[:2], ("By Night", "", ""), *BAND[:2])
    (chunk,) = chunks(f"**Seating Plan**\n\n{short}")

    assert ("table", None) == (chunk.chunk_type, chunk.query_must)


def test_a_long_table_without_look_alikes_has_no_rules() -> None:
    rows = tuple((f"Guest {n}", "a seat by the window", "soup") for n in range(80))
    found = chunks("**Guests**\n\n" + pipe(("Guest", "Seat", "Course"), *rows))

    assert len(found) > 1
    assert {("table", None)} == {(chunk.chunk_type, chunk.query_must) for chunk in found}
    assert len(found) < len(rows) / 5


def test_several_books_are_one_search_for_families() -> None:
    books = (("a.md", "CLERICS"), ("b.md", "FIGHTERS"))
    sources = [Source(name, parse(matrix(classes), [])) for name, classes in books]

    assert ["a.md", "a.md", "b.md", "b.md"] == [chunk.source for chunk in build_chunks(sources)]


PIECES = st.sampled_from(
    ["# H\n\n", "## I\n\n", "**Bold**\n\n", "text.\n\n", matrix("CLERICS") + "\n", matrix("THIEVES") + "\n",
     matrix("“", caption=False) + "\n", "AC: 1\nHD: 2\nMV: 3\n\n", pipe(("", "a", "b"), ("x:", "1", "2")) + "\n\n",
     "<table><tr><td>a</td></tr></table>\n\n"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=10).map("".join) | st.text(max_size=60))
def test_whatever_is_read_gives_chunks_with_text_title_and_an_id_of_their_own(text: str) -> None:
    found = chunks(text)

    assert len(found) == len({chunk.id for chunk in found})
    assert all(chunk.text.strip() and chunk.title.strip() and chunk.id for chunk in found)
    assert all(len(row) == len(table.columns) for chunk in found for table in chunk.tables for row in table.rows)


@pytest.fixture(scope="module")
def sample() -> list[Chunk]:
    return build_chunks([Source(path.name, parse(path.read_text("utf-8"), [])) for path in SAMPLE])


def flat(text: str) -> str:
    return " ".join(re.sub(r"[*`\\|]", "", text).split())


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_no_prose_of_the_sample_is_lost(path: Path, sample: list[Chunk]) -> None:
    everything = " ".join(flat(chunk.text) for chunk in sample if chunk.source == path.name)
    lines = [line for line in path.read_text("utf-8").splitlines() if line.strip() and line[0] not in "|#<"]
    plain = [flat(re.sub(r"^\s*(?:[-*]|\d+[.])\s", "", line)) for line in lines]
    sentences = [sentence for line in plain for sentence in re.split(r"(?<=[.!?;])\s+", line)]

    assert 0 < len(sentences)
    assert [] == [sentence for sentence in sentences if sentence.rstrip(":") not in everything]


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_no_table_row_of_the_sample_is_lost(path: Path, sample: list[Chunk]) -> None:
    rows = {row for chunk in sample if chunk.source == path.name for table in chunk.tables for row in table.rows}
    cells = {cell for row in rows for cell in row}
    heads = {h for c in sample if c.source == path.name for t in c.tables for p in t.columns for h in p}
    lines = [line for line in path.read_text("utf-8").splitlines() if line.startswith("|") and set(line) - set("|-: ")]
    raw = [cell for line in lines for cell in line.strip("|").split("|")]
    written = [re.sub(r"\\([^\w\s])", r"\1", cell).strip().strip("*") for cell in raw]
    spoken = cells | heads | {cell.strip("*: ") for cell in cells} | {chunk.title.split(", ")[-1] for chunk in sample}

    assert [] == [cell for cell in written if cell and cell.rstrip(": ") not in spoken]


def test_every_table_of_the_sample_is_in_the_text_of_its_chunk(sample: list[Chunk]) -> None:
    lost = [
        (chunk.id, cell)
        for chunk in sample
        for table in chunk.tables
        for cell in (*(part for line in (*table.columns, *table.rows) for part in line), *table.notes)
        if chunk.chunk_type != "record" and cell not in chunk.text
    ]

    assert [] == lost


def test_each_row_of_the_sample_is_found_by_its_title_and_no_row_of_another_table_like_it_is(
    sample: list[Chunk],
) -> None:
    ruled = [chunk for chunk in sample if chunk.query_must is not None]
    assert len(ruled) > 500
    for chunk in ruled:
        query = Words(chunk.title)
        alike = [other for other in ruled if other.tables[0].columns == chunk.tables[0].columns]
        captions = {other.tables[0].caption for other in alike if judge(query, other.query_must)}
        own = chunk.tables[0].caption
        # "Sub-arctic" has the word "arctic" in it.
        assert {own} == {caption for caption in captions if caption == own or caption not in own}
        assert judge(query, chunk.query_must)


RANGES = ("short", "medium", "long")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        *((f"psionic blast at {name} range, intelligence and wisdom total 12", {name}) for name in RANGES),
        *((f"{name}-range psionic blast on a total wisdom of 12", {name}) for name in RANGES),
        ("psionic blast at short or long range, total intelligence 12", {"short", "long"}),
        ("psionic blast against a wisdom of 12", set(RANGES)),
        ("psionic blast from 30 feet on a fighter with a long sword and a wisdom of 12", set(RANGES)),
        ("wisdom of 12 at short range", set()),
    ],
)
def test_the_ranges_of_the_psionic_blast_are_told_apart_where_one_is_named(
    query: str, told: set[str], sample: list[Chunk]
) -> None:
    blast = [chunk for chunk in sample if "PSIONIC BLAST ATTACK" in chunk.title]
    assert 33 == len(blast)
    holding = {chunk.title for chunk in blast if satisfies(query, chunk.query_must)}
    key = "RANGE - Intelligence and Wisdom Total 10-13"
    assert {name for name in RANGES if any(title.endswith(f"{name.upper()} {key}") for title in holding)} == told
    assert len(holding) == len(told)


def test_only_rows_have_rules(sample: list[Chunk]) -> None:
    assert {"row"} == {chunk.chunk_type for chunk in sample if chunk.query_must is not None}
    assert all(chunk.query_must is not None for chunk in sample if chunk.chunk_type == "row")
