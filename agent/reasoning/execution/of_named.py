"""Findings about named entities: one value, or several side by side, ranked or computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import repeat

from agent.reasoning.coverage.doubts import doubts_of, listed_by
from agent.reasoning.execution.derived import change, elapsed, portion, rate, with_money
from agent.reasoning.execution.steps import Steps, names_of
from agent.reasoning.measures.asked_of_spans import asks_length, end_of_span
from agent.reasoning.values.cell_text import value_of
from agent.reasoning.values.clock import length_of
from agent.reasoning.values.comparing import COMPUTED, asks_whether, computed, judged, said, told_first
from agent.reasoning.values.conditions import flag_of
from agent.reasoning.values.quantities import Quantity, best_of, same_unit
from agent.reasoning.values.ranges import amounts_of
from agent.reasoning.values.several_amounts import in_shared_unit
from agent.reasoning.values.span_ends import ends_of, is_open
from agent.types import Reasoned, Step
from agent.understanding.linking.program import Bound, Reading
from retrieval.tables.match import label_words
from retrieval.text.normal import phrase

_DECIMALS = 2
"""The decimals of a ratio or an average in the text; the data has all of them."""


def of_named(steps: Steps) -> Reasoned | None:
    """Return the finding about the named entities; None if the operation can't be computed from their values."""
    bound = steps.bound
    for doubt in doubts_of(bound):
        steps.doubt(doubt)
    if bound.operation == "read":
        return _read(steps)
    computing = {
        "rate": rate,
        "change": change,
        "elapsed": elapsed,
        "buys": with_money,
        "leaves": with_money,
        "portion": portion,
    }
    if bound.operation in computing:
        return computing[bound.operation](steps)
    if bound.operation in COMPUTED:
        return _computed(steps)
    ordered = _ordered(steps) if bound.operation == "order" else None
    return ordered or _compared(steps)


def _read(steps: Steps) -> Reasoned:
    """Return one value, or each of several with its row and column."""
    readings = steps.bound.readings
    found = tuple(steps.value(reading, binding) for reading in readings for binding in reading.found)
    claim = "; ".join(step.text for step in found)
    verdict = readings[0].best.text if len(found) == 1 and not steps.notebook.needs else None
    if (listed := listed_by(steps.bound)) and verdict:
        claim, verdict = f"{readings[0].name}: {len(listed)} ({readings[0].best.label})", str(len(listed))
    if verdict and (part := _asked_of_span(steps.bound)):
        claim, verdict = _with_part(part, readings[0], claim), part
    is_so = is_told_so(steps.bound, verdict)
    if is_so is not None:
        claim, verdict = said(is_so) + claim, verdict or said(is_so).rstrip(": ")
    return steps.reasoned(claim, found, readings, verdict=verdict)


def is_told_so(bound: Bound, value: str | None) -> bool | None:
    """Return whether it is so, for a question that asks this and a value that says it; None for others."""
    question = bound.linked.question
    if bound.yes_or_no is not None or not value or not asks_whether(question):
        return bound.yes_or_no
    is_so = is_open(value, question, bound.readings[0].best.unmatched_words)
    return flag_of(value, question.language) if is_so is None else is_so


def _with_part(part: str, reading: Reading, claim: str) -> str:
    """Return a claim that tells first what is asked of a span: *Lido: 20:00 (10:00–20:00, Saturday)*."""
    where = claim.removeprefix(f"{reading.name}: {reading.best.cell.text}")
    where = where.removeprefix(" (").removesuffix(")")
    return f"{reading.name}: {part} ({', '.join(filter(None, (reading.best.cell.text, where)))})"


def _asked_of_span(bound: Bound) -> str | None:
    """Return what is asked of a value that is a span: of *10:00–20:00* when it closes, or how long it is; else None."""
    question, best = bound.linked.question, bound.readings[0].best
    end = end_of_span(question, label_words(best.label))
    ends = ends_of(best.text, question.language) if end else None
    if ends is not None:
        return ends.last if end == "high" else ends.first
    return length_of(best.text) if asks_length(question) else None


def _compared(steps: Steps) -> Reasoned:
    """Return several values side by side, with the one that is asked for first."""
    bound, readings = steps.bound, steps.bound.readings
    texts, listing = _listed(steps)
    quantities = amounts_of(bound, texts)
    better, claim = _judged(steps, quantities, listing)
    if not bound.doubtful_word:
        claim = told_first(bound.linked.question, names_of(readings), texts, better) + claim
    texts = in_shared_unit(texts, bound.measure, bound.linked.question.language)
    is_one_unit = quantities is not None and (same_unit(texts) or quantities[0].is_date)
    apart = computed("difference", quantities, texts) if quantities is not None and is_one_unit else None
    told = list(map(steps.value, readings))
    if apart is not None:
        told.append(Step(f"the difference is {apart:g}", apart))
    verdict = None if bound.doubtful_word else better
    return steps.reasoned(claim, tuple(told), readings, verdict=verdict, better=better, apart=apart)


def _ordered(steps: Steps) -> Reasoned | None:
    """Return the values from the highest to the lowest or the other way round; None if they can't be ordered."""
    readings = steps.bound.readings
    texts, _ = _listed(steps)
    quantities = amounts_of(steps.bound, texts)
    if quantities is None:
        return None
    low = steps.bound.is_low
    places = sorted(range(len(texts)), key=lambda place: quantities[place].number, reverse=not low)
    listing = ", ".join(f"{readings[place].name} {texts[place]}" for place in places)
    claim = f"Ranked from the {'lowest' if low else 'highest'}: {listing}."
    first = readings[places[0]].name
    return steps.reasoned(claim, tuple(map(steps.value, readings)), readings, verdict=first, better=first)


def _computed(steps: Steps) -> Reasoned | None:
    """Return a total, an average, a difference or a ratio; None if the values are not numbers of one unit."""
    bound = steps.bound
    texts, listing = _listed(steps)
    quantities = _multiplied(amounts_of(bound, texts), bound.factors)
    result = None if quantities is None else computed(bound.operation, quantities, texts)
    if quantities is None or result is None:
        return None
    unit = quantities[0].written_unit if bound.operation != "ratio" else ""
    question = bound.linked.question
    if quantities[0].is_date and question.language.years.intersection(question.tokens).difference(phrase(unit)):
        return None  # a number of days does not answer *how many years*
    shown = round(result, _DECIMALS) if bound.operation in ("ratio", "average") else result
    told = f"{shown:,.10g} {unit}".strip()
    claim = f"The {bound.operation} is {told} ({listing})."
    found = (*map(steps.value, bound.readings), Step(f"the {bound.operation} is {told}", result))
    better = _judged(steps, quantities, listing)[0] if bound.operation == "difference" else None
    return steps.reasoned(claim, found, bound.readings, verdict=told, better=better, apart=result)


def _multiplied(quantities: Sequence[Quantity] | None, factors: Sequence[float]) -> Sequence[Quantity] | None:
    """Return the quantities, each as often as it is asked for."""
    if quantities is None or not factors:
        return quantities
    return [replace(each, number=each.number * factor) for each, factor in zip(quantities, factors, strict=True)]


def _listed(steps: Steps) -> tuple[list[str], str]:
    """Return the values, and one line with each name and value."""
    texts = [value_of(reading.best) for reading in steps.bound.readings]
    named = [f"{name} {text}" for name, text in zip(names_of(steps.bound.readings), texts, strict=True)]
    counted = zip(named, steps.bound.factors or repeat(1.0), strict=False)
    return texts, ", ".join(told if factor == 1 else f"{factor:g} × {told}" for told, factor in counted)


def _judged(steps: Steps, quantities: Sequence[Quantity] | None, listing: str) -> tuple[str | None, str]:
    """Return the name of the value that is asked for, if that is certain, and the claim."""
    if quantities is None:
        return None, f"{listing}."
    end = steps.bound.end
    if end not in ("low", "high"):
        return _highest(steps, quantities, listing)
    return judged(names_of(steps.bound.readings), quantities, listing, end)


def _highest(steps: Steps, quantities: Sequence[Quantity], listing: str) -> tuple[str | None, str]:
    """Return the name of the highest value if the question only compares, without claiming that higher is better."""
    places = best_of(quantities, low=False)
    is_range = any(quantity.top is not None for quantity in quantities)
    if steps.bound.linked.question.operation != "compare" or len(places) != 1 or is_range:
        return None, f"{listing}."
    name = steps.bound.readings[places[0]].name
    return name, f"{listing}; {name} has the {'latest' if quantities[0].is_date else 'highest'}."
