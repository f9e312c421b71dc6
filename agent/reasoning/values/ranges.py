"""Which end of a range counts: the end of the scale that a question asks for.

So the highest of *4–6* and *3–9* is the second. The answer says by which end it counts ranges. Two labels may be the
ends of one range, *height_min* and *height_max*: then the upper ones are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.languages.operations import End
from agent.languages.scales import Ranges
from agent.reasoning.values.quantities import Quantity, is_range, quantities_of
from agent.reasoning.values.several_amounts import in_shared_unit
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from retrieval.tables.bind import Binding
from retrieval.tables.match import label_words

_SIDES = {"low": "lower", "high": "upper"}


def side_of(bound: Bound, texts: Sequence[str]) -> End | None:
    """Return the end by which ranges among the values count; None if there are none, or if they count as a whole."""
    if not any(map(is_range, texts)):
        return None
    if bound.linked.question.side is not None:
        return bound.linked.question.side
    is_ranked = bound.linked.question.best and bound.end in ("low", "high")
    return bound.end if is_ranked else None


def amounts_of(bound: Bound, texts: Sequence[str]) -> list[Quantity] | None:
    """Return the quantities of a bound question's values, ranges by the end that counts; None if they can't
    be ranked.
    """
    texts = in_shared_unit(texts, bound.measure, bound.linked.question.language)
    quantities = quantities_of(texts, bound.measure)
    return None if quantities is None else at_side(quantities, side_of(bound, texts))


def at_side(quantities: Sequence[Quantity], side: End | None) -> list[Quantity]:
    """Return the quantities, each range as its lower or upper end.

    >>> [each.number for each in at_side([Quantity(4, "%", 6), Quantity(5, "%")], "high")]
    [6, 5]
    """
    if side is None:
        return list(quantities)
    return [replace(each, number=_end(each, side), top=None) for each in quantities]


def _end(quantity: Quantity, side: End) -> float:
    return quantity.top if side == "high" and quantity.top is not None else quantity.number


def told_side(bound: Bound, texts: Sequence[str]) -> str:
    """Return the note on the end by which ranges count; empty if they count as a whole, or nothing is compared."""
    side = None if bound.operation in ("read", "list", "count") else side_of(bound, texts)
    return f"ranges count by their {_SIDES[side]} ends" if side in _SIDES else ""


def upper_ends(found: list[list[Binding]], question: Tagged) -> list[list[Binding]]:
    """Return the candidates of several subjects, without lower ends whose upper ends are also there."""
    ranges = question.language.ranges
    if len(found) < 2 or not ranges.words.isdisjoint(question.tokens):
        return found
    return [[each for each in some if not _is_lower(each, some, ranges)] for some in found]


def _is_lower(binding: Binding, others: Sequence[Binding], ranges: Ranges) -> bool:
    """True for a label that differs from another of its table only in the word for its end."""
    said = label_words(binding.label)
    if ranges.low.isdisjoint(said):
        return False
    whole = [word for word in said if word not in ranges.low]
    same_table = (label_words(each.label) for each in others if each.grid.table_id == binding.grid.table_id)
    upper = (words for words in same_table if not ranges.high.isdisjoint(words))
    return any([word for word in words if word not in ranges.high] == whole for words in upper)
