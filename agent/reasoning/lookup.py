"""Answer a question that no cell answers, from the sections and sentences of the collection.

A question for a description of an entity is answered by its section and its values, and for several entities by their
values side by side. Any other question is answered by sentences. If no sentence answers, a need is recorded, which may
stay unanswered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.prose.nearest import Nearness
from agent.prose.overview import description
from agent.reasoning.from_prose import PROSE, asks_by_verb, from_prose, is_description, may_describe, to_compare
from agent.reasoning.notebook import Notebook
from agent.reasoning.side_by_side import side_by_side
from agent.types import Finding, Reasoned, Step
from agent.understanding.question.intent import Lookup
from agent.understanding.question.tagged import LONGEST_READ, Tagged, tagged
from retrieval.text.normal import phrase
from retrieval.types import Chunk

_SHOWN = 60
"""The most characters of a long question that are shown."""


def look_up(lookup: Lookup, chunks: Sequence[Chunk], prefix: str = "q", nearness: Nearness | None = None) -> Reasoned:
    """Return the finding of a look-up on these chunks; follow-up sub-queries have ids that begin with `prefix`.

    `nearness` holds the similarities of the sentences that `sentences_of` returned.

    >>> oil = Chunk("c1", "Change the oil once a year.", "Oil")
    >>> look_up(Lookup("How often should I change the oil?"), [oil]).finding.claim
    'Change the oil once a year.'
    """
    if len(lookup.question) > LONGEST_READ:
        return _unread(lookup, Notebook(chunks, prefix))
    question = tagged(lookup.question)
    names = _described_in(lookup, question)
    return _described(names, chunks, prefix) if names else from_prose(question, Notebook(chunks, prefix), nearness)


def sentences_of(lookup: Lookup, chunks: Sequence[Chunk], *, is_open: bool = False) -> tuple[str, ...]:
    """Return the sentences whose similarity to the question decides; none if a description of named entities is asked
    for. If the question `is_open`, descriptions are included.
    """
    if len(lookup.question) > LONGEST_READ:
        return ()
    question = tagged(lookup.question)
    return () if _described_in(lookup, question) else to_compare(question, chunks, is_open=is_open)


def _described_in(lookup: Lookup, question: Tagged) -> tuple[str, ...]:
    """Return the names of the entities that the question asks to describe; empty if it asks for more."""
    if is_description(question) or not _asks_for_more(question, lookup.names):
        return lookup.names
    return ()


def _unread(lookup: Lookup, notebook: Notebook) -> Reasoned:
    """Return the finding of a question that is too long to be parsed: a need."""
    asked = f"{lookup.question[:_SHOWN]}…"
    notebook.need(asked, lookup.question, purpose="open question")
    return notebook.reasoned(Finding(PROSE, f"Not found: {asked}", (), {"attribute": asked, "values": []}))


def _asks_for_more(question: Tagged, names: Sequence[str]) -> bool:
    """False for *compare an owlbear and an orc*, which asks for no measure. *How much is an orc* asks for more than a
    description.
    """
    if question.operation not in (None, "compare") or question.end is not None or question.numbers:
        return True
    if asks_by_verb(question):
        return True  # *what does it go with* asks for more than what it is
    is_joined = question.operation == "compare" or not question.language.joining.isdisjoint(question.tokens)
    if not may_describe(question) or (len(names) > 1 and not is_joined):
        return True  # *what rent does the mill pay* also names the rent, and asks for the rent of the mill
    named = {word for name in names for word in phrase(name)}
    return any(word not in named for _, word in question.words())


def _described(names: Sequence[str], chunks: Sequence[Chunk], prefix: str) -> Reasoned:
    """Return all values of the named entities, and for a single one also the beginning of its section."""
    notebook = Notebook(chunks, prefix)
    values = side_by_side(names, notebook)
    told = description(names[0], chunks) if len(names) == 1 else None
    if told is None:
        return values
    steps = (Step(told[0], None, (notebook.cite(told[1], told[0]),)), *values.finding.steps)
    return notebook.reasoned(replace(values.finding, steps=tuple(dict.fromkeys(steps))))
