"""Judges of answers and of retrieval: two programs that lie beside the questions, and the truths of two kinds.

A question says by its fields how it is judged. With `expect` it is for `judge/judge.py`, with `gold` for
`judge/retrieval_eval.py`; both are no part of this project, are run as programs, and what they print is read. A duel
has the letters `a` and `b`, a look-up the `values` by name; for these two the classes are those of the judge, as far
as they can be told from a truth: right, part, sure-wrong, and open, which is in part and not right.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from retrieval.text.normal import title_key

Entry = Mapping[str, Any]
Record = Mapping[str, Any]
"""The JSON of an answer with the `id` of its question, or an `error`."""
Form = Literal["judged", "retrieved", "duel", "look-up"]

Times = dict[str, list[tuple[float, float]]]
"""By kind, the milliseconds of each question: as it was answered or searched, and as one plain query."""

ALL = "all"
SURE = ("sure-wrong", "sure-empty", "sure-made")
_ROOT = Path(__file__).parents[1]
_MEASURES = re.compile(r"(\S+) all@10 ([\d.]+) R@10 ([\d.]+)")


@dataclass(frozen=True, slots=True)
class Judged:
    """The classes of the answers to one set of questions, by kind, and those that a reader has to look at."""

    classes: dict[str, Counter[str]] = field(default_factory=dict)
    named: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Retrieval:
    """By kind, and for all: for each way of searching all-gold@10, the share of questions that have all that they
    need among the first ten passages, and recall@10; where passages were lost; and times.
    """

    ways: dict[str, dict[str, tuple[float, float]]] = field(default_factory=dict)
    named: list[str] = field(default_factory=list)
    times: Times = field(default_factory=dict)


def form_of(entry: Entry) -> Form | None:
    """How a question is judged, or None where its truth is of no known form.

    >>> form_of({"question": "How heavy is a maul?", "expect": "answer", "values": [["10"]]})
    'judged'
    """
    if "expect" in entry:
        return "judged"
    if "gold" in entry:
        return "retrieved"
    if {"a", "b"} <= entry.keys():
        return "duel"
    return "look-up" if isinstance(entry.get("values"), dict) else None


def kind_of(entry: Entry) -> str:
    """The kind of a question, as its file calls it."""
    return str(entry.get("type") or entry.get("kind") or form_of(entry))


def judged_by_program(judge: Path, entries: Sequence[Entry], records: Sequence[Record]) -> Judged:
    """Run the judge over the answers; its lines on what is sure and should not be are named as they are."""
    with tempfile.TemporaryDirectory() as place:
        questions, answers = Path(place) / "questions.jsonl", Path(place) / "answers.jsonl"
        write_lines(questions, entries)
        write_lines(answers, records)
        shown, _, counts = _printed(Path(place), judge, questions, answers, "--show", ",".join(SURE)).rpartition(
            '{"n": '
        )
    classes = {}
    for line in counts.splitlines()[1:]:
        kind, brace, counted = line.partition(" {")
        classes[kind.strip()] = Counter(ast.literal_eval((brace + counted).strip()))
    return Judged(classes, shown.splitlines())


def judged_by_truth(
    is_right: Callable[[Record, Entry], bool], entries: Sequence[Entry], records: Sequence[Record]
) -> Judged:
    """Hold each answer against the truth of its question; all that are not right are named."""
    judged = Judged()
    for entry, record in zip(entries, records, strict=True):
        found = _class(record, "error" not in record and is_right(record, entry))
        judged.classes.setdefault(kind_of(entry), Counter())[found] += 1
        if found != "right":
            judged.named.append(f"{found:10} {entry['id']} {entry['question']}")
    return judged


def class_by_truth(record: Record, entry: Entry) -> str | None:
    """The class of an answer to a question whose truth is known, as of a duel or a look-up; else None."""
    judge = {"duel": duel_is_right, "look-up": look_up_is_right}.get(form_of(entry) or "")
    return judge and _class(record, judge(record, entry))


def _class(record: Record, is_right: bool) -> str:
    if "error" in record:
        return "error"
    whole = record["stop_reason"] == "complete" and "(unverified)" not in record["text"]
    if is_right:
        return "right" if whole else "part"
    return "sure-wrong" if whole else "open"


def duel_is_right(record: Record, entry: Entry) -> bool:
    """Compare a duel's values with the truth computed apart from the project; both odds may be off by 0.02."""
    values, truth = _values(record), entry["truth"]
    sides = values.get("combatants", [])
    if len(sides) != 2 or None in (sides[0]["win_probability"], sides[1]["win_probability"]):
        return False
    names = {"to_hit": "needs", "average_hit_points": "avg_hp", "attacks_per_round": "attacks"}
    for side, letter in zip(sides, "ab", strict=True):
        if any(side[ours] != truth[f"{letter}_{name}"] for ours, name in names.items()):
            return False
        if abs(side["win_probability"] - truth[f"p_{letter}"]) > 0.02:
            return False
    return bool(values["winner"] == sides["ab".index(truth["winner"])]["name"])


def look_up_is_right(record: Record, entry: Entry) -> bool:
    """Compare the values that were read with those of the book, and who is better, where that is told."""
    steps = record["findings"][0]["steps"] if record["findings"] else []
    read = [str(step["value"]).replace(",", "").split(" ")[0] for step in steps]
    better = _values(record).get("better")
    best = str(entry["answer"])
    same = title_key(str(better)) == title_key(best.partition(":")[0].partition(" (")[0])
    named = better is None or same or best.lower().startswith(str(better).lower())
    return named and all(str(value) in read for value in entry["values"].values())


def _values(record: Record) -> Mapping[str, Any]:
    found: Mapping[str, Any] = record["findings"][0]["values"] if record["findings"] else {}
    return found


def retrieval_by_kind(
    program: Path, chroma: Path, collection: str, chunks: Path, entries: Sequence[Entry]
) -> Retrieval:
    """Run the program that searches in each way; what it tells between its measures is named."""
    measured = Retrieval()
    with tempfile.TemporaryDirectory() as place:
        questions, found = Path(place) / "questions.jsonl", Path(place) / "found.json"
        write_lines(questions, entries)
        printed = _printed(Path(place), program, chroma, collection, chunks, questions, found)
        for row in json.loads(found.read_text(encoding="utf-8")):
            measured.times.setdefault(row["type"], []).append((row["ms"], row["plain_ms"]))
    kind = ""
    for line in printed.splitlines():
        if ways := _MEASURES.findall(line):
            kind = ALL if line.startswith("ALL ") else line.partition(" | ")[0].rpartition(" ")[0]
            measured.ways[kind] = {
                way.removeprefix("versus+"): (float(all_gold), float(recall)) for way, all_gold, recall in ways
            }
        else:
            measured.named.append(f"{kind}: {line.strip()}")
    return measured


def write_lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _printed(folder: Path, *command: str | Path) -> str:
    """What a program prints that imports this project; it runs in a folder where no settings lie."""
    known = os.environ | {"PYTHONPATH": str(_ROOT)}
    arguments = [each if isinstance(each, str) else str(each.resolve()) for each in command]
    done = subprocess.run([sys.executable, *arguments], cwd=folder, env=known, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stderr}")
    return done.stdout
