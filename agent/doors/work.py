"""The jobs behind the commands that need a store: open an agent, ask it, show what it says."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from agent.ask import Agent
from agent.demo import demo
from agent.doors.asking import ask_all, ask_one, converse, exit_code, question_from, require_utf8
from agent.doors.desk import OK, Desk
from agent.doors.paths import require_readable
from agent.doors.progress import progress
from agent.ingesting import Rules, estimate, ingest
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
from agent.settings import Settings
from agent.types import Evidence, Plan
from retrieval.collections import remembered_vectors
from retrieval.stores import is_folder


def estimate_paths(desk: Desk, paths: Sequence[Path]) -> int:
    """Tell what it would take to let the language model propose rules."""
    from agent.proposing.estimate import estimate_data, estimate_view

    _require_all(paths)
    found = asyncio.run(estimate(paths, desk.settings))
    if desk.json:
        desk.show_json(estimate_data(found, desk.settings.collection))
    else:
        desk.show(estimate_view(found))
    return OK


def ingest_paths(desk: Desk, paths: Sequence[Path], rules: Rules = "generated") -> int:
    """Read files into the collection, and tell what was done."""
    _require_all(paths)
    with progress(desk.notes) as on_progress:
        try:
            report = asyncio.run(ingest(paths, desk.settings, on_progress, rules=rules))
        except KeyboardInterrupt:
            raise KeyboardInterrupt(left_behind(desk.settings, on_progress.last)) from None
    if desk.json:
        desk.show_json(report_data(report, desk.settings.collection))
    else:
        desk.show(report_view(report, desk.settings.collection))
    return OK


def in_format(desk: Desk, name: str) -> Desk:
    """The desk that shows answers in this format; `UnknownPlugin` when there is none of this name."""
    FORMATS.require(name)
    return replace(desk, format=name)


def ask_question(desk: Desk, question: str | None) -> int:
    """Answer one question, or those that are typed at the prompt."""
    if question is None:
        return converse(desk)
    return asyncio.run(ask_one(desk, _read(desk, question)))


def ask_built_in(desk: Desk) -> int:
    """Answer the built-in questions."""
    return asyncio.run(ask_all(desk, built_in()))


def search_question(desk: Desk, question: str) -> int:
    """Show what a question's sub-queries bring."""
    text = _read(desk, question)

    async def search() -> Evidence:
        async with Agent.open(desk.settings) as agent:
            return await agent.search(text)

    evidence = asyncio.run(search())
    if desk.json:
        desk.show_json(evidence_data(text, evidence, desk.debug))
    else:
        desk.show(evidence_view(text, evidence, desk.show_context, desk.debug))
    return exit_code(evidence, evidence.stop_reason)


def plan_question(desk: Desk, question: str) -> int:
    """Show how a question is split."""
    text = _read(desk, question)

    async def plan() -> Plan:
        async with Agent.open(desk.settings) as agent:
            return await agent.plan(text)

    made = asyncio.run(plan())
    if desk.json:
        desk.show_json(plan_data(made, desk.debug))
    else:
        desk.show(plan_view(made, desk.debug))
    return OK


def check_chunk(desk: Desk, query: str, chunk_id: str) -> int:
    """Show whether a chunk's rule holds for a query."""
    require_utf8(query)
    checked(query, desk.settings.max_question_chars)

    async def check() -> int:
        async with Agent.open(desk.settings) as agent:
            chunk, verdict = await agent.check(query, chunk_id)
        if desk.json:
            desk.show_json(check_data(query, chunk, bool(verdict), verdict.missing))
        else:
            desk.show(check_view(query, chunk, bool(verdict), verdict.missing, desk.debug))
        return OK

    return asyncio.run(check())


def run_demo(desk: Desk) -> int:
    """The demo."""
    return asyncio.run(demo(desk))


def left_behind(settings: Settings, last: tuple[str, int, int] | None) -> str:
    """Say what an ingestion that was interrupted leaves, given the last that it reported."""
    stage, done, total = last or ("", 0, 0)
    is_embedded = stage == "indexing" or (stage == "embedding" and done == total)
    place = settings.chroma_location()
    if not is_folder(place):
        if is_embedded:
            return "what was written stays, and the same command goes on from there"
        return "nothing was written, and a server keeps no vectors without chunks; the same command begins again"
    if is_embedded:
        return "all vectors are kept, and the same command goes on from there"
    if kept := remembered_vectors(place, settings.only_collection()):
        return f"{counted(kept, 'vector')} {'is' if kept == 1 else 'are'} kept, and the same command goes on from there"
    return "nothing was embedded yet; the same command begins again"


def _require_all(paths: Sequence[Path]) -> None:
    for path in paths:
        require_readable(path)


def _read(desk: Desk, question: str) -> str:
    return question_from(question, desk.settings.max_question_chars)
