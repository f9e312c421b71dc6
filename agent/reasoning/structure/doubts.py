"""Reasons to doubt a value that was bound: the answer shows the value and says that it is partial.

There are four. The cell has no letter and no digit. The question does not say which of several values under the same
names it means. More words of the question than a few were not heeded. A word that nobody knows stands right before
what was told, and may make another thing of it: a *roaming* fee is not the fee.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from agent.understanding.program import Bound, Reading
from retrieval.text.normal import phrase

_MOST_UNHEEDED = 2
"""Words of a question that may be left out of account; with more of them another thing is asked."""


def doubts_of(bound: Bound) -> Iterator[str]:
    """The doubts about the answer to a question that names things, each as what is still to be found out."""
    for reading in bound.readings:
        empty = [binding for binding in reading.found if not any(map(str.isalnum, binding.text))]
        if empty:
            yield f"{empty[0].label or bound.measure} of {reading.subject.text}: the cell says {empty[0].text!r}"
        elif _are_alike(reading):
            yield f"which of these is meant: {', '.join(each.text for each in reading.found)}"
    unheeded = dict.fromkeys(bound.unheeded)
    if len(unheeded) > _MOST_UNHEEDED:
        yield f"what {', '.join(unheeded)} has to do with it"
    for word in _qualifying(bound):
        yield f"whether that is the {word} one"


def _are_alike(reading: Reading) -> bool:
    """True for several values whose rows and columns are called the same."""
    paths = {(each.cell.chunk_id, *each.cell.row_path, each.cell.column_label) for each in reading.found}
    return len(paths) < len(reading.found)


def _qualifying(bound: Bound) -> Iterator[str]:
    """The words that were not heeded and stand right before a name, an axis or a word of the label."""
    question = bound.linked.question
    told = {word for reading in bound.readings for word in reading.best.fit.label}
    told |= {word for reading in bound.readings for word in phrase(reading.subject.text)[:1]}
    if question.end is not None:
        told.discard(question.tokens[question.end])  # what stands right before it is a verb: *which shines farther*
    axes = {word for reading in bound.readings for key in reading.subject.keys for word in key.words}
    language = question.language
    operations = {word for _, said in language.operations for word in said}  # *average* hit points
    known = language.adjectives.keys() | language.ends.keys() | language.idle | operations
    grids = [binding.grid for reading in bound.readings for binding in reading.found]
    for word in dict.fromkeys(bound.unheeded):
        behind = {after for before, after in pairwise(question.tokens) if before == word}
        if word not in known and behind & (told | axes) and not any(grid.facts.forms.of(word) for grid in grids):
            yield word
