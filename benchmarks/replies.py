"""Calls and tokens of a question, where a model says what real models said: its plans, answers and repairs.

    python -m benchmarks.replies ../shared
    python -m benchmarks.replies ../shared --kept /tmp/replies

`questions/model-replies.jsonl` holds real replies, by question and kind; its collections are the bundled book, as
`sample`, and those of the folder. They come from a fake server through the real client. What no reply is kept of is
stood in for: a plan by the question itself, an answer by the first finding or the first line of a passage. Requests
change from version to version, and with them the numbers of passages: a mark of a reply becomes that of the source
which has most of its sentence. With `--kept` the collections stay in a folder.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agent.cli.demo import sample
from agent.settings.settings import load
from agent.writing.checking.cited import MARK, marks_of, pieces
from tests.fake_chat import Said
from tests.fake_openai import FakeOpenAI
from versus import Agent, Answer, ingest, normal

BEFORE = ("before, at ce01406", "2.8", "", "", "7900", "")
"""What a question took when the replies were written: calls in the mean, tokens in the median."""
PLAN = "plan"
_IN_ORDER = ("answer", "after tools", "repair")
"""The kinds of replies that are no plans, as they come."""
_SOURCE = re.compile(r"^(?:<<passage \[(\d+)\].*|\[(\d+)\] (.*))$")


@dataclass(slots=True)
class Replies:
    """What a model says to one question: a plan, and then its answers in their order, the last as often as asked."""

    question: str
    kinds: dict[str, Said] = field(default_factory=dict)
    given: int = 0

    def respond(self, chat: Mapping[str, Any]) -> Said:
        """The reply to a request, its marks numbered as the request numbers its sources."""
        first = chat["messages"][1]["content"]
        if chat["messages"][0]["content"].startswith("You split a question"):
            return self.kinds.get(PLAN) or json.dumps({"sub_queries": [{"id": "q1", "text": self.question}]})
        answers = [self.kinds[kind] for kind in _IN_ORDER if kind in self.kinds] or [stand_in(first)]
        self.given += 1
        said = answers[min(self.given, len(answers)) - 1]
        return renumbered(said, sources_of(first)) if isinstance(said, str) else said


def stand_in(asked: str) -> str:
    """An answer in the words of what was found: the first finding, else the first line of the first passage."""
    lines = asked.split("\n")
    findings = next(i for i, line in enumerate(lines) if line.startswith("<<findings"))
    if lines[findings + 1] != "none":
        return lines[findings + 1]
    number, text = next(iter(sources_of(asked).items()), (0, "Nothing"))
    told = text.split("\n")[1:2]
    return f"{told[0]} [{number}]" if told else "Not found: what was asked."


def sources_of(asked: str) -> dict[int, str]:
    """The sources that a request shows, by their numbers.

    >>> sources_of("<<passage [2] x>>\\nOwl\\nIt flies.\\n<<end x>>")
    {2: 'Owl\\nIt flies.'}
    """
    found: dict[int, str] = {}
    passage = 0
    for line in asked.split("\n"):
        source = _SOURCE.match(line)
        if source is not None:
            passage = int(source[1] or 0)
            found[passage or int(source[2])] = source[3] or ""
        elif line.startswith("<<"):
            passage = 0
        elif passage:
            found[passage] = f"{found[passage]}\n{line}".strip()
    return found


def renumbered(text: str, sources: Mapping[int, str]) -> str:
    """The text with its marks, sentence by sentence, as those of the sources that have most of the sentence.

    >>> renumbered("Owls fly [7].", {1: "Orcs walk.", 2: "Owls fly."})
    'Owls fly [2].'
    """
    words = {number: set(normal(source)) for number, source in sources.items()}
    lines = ("".join(_renumbered(piece, words) for piece in _with_spaces(line)) for line in text.split("\n"))
    return "\n".join(lines)


def _with_spaces(line: str) -> Iterator[str]:
    """The sentences of a line with what is between them."""
    place = 0
    for piece in pieces(line):
        end = line.index(piece, place) + len(piece)
        yield line[place:end]
        place = end
    yield line[place:]


def _renumbered(piece: str, sources: Mapping[int, set[str]]) -> str:
    marks, wanted = list(dict.fromkeys(marks_of(piece))), set(normal(MARK.sub("", piece)))
    nearest = sorted(sources, key=lambda number: (-len(wanted & sources[number]), number))
    numbers = dict(zip(marks, nearest, strict=False))
    return MARK.sub(lambda mark: f" [{numbers.get(int(mark[1]), mark[1])}]", piece)


def by_collection(path: Path) -> dict[str, list[Replies]]:
    """The replies that a file holds, question by question."""
    found: dict[str, dict[str, Replies]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        of_one = found.setdefault(entry["collection"], {})
        replies = of_one.setdefault(entry["question"], Replies(entry["question"]))
        replies.kinds.setdefault(entry["kind"], entry["reply"])
    return {name: list(questions.values()) for name, questions in found.items()}


@contextmanager
def _book(name: str, shared: Path) -> Iterator[Path]:
    """Where a collection is read from."""
    if name == "sample":
        with sample() as book:
            yield book
    else:
        lines = shared / "corpora" / name / "chunks.jsonl"
        yield lines if lines.exists() else lines.parent


async def answered(name: str, asked: Sequence[Replies], shared: Path, folder: Path) -> list[Answer]:
    """The answers to the questions about one collection."""
    with FakeOpenAI(usage=False).running() as server, _book(name, shared) as book:
        chosen = {"collection": name, "chroma": str(folder), "log_dir": str(folder / "logs"), "model": "replayed"}
        settings = load({**chosen, "openai_base_url": server.base_url, "openai_api_key": "k"})
        await ingest([book], settings)
        found = []
        async with Agent.open(settings) as agent:
            for replies in asked:
                server.respond = replies.respond
                found.append(await agent.ask(replies.question))
        return found


def row_of(question: str, answer: Answer) -> tuple[str, ...]:
    """What one question took, and what became of what the model said."""
    usage, doubted = answer.usage, answer.text.count("(unverified)")
    told = [answer.stop_reason, f"{doubted} unverified" if doubted else ""]
    told += [note for note in answer.notes if "by rules" in note]
    counts = (usage.llm_calls, usage.prompt_tokens, usage.completion_tokens, _tokens(answer))
    return (question[:60], *map(str, counts), "; ".join(filter(None, told)))


def _tokens(answer: Answer) -> int:
    return answer.usage.prompt_tokens + answer.usage.completion_tokens


def table_of(asked: Sequence[tuple[str, Answer]]) -> Table:
    """A row for each question, and below them the figures for all."""
    table = Table(title="what questions take whose replies real models wrote", title_justify="left")
    for column in ("question", "calls", "prompt", "completion", "tokens", "became"):
        table.add_column(column, justify="left" if column in ("question", "became") else "right")
    for question, answer in asked:
        table.add_row(*map(escape, row_of(question, answer)))
    usages = [answer.usage for _, answer in asked if answer.usage.llm_calls]
    calls = mean(usage.llm_calls for usage in usages)
    prompt, completion = (
        median(getattr(usage, name) for usage in usages) for name in ("prompt_tokens", "completion_tokens")
    )
    tokens = median(usage.prompt_tokens + usage.completion_tokens for usage in usages)
    table.add_section()
    table.add_row(f"now, {len(usages)} questions", f"{calls:.1f}", *(f"{n:.0f}" for n in (prompt, completion, tokens)))
    table.add_row(*BEFORE)
    return table


def main() -> None:
    """Read the command line, ask, and print."""
    parser = argparse.ArgumentParser(description="Calls and tokens of questions whose replies real models wrote.")
    parser.add_argument("shared", type=Path, help="the folder with corpora and questions")
    parser.add_argument("--kept", type=Path, metavar="FOLDER", help="where collections are kept from run to run")
    chosen = parser.parse_args()
    asked: list[tuple[str, Answer]] = []
    with tempfile.TemporaryDirectory(prefix="versus-replies-") as place:
        for name, replies in by_collection(chosen.shared / "questions" / "model-replies.jsonl").items():
            answers = asyncio.run(answered(name, replies, chosen.shared, chosen.kept or Path(place)))
            asked += [(each.question, answer) for each, answer in zip(replies, answers, strict=True)]
    Console(width=160).print(table_of(asked))


if __name__ == "__main__":
    main()
