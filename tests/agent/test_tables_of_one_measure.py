"""Tables of one kind that list one measure each, as handbooks have them, and what else is said of a few of the kind."""

from __future__ import annotations

import pytest

from tests.kit import answer, library

STABLE = library(
    {
        "fees.md": """# Boarding

## Livery charges

| Horse | Charge |
|---|---|
| **Cob** | £40 a week |
| **Hack** | £55 a week |

## Winter turnout policy

| Horse | Policy |
|---|---|
| **Cob** | 6 hours |
| **Hack** | 3 hours |
| **Shire** | 9 hours |
""",
        "keep.md": """# Keeping

## Shoeing

| Horse | Price of four shoes |
|---|---|
| **Hunter** | £85 |
| **Shire** | £140 |

## Hay rations

| Horse | Rations a day |
|---|---|
| **Cob** | 8 kg |
| **Pony** | 6 kg |
| **Hunter** | 11 kg |
| **Shire** | 19 kg |

## Loads

| Horse | Load |
|---|---|
| **Pony** | 60 kg to 70 kg |
| **Shire** | 180 kg |

## Yards

| Yard | Postal code | Boxes | Radio |
|---|---|---|---|
| Low Barn | LB4 2XQ | 14 | CH63 |
| Kirk Barn | KB1 9TD | 9 | CH12 |

## Kirk Lane

| Post | Height |
|---|---|
| Gate | 2 m |
| Rail | 1 m |
""",
    }
)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("winter turnout of the shire horse", "9 hours"),  # under the head *Policy*, which the heading says in full
        ("What is the livery charge for a Cob?", "£40 a week"),
        ("Which horse has the most rations, and how much?", "Shire"),
        ("Who gets more hay rations a day, the cob or the hunter?", "Hunter"),
        ("Low Barn radio ch", "CH63"),  # the letters of a code are its unit
        ("postal code for Kirk", "KB1 9TD"),  # of all that are called so one has it
    ],
)
def test_a_table_of_one_measure_is_read_by_its_keys(question: str, verdict: str) -> None:
    found = answer(question, STABLE)

    assert [] == list(found.needs)
    assert verdict.casefold() == (found.finding.verdict or "").casefold()


def test_tables_of_one_kind_with_a_measure_each_are_no_records_of_their_second_heads() -> None:
    heads = {table.columns for chunk in STABLE.chunks for table in chunk.tables}

    assert (("Horse",), ("Policy",)) in heads


def test_words_that_no_label_tells_are_not_taken_for_the_only_label_of_that_unit() -> None:
    found = answer("If I sell the Shire, how long before you scrap my tack?", STABLE)

    assert found.needs


def test_a_list_that_some_table_has_as_one_key_is_several_names() -> None:
    lamps = library(
        {
            "a.md": "# Lamps\n\n| Lamp | Lumen | Cost |\n|---|---|---|\n| Wick | 90 | 4 |\n| Arc | 700 | 60 |\n",
            "b.md": "# Returns\n\n| Lamp | Days | Fee |\n|---|---|---|\n| Wick or Arc | 30 | 2 |\n| Gas | 14 | 9 |\n",
        }
    )

    assert "Arc" == answer("Which has more lumen, Wick or Arc?", lamps).finding.verdict
    assert "30" == answer("How many days for Wick or Arc returns?", lamps).finding.verdict


def test_a_word_that_may_be_beyond_all_numbers_leaves_the_best_open() -> None:
    gates = "\n".join(f"| Gate {n} | {n}0 |" for n in range(1, 6))
    canal = library({"a.md": f"# Gates\n\n| Gate | Boats a day |\n|---|---|\n{gates}\n| Sea gate | Unlimited |\n"})

    found = answer("Which gate has the most boats a day?", canal)

    assert "whether it is Sea gate (Unlimited)" in [need.need for need in found.needs]
