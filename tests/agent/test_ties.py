"""Each number of a sentence is tied to a thing and a label: statements over a table, pages, a list and a text."""

from __future__ import annotations

from functools import cache

import pytest

from agent.writing.checking import prose
from agent.writing.checking.cited import Source as Cited
from agent.writing.checking.cited import cited
from retrieval.ingest.chunks import build_chunks
from retrieval.readers.documents.sections import Source
from retrieval.readers.markdown.reader import parse
from retrieval.types import Passage

CRANES = {
    "Gull": {"Reach": "40 m", "Load": "12 t", "Crew": "3", "Price": "$450,000"},
    "Lark": {"Reach": "25 m", "Load": "30 t", "Crew": "5", "Price": "$610,000"},
    "Wren": {"Reach": "32 m", "Load": "8 t", "Crew": "2", "Price": "$300,000"},
}
LABELS = list(CRANES["Gull"])
BOOKS = {
    "table": "# Cranes\n\n"
    + "\n".join(f"| {' | '.join(row)} |" for row in (["Crane", *LABELS], ["---"] * 5))
    + "".join(f"\n| {name} | {' | '.join(each.values())} |" for name, each in CRANES.items()),
    "pages": "\n\n".join(
        f"# {name}\n\n" + "\n".join(f"- {label}: {value}" for label, value in each.items())
        for name, each in CRANES.items()
    ),
    "list": "# Cranes\n\n"
    + "\n".join(
        f"- **{name}**: {', '.join(f'{label.lower()} {value}' for label, value in each.items())}"
        for name, each in CRANES.items()
    ),
    "text": "# Cranes\n\n"
    + " ".join(
        f"The {name} has a reach of {each['Reach']}. The {name} lifts a load of {each['Load']}. "
        f"The {name} needs a crew of {each['Crew']}. The {name} has a price of {each['Price']}."
        for name, each in CRANES.items()
    ),
}
RIGHT = [
    "The Gull has a reach of 40 m and a crew of 3.",
    "The crew and the load of the Gull are 3 and 12 t.",
    "The crew of the Gull is 2 lower than that of the Lark.",
    "The Gull has a higher reach than the Wren: 40 m against 32 m.",
    "The reach of the Lark is 15 m lower than that of the Gull.",
    "The difference in price between the Lark and the Wren is $310,000.",
    "Together, the Gull and the Lark have a load of 42 t.",
    "The load of the Lark is 2.5 times that of the Gull.",
    "The crew of the Wren is 40% of that of the Lark.",
    "The reach of the Gull is 60% higher than that of the Lark.",
    "The crew of the Wren is not 5 but 2.",
    "The Lark has a load of more than 20 t.",
    "The Gull has a reach of at most 50 m.",
    "The Wren has the lowest crew of the cranes, 2.",
    "The Lark has a price of about $610k.",
]
WRONG = [
    "The Gull has a reach of 40 m and a crew of 5.",
    "The crew and the load of the Gull are 12 and 3 t.",
    "The crew of the Gull is 2 higher than that of the Lark.",
    "The Gull has a lower reach than the Wren: 40 m against 32 m.",
    "The Gull has a higher reach than the Wren: 32 m against 40 m.",
    "The reach of the Lark is 25 m lower than that of the Gull.",
    "The difference in price between the Lark and the Wren is $210,000.",
    "Together, the Gull and the Lark have a load of 52 t.",
    "The load of the Lark is 3.5 times that of the Gull.",
    "The crew of the Wren is 60% of that of the Lark.",
    "The crew of the Wren is not 2 but 5.",
    "The Lark has a load of more than 35 t.",
    "The Lark has the lowest crew of the cranes, 5.",
    "The Zellbor has a reach of 40 m.",
    "The Gull has a load of 12 t. Its crew is 5.",
]


@cache
def passages(book: str) -> tuple[Passage, ...]:
    chunks = build_chunks([Source("cranes.md", parse(BOOKS[book], []))])
    return tuple(Passage(chunk, 1.0, 0.0, ("q",)) for chunk in chunks)


def is_passed(text: str, book: str) -> bool:
    """Whether a text that cites all of a book, in each of its sentences, is let through."""
    sources = {n: Cited(each.chunk) for n, each in enumerate(passages(book), start=1)}
    marks = "".join(f"[{n}]" for n in sources)
    made = cited(" ".join(f"{each.removesuffix('.')} {marks}." for each in text.split(". ")), sources)
    return not prose.verify(made.text, (), made.citations, passages(book), "What are the cranes like?")


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("sentence", RIGHT)
def test_what_stands_there_or_follows_is_let_through(sentence: str, book: str) -> None:
    assert is_passed(sentence, book)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("sentence", WRONG)
def test_what_is_told_of_something_else_is_found(sentence: str, book: str) -> None:
    assert not is_passed(sentence, book)


@pytest.mark.parametrize("book", ["table", "pages", "list"])
def test_a_unit_of_the_same_dimension_is_another(book: str) -> None:
    assert is_passed("The Gull has a reach of 40 meters.", book)
    assert not is_passed("The Gull has a reach of 40 feet.", book)


def test_a_row_that_a_model_writes_is_read_with_its_head() -> None:
    head = "| Crane | Crew | Load |\n| --- | --- | --- |\n"
    sources = {1: Cited(passages("table")[0].chunk)}
    for row, is_right in (("| Gull | 3 | 12 t [1] |", True), ("| Gull | 12 t | 3 [1] |", False)):
        made = cited(head + row, sources)
        assert is_right == (not prose.verify(made.text, (), made.citations, passages("table"), "What is the Gull?"))
