"""Real collections that nobody here wrote: what comes out right, what is wrong and sure, and what retrieval finds.

    python -m benchmarks.books ../shared
    python -m benchmarks.books ../shared --collection ec2

The folder may be any that is laid out like this; its collections and questions are discovered:

    corpora/NAME/      Markdown files, or `chunks.jsonl`
    questions/*.jsonl  a question is about the collection that its `corpus` names, or else the name of its file:
                       `NAME.jsonl` or `NAME-anything.jsonl`
    judge/             `judge.py` and `retrieval_eval.py`

Each collection gets one table: the classes by kind of question (right, and refused where there is nothing to find; part
and honest; the three sure ones must be empty), all-gold@10 and recall@10 beside one plain query and BM25; and
milliseconds. *right %* is of the questions that have an answer. What has to be looked at is named below the table.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agent.render.data import answer_data
from agent.settings.settings import load
from benchmarks.judging import (
    ALL,
    SURE,
    Entry,
    Form,
    Record,
    Retrieval,
    Times,
    duel_is_right,
    form_of,
    judged_by_program,
    judged_by_truth,
    kind_of,
    look_up_is_right,
    retrieval_by_kind,
)
from versus import Agent, AgentError, RetrievalError, Settings, ingest

CLASSES = ("right", "refused", "part", "honest", "open", "part-wrong", *SURE, "error")
WAYS = ("versus", "plain", "bm25", "hybrid")
COLUMNS = (
    *("questions", "kind", "n", *CLASSES, "right %"),
    *(f"{measure}@10\n{way}" for measure in ("all", "recall") for way in WAYS),
    *("ms", "most ms", "plain ms"),
)

Row = Mapping[str, str]
"""What is told of one kind of question, by the heads of `COLUMNS`."""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The questions of one file about one collection that are judged in one way."""

    name: str
    form: Form
    entries: list[Entry] = field(default_factory=list)


def question_sets(shared: Path) -> dict[str, list[QuestionSet]]:
    """All question sets of the folder, by collection."""
    names = sorted(place.name for place in (shared / "corpora").iterdir() if place.is_dir())
    found: dict[str, dict[tuple[str, Form], QuestionSet]] = {name: {} for name in names}
    for path in sorted((shared / "questions").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            collection, form = entry.get("corpus") or _named_by(path.stem, names), form_of(entry)
            if collection in found and form:
                found[collection].setdefault((path.stem, form), QuestionSet(path.stem, form)).entries.append(entry)
    return {name: list(sets.values()) for name, sets in found.items()}


def _named_by(stem: str, names: Sequence[str]) -> str | None:
    """The longest name of a collection that a file's name begins with."""
    return max((name for name in names if f"{stem}-".startswith(f"{name}-")), key=len, default=None)


def rows_of(asked: QuestionSet, judges: Path, settings: Settings, chunks: Path, named: list[str]) -> list[Row]:
    """Ask and judge one set of questions; the lines that a reader has to look at are added to `named`."""
    if asked.form == "retrieved":
        place = Path(settings.chroma), settings.only_collection(), chunks
        measured = retrieval_by_kind(judges / "retrieval_eval.py", *place, asked.entries)
        named += measured.named
        return [_retrieval_row(asked, kind, measured) for kind in (*measured.times, ALL)]
    records, times = asyncio.run(_answered(asked.entries, settings))
    if asked.form == "judged":
        judged = judged_by_program(judges / "judge.py", asked.entries, records)
    else:
        judged = judged_by_truth(duel_is_right if asked.form == "duel" else look_up_is_right, asked.entries, records)
    named += judged.named
    every = {**judged.classes, ALL: sum(judged.classes.values(), Counter[str]())}
    return [
        {"questions": asked.name, "kind": kind, **_class_cells(classes), **_time_cells(times, kind)}
        for kind, classes in every.items()
    ]


async def _answered(entries: Sequence[Entry], settings: Settings) -> tuple[list[Record], Times]:
    """An answer to each question, with its time, and that of one plain query."""
    records: list[Record] = []
    times: Times = {}
    async with Agent.open(settings) as agent:
        for entry in entries:
            started = time.perf_counter()
            records.append({**await _record(agent, entry["question"]), "id": entry["id"]})
            answered = time.perf_counter()
            await agent.plain(entry["question"], 10)
            plain = time.perf_counter() - answered
            times.setdefault(kind_of(entry), []).append((1000 * (answered - started), 1000 * plain))
    return records, times


async def _record(agent: Agent, question: str) -> Record:
    try:
        return answer_data(await agent.ask(question))
    except (AgentError, RetrievalError) as error:
        return {"error": str(error)}


def _retrieval_row(asked: QuestionSet, kind: str, measured: Retrieval) -> Row:
    count = len(asked.entries) if kind == ALL else len(measured.times[kind])
    cells = {"questions": asked.name, "kind": kind, "n": str(count)}
    for way, (all_gold, recall) in measured.ways[kind].items():
        cells |= {f"all@10\n{way}": f"{all_gold:.2f}", f"recall@10\n{way}": f"{recall:.2f}"}
    return {**cells, **_time_cells(measured.times, kind)}


def _class_cells(classes: Counter[str]) -> Row:
    """How many of each class, and the share of right ones among those that have an answer."""
    has_answer = classes.total() - classes["refused"] - classes["sure-made"]
    share = f"{100 * classes['right'] / has_answer:.0f}" if has_answer else ""
    counts = {name: str(count) for name, count in classes.items()}
    return {"n": str(classes.total()), **counts, "right %": share}


def _time_cells(times: Times, kind: str) -> Row:
    every = times[kind] if kind != ALL else [each for found in times.values() for each in found]
    whole, plain = zip(*every, strict=True)
    return {"ms": f"{median(whole):.0f}", "most ms": f"{max(whole):.0f}", "plain ms": f"{median(plain):.0f}"}


def measure(shared: Path, name: str, sets: Sequence[QuestionSet], console: Console) -> None:
    """Ingest one collection, ask all that there is about it, and print its table."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        settings = load({"collection": name, "chroma": str(folder / "chroma"), "deadline": 600, "planner": "rules"})
        chunks = shared / "corpora" / name / "chunks.jsonl"
        title = f"{name}: {asyncio.run(_ingested(chunks if chunks.exists() else chunks.parent, settings))}"
        named: list[str] = []
        rows = [row for asked in sets for row in rows_of(asked, shared / "judge", settings, chunks, named)]
    show(console, title, rows)
    console.print("\n".join(map(escape, named)), soft_wrap=True)


async def _ingested(path: Path, settings: Settings) -> str:
    """Ingest and open; the sizes, and what it took."""
    started, worked = time.perf_counter(), _cpu_seconds()
    report = await ingest([path], settings)
    took, worked = time.perf_counter() - started, _cpu_seconds() - worked
    started = time.perf_counter()
    async with Agent.open(settings):
        opened = time.perf_counter() - started
    sizes = f"{report.files} files, {report.chunks} chunks, {report.tables} tables, {report.rules} rules"
    return f"{sizes}; ingested in {took:.0f} s ({worked:.0f} s of CPU), opened in {opened:.2f} s"


def _cpu_seconds() -> float:
    """Seconds of CPU of this process and of those that it has waited for: an index is built in one of its own."""
    return sum(os.times()[:4])


def show(console: Console, title: str, rows: Sequence[Row]) -> None:
    """One table, with the columns that some row fills; each set of questions is a section."""
    columns = [column for column in COLUMNS if any(row.get(column) for row in rows)]
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column, no_wrap=column in ("questions", "kind"))
    for number, row in enumerate(rows, 1):
        ends = number == len(rows) or rows[number]["questions"] != row["questions"]
        table.add_row(*(escape(row.get(column, "")) for column in columns), end_section=ends)
    console.print(table)


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description="Right and wrong answers over real collections.")
    parser.add_argument("shared", type=Path, help="the folder with corpora, questions and judge")
    parser.add_argument("--collection", metavar="NAME", help="this one only")
    chosen = parser.parse_args()
    sets, console = question_sets(chosen.shared), Console(width=160)
    if chosen.collection not in (None, *sets):
        parser.error(f"no collection {chosen.collection}; there are: {', '.join(sets)}")
    for name, own in sets.items():
        if chosen.collection in (None, name):
            measure(chosen.shared, name, own, console)


if __name__ == "__main__":
    main()
