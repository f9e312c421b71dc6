"""Things that have a page each, in folders of their kinds, with a table of the same rows: waterways no code knows."""

from __future__ import annotations

import pytest

from agent.reasoning.execution.execute import execute
from agent.reasoning.kinds.readings import best_readings
from tests.kit import Book, book, library

LIST = "| Item | Meaning |\n|---|---|\n| Weser | Old |\n| Ems | New |\n"
HEADS = "| Item | Meaning | Usual |\n|---|---|---|\n"


def _page(name: str, *rows: str, heads: str = HEADS) -> str:
    lead = f"The {name} lock chamber is of steel."
    return f"# {name}\n\n{lead}\n\n## Figures in use\n\n{heads}" + "".join(f"| {row} |\n" for row in rows)


WATERWAY = library(
    {
        "locks.md": "# Locks\n\nLocks lift boats.\n\n## Locks\n\n" + LIST,
        "locks/elbe.md": _page(
            "Elbe",
            "`gate_width` | Width of the gate. | 12",
            "`fill_time` | Minutes to fill. | 9",
            "`fill_lag_time` | Minutes to wait before. | 2",
            "`depth` | Water over the sill. | 4",
        ),
        "locks/weser.md": _page(
            "Weser",
            "`gate_width` | Width of the gate. | 10",
            "`boat_size` | Metres of the longest. | 45",
            "`fill_time` | Minutes to fill. | 15",
            "`fill_lag_time` | Minutes to wait before. | 3",
            "`depth` | Water to use by boats. | 5",
        ),
        "locks/long-haul-basin.md": _page(
            "Long Haul Basin (LHB)",
            "`gate_width` | Width of the gate. | 24",
            "`boat_size` | Metres of the longest. | 80",
            "`fill_time` | Minutes to fill. | 31",
            "`chamber_size` | Boats that it takes. | 8",
            "`depth` | Water over the sill. | 7",
        ),
        "locks/ems.md": _page(
            "Ems",
            "`gate_width` | Width of the gate. | 11",
            "`fill_time` | Minutes to fill. | 40",
            "`depth` | Water over the sill. | none",
            heads=HEADS.replace("Usual", "Usual value"),
        ),
        "bridges/elbe.md": _page(
            "Elbe",
            "`gate_width` | Width of the barrier. | 6",
            "`turn_time` | Minutes to open. | 4",
            "`span_size` | Length of the span. | 60",
            "`depth` | Of the piers. | 11",
        ),
        "crews.md": "# Crews\n\n| Watch | Usual |\n|---|---|\n| Night at locks | 5 |\n| Day at locks | 7 |\n",
    }
)


def told(question: str, book: Book = WATERWAY) -> dict[str, list[str]]:
    """Who a question is bound to, and the values."""
    bound = book.binder.bind_by_words(question)
    readings = () if bound is None else bound.readings
    return {reading.subject.text: [each.text for each in reading.found] for reading in readings}


def test_a_name_beside_its_kind_is_the_one_among_that_kind() -> None:
    question = "Which has the longer usual fill_time, the Elbe lock or the Weser lock?"
    assert {"Elbe lock": ["9"], "Weser lock": ["15"]} == told(question)


def test_a_kind_behind_a_list_is_said_of_each_of_it() -> None:
    question = "Compare the usual gate_width of the Elbe and Weser locks"
    assert {"Elbe": ["12"], "Weser locks": ["10"]} == told(question)


def test_an_abbreviation_in_the_brackets_of_a_title_is_a_name() -> None:
    assert {"LHB": ["24"], "Weser locks": ["10"]} == told("Compare the usual gate_width of the LHB and Weser locks")


def test_the_key_of_a_row_of_its_own_says_which_value_it_is() -> None:
    assert ["9"] in told("What is the usual fill_time of the Elbe lock?").values()


@pytest.mark.parametrize(
    "question",
    [
        "What is the usual span_size of the Long Haul Basin?",
        "What is the usual chamber_size for the Weser?",
    ],
)
def test_a_name_of_which_half_is_told_is_another_measure(question: str) -> None:
    assert {} == told(question)


def test_the_best_by_what_is_a_row_is_no_best_of_another_table() -> None:
    found = told("Which watch has the highest usual fill_time?")
    assert {} == found


def bests(question: str) -> list[str]:
    """The best, and the next, of those that a question asks for."""
    bound = WATERWAY.binder.bind_by_words(question)
    assert bound is not None
    return [f"{reading.subject.text} {reading.found[0].text}" for reading in best_readings(bound)]


def test_a_comparison_reads_heads_that_say_a_word_more() -> None:
    found = told("Of the Elbe, Weser and Ems locks, whose usual fill_time is the longest?")
    assert {"Elbe": ["9"], "Weser": ["15"], "Ems locks": ["40"]} == found


@pytest.mark.parametrize("kind", ["lock", "lock chamber"])
def test_the_best_of_those_that_have_a_page_each(kind: str) -> None:
    assert ["Ems 40"] == bests(f"Which {kind} has the highest usual fill_time?")


def test_those_that_have_a_page_each_are_listed_by_a_row_of_theirs() -> None:
    found = told("Which locks have a usual depth of more than 4?")
    assert {"Weser": ["5"], "Long Haul Basin (LHB)": ["7"]} == found


def test_a_row_that_each_of_them_has_is_none_of_the_kind() -> None:
    assert {"Weser": ["5"]} == told("Which locks use a usual depth of 5?")


def test_those_that_have_a_page_each_are_counted_by_a_row_of_theirs() -> None:
    bound = WATERWAY.binder.bind_by_words("How many locks have a usual gate_width below 12?")
    assert bound is not None
    assert ("count", ["Ems", "Weser"]) == (bound.operation, sorted(each.subject.text for each in bound.readings))


def test_a_size_in_numbers_is_compared_by_them() -> None:
    bound = WATERWAY.binder.bind_by_words("Which has the larger usual boat_size, the LHB or the Weser lock?")
    assert bound is not None
    result = execute(bound, WATERWAY.chunks)
    assert result is not None
    assert "LHB" == result.finding.verdict


KILNS = book(
    """# Kilns

## Ember Two

A small kiln.

### Figures

- **Chamber:**
  - Brick lined, 90 litres
  - Two shelves
- **Burner**
  - Gas 4.2
- **Doors**
  - **Front:** steel
  - **Back:** none

## Ember Six

A large kiln.

### Figures

- **Chamber:**
  - Fibre lined, 240 litres
- **Burner**
  - Gas 6.1
"""
)


def test_what_stands_under_a_label_of_a_list_is_its_value() -> None:
    question = "What is the chamber of the Ember Two?"
    assert {"Ember Two": ["Brick lined, 90 litres; Two shelves"]} == told(question, KILNS)


def test_a_label_of_labels_is_a_group_of_them() -> None:
    assert {"Ember Two": ["steel"]} == told("What is the front of the Ember Two?", KILNS)


def test_an_adjective_of_two_measures_asks_for_no_end_of_a_third() -> None:
    bound = KILNS.binder.bind_by_words("Which has the newer gas burner, the Ember Two or the Ember Six?")
    assert bound is None or bound.end is None


def test_a_name_in_a_sentence_of_its_own_is_none_of_those_in_the_next() -> None:
    assert {"Weser lock": ["15"]} == told("I'm at the Weser lock. What's its usual fill_time?")
