"""One book in every format: which rows of its tables are exact, and which of its answers are those of the Markdown.

    python -m benchmarks.formats                          # the bundled rulebook
    python -m benchmarks.formats ../shared                # OSRIC and its look-ups besides

A row is exact where its heads and all its cells are those of the Markdown. An answer is alike where its verdict is the
same, and whether it is complete; *other* where it is complete with another verdict, which is the worst. Formats that a
browser prints are left out where there is none.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agent.cli.demo import sample
from agent.questions import built_in
from benchmarks import printing
from retrieval.ingest.read import read_sources
from versus import Agent, Answer, Settings, ingest

MORE_QUESTIONS = (
    "What does a long sword cost?",
    "Which weapon is the heaviest?",
    "How many weapons weigh more than 10 lbs?",
    "At what level does a fighter make 3/2 attacks?",
    "Which has more hit dice, a troll or an ogre?",
    "What does a 7th level cleric need to roll to hit armor class 6?",
)


@dataclass(frozen=True, slots=True)
class Format:
    """How a book is written as a file of this name."""

    name: str
    suffix: str
    write: Callable[[Path, Path], None]


def formats() -> Iterator[Format]:
    """All formats that can be made here."""
    for style in printing.STYLES if printing.browser() else ():
        yield Format(f"PDF, {style}", ".pdf", partial(printing.print_pdf, style=style))
    for name, suffix, write in (
        ("HTML", ".html", printing.write_html),
        ("Word", ".docx", printing.write_word),
        ("Excel", ".xlsx", printing.write_workbook),
    ):
        yield Format(name, suffix, write)


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of one format: rows of tables that are exact and that are there in another form, answers that are those
    of the Markdown and that are complete and others, the share of citations that have a page, and seconds of reading.
    """

    rows: int
    exact: int
    same: int
    other: int
    paged: float
    seconds: float


def rows_of(folder: Path) -> Counter[tuple[object, ...]]:
    """All rows of a folder's tables under their heads."""
    tables = (table for chunk in read_sources([folder]).chunks for table in chunk.tables)
    return Counter((table.columns, row) for table in tables for row in table.rows)


async def asked(folder: Path, questions: Sequence[str], place: Path) -> list[Answer]:
    """The answers over a collection made of a folder."""
    settings = Settings(collection="book", chroma=str(place), planner="rules", deadline=60)
    await ingest([folder], settings)
    async with Agent.open(settings) as agent:
        return [await agent.ask(question) for question in questions]


def measured(
    folder: Path, questions: Sequence[str], wanted: Counter[tuple[object, ...]], told: Sequence[Answer]
) -> Measured:
    """Compare a folder with the Markdown's rows and answers."""
    began = time.perf_counter()
    rows = rows_of(folder)
    seconds = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as place:
        answers = asyncio.run(asked(folder, questions, Path(place)))
    pairs = [
        (own.verdict, own.stop_reason, other.verdict, other.stop_reason)
        for own, other in zip(answers, told, strict=True)
    ]
    same = sum(pair[:2] == pair[2:] for pair in pairs)
    other = sum(pair[1] == "complete" and pair[:2] != pair[2:] for pair in pairs)
    cited = [citation.page is not None for answer in answers for citation in answer.citations]
    return Measured(rows.total(), (rows & wanted).total(), same, other, sum(cited) / max(1, len(cited)), seconds)


def _said(answer: Answer) -> tuple[str | None, str]:
    return answer.verdict, answer.stop_reason


def main() -> None:
    """Print one table a book."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, nargs="?", help="a folder with corpora/osric and its look-ups")
    arguments = parser.parse_args()
    with sample() as folder:
        _print_book("bundled rulebook", folder, (*built_in(), *MORE_QUESTIONS))
    if arguments.shared is not None:
        lines = (arguments.shared / "questions" / "osric-lookups.jsonl").read_text(encoding="utf-8").splitlines()
        _print_book("OSRIC", arguments.shared / "corpora" / "osric", [json.loads(line)["question"] for line in lines])


def _print_book(title: str, book: Path, questions: Sequence[str]) -> None:
    wanted = rows_of(book)
    with tempfile.TemporaryDirectory() as place:
        told = asyncio.run(asked(book, questions, Path(place)))
    shown = Table(title=f"{title}: {wanted.total():,} rows of tables, {len(questions)} questions")
    for column in ("format", "rows", "exact", "answers alike", "complete, other", "cited with page", "seconds to read"):
        shown.add_column(column, justify="left" if column == "format" else "right")
    for each in formats():
        with tempfile.TemporaryDirectory() as place:
            for path in sorted(book.glob("*.md")):
                each.write(path, (Path(place) / path.stem).with_suffix(each.suffix))
            found = measured(Path(place), questions, wanted, told)
        shown.add_row(
            each.name, f"{found.rows:,}", f"{found.exact:,}", str(found.same), str(found.other), f"{found.paged:.0%}",
            f"{found.seconds:.1f}",
        )  # fmt: skip
    Console().print(shown)


if __name__ == "__main__":
    main()
