"""Compare and compute values: which one is asked for, a total or difference, and whether an answer begins with yes or
no: *is the Reed longer than the Kite*, *do both have the same port*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from statistics import fmean, median

from agent.languages.operations import SUMS, End, Operation
from agent.reasoning.values.quantities import CLOCK, Quantity, best_of
from agent.understanding.question.tagged import Tagged
from retrieval.text.normal import phrase

COMPUTED: tuple[Operation, ...] = (*SUMS, "difference", "ratio")
"""The operations that compute one number from several values."""
_GRADED = re.compile(r"\s*\d+\s*\+\s*\d")
"""A value with a small bonus, which can be ranked but not added: *5+2*."""
_DIGITS = 9
"""The decimals up to which floating point is exact."""
_PAIR = 2
_OF_ALL: dict[Operation, Callable[[Sequence[float]], float]] = {"total": sum, "average": fmean, "median": median}


def judged(names: Sequence[str], quantities: Sequence[Quantity], listing: str, end: End) -> tuple[str | None, str]:
    """Return the name whose value is asked for, if that is certain, and a claim that says so.

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
    """Return the result of arithmetic over values; None if they are not numbers of one unit.

    >>> computed("average", [Quantity(35, "gp"), Quantity(15, "gp")], ["35 gp", "15 gp"])
    25.0
    """
    is_range = any(quantity.top is not None or quantity.unit == CLOCK for quantity in quantities)
    if is_range or any(map(_GRADED.match, texts)) or len({quantity.unit for quantity in quantities}) > 1:
        return None
    numbers = [quantity.number for quantity in quantities]
    if operation != "difference" and any(quantity.is_date for quantity in quantities):
        return None
    if operation in SUMS:
        return round(_OF_ALL[operation](numbers), _DIGITS)
    if len(numbers) != _PAIR:
        return None
    low, high = sorted(numbers)
    if operation == "difference":
        return round(high - low, _DIGITS)
    return round(high / low, _DIGITS) if low else None


def asks_whether(question: Tagged, name: str = "") -> bool:
    """True if a question asks whether something is so of a named entity, such as `name`.

    >>> from agent.understanding.question.tagged import tagged
    >>> [asks_whether(tagged(text)) for text in ("Is the Reed long?", "Is it long?", "How long is the Reed?")]
    [True, False, False]
    """
    language, (first, second) = question.language, (*question.tokens, "", "")[:2]
    is_named = any(each.start == 1 for each in question.names) or phrase(name)[:1] == (second,)
    is_about = second in language.articles or is_named
    return is_about and first in language.helpers | language.copulas | language.possible


def told_first(question: Tagged, names: Sequence[str], texts: Sequence[str], better: str | None) -> str:
    """Return *Yes: * or *No: * if the question asks whether the first of two has `better` values than the other, or
    whether all values are equal; else empty. Equal values count as not better.

    >>> from agent.understanding.question.tagged import tagged
    >>> told_first(tagged("Is the Reed longer than the Kite?"), ["Reed", "Kite"], ["3 m", "5 m"], "Kite")
    'No: '
    """
    tokens, language = set(question.tokens), question.language
    others = language.alternating
    is_open = question.negated or not tokens.isdisjoint(others)  # *longer than the Kite, or shorter*
    if is_open or question.operation not in (None, "compare", "count") or not asks_whether(question, names[0]):
        return ""
    is_same = len(set(map(phrase, texts))) == 1
    if question.end is None:
        is_asked = not tokens.isdisjoint(language.same)
        return said(is_same) if is_asked else ""
    is_decided = len(names) == _PAIR and (better is not None or is_same)
    return said(better == names[0]) if is_decided and not tokens.isdisjoint(language.comparing) else ""


def told_of_kind(question: Tagged, *, some: bool, others: bool) -> str | None:
    """Return *Yes: * or *No: * if the question asks whether a kind has such members, `some`, or whether all its members
    are such, with no `others`. Empty for other questions, None if it is unknown whether there are others.

    >>> from agent.understanding.question.tagged import tagged
    >>> told_of_kind(tagged("Is there a boat from York?"), some=True, others=True)
    'Yes: '
    >>> told_of_kind(tagged("Are all boats longer than 5 m?"), some=True, others=True)
    'No: '
    """
    language, tokens = question.language, question.tokens
    if tokens[0] not in language.helpers | language.copulas | language.possible:
        return ""
    if question.negated and (language.negations.intersection(tokens[:3]) or not language.every.isdisjoint(tokens)):
        return ""  # *are not all*; but *is there one without*
    if language.every.isdisjoint(tokens):
        return said(some)
    is_known = others or bool(question.numbers)
    return said(some and not others) if is_known else None


def said(is_so: bool) -> str:
    """Return the first word of an answer."""
    return "Yes: " if is_so else "No: "
