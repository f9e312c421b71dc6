"""Who is asked for by a value that they have: *which ports have a boat for hire* lists no boats, but the *Port* of each
that passed.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agent.reasoning.structure.asked import asked_for, without_verb
from agent.understanding.program import Bound, Reading, Subject
from agent.understanding.tagged import Tagged
from retrieval.tables.bind import Binding
from retrieval.tables.index import Cells
from retrieval.tables.match import said_words
from retrieval.text.normal import phrase

_LONGEST = 60
"""Characters of a value that things may be called by."""
_AMOUNT = re.compile(r"\W*\d")


def listed_by_value(bound: Bound, question: Tagged, index: Cells) -> Bound | None:
    """The values, each once, that those who passed have under the label of the kind that is asked for; None where not
    all of them have such a value, or where they were chosen by it, or by that word.
    """
    words, _ = asked_for(question, index)
    kind = "".join(without_verb(question, words, index)[0][-1:])
    if not kind or kind in bound.linked.words:
        return None
    found: dict[str, tuple[Reading, bool]] = {}
    for reading in (*bound.readings, *bound.unsure):
        value = _value_of(reading.best, kind)
        if not value or kind in said_words(reading.best.label):
            return None
        found.setdefault(value, (replace(reading, subject=Subject(value, value)), reading in bound.readings))
    readings = tuple(reading for reading, is_sure in found.values() if is_sure)
    unsure = tuple(reading for reading, is_sure in found.values() if not is_sure)
    return replace(bound, readings=readings, unsure=unsure) if readings else None


def _value_of(binding: Binding, kind: str) -> str:
    """What somebody has under the one label that is the kind: the *Port*, or the *Boat port* of a boat; empty where
    there is none, or an amount, which nothing is called by.
    """
    grid = binding.grid
    texts = [text for label, text in grid.labelled(binding.row) if _is_of(label, kind, grid.kinds)]
    is_name = len(texts) == 1 and 0 < len(texts[0]) <= _LONGEST and not _AMOUNT.match(texts[0])
    return texts[0] if is_name else ""


def _is_of(label: str, kind: str, things: frozenset[str]) -> bool:
    """True for a label of the kind that says no more besides than what the things are called."""
    said = phrase(label)
    return said[-1:] == (kind,) and things.issuperset(said[:-1])
