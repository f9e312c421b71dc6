"""What the collection says of a question to which no cells were bound: its sections and its sentences.

A question that asks for all there is of somebody is answered by his section and his values, side by side where several
are named; any other by the sentences that tell it. What no sentence tells is a need, and in the end unanswered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.prose.overview import description
from agent.reasoning.from_prose import PROSE, from_prose, is_description, is_owned
from agent.reasoning.notebook import Notebook
from agent.reasoning.side_by_side import side_by_side
from agent.types import Finding, Reasoned, Step
from agent.understanding.intent import Lookup
from agent.understanding.tagged import Tagged, tagged
from retrieval.text.normal import phrase
from retrieval.types import Chunk

_READ = 1_000
"""Characters of a question that is read for what it asks; a longer one is no question, and takes time without end."""
_SHOWN = 60
"""Characters that are told of it."""


def look_up(lookup: Lookup, chunks: Sequence[Chunk], prefix: str = "q") -> Reasoned:
    """The finding of a look-up on these chunks; follow-up sub-queries have ids that begin with `prefix`.

    >>> oil = Chunk("c1", "Change the oil once a year.", "Oil")
    >>> look_up(Lookup("How often should I change the oil?"), [oil]).finding.claim
    'Change the oil once a year.'
    """
    if len(lookup.question) > _READ:
        return _unread(lookup, Notebook(chunks, prefix))
    question = tagged(lookup.question)
    names = tuple(name for name in lookup.names if not is_owned(name, question))
    if names and (is_description(question) or not _asks_for_more(question, names)):
        return _described(names, chunks, prefix)
    return from_prose(question, Notebook(chunks, prefix))


def _unread(lookup: Lookup, notebook: Notebook) -> Reasoned:
    """What is known of a question that is too long to be read."""
    asked = f"{lookup.question[:_SHOWN]}…"
    notebook.need(asked, lookup.question, purpose="open question")
    return notebook.reasoned(Finding(PROSE, f"Not found: {asked}", (), {"attribute": asked, "values": []}))


def _asks_for_more(question: Tagged, names: Sequence[str]) -> bool:
    """False for *compare an owlbear and an orc*, which asks for no measure."""
    if question.operation not in (None, "compare") or question.end is not None or question.numbers:
        return True
    named = {word for name in names for word in phrase(name)}
    return any(word not in named for _, word in question.words())


def _described(names: Sequence[str], chunks: Sequence[Chunk], prefix: str) -> Reasoned:
    """All that is said of those who are named: their values, and of one alone how its section begins."""
    notebook = Notebook(chunks, prefix)
    found = side_by_side(names, notebook)
    told = description(names[0], chunks) if len(names) == 1 else None
    if told is None:
        return found
    steps = (Step(told[0], None, (notebook.cite(told[1], told[0]),)), *found.finding.steps)
    return notebook.reasoned(replace(found.finding, steps=tuple(dict.fromkeys(steps))))
