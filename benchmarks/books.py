"""Real collections that nobody here wrote: what comes out right, what is wrong and sure, and what retrieval finds.

    python -m benchmarks.books ../shared

The folder holds `corpora`, `questions` and `judge/judge.py`, whose classes are used: right (and refused, where there is
nothing to find), part, honest, and the three that must be empty: sure-wrong, sure-empty, sure-made. Retrieval is
measured by all-gold@10, the share of questions of which every needed passage is among the first ten, and recall@10,
beside one plain query of the same collection. OSRIC's duels and look-ups are judged as in `benchmarks.real_book`.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from agent.render.data import answer_data
from agent.settings import load
from benchmarks.real_book import duel_is_right, lookup_is_right
from versus import Agent, Settings, ingest

JUDGED = ("srd51", "ec2")
RETRIEVED = ("wiki2",)
SURE = ("sure-wrong", "sure-empty", "sure-made")
_AT = 10

Entry = Mapping[str, Any]
Judge = Callable[[Entry, Mapping[str, Any]], str]


def judge_of(shared: Path) -> Judge:
    """The judge that lies beside the questions; it is no part of this project."""
    spec = importlib.util.spec_from_file_location("judge", shared / "judge" / "judge.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Judge = module.judge
    return found


def entries(path: Path) -> list[dict[str, Any]]:
    """The questions of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def read_book(shared: Path, name: str, folder: Path, console: Console) -> Settings:
    """Ingest one collection and tell its size."""
    settings = load({"collection": name, "chroma": str(folder / "chroma"), "deadline": 600, "planner": "rules"})
    place = shared / "corpora" / name
    started = time.process_time()
    report = await ingest([place / "chunks.jsonl" if name in RETRIEVED else place], settings)
    spent = time.process_time() - started
    console.print(f"{name}: {report.chunks} chunks, {report.tables} tables, {report.rules} rules, {spent:.0f} s of CPU")
    return settings


async def judged(
    agent: Agent, asked: Sequence[Entry], judge: Judge
) -> tuple[dict[str, Counter[str]], float, list[str]]:
    """The classes of all answers by the kind of question, the median of seconds, and what was wrong and sure."""
    classes: dict[str, Counter[str]] = {}
    seconds, wrong = [], []
    for entry in asked:
        started = time.perf_counter()
        answer = answer_data(await agent.ask(entry["question"]))
        seconds.append(time.perf_counter() - started)
        found = judge(entry, answer)
        classes.setdefault(str(entry.get("type", "")), Counter())[found] += 1
        if found in SURE:
            wrong.append(f"{found}: {entry['question']}")
    return classes, median(seconds), wrong


def show(console: Console, title: str, classes: Mapping[str, Counter[str]], seconds: float) -> None:
    """One table for one set of questions."""
    columns = ["right", "refused", "part", "honest", "part-wrong", *SURE]
    table = Table("kind", *columns, title=f"{title}, median {1000 * seconds:.0f} ms")
    rows = {**classes, "all": sum(classes.values(), Counter[str]())}
    for kind, counts in rows.items():
        table.add_row(kind, *(str(counts[column] or "") for column in columns))
    console.print(table)


async def retrieval(agent: Agent, asked: Sequence[Entry]) -> dict[str, tuple[float, float, float, float]]:
    """By kind: all-gold@10 and recall@10 of `search`, then those of one plain query."""
    rows: dict[str, list[tuple[float, float, float, float]]] = {}
    for entry in asked:
        gold = set(entry["gold"])
        passages = [passage.chunk.id for passage in (await agent.search(entry["question"])).passages][:_AT]
        plain = [hit.chunk.id for hit in (await agent.plain(entry["question"], _AT)).hits]
        found, alone = gold & set(passages), gold & set(plain)
        row = (float(found == gold), len(found) / len(gold), float(alone == gold), len(alone) / len(gold))
        rows.setdefault(entry["type"], []).append(row)
    return {kind: _means(found) for kind, found in rows.items()}


def _means(rows: Sequence[tuple[float, ...]]) -> tuple[float, float, float, float]:
    one, two, three, four = (sum(column) / len(rows) for column in zip(*rows, strict=True))
    return one, two, three, four


async def osric(shared: Path, folder: Path, console: Console) -> None:
    """The duels and look-ups of OSRIC, and all rewordings of it."""
    settings = await read_book(shared, "osric", folder, console)
    judges = {"osric-duels": duel_is_right, "osric-lookups": lookup_is_right}
    async with Agent.open(settings) as agent:
        for name, is_right in judges.items():
            asked = entries(shared / "questions" / f"{name}.jsonl")
            right = 0
            for entry in asked:
                answer = await agent.ask(entry["question"])
                whole = answer.stop_reason == "complete" and "(unverified)" not in answer.text
                right += whole and is_right(answer, entry)
            console.print(f"{name}: {right} of {len(asked)} right")


async def measure(shared: Path, folder: Path, console: Console) -> None:
    """Everything, collection by collection."""
    judge = judge_of(shared)
    rewordings = entries(shared / "questions" / "rewordings.jsonl")
    for name in JUDGED:
        settings = await read_book(shared, name, folder, console)
        async with Agent.open(settings) as agent:
            own = entries(shared / "questions" / f"{name}.jsonl")
            others = [entry for entry in rewordings if entry["corpus"] == name]
            for title, asked in ((name, own), (f"{name}, reworded", others)):
                classes, seconds, wrong = await judged(agent, asked, judge)
                show(console, title, classes, seconds)
                console.print("\n".join(wrong))
    for name in RETRIEVED:
        settings = await read_book(shared, name, folder, console)
        async with Agent.open(settings) as agent:
            for kind, row in (
                await retrieval(agent, entries(shared / "questions" / f"{name}-retrieval.jsonl"))
            ).items():
                numbers = "all-gold@10 {:.2f}, recall@10 {:.2f}; plain {:.2f}, {:.2f}".format(*row)
                console.print(f"{name}, {kind}: {numbers}")
    await osric(shared, folder, console)


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description="Right and wrong answers over real collections.")
    parser.add_argument("shared", type=Path)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(parser.parse_args().shared, Path(folder), Console(width=118)))


if __name__ == "__main__":
    main()
