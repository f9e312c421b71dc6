"""Whether the check of a model's sentences is right: which right ones it doubts, and which wrong ones it lets pass.

    python -m benchmarks.sentences ../shared
    python -m benchmarks.sentences ../shared --sentences mine.jsonl --kept /tmp/sentences

A line of `questions/model-sentences.jsonl` has a `corpus`, a `question`, a `sentence`, whether it is `right`, and what
it `cites`: titles, with words behind `@` that a heading or the text has. Of a section so called it cites the chunks
with these words, at most three, those first that have most of the sentence's words. Of a wrong sentence without a
number only the citation is checked; those are counted apart.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agent.settings.settings import load
from agent.writing.checking import prose
from agent.writing.checking.cited import Source, cited
from retrieval.tables.names import without_part
from versus import Chunk, Passage, embedder_for, ingest, normal, open_collections

DOUBTED, PASSED, UNCHECKED = "right, doubted", "wrong, passed", "wrong, without a number"


@dataclass(frozen=True, slots=True)
class Judged:
    """One sentence: whether it is right, whether it was passed, and whether anything but its citation was checked."""

    sentence: str
    is_right: bool
    reasons: tuple[str, ...]
    has_number: bool

    @property
    def fault(self) -> str:
        """What is wrong with the check; empty where it is right."""
        if self.is_right:
            return DOUBTED if self.reasons else ""
        return "" if self.reasons else PASSED if self.has_number else UNCHECKED


def judged(entry: Mapping[str, Any], chunks: Sequence[Chunk]) -> Judged:
    """What the check says of one sentence, which cites chunks of a collection."""
    meant = (chunk for title in entry["cites"] for chunk in _meant(title, entry["sentence"], chunks))
    sources = [Source(chunk) for chunk in dict.fromkeys(meant)]
    numbered = dict(enumerate(sources, start=1))
    marks = "".join(f"[{n}]" for n in numbered)
    made = cited(f"{entry['sentence'].removesuffix('.')} {marks}.", numbered)
    passages = [Passage(source.chunk, 1.0, 0.0, ("q1",)) for source in sources]
    problems = (*made.problems, *prose.verify(made.text, (), made.citations, passages, entry["question"]))
    reasons = tuple(problem.reason for problem in problems) or tuple(prose.uncited(made.text, ()))
    has_number = not any(prose.sentences_without_numbers(made.text, ()))
    return Judged(entry["sentence"], entry["right"], reasons, has_number)


_MOST_OF_A_SECTION = 3
"""The most chunks of a section that are cited: its prose, its table, and a note."""


def _meant(cite: str, sentence: str, chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks of the section that a title means, with words behind `@` that stand in them."""
    title, _, words = cite.partition("@")
    name = _name(title)
    called = [chunk for chunk in chunks if name in (_name(chunk.title), _name(without_part(chunk.title)))]
    called += [chunk for chunk in chunks if name in map(_name, chunk.headings[-1:]) and chunk not in called]
    called = called or [
        chunk for chunk in chunks if chunk.title.startswith(title) or name in map(_name, chunk.headings)
    ]
    called = called or [chunk for chunk in chunks if title.split(maxsplit=1)[-1] in chunk.text]
    if not called:
        raise SystemExit(f"no chunk is called {title!r}, which is cited for {sentence!r}: mend the file of sentences")
    having = [chunk for chunk in called if words.lower() in " ".join((*chunk.headings, chunk.text)).lower()]
    wanted = set(normal(sentence))
    found = sorted(having or called, key=lambda chunk: len(wanted & set(normal(chunk.text))), reverse=True)
    return found[:_MOST_OF_A_SECTION]


def _name(title: str) -> tuple[str, ...]:
    return tuple(normal(title.replace("-", " ")))  # *machine-types.csv* is called *machine types*


async def chunks_of(path: Path, folder: Path) -> list[Chunk]:
    """The chunks of the collection at a path, ingested into a folder."""
    settings = load({"collection": path.name, "chroma": str(folder)})
    await ingest([path], settings)
    embedder = embedder_for(settings.embedding_model)
    store = await open_collections(settings.chroma_location(), settings.collections, embedder=embedder)
    chunks = [chunk async for chunk in store.scan()]
    await store.close()
    return chunks


def table_of(found: Sequence[Judged]) -> Table:
    """The faults, and below them how many there are of how many sentences."""
    table = Table("", "sentence", "reason", title="the check of a model's sentences", title_justify="left")
    for each in found:
        if each.fault:
            table.add_row(*map(escape, (each.fault, each.sentence, "; ".join(each.reasons))))
    table.add_section()
    right = [each for each in found if each.is_right]
    numbered = [each for each in found if not each.is_right and each.has_number]
    for fault, of in ((DOUBTED, right), (PASSED, numbered)):
        table.add_row(fault, f"{sum(each.fault == fault for each in of)} of {len(of)}", "")
    return table


def main() -> None:
    """Read the command line, judge, and print."""
    parser = argparse.ArgumentParser(description="Whether the check of a model's sentences is right.")
    parser.add_argument("shared", type=Path, help="the folder with corpora and questions")
    parser.add_argument("--sentences", type=Path, metavar="FILE", help="other sentences, in the same form")
    parser.add_argument("--kept", type=Path, metavar="FOLDER", help="where collections are kept from run to run")
    chosen = parser.parse_args()
    path = chosen.sentences or chosen.shared / "questions" / "model-sentences.jsonl"
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    found: list[Judged] = []
    with tempfile.TemporaryDirectory(prefix="versus-sentences-") as place:
        for name in dict.fromkeys(entry["corpus"] for entry in entries):
            chunks = asyncio.run(chunks_of(chosen.shared / "corpora" / name, chosen.kept or Path(place)))
            found += [judged(entry, chunks) for entry in entries if entry["corpus"] == name]
    Console(width=160).print(table_of(found))


if __name__ == "__main__":
    main()
