"""The jobs behind the commands that need a store: open an agent, ask it, show the result."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from agent.cli.answered import run_application
from agent.cli.asking import ask_all, ask_one, converse, exit_code, question_from, require_utf8
from agent.cli.context import IN_PART, OK, CommandContext
from agent.cli.demo import demo
from agent.cli.paths import require_readable
from agent.cli.progress import progress
from agent.ingesting.ingest import Rules, estimate, ingest
from agent.questions import built_in, checked
from agent.render import (
    check_data,
    check_view,
    evidence_data,
    evidence_view,
    plan_data,
    plan_view,
    report_data,
    report_view,
)
from agent.render.formats import FORMATS
from agent.render.words import counted
from agent.settings.settings import Settings
from retrieval.collections.opening import remembered_vectors
from retrieval.collections.places import is_folder
from retrieval.ingest.files import is_address

STANDARD_INPUT = Path("-")


def estimate_paths(context: CommandContext, paths: Sequence[Path]) -> int:
    """Show how many requests and tokens the model needs to propose rules."""
    from agent.ingesting.proposing.estimate import estimate_data, estimate_view

    _require_all(paths)
    found = asyncio.run(estimate(paths, context.settings))
    if context.json:
        context.show_json(estimate_data(found, context.settings.collection))
    else:
        context.show(estimate_view(found))
    return OK


def ingest_paths(context: CommandContext, paths: Sequence[Path], rules: Rules = "generated") -> int:
    """Read files into the collection, and report what was done."""
    _require_all(paths)
    with progress(context.notes) as on_progress, _saved_input(paths) as paths:
        try:
            report = asyncio.run(ingest(paths, context.settings, on_progress, rules=rules))
        except KeyboardInterrupt:
            raise KeyboardInterrupt(interruption_note(context.settings, on_progress.last)) from None
    if context.json:
        context.show_json(report_data(report, context.settings.collection))
    else:
        context.show(report_view(report, context.settings.collection))
    return IN_PART if report.failed else OK


def in_format(context: CommandContext, name: str) -> CommandContext:
    """Return the context with this answer format; `UnknownPlugin` for an unknown name."""
    FORMATS.require(name)
    return replace(context, format=name)


def ask_question(context: CommandContext, question: str | None) -> int:
    """Answer one question, or those typed at the prompt."""
    if question is None:
        return converse(context)
    text = _read(context, question)
    return run_application(context, lambda application: ask_one(application, context, text))


def ask_built_in(context: CommandContext) -> int:
    """Answer the built-in questions."""
    return run_application(context, lambda application: ask_all(application, context, built_in()))


def search_question(context: CommandContext, question: str) -> int:
    """Show the chunks that each sub-query of a question finds."""
    text = _read(context, question)
    evidence = run_application(context, lambda application: application.search(text))
    if context.json:
        context.show_json(evidence_data(text, evidence, context.debug))
    else:
        context.show(evidence_view(text, evidence, context.show_context, context.debug))
    return exit_code(evidence, evidence.stop_reason)


def plan_question(context: CommandContext, question: str) -> int:
    """Show how a question is split."""
    text = _read(context, question)
    made = run_application(context, lambda application: application.plan(text))
    if context.json:
        context.show_json(plan_data(made, context.debug))
    else:
        context.show(plan_view(made, context.debug))
    return OK


def check_chunk(context: CommandContext, query: str, chunk_id: str) -> int:
    """Show whether a chunk's rule holds for a query."""
    require_utf8(query)
    checked(query, context.settings.max_question_chars)
    chunk, verdict = run_application(context, lambda application: application.check(query, chunk_id))
    if context.json:
        context.show_json(check_data(query, chunk, bool(verdict), verdict.missing))
    else:
        context.show(check_view(query, chunk, bool(verdict), verdict.missing, context.debug))
    return OK


def run_demo(context: CommandContext) -> int:
    """Run the demo."""
    return asyncio.run(demo(context))


def interruption_note(settings: Settings, last: tuple[str, int, int] | None) -> str:
    """Describe what an interrupted ingestion leaves, given its last report."""
    stage, done, total = last or ("", 0, 0)
    is_embedded = stage == "indexing" or (stage == "embedding" and done == total)
    place = settings.chroma_location()
    if not is_folder(place):
        if is_embedded:
            return "what was written stays, and the same command goes on from there"
        return "nothing was written, and a server keeps no vectors without chunks; the same command begins again"
    goes_on = "and the same command goes on from there"
    if is_embedded:
        return f"all vectors are kept, {goes_on}"
    if number := remembered_vectors(place, settings.only_collection()):
        return f"{counted(number, 'vector')} {'is' if number == 1 else 'are'} kept, {goes_on}"
    return "nothing was embedded yet; the same command begins again"


def _require_all(paths: Sequence[Path]) -> None:
    for path in paths:
        if path != STANDARD_INPUT and not is_address(path):  # their reader gives better advice
            require_readable(path)


@contextmanager
def _saved_input(paths: Sequence[Path]) -> Iterator[Sequence[Path]]:
    """Yield the paths with each `-` replaced by a file of Markdown with the standard input."""
    if STANDARD_INPUT not in paths:
        yield paths
        return
    with tempfile.TemporaryDirectory(prefix="versus-input-") as folder:
        saved = Path(folder) / "standard-input.md"
        saved.write_bytes(sys.stdin.buffer.read())
        yield [saved if path == STANDARD_INPUT else path for path in paths]


def _read(context: CommandContext, question: str) -> str:
    return question_from(question, context.settings.max_question_chars)
