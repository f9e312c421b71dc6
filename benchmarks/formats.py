"""One book in every format: which of its tables are exact, which cells are wrong, and which answers the Markdown's.

    python -m benchmarks.formats                          # the bundled rulebook
    python -m benchmarks.formats --shared ../shared       # OSRIC instead, with its look-ups and duels
    python -m benchmarks.formats --only unruled booktabs  # only the formats whose names hold one of these words
    python -m benchmarks.formats --pages 1000             # a PDF of so many pages: time, memory, and reading it again

A table, or a row, is exact where its heads and all its cells are those of the Markdown. A cell is wrong where the
Markdown has that row under that head, and says something else. An answer is alike where its verdict is the same, and
whether it is complete; *other* where it is complete with another verdict, which is the worst: each of these is printed
below the table with its question and what the Markdown says. Where the truth of a question is known apart from the
project, *right* is what is complete and true, *sure wrong* what is complete and not, and behind a plus stands what is
true and told in part. A page is right where another reader of PDFs finds the words of the citation on it; of one that
runs over its end, the first on it and the others on the next. Formats that a browser prints are left out where there is
none. The files stay in the folder that `--into` names.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pypdfium2
from rich.console import Console
from rich.table import Table

from agent.cli.demo import sample
from agent.questions import built_in
from agent.render.data import answer_data
from benchmarks import printing
from benchmarks.books import question_sets
from benchmarks.judging import Entry, class_by_truth
from benchmarks.memory import most_memory_of_children
from retrieval.ingest.read import read_sources
from versus import Agent, Answer, Citation, Placed, Settings, ingest

MORE_QUESTIONS = (
    "What does a long sword cost?",
    "Which weapon is the heaviest?",
    "How many weapons weigh more than 10 lbs?",
    "At what level does a fighter make 3/2 attacks?",
    "Which has more hit dice, a troll or an ogre?",
    "What does a 7th level cleric need to roll to hit armor class 6?",
)

_BEGINNING = 6
"""Words of what is cited that have to stand on its page, where it runs over the end of that."""


@dataclass(frozen=True, slots=True)
class Format:
    """How a book is written as a file of this name."""

    name: str
    suffix: str
    write: Callable[[Path, Path], None]


def formats(words: Sequence[str] = ()) -> Iterator[Format]:
    """All formats that can be made here, or those whose names hold one of these words.

    >>> [each.name for each in formats(["word", "excel"])]
    ['Word', 'Excel']
    """
    wanted = [word.casefold() for word in words] or [""]
    return (each for each in _formats() if any(word in each.name.casefold() for word in wanted))


def _formats() -> Iterator[Format]:
    for style in printing.STYLES if printing.browser() else ():
        yield Format(f"PDF, {style}", ".pdf", partial(printing.print_pdf, style=style))
    for name, suffix, write in (
        ("HTML", ".html", printing.write_html),
        ("Word", ".docx", printing.write_word),
        ("Excel", ".xlsx", printing.write_workbook),
    ):
        yield Format(name, suffix, write)


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a book, and its rows, each under its heads; what its cells say, by head and row."""

    whole: Counter[tuple[object, ...]]
    rows: Counter[tuple[object, ...]]
    cells: Mapping[tuple[object, ...], Set[str]]


@dataclass(frozen=True, slots=True)
class Book:
    """What the Markdown of a book holds: its tables, and the answers from it. `is_row` is true for a row of a table."""

    tables: Tables
    is_row: Callable[[tuple[str, ...]], bool]
    answers: Sequence[Answer]


@dataclass(frozen=True, slots=True)
class Pair:
    """A question with the answer over the Markdown and that over the format."""

    question: Entry
    markdown: Answer
    answer: Answer

    def lines(self) -> Iterator[str]:
        """What was asked, what the Markdown says, and what the format does."""
        yield f"  {self.question['question']}"
        yield f"    Markdown, {self.markdown.stop_reason}: {_in_one_line(self.markdown.text)}"
        yield f"    here, {self.answer.stop_reason}: {_in_one_line(self.answer.text)}"
        for each in self.answer.citations:
            yield f"    from page {each.page}, {each.title!r}: {_in_one_line(each.quote)}"


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of one format: tables and rows that are exact, cells that are wrong, answers that are those of the
    Markdown and those that are complete and others, how many are of which class where the truth is known, citations
    with the right page and with any, and seconds of reading.
    """

    tables: int
    rows: int
    wrong: int
    same: int
    others: Sequence[Pair]
    classes: Counter[str]
    right: int
    paged: int
    cited: int
    seconds: float


def tables_of(folder: Path, is_row: Callable[[tuple[str, ...]], bool]) -> Tables:
    """The tables of a folder, the parts of one that chunks share put together, of such rows."""
    whole: dict[tuple[object, ...], list[tuple[str, ...]]] = {}
    cells: dict[tuple[object, ...], set[str]] = {}
    for chunk in read_sources([folder]).chunks:
        for table in chunk.tables:
            told = [row for row in table.rows if is_row(row)]
            sheet = table.place.sheet if table.place else ""
            at = (chunk.source, chunk.headings, chunk.line, sheet, table.caption, table.columns)
            whole.setdefault(at, []).extend(told)
            for row in told:
                for column, text in zip(table.columns[1:], row[1:], strict=True):
                    cells.setdefault((row[0], column, table.columns[0]), set()).add(text)
    rows = Counter[tuple[object, ...]]((columns, row) for (*_, columns), told in whole.items() for row in told)
    tables = Counter[tuple[object, ...]]((columns, tuple(told)) for (*_, columns), told in whole.items() if told)
    return Tables(tables, rows, cells)


def asked(folder: Path, questions: Sequence[Entry]) -> list[Answer]:
    """The answers over a collection made of a folder."""
    with tempfile.TemporaryDirectory() as place:
        return asyncio.run(_asked(folder, questions, place))


async def _asked(folder: Path, questions: Sequence[Entry], place: str) -> list[Answer]:
    settings = Settings(collection="book", chroma=place, planner="rules", deadline=60)
    await ingest([folder], settings)
    async with Agent.open(settings) as agent:
        return [await agent.ask(each["question"]) for each in questions]


def classes_of(questions: Sequence[Entry], answers: Sequence[Answer]) -> Counter[str]:
    """How many answers are of which class, of the questions whose truth is known."""
    classes = (class_by_truth(answer_data(answer), entry) for entry, answer in zip(questions, answers, strict=True))
    return Counter(filter(None, classes))


def measured(folder: Path, questions: Sequence[Entry], book: Book) -> Measured:
    """Compare a folder with a book's tables and answers."""
    wanted, told = book.tables, book.answers
    began = time.perf_counter()
    found = tables_of(folder, book.is_row)
    seconds = time.perf_counter() - began
    answers = asked(folder, questions)
    compared = [Pair(*each) for each in zip(questions, told, answers, strict=True)]
    citations = [citation for answer in answers for citation in answer.citations]
    return Measured(
        (found.whole & wanted.whole).total(),
        (found.rows & wanted.rows).total(),
        sum(len(said - wanted.cells[at]) for at, said in found.cells.items() if at in wanted.cells),
        sum(_said(each.answer) == _said(each.markdown) for each in compared),
        [each for each in compared if _is_complete_and_other(each)],
        classes_of(questions, answers),
        sum(_is_on_its_page(citation, folder) for citation in citations),
        sum(citation.page is not None for citation in citations),
        len(citations),
        seconds,
    )


def _said(answer: Answer) -> tuple[str | None, str]:
    return answer.verdict, answer.stop_reason


def _is_complete_and_other(pair: Pair) -> bool:
    return pair.answer.stop_reason == "complete" and _said(pair.answer) != _said(pair.markdown)


def _is_on_its_page(citation: Citation, folder: Path) -> bool:
    """True where most words of what is cited, all its numbers among them, stand on that page of the file, or where it
    begins there and goes on on the next one.
    """
    if citation.page is None:
        return False
    path, words = folder / citation.source, _words(citation.quote)
    here = set(_words(page_text(path, citation.page)))
    if _stand_in(words, here):
        return True
    both = here.union(_words(page_text(path, citation.page + 1)))
    return here.issuperset(words[:_BEGINNING]) and _stand_in(words, both)


def _stand_in(words: Sequence[str], there: Set[str]) -> bool:
    numbers = {word for word in words if word.isdigit()}
    return numbers <= there and 2 * sum(word in there for word in words) >= len(words)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def page_text(path: Path, page: int) -> str:
    """The text of a page, from 1, as PDFium reads it, empty behind the last; versus reads with pdfminer."""
    with pypdfium2.PdfDocument(path) as pdf:
        return str(pdf[page - 1].get_textpage().get_text_range()) if page <= len(pdf) else ""


def main() -> None:
    """Print one table a book, or what a long PDF takes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, metavar="FOLDER", help="a folder with corpora/osric and its questions")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="formats whose names hold one of these")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="where the files are written, and stay")
    parser.add_argument("--pages", type=int, metavar="N", help="read a PDF of N pages, and nothing else")
    arguments = parser.parse_args()
    with sample() as folder:
        if arguments.pages is not None:
            _print_long_pdf(folder, arguments.pages)
        elif arguments.shared is not None:
            book = arguments.shared / "corpora" / "osric"
            _print_book("OSRIC", book, osric_questions(arguments.shared), arguments.only, arguments.into)
        else:
            entries = [{"question": question} for question in (*built_in(), *MORE_QUESTIONS)]
            _print_book("bundled rulebook", folder, entries, arguments.only, arguments.into)


def osric_questions(shared: Path) -> list[Entry]:
    """The questions about OSRIC whose truth is known: look-ups and duels."""
    sets = question_sets(shared)["osric"]
    return [entry for each in sets if each.form in ("look-up", "duel") for entry in each.entries]


def of_tables(book: Path) -> Callable[[tuple[str, ...]], bool]:
    """What tells the rows of a book's tables from the labels and values of its prose, whose bold words are not printed;
    *Age: Elf* is a part of *Age*.
    """
    blocks = [block for path in book.glob("*.md") for section in printing.sections_of(path) for block in section.blocks]
    rows = {row for block in blocks if isinstance(block, Placed) for row in block.table.rows}
    prose = {pair for block in blocks if not isinstance(block, Placed) for pair in block.pairs} - rows
    labels = {label for label, _ in prose} - {row[0] for row in rows}
    return lambda row: row not in prose and row[0].partition(": ")[0] not in labels


_WIDTH = 150
"""Letters of a line, also where what is printed goes to a file."""
_HEADS = (
    *("format", "tables exact", "rows exact", "cells wrong", "answers alike", "complete, other", "right", "sure wrong"),
    *("right page", "any page", "seconds to read"),
)


def _print_book(title: str, folder: Path, questions: Sequence[Entry], only: Sequence[str], into: Path | None) -> None:
    is_row = of_tables(folder)
    book = Book(tables_of(folder, is_row), is_row, asked(folder, questions))
    shown = Table(title=f"{title}: {len(questions)} questions")
    for head in _HEADS:
        shown.add_column(head, justify="left" if head == "format" else "right")
    shown.add_row("Markdown", *_of_markdown(book, questions))
    others: list[str] = []
    for each in formats(only):
        with _folder(into, each.name) as place:
            for path in sorted(folder.glob("*.md")):
                each.write(path, place / f"{path.stem}{each.suffix}")
            found = measured(place, questions, book)
        told = list(_shown(found))
        shown.add_row(each.name, *told)
        said = "; ".join(f"{head} {cell}" for head, cell in zip(_HEADS[1:], told, strict=True) if cell)
        Console(stderr=True, width=_WIDTH).print(f"{each.name}: {said}", highlight=False)
        others += [line for pair in found.others for line in (f"{each.name}:", *pair.lines())]
    console = Console(width=max(Console().width, _WIDTH))
    console.print(shown)
    for line in others:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _of_markdown(book: Book, questions: Sequence[Entry]) -> Iterator[str]:
    yield from (f"{book.tables.whole.total():,}", f"{book.tables.rows.total():,}", "")
    yield from (f"{sum(answer.stop_reason == 'complete' for answer in book.answers)} complete", "")
    yield from _of_truths(classes_of(questions, book.answers))


@contextmanager
def _folder(into: Path | None, name: str) -> Iterator[Path]:
    """The folder of a format, which stays where it was named."""
    if into is None:
        with tempfile.TemporaryDirectory() as place:
            yield Path(place)
        return
    folder = into / name.replace(", ", "-").casefold()
    folder.mkdir(parents=True, exist_ok=True)
    yield folder


def _shown(found: Measured) -> Iterator[str]:
    yield from (f"{found.tables:,}", f"{found.rows:,}", f"{found.wrong:,}", str(found.same), str(len(found.others)))
    yield from _of_truths(found.classes)
    yield from (f"{count} of {found.cited}" if found.paged else "" for count in (found.right, found.paged))
    yield f"{found.seconds:.1f}"


def _of_truths(classes: Counter[str]) -> tuple[str, str]:
    if not classes:
        return "", ""
    return f"{classes['right']} (+{classes['part']})", str(classes["sure-wrong"])


@dataclass(slots=True)
class _Progress:
    """How many pages were told, the last of them, and the most megabytes of the process that reads."""

    told: int = 0
    last: tuple[int, ...] = ()
    memory: float = 0.0

    def __call__(self, _: str, *pages: int) -> None:
        self.told, self.last = self.told + 1, pages
        self.memory = max(self.memory, most_memory_of_children())


def _print_long_pdf(book: Path, pages: int) -> None:
    """Print what a PDF of many pages takes: its time and memory, and what reading it again does."""
    shown = Table(title=f"a PDF of {pages:,} pages")
    for column in ("reading", "seconds", "pages told", "the last", "pages a second", "MB at most", "chunks"):
        shown.add_column(column, justify="right")
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "long.pdf"
        write_long_pdf(book, path, pages)
        for reading in ("first", "again"):
            heard = _Progress()
            began = time.perf_counter()
            found = read_sources([path], heard, cache=Path(place))
            seconds = time.perf_counter() - began
            last, speed, memory = (
                (f"{heard.last[0]:,} of {heard.last[1]:,}", f"{pages / seconds:.1f}", f"{heard.memory:,.0f}")
                if heard.told
                else ("", "", "")
            )
            shown.add_row(reading, f"{seconds:.1f}", f"{heard.told:,}", last, speed, memory, f"{len(found.chunks):,}")
    Console().print(shown)


def write_long_pdf(book: Path, path: Path, pages: int) -> None:
    """Write a PDF of so many pages, which are those of a printed book over and over."""
    printed = path.with_name("short.pdf")
    printing.print_pdf(next(iter(sorted(book.glob("*.md")))), printed, style="ruled")
    with pypdfium2.PdfDocument(printed) as short, pypdfium2.PdfDocument.new() as long:
        while len(long) < pages:
            long.import_pages(short, list(range(min(len(short), pages - len(long)))))
        long.save(path)


if __name__ == "__main__":
    main()
