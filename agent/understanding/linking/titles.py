"""Split a question by the titles that it names, and follow them to others: retrieval for facts in prose.

A passage with a name for its title is about that name, so each gets a sub-query of its own and its place in the
evidence. A row that is a chunk of its own is found by its key only, which a question for its purpose does not have. So
the rows under the names of the question are compared with it, and the nearest are retrieved.

A reference from one passage to another (*directed by …*) is a second step: the titles in the passage, those first whose
surrounding text is nearest to the question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agent.understanding.linking.mentions import THINGS, mentions_of
from agent.understanding.linking.nearness import similarities
from agent.understanding.words.clauses import in_own_words, tokens_of
from retrieval.embedding.protocol import Embedder
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, Place, grids_of
from retrieval.tables.writing import Kind
from retrieval.types import Chunk, SubQuery

MOST_NAMES = 8
"""Most titles of one question that are searched for."""
MOST_LEADS = 2
"""Most titles that are followed from one passage."""
_NAMESAKES = 3
"""Most chunks of one title that are retrieved by name."""
_AROUND = 90
"""Characters of text on either side of a name that are embedded with it."""
MOST_COMPARED = 64
"""Most rows that are compared; if there are more under the names of a question, none is."""
_NEAREST = 8
"""Rows that are retrieved."""
_LONGEST_ROW = 240
"""Characters of a row that are compared."""


@dataclass(frozen=True, slots=True)
class Lead:
    """A title that stands in a passage: the chunks with that title, and the words around it."""

    title: str
    chunk_ids: tuple[str, ...]
    words: str


def by_titles(question: str, index: Cells) -> tuple[SubQuery, ...]:
    """Return the question itself and a sub-query for each title in it; empty if it names none."""
    tokens = tokens_of(question)
    found: list[SubQuery] = []
    for mention in mentions_of(tokens, index):
        places = index.places([mention.key], (Kind.TITLE,))
        if places and len(found) < MOST_NAMES:
            text = in_own_words(tokens[mention.start : mention.end], question)
            found.append(SubQuery(f"q{len(found) + 2}", text, "what is named", chunk_ids=_ids(places)))
    return (SubQuery("q1", question, "the question as asked"), *found) if found else ()


async def nearest_rows(question: str, index: Cells, embedder: Embedder) -> SubQuery | None:
    """Return a sub-query for the rows nearest to a question, among those under the names in it."""
    rows = await asyncio.to_thread(_rows, question, index)
    similar = await similarities(embedder, question, list(map(_wording, rows))) if rows else None
    if similar is None:
        return None
    nearest = [rows[int(place)] for place in np.argsort(-similar)[:_NEAREST]]
    keys = dict.fromkeys(word for row in nearest for word in (row.title, *row.subjects))
    text = f"{question} {' '.join(keys)}"
    return SubQuery("rows", text, "the nearest rows of what is named", chunk_ids=tuple(row.chunk_id for row in nearest))


def _rows(question: str, index: Cells) -> list[Grid]:
    """Return the single-row tables under the names of a question, only those that are called by most of its words."""
    tokens = tokens_of(question)
    called: dict[Grid, int] = {}
    for mention in mentions_of(tokens, index):
        for grid in map(index.grid, sorted(grids_of(index.places([mention.key], (Kind.SUBJECT, Kind.HEADING))))):
            if grid.is_single:
                called[grid] = len(grid.kinds.intersection(tokens))
    most = max(called.values(), default=0)
    own = [grid for grid, words in called.items() if words == most]
    return own if len(own) <= MOST_COMPARED else []


def _wording(row: Grid) -> str:
    """Return the text of a row to embed: its cells under the name of its page."""
    cells = filter(None, row.table.rows[0])
    return ": ".join((*row.headings[:1], *cells))[:_LONGEST_ROW]


def names_in_texts(texts: Sequence[str], besides: str, index: Cells) -> tuple[str, ...]:
    """Return the names of entities in some texts, in the texts' own words, without names in another text."""
    known = {mention.key for mention in mentions_of(tokens_of(besides), index)}
    found: dict[str, str] = {}
    for text in texts:
        tokens = tokens_of(text)
        for mention in mentions_of(tokens, index):
            if mention.key not in known and index.places([mention.key], THINGS):
                found.setdefault(mention.key, in_own_words(tokens[mention.start : mention.end], text))
    return tuple(found.values())


async def lead_sub_queries(
    question: str, passages: Sequence[Chunk], index: Cells, embedder: Embedder
) -> list[SubQuery]:
    """Return sub-queries for the titles that these passages lead to, the most likely of each passage."""
    seen = {chunk.id for chunk in passages}
    found: list[SubQuery] = []
    for chunk in passages:
        all_leads = await asyncio.to_thread(_leads, chunk, index)
        leads = [lead for lead in all_leads if not seen & set(lead.chunk_ids)]
        for lead in await _likeliest(question, leads, embedder):
            seen.update(lead.chunk_ids)
            purpose = f"named by {chunk.title}"
            found.append(SubQuery(f"l{len(found) + 1}", lead.title, purpose, chunk_ids=lead.chunk_ids))
    return found


def _leads(chunk: Chunk, index: Cells) -> list[Lead]:
    tokens = tokens_of(chunk.text)
    found: dict[str, Lead] = {}
    for mention in mentions_of(tokens, index):
        places = index.places([mention.key], (Kind.TITLE,))
        ids = _ids(places)
        if not places or chunk.id in ids:
            continue
        own = in_own_words(tokens[mention.start : mention.end], chunk.text)
        place = max(chunk.text.find(own), 0)
        around = chunk.text[max(0, place - _AROUND) : place + len(own) + _AROUND]
        found.setdefault(mention.key, Lead(places[0].name, ids, around))
    return list(found.values())


async def _likeliest(question: str, leads: Sequence[Lead], embedder: Embedder) -> list[Lead]:
    if len(leads) <= MOST_LEADS:
        return list(leads)
    similar = await similarities(embedder, question, [lead.words for lead in leads])
    if similar is None:
        return list(leads[:MOST_LEADS])
    return [leads[int(place)] for place in np.argsort(-similar)[:MOST_LEADS]]


def _ids(places: Sequence[Place]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(place.chunk_id for place in places))[:_NAMESAKES]
