"""Time by stage, and precision and recall with filters off and on, side by side in one run.

The bundled rulebook is read into a temporary folder; each of the classic questions is asked several times. Three
ways of finding are compared: *plain* (the whole question as one query, no filter), *planned* (sub-queries, no
filter) and *filtered* (sub-queries, screened and cut).

    python -m benchmarks.run --runs 5
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from agent.cli.demo import PLAIN_LIMIT, sample
from agent.evaluation.cases import Case, read_cases
from agent.evaluation.matching import ChunkIndex
from agent.evaluation.measures import precision_at_k, recall_at_k
from agent.evaluation.scores import Gold, gold_of
from agent.evaluation.stages import passages_of
from agent.settings.settings import load
from versus import Agent, IngestReport, ingest

HERE = Path(__file__).parent
QUESTIONS = HERE / "questions" / "classic.jsonl"
STAGES = ("plan", "retrieve", "reason", "synthesize", "total")
DEPTH = 15
"""k of both measures: as many chunks as plain retrieval shows."""


@dataclass(frozen=True, slots=True)
class Quality:
    """One way of finding, judged on one question."""

    chunks: int
    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class Measured:
    """One question: medians of milliseconds by stage, of the two searches, and the quality of three ways."""

    question_id: str
    stages_ms: dict[str, float]
    search_ms: dict[str, float]
    quality: dict[str, Quality]


async def measure(folder: Path, runs: int) -> tuple[IngestReport, float, list[Measured]]:
    """Read the sample into `folder`, then measure every classic question."""
    flags = {"collection": "benchmark", "chroma": str(folder / "chroma"), "log_dir": str(folder / "logs")}
    settings = load(flags)
    started = time.perf_counter()
    with sample() as book:
        report = await ingest([book], settings)
    seconds = time.perf_counter() - started
    cases = read_cases(QUESTIONS).cases
    async with Agent.open(settings) as filtering, Agent.open(load({**flags, "no_filter": True})) as plain:
        index = ChunkIndex([chunk async for chunk in filtering.chunks()])
        await filtering.ask(cases[0].question)  # loads the model, which is not a question's cost
        measured = [await _question(filtering, plain, case, gold_of(index, case), runs) for case in cases]
    return report, seconds, measured


async def _question(filtering: Agent, unfiltered: Agent, case: Case, gold: Gold, runs: int) -> Measured:
    question = case.question
    answers = [await filtering.ask(question) for _ in range(runs)]
    stages = {stage: median(a.timings_ms.get(stage, 0.0) for a in answers) for stage in STAGES}
    search = {"filtered": await _search_ms(filtering, question, runs)}
    search["unfiltered"] = await _search_ms(unfiltered, question, runs)
    whole = await filtering.plain(question, PLAIN_LIMIT)
    quality = {
        "plain": _quality([hit.chunk.id for hit in whole.hits], gold),
        "planned": _quality(passages_of(await unfiltered.search(question)), gold),
        "filtered": _quality(passages_of(answers[-1].evidence), gold),
    }
    return Measured(case.id, stages, search, quality)


async def _search_ms(agent: Agent, question: str, runs: int) -> float:
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        await agent.search(question)
        times.append((time.perf_counter() - started) * 1000)
    return median(times)


def _quality(found: Sequence[str], gold: Gold) -> Quality:
    precision = precision_at_k(found, gold.relevant, DEPTH)
    return Quality(len(found), precision, recall_at_k(found, list(gold.wanted.values()), DEPTH))


def show(console: Console, report: IngestReport, seconds: float, measured: Sequence[Measured], runs: int) -> None:
    """Print the tables."""
    console.print(f"ingest: {report.files} files, {report.chunks} chunks in {seconds:.1f} s; medians of {runs} runs")
    times = Table(title="milliseconds per question", title_justify="left")
    for column in ("question", *STAGES, "search filtered", "search unfiltered"):
        times.add_column(column, justify="left" if column == "question" else "right")
    for m in measured:
        both = (m.search_ms["filtered"], m.search_ms["unfiltered"])
        times.add_row(m.question_id, *(f"{ms:.1f}" for ms in (*(m.stages_ms[s] for s in STAGES), *both)))
    console.print(times)
    quality = Table(title=f"chunks, precision@{DEPTH}, recall@{DEPTH}", title_justify="left")
    for column in ("question", "plain", "planned, no filter", "planned, filtered"):
        quality.add_column(column)
    for m in measured:
        quality.add_row(m.question_id, *(_cell(m.quality[way]) for way in ("plain", "planned", "filtered")))
    console.print(quality)


def save(path: Path, report: IngestReport, seconds: float, measured: Sequence[Measured], runs: int) -> None:
    """Write everything as JSON, with the machine it was measured on."""
    machine = {"python": platform.python_version(), "system": platform.platform(), "processor": platform.machine()}
    data = {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine,
        "runs": runs,
        "ingest": {**asdict(report), "seconds": round(seconds, 3)},
        "questions": [asdict(m) for m in measured],
    }
    path.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    """Measure, print, and write `benchmarks/results.json`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description="Time and quality, side by side.")
    parser.add_argument("--runs", type=int, default=5, help="how often each question is asked (default: 5)")
    runs = max(1, parser.parse_args(arguments).runs)
    console = Console(width=118)
    with tempfile.TemporaryDirectory(prefix="versus-bench-") as folder:
        report, seconds, measured = asyncio.run(measure(Path(folder), runs))
    show(console, report, seconds, measured, runs)
    save(HERE / "results.json", report, seconds, measured, runs)
    console.print("written: benchmarks/results.json")


def _cell(quality: Quality) -> str:
    return f"{quality.chunks:>2} chunks  P {quality.precision:.2f}  R {quality.recall:.2f}"


if __name__ == "__main__":
    main(sys.argv[1:])
