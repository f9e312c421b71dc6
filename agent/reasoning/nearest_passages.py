"""Show the nearest passages where nothing answers: sentences and table rows that say something near to the question.

They are a last resort, found in a search without the cut by relevance, and never count as an answer: what was needed
stays missing.
"""

from __future__ import annotations

from dataclasses import replace

from agent.prose.nearest import Nearness
from agent.prose.passages import NearestPassages
from agent.reasoning.from_prose import NEAREST, PROSE, cited, is_description
from agent.reasoning.notebook import Notebook
from agent.types import Finding, Reasoned, Step
from agent.understanding.question.tagged import LONGEST_READ, Tagged, tagged


def shows_nothing(reasoned: Reasoned) -> bool:
    """True if what is asked was not found, and nothing is told but what is near.

    >>> shows_nothing(Reasoned(Finding(PROSE, "Not found: oars."), (), ()))
    False
    """
    is_near = reasoned.finding.claim == NEAREST or not reasoned.citations
    return bool(reasoned.needs) and is_near and reasoned.finding.verdict is None


def read_for_passages(text: str) -> Tagged | None:
    """Return the question whose nearest passages may be shown.

    None if it asks to describe something, for then they describe another thing, or is too long to be read.
    """
    question = tagged(text) if len(text) <= LONGEST_READ else None
    return None if question is None or is_description(question) else question


def with_nearest(reasoned: Reasoned, passages: NearestPassages, nearness: Nearness) -> Reasoned:
    """Return the finding with the nearest passages instead of any others; unchanged if nothing is near."""
    notebook = Notebook(passages.chunks)
    steps = tuple(Step(quote.text, None, (cited(quote, notebook),)) for quote in passages.nearest(nearness))
    finding = Finding(PROSE, NEAREST, steps, reasoned.finding.values)
    return replace(reasoned, finding=finding, citations=tuple(notebook.citations)) if steps else reasoned
