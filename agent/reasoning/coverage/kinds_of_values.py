"""Values of another kind than the question asks for: a rate per another unit, a number for a place, yes for a thing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.reasoning.measures.dimensions import of_each, rated_by
from agent.reasoning.values.comparing import asks_whether
from agent.reasoning.values.conditions import flag_of
from agent.reasoning.values.quantities import number_of, worths
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from retrieval.tables.match import matches_any
from retrieval.text.normal import phrase


def of_another_kind(bound: Bound) -> bool:
    """True for a single number where a place is asked for, and for yes or no where the question asks for a thing, if
    none of its words is in the label.
    """
    question, best = bound.linked.question, bound.readings[0].best
    if bound.operation != "read" or len(bound.readings) > 1 or bound.yes_or_no is not None:
        return False
    if question.tokens[:1] in question.language.answers.get("place", ()):
        return number_of(best.text, best.label) is not None
    is_asked = question.tokens[0] in question.language.kinds and not asks_whether(question)
    is_named = any(matches_any(word, phrase(best.label)) for _, word in question.words())
    return is_asked and not is_named and flag_of(best.text, question.language) is not None


def of_another_unit(bound: Bound) -> str:
    """Return the unit that the question asks a rate for, if the label has another of its dimension: the price *per
    month*, under *Price per hour*.
    """
    question, label = bound.linked.question, bound.readings[0].best.label
    if bound.operation == "rate":
        return ""
    told = {*_rated((*phrase(label), ""), question), *of_each(label)}
    if unit := _unrated(bound, told):
        return unit
    for asked in _rated(question.tokens, question):
        units = frozenset().union(*(each.units for each in question.language.dimensions if asked in each.units))
        factors = [{*(worths({asked, unit}) or {}).values()} for unit in told & units]
        if factors and all(len(each) != 1 for each in factors):  # an *h* is an *hour*
            return asked
    return ""


def _rated(tokens: Sequence[str], question: Tagged) -> list[str]:
    """Return the words behind *per*, *each* and the like, and the units of *for a week*."""
    repeated = question.language.statement_words("repeated")
    units = question.language.units
    articles = question.language.indefinite
    return [
        behind for before, behind in pairwise(tokens) if before in repeated or (before in articles and behind in units)
    ]


def _unrated(bound: Bound, told: set[str]) -> str:
    """Return the unit behind *per* in the question if the value is no rate by anything: the weight *per metre*."""
    question, best = bound.linked.question, bound.readings[0].best
    language = question.language
    repeated = language.statement_words("repeated") - language.every
    asked = [behind for before, behind in pairwise(question.tokens) if before in repeated]
    around = best.cell.caption, best.cell.title, *best.cell.row_path, best.cell.column_label
    texts = best.text, bound.readings[0].subject.text, *around
    told = told.union(*(rated_by(text, language) for text in texts), *(set(phrase(text)) for text in texts))
    told = told | {*phrase(best.label)}
    return next((unit for unit in asked if unit in language.units and not _is_told(unit, told)), "")


def _is_told(unit: str, told: set[str]) -> bool:
    """True for a unit among some words, in any of its names: an *hour* is an *h*."""
    same = ({*(worths({unit, word}) or {}).values()} for word in told)
    return matches_any(unit, told) or any(len(each) == 1 for each in same)
