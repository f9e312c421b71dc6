"""`versus logs show ID --html`: the page of an answer as one file, from the log and the collection."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from agent.application.application import Application
from agent.cli.context import OK, CommandContext
from agent.cli.logs import find
from agent.cli.replay import logged_settings
from agent.doors.http.page.file import answer_file
from agent.errors import CellNotFound, QuestionError
from agent.monitoring.answered import answer_of
from agent.monitoring.selecting import Selection
from agent.render.collections import whole_chunk_data
from agent.render.shapes import CitationData, MarkedChunkData
from agent.settings.settings import Settings
from retrieval.errors import RetrievalError


def write_answer_page(context: CommandContext, words: Sequence[str]) -> int:
    """Write the page of one answer to standard output; the words are `show ID`, and files and folders."""
    if len(words) < 2 or words[0] != "show":
        raise QuestionError("--html is for one question: versus logs show ID --html")
    trace = find(context, [Path(word) for word in words[2:]], Selection(), words[1])
    answer = answer_of(trace)
    settings = logged_settings(context.settings, trace)
    sources = asyncio.run(_sources(settings, answer["citations"]))
    sys.stdout.write(answer_file(answer, settings.collection, sources))
    sys.stdout.flush()
    return OK


async def _sources(settings: Settings, citations: Sequence[CitationData]) -> Mapping[int, MarkedChunkData]:
    """Return the chunks of citations by citation number, except those that are gone or no longer have the quote."""
    found: dict[int, MarkedChunkData] = {}
    async with Application.open(settings) as application:
        for citation in citations:
            try:
                source = await _source(application, citation)
            except (RetrievalError, CellNotFound):
                continue
            if source is not None:
                found[citation["n"]] = source
    return found


async def _source(application: Application, citation: CitationData) -> MarkedChunkData | None:
    chunk = await application.chunk(citation["chunk_id"])
    place = citation["cell"]
    if place is None:
        says_so = citation["quote"] in chunk.text
    else:
        cell = await application.read_cell(chunk.id, f"#{place['row']}", f"#{place['column']}", place["table"])
        says_so = citation["quote"].endswith(cell.text)
    return {**whole_chunk_data(chunk), "marked": None} if says_so else None
