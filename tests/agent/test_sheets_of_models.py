"""Pages of one shape, each with small tables of measures: numbers in their labels, codes that differ in order."""

from __future__ import annotations

import pytest

from tests.kit import Book, answer, book, library


def _page(name: str, first: str, fifth: str, score: str) -> str:
    return f"""# {name}

## Make

| Item | Value |
|---|---|
| Sort | Sorter |
| Frame | ash |
| Origin | Hull |
| Load | 12 kg |

## Yield

| Item | Value |
|---|---|
| Pass 1 | {first} |
| Pass 5 | {fifth} |

## Marks

| Item | Value |
|---|---|
| Verdict | {score} |
"""


PAGES = library({
    f"sieves/{name}/README.md": _page(name, *marks)
    for name, *marks in (
        ("reed-a0", "72.4%", "90.5%", "7"),
        ("sedge-b2", "73.3%", "91.4%", "8"),
        ("rush-c1", "69.4%", "88.3%", "5"),
        ("sift-oat-rye-02", "61.2%", "80.1%", "22"),
        ("sift-rye-oat-02", "64.8%", "83.5%", "23"),
    )
})  # fmt: skip


@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("reed-a0 vs sedge-b2, better pass 1?", "sedge-b2"),
        ("Which has the better pass 1, reed-a0 or sedge-b2?", "sedge-b2"),
        ("Out of reed-a0, sedge-b2 and rush-c1, who has the lowest pass-5 yield?", "rush-c1"),
    ],
)
def test_a_key_with_its_number_tells_what_there_is_more_of(question: str, winner: str) -> None:
    found = answer(question, PAGES)
    assert winner == found.finding.verdict
    assert not found.needs


@pytest.mark.parametrize(
    "question",
    [
        "Which has the better pass 1 weight, reed-a0 or sedge-b2?",
        "What is the pass 1 weight of reed-a0?",
        "Which is bigger in pass 1, reed-a0 or sedge-b2?",
    ],
)
def test_what_is_asked_behind_a_number_has_to_be_told(question: str) -> None:
    found = answer(question, PAGES)
    assert found.needs


@pytest.mark.parametrize(("name", "verdict"), [("sift-oat-rye-02", "22"), ("sift-rye-oat-02", "23")])
def test_a_code_is_not_another_of_the_same_parts(name: str, verdict: str) -> None:
    found = answer(f"What is the verdict of {name}?", PAGES)
    assert verdict == found.finding.verdict
    assert not found.needs


def test_codes_of_the_same_parts_are_compared() -> None:
    found = answer("Which of sift-oat-rye-02 and sift-rye-oat-02 has the higher verdict?", PAGES)
    assert "sift-rye-oat-02" == found.finding.verdict


BARNS = book("""# Barns

| Barn | County | kBales | MBricks |
|---|---|---|---|
| Reed | Kent | 12.5 | 1.2 |
| Sedge | Essex | 9 | 3.4 |
| Rush | Kent | 30 | 0.8 |
""")  # fmt: skip


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("How many thousand bales does the Reed hold?", "12.5"),
        ("How many bricks (in millions) are in the Sedge?", "3.4"),
        ("Reed or Rush: which has fewer bricks?", "Rush"),
        ("Reed, Sedge or Rush: which is the biggest by number of bales?", "Rush"),
        ("Which barn has the most bales?", "Rush"),
    ],
)
def test_a_label_counts_in_thousands_or_millions_by_its_letter(question: str, verdict: str) -> None:
    found = answer(question, BARNS)
    assert verdict == found.finding.verdict
    assert not found.needs


@pytest.mark.parametrize("question", ["How many million bales does the Reed hold?", "How many beams has the Reed?"])
def test_another_magnitude_or_thing_is_not_what_a_label_counts(question: str) -> None:
    assert answer(question, BARNS).needs


PORTS = library({
    "ports.md": """# Ports of our sorters

| Sorter | Hull | York |
|---|---|---|
| herring-sorter-03 | YES | YES |
| shrimp-counter-01 | YES | NO |
| crab-weigher-02 | NO | YES |
""",
    "index.md": """# Overview of our sorters

| Sorter | Load | Price |
|---|---|---|
| herring-sorter-03 | 12 | 400 |
| shrimp-counter-01 | 4 | 150 |
| crab-weigher-02 | 30 | 900 |
""",
})  # fmt: skip


def test_the_label_of_a_yes_says_nothing_of_who_has_it() -> None:
    found = answer("Which herrings does herring-sorter-03 sort?", PORTS)
    assert found.needs
    assert "YES" not in found.finding.claim


def _mill(name: str, sails: str) -> str:
    return f"""# {name}

| Item | Value |
|---|---|
| Frame | oak |
| MSacks | {sails} |
| Origin | Hull |
| Load | 12 kg |
"""


def _mills(listed: dict[str, str]) -> Book:
    """Pages of five mills, and a list that calls some of them otherwise."""
    pages = {"reed-1": "1.5", "sedge-2": "2.25", "rush-3": "0.75", "oat-4": "3.5", "rye-5": "0.5"}
    rows = "\n".join(f"| {name} | {sails} |" for name, sails in listed.items())
    overview = f"# Overview\n\n## Mills of Kent\n\n| Mill Name | MSacks |\n|---|---|\n{rows}\n"
    return library(
        {**{f"mills/{name}.md": _mill(name, sails) for name, sails in pages.items()}, "mills/all.md": overview}
    )


@pytest.mark.parametrize(
    ("question", "winner"),
    [("Which mill has the largest number of sacks?", "oat-4"), ("Smallest mill of all, by sacks?", "rye-5")],
)
def test_the_best_of_all_pages_is_so_beside_a_list_of_some(question: str, winner: str) -> None:
    found = answer(question, _mills({"Old Reed": "1.5", "Old Sedge": "2.25", "Old Rush": "0.75"}))
    assert winner == found.finding.verdict
    assert not found.needs


def test_no_best_is_told_where_a_list_has_a_better_one() -> None:
    found = answer("Which mill has the largest number of sacks?", _mills({"Old Reed": "1.5", "Old Teff": "9.5"}))
    assert "oat-4" != found.finding.verdict


BOATS = library({
    f"boats/{name}.md": f"""# {name}

| Item | Value |
|---|---|
| Builder | {builder} |
| HP | {power} |
| Draught | {draught} m |
| Built | {built} |
"""
    for name, builder, power, draught, built in (
        ("Tern", "Reed & Sons", "130", "1.2", "May 1971"),
        ("Heron", "Ann Lund", "90", "0.9", "June 1985"),
        ("Plover", "Reed & Sons", "210", "1.6", "April 1999"),
    )
})  # fmt: skip


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("engine output of the Tern in HP", "130"),
        ("What is the pulling force of the Heron in HP?", "90"),
    ],
)
def test_a_unit_or_a_bracket_says_what_is_meant(question: str, verdict: str) -> None:
    found = answer(question, BOATS)
    assert verdict == found.finding.verdict
    assert not found.needs


@pytest.mark.parametrize("question", ["What is the fare of the Tern in Hull?", "What is the top speed (Tern)?"])
def test_a_place_or_a_bracket_alone_is_no_such_unit_or_name(question: str) -> None:
    assert answer(question, BOATS).needs


TUGS = {
    "tugs/all.md": """# Tugs

| Tug | Yard | Max pull | Min water depth | Max tow length |
|---|---|---|---|---|
| Tern | Reed | 130 kN | 1.2 m | 30 m |
| Heron | Lund | 90 kN | 0.9 m | 25 m |
| Plover | Reed | 210 kN | 1.6 m | 40 m |
"""
}


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which tug has the highest pull?", "Plover"),
    ],
)
def test_a_superlative_of_one_that_is_named_is_the_end_that_a_label_tells(question: str, verdict: str) -> None:
    found = answer(question, library(TUGS))
    assert verdict == found.finding.verdict
    assert not found.needs


@pytest.mark.parametrize(
    "question", ["What is the lowest pull of the Tern?", "What is the highest water depth of the Tern?"]
)
def test_the_other_end_is_not_told_by_a_label(question: str) -> None:
    assert answer(question, library(TUGS)).needs
