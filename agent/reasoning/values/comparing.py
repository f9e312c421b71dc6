"""Values held against each other: which is the one that is asked for, and what several make together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.languages.operations import End, Operation
from agent.reasoning.values.quantities import Quantity, best_of

COMPUTED: tuple[Operation, ...] = ("total", "average", "difference", "ratio")
"""The operations that make one number of several values."""
_GRADED = re.compile(r"\s*\d+\s*\+\s*\d")
"""A value with something added that is less than one of it, which has an order and no sum: *5+2*."""
_DIGITS = 9
"""Decimals beyond which floating point is not exact."""
_PAIR = 2


def judged(names: Sequence[str], quantities: Sequence[Quantity], listing: str, end: End) -> tuple[str | None, str]:
    """The name whose value is the one that is asked for, if that is certain, and a claim that says so.

    `listing` has the values as they are written, in one line.

    >>> judged(["saw", "axe"], [Quantity(3, "kg"), Quantity(5, "kg")], "saw 3 kg, axe 5 kg", "high")
    ('axe', 'axe (saw 3 kg, axe 5 kg; higher is asked for).')
    """
    low = end == "low"
    best = [names[place] for place in best_of(quantities, low)]
    if len(best) > 1:
        return None, f"{' and '.join(best)} are equal: {listing}."
    if not best:
        return None, f"{listing}."
    which = ("earlier" if low else "later") if quantities[0].is_date else ("lower" if low else "higher")
    return best[0], f"{best[0]} ({listing}; {which} is asked for)."


def computed(operation: Operation, quantities: Sequence[Quantity], texts: Sequence[str]) -> float | None:
    """The result of arithmetic over values; None where they are no numbers of one unit.

    >>> computed("average", [Quantity(35, "gp"), Quantity(15, "gp")], ["35 gp", "15 gp"])
    25.0
    """
    is_range = any(quantity.top is not None for quantity in quantities)
    if is_range or any(map(_GRADED.match, texts)) or len({quantity.unit for quantity in quantities}) > 1:
        return None
    numbers = [quantity.number for quantity in quantities]
    if operation != "difference" and any(quantity.is_date for quantity in quantities):
        return None
    if operation in ("total", "average"):
        return round(sum(numbers) / (len(numbers) if operation == "average" else 1), _DIGITS)
    if len(numbers) != _PAIR:
        return None
    low, high = sorted(numbers)
    if operation == "difference":
        return round(high - low, _DIGITS)
    return round(high / low, _DIGITS) if low else None
