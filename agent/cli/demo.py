"""`versus demo`: the bundled rulebook, three questions, and the difference that planning and filtering make.

Each question is shown three times: the chunks that plain retrieval brings (one query, no filter), with the wrong
ones marked; the chunks after planning and filtering; and the answer with its working. A chunk is wrong if it
has a rule and planned retrieval dropped it: it looks like the wanted chunk, but answers another question.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from agent.ask import Agent
from agent.cli.asking import exit_code, worst
from agent.cli.context import OK, CommandContext
from agent.cli.progress import progress
from agent.escape import one_line
from agent.ingesting.ingest import ingest
from agent.questions import classic
from agent.render import answer_data, answer_view, heading, report_view
from agent.render.words import counted
from agent.types import Answer
from retrieval.types import Chunk, Retrieved

PLAIN_LIMIT = 15

_LEGEND = "✗ a look-alike nobody asked for   ✓ kept after planning and filtering"
_WRONG, _KEPT, _OTHER = ("✗ ", "bold red"), ("✓ ", "green"), ("  ", "")


@dataclass(frozen=True, slots=True)
class Demonstration:
    """One question of the demo: the chunks of plain retrieval, which of them are wrong, and the answer."""

    number: int
    plain: Retrieved
    wrong: frozenset[str]
    answer: Answer


async def demo(context: CommandContext) -> int:
    """Ingest the bundled rulebook, then answer the classic questions; return the worst exit code."""
    await _prepare(context)
    codes = [OK]
    async with Agent.open(context.settings) as agent:
        for number, question in enumerate(classic(), 1):
            demo = await compare(agent, number, question)
            _show(context, demo)
            codes.append(exit_code(demo.answer.evidence, demo.answer.stop_reason))
    return worst(codes)


async def compare(agent: Agent, number: int, question: str) -> Demonstration:
    """Answer one question both ways."""
    plain = await agent.plain(question, PLAIN_LIMIT)
    answer = await agent.ask(question)
    chosen = {passage.chunk.id for passage in answer.evidence.passages}
    return Demonstration(number, plain, wrong_chunks([hit.chunk for hit in plain.hits], chosen), answer)


def wrong_chunks(chunks: Sequence[Chunk], chosen: Collection[str]) -> frozenset[str]:
    """Return the ids of chunks that have a rule and were not chosen.

    >>> from retrieval.types import QueryMust
    >>> row = Chunk("c1", "", "ATTACK MATRIX FOR THIEVES - Opponent Armor Class 6", query_must=QueryMust())
    >>> sorted(wrong_chunks([row, Chunk("c2", "", "Strength")], chosen=()))
    ['c1']
    """
    return frozenset(chunk.id for chunk in chunks if chunk.query_must is not None and chunk.id not in chosen)


def demo_view(demo: Demonstration) -> RenderableType:
    """Return plain retrieval, planned retrieval and the answer, one below the other."""
    total, wrong = len(demo.plain.hits), len(demo.wrong)
    chosen = [passage.chunk.id for passage in demo.answer.evidence.passages]
    plain = [_line(hit.chunk, hit.relevance, _mark(hit.chunk.id, demo.wrong, chosen)) for hit in demo.plain.hits]
    planned = [_line(passage.chunk, passage.relevance, _KEPT) for passage in demo.answer.evidence.passages]
    ran = counted(len(demo.answer.evidence.retrieved), "sub-query")
    return Group(
        Text.assemble((f"Question {demo.number}  ", "bold cyan"), (demo.answer.question, "bold")),
        Text(),
        heading(f"1. Plain retrieval: {counted(total, 'chunk')}, {wrong} of them wrong"),
        *plain,
        Text(),
        heading(f"2. Planned and filtered: {counted(len(planned), 'chunk')} from {ran}"),
        *planned,
        Text(),
        heading("3. Answer"),
        Padding(answer_view(demo.answer), (0, 0, 0, 2), expand=False),
        Text(),
    )


def demo_data(demo: Demonstration) -> dict[str, Any]:
    """Return the same as JSON."""
    plain = [
        {
            "chunk_id": h.chunk.id,
            "title": h.chunk.title,
            "relevance": h.relevance,
            "wrong": h.chunk.id in demo.wrong,
        }
        for h in demo.plain.hits
    ]
    return {"question": demo.answer.question, "plain": plain, "answer": answer_data(demo.answer)}


@contextmanager
def sample() -> Iterator[Path]:
    """Yield the folder of the bundled rulebook, on disk."""
    with as_file(files("agent") / "sample") as folder:
        yield folder


async def _prepare(context: CommandContext) -> None:
    context.notes.print(Text("Reading the bundled rulebook", style="dim"))
    with sample() as folder, progress(context.notes) as on_progress:
        report = await ingest([folder], context.settings, on_progress)
    if not context.json:
        context.show(Group(report_view(report, context.settings.collection), Text(_LEGEND, style="dim"), Text()))


def _show(context: CommandContext, demo: Demonstration) -> None:
    if context.json:
        context.show_json(demo_data(demo))
    else:
        context.show(demo_view(demo))


def _mark(chunk_id: str, wrong: Collection[str], chosen: Collection[str]) -> tuple[str, str]:
    if chunk_id in wrong:
        return _WRONG
    return _KEPT if chunk_id in chosen else _OTHER


def _line(chunk: Chunk, relevance: float, mark: tuple[str, str]) -> RenderableType:
    text = Text.assemble(mark, (f"{relevance:.3f}  ", "dim"), (one_line(chunk.title), "red" if mark == _WRONG else ""))
    return Padding(text, (0, 0, 0, 2), expand=False)
