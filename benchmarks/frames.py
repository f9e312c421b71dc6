"""Questions in a few exact frames over the tables of any folder: no truth is written by hand.

    python -m benchmarks.frames FOLDER --each 40 --seed 1

The pipe tables of its Markdown files and its CSV files are read by a parser of this module's own, which shares nothing
with the project. Each question has the book's own names, heads and values: the value of one cell, the best and the
lowest of all rows, the better of two, those above a limit, how many these are, whose a value is, and, which nothing
answers, the value of somebody under the head of a table that he is not in. *Wrong and complete* has to be nothing: what
is asked of two tables alike, or has no single answer, is not asked. Another seed is another set of questions.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Printed

from versus import Agent, Settings, ingest

RIGHT, WRONG, OPEN = "right", "wrong and complete", "partial or not found"
_NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?")
_MARKUP = re.compile(r"\[([^\]]*)\]\([^)]*\)|[*`]|(?<!\w)_+|_+(?!\w)|<[^>]+>")
_ESCAPED = re.compile(r"\\([^\w\s])")
_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*")
_FEWEST, _MOST_ROWS, _LONGEST = 3, 200, 40
"""Rows of a table that is asked about, and characters of a name or a head."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its heads, and its rows by their names."""

    source: str
    heads: tuple[str, ...]
    rows: dict[str, tuple[str, ...]]

    def column(self, at: int) -> dict[str, float]:
        """The numbers under a head; none where a cell is no number alone, or where all are the same."""
        cells = {name: row[at].strip() for name, row in self.rows.items()}
        if not all(_NUMBER.fullmatch(cell) for cell in cells.values()):
            return {}
        found = {name: float(cell.replace(",", "")) for name, cell in cells.items()}
        return found if len(set(found.values())) > 1 else {}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, what a right answer tells, and the names that it must not tell; no truth where nothing answers it."""

    frame: str
    question: str
    truth: frozenset[str]
    others: frozenset[str] = frozenset()

    def judged(self, text: str, *, is_complete: bool) -> str:
        """Whether an answer is right, by its verdict and text; whatever is told as partial is not wrong."""
        if not is_complete:
            return OPEN if self.truth else RIGHT
        told, first = _plain(text), _plain(text.partition("\n")[0])
        is_told = all(_has(told, each) for each in self.truth) and not any(_has(first, each) for each in self.others)
        return RIGHT if self.truth and is_told else WRONG


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"(?<=\d),(?=\d{3})", "", re.sub(r"\[\d+\]", " ", text))).casefold()


def _has(text: str, wanted: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(_plain(wanted))}(?![\w]|\.\d)", text) is not None


def tables(folder: Path) -> Iterator[Grid]:
    """The tables of a folder whose rows have names of their own."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".csv":
            with path.open(encoding="utf-8", errors="replace", newline="") as file:
                yield from _grid(path, list(csv.reader(file)))
        elif path.suffix in (".md", ".markdown"):
            for lines in _blocks(path.read_text(encoding="utf-8", errors="replace")):
                yield from _grid(path, [_cells(line) for line in (lines[0], *lines[2:])])


def _blocks(text: str) -> Iterator[list[str]]:
    """The lines of each pipe table."""
    block: list[str] = []
    for line in (*text.splitlines(), ""):
        if line.strip().startswith("|"):
            block.append(line)
            continue
        if len(block) > _FEWEST + 1 and _RULE.fullmatch(block[1]):
            yield block
        block = []


def _cells(line: str) -> list[str]:
    parts = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [_ESCAPED.sub(r"\1", _MARKUP.sub(lambda match: match[1] or "", part)).strip(" †‡*") for part in parts]


def _grid(path: Path, lines: Sequence[Sequence[str]]) -> Iterator[Grid]:
    """The table, where its rows are named by their first cells and all are as long as its heads."""
    heads, rows = (lines[0], lines[1:]) if lines else ((), ())
    named = {row[0]: tuple(row) for row in rows if len(row) == len(heads)}
    is_named = all(any(map(str.isalpha, name)) and len(name) <= _LONGEST for name in named)
    is_headed = len(set(heads)) == len(heads) > 1 and all(0 < len(head) <= _LONGEST for head in heads)
    if is_named and is_headed and len(named) == len(rows) and _FEWEST <= len(rows) <= _MOST_ROWS:
        yield Grid(str(path), tuple(heads), named)


def questions(grids: Sequence[Grid], each: int, seed: int) -> list[Asked]:
    """Some questions of each frame, of those that have one answer."""
    chance = random.Random(seed)
    firsts = Counter(grid.heads[0].casefold() for grid in grids)
    alone = [grid for grid in grids if firsts[grid.heads[0].casefold()] == 1]
    named = Counter(name.casefold() for grid in grids for name in grid.rows)
    heads = Counter(head.casefold() for grid in grids for head in grid.heads)
    found: dict[str, list[Asked]] = {}
    for asked in (*_of_cells(grids, named), *_of_rows(alone, heads), *_of_nobody(grids, named, chance)):
        found.setdefault(asked.frame, []).append(asked)
    return [asked for some in found.values() for asked in chance.sample(some, min(each, len(some)))]


def _of_cells(grids: Sequence[Grid], named: Counter[str]) -> Iterator[Asked]:
    """The value of one cell, of somebody who is in one table only, and the better of two such."""
    for grid in grids:
        own = [name for name in grid.rows if named[name.casefold()] == 1]
        for at, head in enumerate(grid.heads[1:], 1):
            for name in own:
                if (value := grid.rows[name][at]) and any(map(str.isalnum, value)) and len(value) <= _LONGEST:
                    yield Asked("cell", f"What is the {head} of {name}?", frozenset({value}))
            numbers = grid.column(at)
            for one, two in pairwise(own):
                if numbers and numbers[one] != numbers[two]:
                    more, less = (one, two) if numbers[one] > numbers[two] else (two, one)
                    yield Asked(
                        "compare", f"Which has the higher {head}, {one} or {two}?", frozenset({more}), _but(less, more)
                    )


def _but(name: str, other: str) -> frozenset[str]:
    """A name that must not be told, unless it is part of the right one."""
    return frozenset() if _has(_plain(other), name) or _has(_plain(name), other) else frozenset({name})


def _of_rows(grids: Sequence[Grid], heads: Counter[str]) -> Iterator[Asked]:
    """What is asked of all rows of a table that is the only one with its first head, by a head that no other has."""
    for grid in grids:
        for at, head in enumerate(grid.heads[1:], 1):
            numbers = grid.column(at) if heads[head.casefold()] == 1 else {}
            if not numbers:
                continue
            for frame, end in (("highest", max(numbers.values())), ("lowest", min(numbers.values()))):
                best = frozenset(name for name, number in numbers.items() if number == end)
                if len(best) == 1:
                    yield Asked(frame, f"Which {grid.heads[0]} has the {frame} {head}?", best)
            limit = sorted(numbers.values())[len(numbers) // 2]
            above = frozenset(name for name, number in numbers.items() if number > limit)
            if above:
                several = f"with a {head} above {limit:g}"
                yield Asked("above", f"Which {grid.heads[0]} entries are there {several}?", above)
                yield Asked(
                    "count", f"How many {grid.heads[0]} entries are there {several}?", frozenset({str(len(above))})
                )


def _of_nobody(grids: Sequence[Grid], named: Counter[str], chance: random.Random) -> Iterator[Asked]:
    """The value of somebody under a head of another table, which no table that he is in has."""
    for grid in grids:
        own = {head.casefold() for head in grid.heads}
        foreign = [head for other in grids for head in other.heads[1:] if head.casefold() not in own]
        for name in grid.rows if foreign else ():
            if named[name.casefold()] == 1:
                yield Asked("nobody's", f"What is the {chance.choice(foreign)} of {name}?", frozenset())


async def asked_all(folder: Path, asked: Sequence[Asked], tell: Callable[[Asked, str, str], None]) -> None:
    """Ingest the folder, ask each question, and tell what became of it."""
    with tempfile.TemporaryDirectory(prefix="versus-frames-") as place:
        settings = Settings(collection="frames", chroma=place, planner="rules")
        await ingest([folder], settings)
        async with Agent.open(settings) as agent:
            for each in asked:
                answer = await agent.ask(each.question)
                text = f"{answer.verdict}\n{answer.text}" if answer.verdict else answer.text
                tell(each, each.judged(text, is_complete=answer.stop_reason == "complete"), text)


def main() -> None:
    """Read the command line, ask, and print the table and what is wrong and complete."""
    parser = argparse.ArgumentParser(description="Questions in exact frames over the tables of a folder.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", type=int, default=40, help="questions of each frame")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    asked = questions(list(tables(chosen.folder)), chosen.each, chosen.seed)
    console, judged, wrong = Console(width=160), dict[str, Counter[str]](), list[str]()

    def tell(each: Asked, result: str, text: str) -> None:
        judged.setdefault(each.frame, Counter())[result] += 1
        if result == WRONG:
            wrong.append(f"{each.question} -> {text.splitlines()[0][:120]}; true: {', '.join(sorted(each.truth))}")

    asyncio.run(asked_all(chosen.folder, asked, tell))
    printed = Printed("frame", "n", RIGHT, OPEN, WRONG, title=str(chosen.folder), title_justify="left")
    for frame, counts in judged.items():
        printed.add_row(frame, str(counts.total()), *(str(counts[each]) for each in (RIGHT, OPEN, WRONG)))
    console.print(printed)
    console.print("\n".join(map(escape, wrong)), soft_wrap=True)


if __name__ == "__main__":
    main()
