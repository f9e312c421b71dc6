"""What a question excludes: members by their names, and values; *other than* is never lost."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

HARBOUR = book("""# Harbour

## Boats

| Boat | Hull | Crew | Length | Engine |
|---|---|---|---|---|
| Kite | red | 4 | 9 m | yes |
| Rush | green | 6 | 12 m | no |
| Wren | red | 3 | 7 m | no |
| Alder | blue | 8 | 15 m | yes |
| Moth | white | 2 | 6 m | yes |
""")

EXCLUDING = ("other than", "except", "except for", "apart from", "besides", "excluding", "aside from")


@pytest.mark.parametrize("but", EXCLUDING)
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which boats have a hull {} red?", "Rush, Alder, Moth"),
        ("How many boats have a hull {} red?", "3"),
        ("Which boats have a crew {} 4?", "Rush, Wren, Alder, Moth"),
        ("What is the longest boat with a hull {} blue?", "Rush"),
        ("Which boats {} the Alder have an engine?", "Kite, Moth"),
        ("Which boats {} the Alder and the Kite have an engine?", "Moth"),
        ("What is the longest boat {} the Alder?", "Rush"),
        ("How many boats {} the Kite have a red hull?", "1"),
    ],
)
def test_what_is_excluded_is_not_told(question: str, told: str, but: str) -> None:
    found = answer(question.format(but), HARBOUR)
    assert (found.finding.verdict, list(found.needs)) == (told, [])


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which is the longest boat that is not blue?", "Rush"),
        ("What is the longest boat without an engine?", "Rush"),
        ("Which boat with no engine is the shortest?", "Wren"),
        ("Which boats have engine not yes?", "Rush, Wren"),
        ("Which boats whose hull is painted in red have an engine?", "Kite"),
    ],
)
def test_a_superlative_may_deny_something_else(question: str, told: str) -> None:
    found = answer(question, HARBOUR)
    assert (found.finding.verdict, list(found.needs)) == (told, [])


CODES = book("""# Exit codes

| Code | Name | Restart |
|---|---|---|
| 0 | OK | false |
| 71 | NOFILES | true |
| 75 | SPLIT | true |
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which exit codes have restart set to true?", "NOFILES, SPLIT"),
        ("Which exit codes have restart set to false?", "OK"),
        ("How many exit codes have restart set to true?", "2"),
        ("Which exit codes have a restart other than true?", "OK"),
        ("Which exit codes are marked with restart = no?", "OK"),
        ("According to the exit codes table, how many exit codes have restart true?", "2"),
        ("Which exit codes except SPLIT have restart true?", "NOFILES"),
    ],
)
def test_a_verb_may_stand_between_a_label_and_its_value(question: str, told: str) -> None:
    found = answer(question, CODES)
    assert (found.finding.verdict, list(found.needs)) == (told, [])


def test_a_sum_leaves_out_what_is_excluded() -> None:
    assert "15" in answer("What is the total crew of all boats except the Alder?", HARBOUR).finding.claim


def test_what_is_unclear_is_not_told() -> None:
    assert answer("Which boat is not the longest?", HARBOUR).needs


def test_who_has_no_such_label_is_not_told_for_what_it_denies() -> None:
    plants = book("""# Plants

## Sedge

- Colour: brown
- Height: 20 cm

## Rush

- Colour: green
- Height: 60 cm

## Moss

- Height: 2 cm
""")
    assert answer("Which plants have a colour other than green?", plants).finding.verdict == "Sedge"
