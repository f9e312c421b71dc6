"""Recognize a label that is only the unit in which the answer is wanted: *the output of its engine in kW*."""

from __future__ import annotations

import re
from itertools import pairwise

from agent.languages.language import Language
from agent.understanding.linking.program import Linked
from retrieval.tables.bind import Binding
from retrieval.text.normal import phrase

_ABBREVIATION = re.compile(r"[A-Za-z]*[A-Z][A-Za-z]*[A-Z][A-Za-z]*")


def is_asked_in(binding: Binding, linked: Linked) -> bool:
    """True if the label of a record is a unit that the question has in full behind *in*: then the other words of the
    question name the measure.
    """
    fit = binding.fit
    if not binding.grid.table.is_record or fit.share < 1 or not _is_unit(binding.label, linked.question.language):
        return False
    measuring, told = linked.question.language.measuring, fit.label - fit.indirect
    return any(one in measuring and other in told for one, other in pairwise(linked.question.tokens))


def _is_unit(label: str, language: Language) -> bool:
    """True for a unit of the language, and for an abbreviation."""
    said = set(phrase(label))
    return bool(_ABBREVIATION.fullmatch(label.strip())) or any(said & each.units for each in language.dimensions)
