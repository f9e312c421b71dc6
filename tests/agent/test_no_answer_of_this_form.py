"""Values that stand near what is asked, and are no answer of the form that the question asks for."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

LOCKS = book("""# Locks of the Fen

## Our boats

### Reed

**Draught:** 2 m
**Deck:** 12 m
**Heated:** yes
**Load:** peat, heather

### Sedge

**Draught:** 3 m to sea
**Deck:** 9 m
**Heated:** no
**Load:** peat, tea

## Songs of the gangs

| Grade 1 | Grade 2 | Grade 3 |
|---|---|---|
| Oar | Moon | Storm |
| Reeds | Tide | Gale |
| Rope | Ford | |
""")


@pytest.mark.parametrize(
    ("question", "claim", "needs"),
    [
        ("Is the Reed heated?", "Yes: Reed: yes (Heated)", []),
        ("What is the deck of the Reed?", "Reed: 12 m (Deck)", []),
        ("Is the Reed allowed on deck?", "Reed: 12 m (Deck)", ["whether it is so"]),
    ],
)
def test_whether_something_is_so_is_not_told_by_another_value(question: str, claim: str, needs: list[str]) -> None:
    reasoned = answer(question, LOCKS)

    assert claim == reasoned.finding.claim
    assert needs == [need.need for need in reasoned.needs]


def test_a_thing_may_be_chosen_by_what_it_alone_has() -> None:
    assert "2 m" in answer("What is the draught of our boats with heather?", LOCKS).finding.claim


@pytest.mark.parametrize(
    "question", ["What sea draught have our boats with peat?", "How many grade 3 songs of the gangs?"]
)
def test_one_of_several_things_and_another_number_are_no_answer(question: str) -> None:
    assert LOCKS.binder.bind_by_words(question) is None


MILLS = book("""# Mills of the Fen

## Fen mills

### Alder

**Powers:** Gale; Long night watch in the winter; Drum
**Wheel:** 6/2

| Tool | Size |
|---|---|
| Drum | 3 |

### Birch

**Powers:** Drum
**Wheel:** 4/1.5

| Tool | Size |
|---|---|
| Drum | 5 |

### Cedar

**Powers:** Gale
**Wheel:** 5/1

| Tool | Size |
|---|---|
| Fork | 2 |

## Saws

| Saw | Joint |
|---|---|
| saw.one | 2 TEN |
| saw.two | 1 oak |

## Planes

| Saw | Joint | Fit |
|---|---|---|
| plane.one | oak | TENON |
| plane.two | oak | glue |
""")


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Which mills have Drum?", "2: Alder"),
        ("Has the Alder or the Birch the higher wheel?", "Alder (Alder 6/2, Birch 4/1.5; higher is asked for)"),
        ("Has the Birch a higher wheel than the Alder, or the other way round?", "No: Alder (Birch 4/1.5, Alder 6/2"),
        ("Which saws have a tenon?", "1: plane.one (Fit: TENON)"),
    ],
)
def test_who_has_it_is_told_and_by_the_word_itself(question: str, claim: str) -> None:
    assert answer(question, MILLS).finding.claim.startswith(claim)


DYES = book("""# Dyes of the Fen

| Marsh | Dropped stuff | Dust | Dye name |
|---|---|---|---|
| Reedmarsh | a shard | pale dust | Fen Gray |
| Tarnmarsh | a horn | dark dust | Tarn Blue |
""")


def test_the_one_of_a_span_of_time_chooses_nothing_though_a_row_is_called_so() -> None:
    hires = book("# Hires\n\n| Hire | Price |\n|---|---|\n| Poler (d) | 2 crowns |\n| 1 day | 9 crowns |\n")

    assert "2 crowns" in answer("how much do i have to pay a poler for one day", hires).finding.claim


CREEDS = book("""# About Fen Row

## Our values - how we row

**Calm** - Fen Row is slow.

**Care** - we mend it.

## Living our values

**Awards** - a cup.

**Days** - two.
""")


@pytest.mark.parametrize("question", ["How many values does Fen Row have?", "How many values are there?"])
def test_a_section_of_several_is_none_of_them(question: str) -> None:
    assert CREEDS.binder.bind_by_words(question) is None


NOTES = book("""# Flora of the Fen

| Topic | Value |
|---|---|
| Notable fen plants | pines, reeds, sedges |
| Endemic species | 4 |
| Total species | 311 |
""")


def test_a_row_that_speaks_of_what_is_counted_is_none_of_it() -> None:
    assert NOTES.binder.bind_by_words("How many plants are in the pines?") is None


DISTRICTS = book("""# Districts

## Base districts

**Largest residential density:** 10 units per acre

**Number of gates:** 4
""")


def test_what_is_counted_of_several_is_no_amount_of_something_else() -> None:
    assert answer("How many of the base districts count as residential?", DISTRICTS).needs


SINGERS = book("""# Singers

## WIT TABLE II: SONGS OF SINGERS

| Wit | Chance to Know Each Song | Fewest Songs/Grade | Most Songs/Grade |
|---|---|---|---|
| 9 | 35% | 4 | 6 |
| 10-12 | 45% | 5 | 7 |
| 13-14 | 55% | 6 | 9 |

## OMENS FOR SINGERS AND POLERS

| Grade | Song | Rhyme |
|---|---|---|
| 1-5 | 12 | 13 |
| 6-9 | 10 | 11 |
""")


@pytest.mark.parametrize(
    "question",
    ["How many songs does a grade 3 singer know?"],
)
def test_a_share_and_what_the_table_has_instead_are_not_how_many(question: str) -> None:
    assert SINGERS.binder.bind_by_words(question) is None
    assert "45%" in answer("What is the chance to know each song at wit 11?", SINGERS).finding.claim
