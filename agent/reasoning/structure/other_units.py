"""What a word asks for by its measure or its unit, and whether a cell is of another: *every 2 years*, for a price."""

from __future__ import annotations

import re
from itertools import pairwise

from agent.languages.scales import Dimension
from agent.reasoning.quantities import quantities_of
from agent.reasoning.structure.dimensions import dimensions_in, units_in
from agent.reasoning.structure.heads import is_short_for
from agent.understanding.program import Linked
from retrieval.tables.bind import Binding
from retrieval.text.normal import phrase

_DIGIT = re.compile(r"\d")


def is_of_other_unit(word: str, binding: Binding, linked: Linked) -> bool:
    """True for a word that asks for what the cell has the unit of something else of, *every 2 years* for what it costs;
    and for a unit of what the cell is in another unit of.
    """
    asked = dimensions_of(word, linked) or asked_by_how(word, linked)
    held = dimensions_in(binding.text, linked.question.language) if _DIGIT.search(binding.text) else []
    if asked:
        return bool(held) and not any(each in asked for each in held)
    return any(word in each.units for each in held) and word not in units_in(binding.text)


def is_per_other_unit(word: str, binding: Binding, linked: Linked) -> bool:
    """True for a unit where the label counts by another one of the same: the fee a *month*, for a *Fee /h*."""
    _, slash, behind = binding.label.rpartition("/")
    unit = phrase(behind)
    if (
        not slash
        or len(unit) != 1
        or not any({word, *unit} <= each.units for each in linked.question.language.dimensions)
    ):
        return False
    pair = quantities_of([f"1 {word}", f"1 {unit[0]}"])
    return not is_short_for(unit[0], word) if pair is None else pair[0].number != pair[1].number


def dimensions_of(word: str, linked: Linked) -> list[Dimension]:
    """What a word, or the measure that it speaks of, is one of."""
    asked = {word, *linked.implied.get(word, ())}
    return [each for each in linked.question.language.dimensions if asked & (each.measures | each.verbs)]


def asked_by_how(word: str, linked: Linked) -> list[Dimension]:
    """What the adjective of *how heavy a crate does it take* is one of, whatever it is said of."""
    language = linked.question.language
    before = {one for one, other in pairwise(linked.question.tokens) if other == word}
    if word not in language.adjectives or before.isdisjoint(language.before_adjectives):
        return []
    measures = language.adjectives[word].scale.measures
    return [each for each in language.dimensions if not each.measures.isdisjoint(measures)]
