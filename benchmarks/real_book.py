"""Questions with known answers over a real rulebook, through real retrieval: how many come out right, and how fast.

    python -m benchmarks.real_book ../shared

The folder holds `corpora/osric` and `questions/osric-duels.jsonl` and `osric-lookups.jsonl`. A duel is right when both
rolls, average hit points and attacks a round are exact, the winner is right, and both probabilities are within 0.02;
a lookup when every value is read and the better one is named. Neither may be in part or hold an unverified sentence.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console

from agent.settings import load
from versus import Agent, Answer, ingest

Judge = Callable[[Answer, Mapping[str, Any]], bool]


def duel_is_right(answer: Answer, entry: Mapping[str, Any]) -> bool:
    """Compare a duel's values with the truth computed apart from the project."""
    values, truth = answer.findings[0].values, entry["truth"]
    sides = values.get("combatants", [])
    if len(sides) != 2 or None in (sides[0]["win_probability"], sides[1]["win_probability"]):
        return False
    names = {"to_hit": "needs", "average_hit_points": "avg_hp", "attacks_per_round": "attacks"}
    exact = all(
        side[ours] == truth[f"{letter}_{name}"]
        for side, letter in zip(sides, "ab", strict=True)
        for ours, name in names.items()
    )
    odds = all(
        abs(side["win_probability"] - truth[f"p_{letter}"]) <= 0.02 for side, letter in zip(sides, "ab", strict=True)
    )
    return exact and odds and values["winner"] == sides["ab".index(truth["winner"])]["name"]


def lookup_is_right(answer: Answer, entry: Mapping[str, Any]) -> bool:
    """Compare the values that were read with those of the book."""
    read = [str(step.value).replace(",", "").split(" ")[0] for step in answer.findings[0].steps]
    better = answer.findings[0].values.get("better")
    named = better is None or str(entry["answer"]).lower().startswith(str(better).lower())
    return named and all(str(value) in read for value in entry["values"].values())


async def measure(shared: Path, folder: Path) -> None:
    """Ingest the book, ask every question, print what came out."""
    settings = load({"collection": "osric", "chroma": str(folder / "chroma"), "deadline": 600})
    started = time.perf_counter()
    report = await ingest([shared / "corpora" / "osric"], settings)
    Console().print(f"ingest: {report.chunks} chunks in {time.perf_counter() - started:.0f} s")
    async with Agent.open(settings) as agent:
        for name, judge in (("duels", duel_is_right), ("lookups", lookup_is_right)):
            await _ask_all(agent, name, shared / "questions" / f"osric-{name}.jsonl", judge)


async def _ask_all(agent: Agent, name: str, path: Path, judge: Judge) -> None:
    entries = _entries(path)
    seconds, wrong = [], []
    for entry in entries:
        started = time.perf_counter()
        answer = await agent.ask(entry["question"])
        seconds.append(time.perf_counter() - started)
        whole = answer.stop_reason == "complete" and "(unverified)" not in answer.text
        if not (whole and judge(answer, entry)):
            wrong.append(entry["id"])
    Console(width=118).print(
        f"{name}: {len(entries) - len(wrong)} of {len(entries)} right, median {median(seconds):.2f} s; wrong: {wrong}"
    )


def _entries(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description="Questions with known answers over a real rulebook.")
    parser.add_argument("shared", type=Path)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(parser.parse_args().shared, Path(folder)))


if __name__ == "__main__":
    main()
