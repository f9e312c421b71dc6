"""Findings that are computed from the members of a kind: a share, a tally, the member closest to a number, a rate."""

from __future__ import annotations

from collections.abc import Sequence

from agent.languages.operations import SUMS, Operation
from agent.reasoning.execution.steps import Steps, names_of
from agent.reasoning.values.cell_text import value_of
from agent.reasoning.values.comparing import computed, said
from agent.reasoning.values.dates import date_of
from agent.reasoning.values.quantities import number_of, quantities_of
from agent.reasoning.values.ranges import amounts_of
from agent.types import Reasoned, Step
from agent.understanding.linking.program import Reading

_EQUAL = 1e-9
_DECIMALS = 2
"""The decimals of a share or a rate in the text; the data has all of them."""


def share(steps: Steps, shown: Sequence[Reading]) -> Reasoned:
    """Return the share of a kind that has a property, or whether all of it has."""
    bound, question = steps.bound, steps.bound.linked.question
    some, whole = len(bound.readings), len(bound.readings) + len(bound.without_value)
    told = [reading for reading in shown if reading in bound.readings]
    listing = f" ({', '.join(names_of(told))})" if told else ""
    portion = some / whole
    if question.tokens[0] in question.language.support:
        first = said(not bound.without_value)
        verdict = first.rstrip(": ")
        claim = f"{first}{some} of {whole}{listing}."
    else:
        verdict = f"{round(100 * portion, _DECIMALS):g} %"
        claim = f"{verdict}: {some} of {whole}{listing}."
    lacking = [reading for reading in bound.without_value if reading not in shown][: len(shown) or None]
    values = tuple(steps.value(reading, each) for reading in (*told, *lacking[:1]) for each in reading.found)
    return steps.reasoned(
        claim, (*values, Step(f"that is {portion:.4g} of all", portion)), tuple(told), verdict=verdict
    )


def tally(steps: Steps) -> Reasoned | None:
    """Return how many members have each value, and the value that most or fewest have."""
    bound = steps.bound
    operation = bound.linked.question.operation
    if operation in SUMS:
        return _of_groups(steps, operation)
    counts = [len(reading.found) for reading in bound.readings]
    whole = sum(counts)
    listing = ", ".join(f"{reading.name} {count}" for reading, count in zip(bound.readings, counts, strict=True))
    goal = min(counts) if bound.is_low else max(counts)
    best = [reading for reading, count in zip(bound.readings, counts, strict=True) if count == goal]
    is_asked = bound.end is not None
    names = " and ".join(names_of(best))
    verdict = best[0].name if is_asked and len(best) == 1 else None
    claim = f"{names}: {goal} of {whole} ({listing})." if is_asked else f"{listing} (of all {whole})."
    told = best if is_asked else list(bound.readings)
    found = tuple(steps.value(reading, each) for reading in told for each in reading.found)
    return steps.reasoned(claim, found, tuple(told), verdict=verdict, better=verdict)


def _of_groups(steps: Steps, operation: Operation) -> Reasoned | None:
    """Return the total or average of each group, and the group with the highest or lowest."""
    results: list[float] = []
    for reading in steps.bound.readings:
        texts = [each.text for each in reading.found]
        quantities = quantities_of(texts, reading.best.label)
        result = None if quantities is None else computed(operation, quantities, texts)
        if result is None:
            return None
        results.append(result)
    goal = min(results) if steps.bound.is_low else max(results)
    pairs = list(zip(steps.bound.readings, results, strict=True))
    best = [reading for reading, result in pairs if result == goal]
    listing = ", ".join(f"{reading.name} {round(result, _DECIMALS):,.10g}" for reading, result in pairs)
    verdict = best[0].name if len(best) == 1 else None
    end = "lowest" if steps.bound.is_low else "highest"
    claim = f"{' and '.join(names_of(best))}: the {end} {operation} of {steps.bound.measure} ({listing})."
    found = tuple(steps.value(reading, each) for reading, _ in pairs for each in reading.found)
    return steps.reasoned(claim, found, tuple(best), verdict=verdict, better=verdict)


def closest(steps: Steps) -> Reasoned:
    """Return the members whose values are closest to the number of the question."""
    bound = steps.bound
    near = bound.readings[: bound.top]
    number = next(n.value for n in bound.linked.question.numbers)
    names, has = " and ".join(names_of(near)), "has" if len(near) == 1 else "share"
    value, all_ = value_of(near[0].best), len(bound.readings)
    claim = f"{names} {has} the closest {bound.measure} to {number}: {value} (of all {all_})."
    verdict = ", ".join(names_of(near))
    return steps.reasoned(claim, tuple(map(steps.value, near)), near, verdict=verdict, better=verdict)


def rate(steps: Steps) -> Reasoned | None:
    """Return one value for each unit of another; None if that one is nothing."""
    first, second = steps.bound.readings
    upper, lower = (number_of(value_of(each.best), each.best.label) for each in (first, second))
    if upper is None or not lower:
        return None
    result = upper / lower
    told = f"{round(result, _DECIMALS):,.10g}"
    values = f"{first.best.label} {value_of(first.best)}, {second.best.label} {value_of(second.best)}"
    found = (*map(steps.value, (first, second)), Step(f"{upper:g} / {lower:g} = {told}", result))
    return steps.reasoned(f"{first.name}: {told} ({values}).", found, (first, second), verdict=told, apart=result)


def change(steps: Steps) -> Reasoned | None:
    """Return by how many percent the first value differs from the second; None if they are not numbers of one unit."""
    first, second = steps.bound.readings
    texts = [value_of(each.best) for each in (first, second)]
    quantities = amounts_of(steps.bound, texts)
    apart = None if quantities is None else computed("difference", quantities, texts)
    if quantities is None or apart is None or not quantities[1].number:
        return None
    portion = apart / abs(quantities[1].number)
    told = f"{round(100 * portion, _DECIMALS):g} %"
    way = "more" if quantities[0].number > quantities[1].number else "less"
    claim = f"{told} {way}: {first.name} {texts[0]}, {second.name} {texts[1]}."
    found = (*map(steps.value, (first, second)), Step(f"{apart:g} / {quantities[1].number:g} = {portion:.4g}", portion))
    return steps.reasoned(claim, found, (first, second), verdict=told, apart=portion)


def elapsed(steps: Steps) -> Reasoned | None:
    """Return the years from that of an entity to that of the question; None if it is later."""
    (reading,) = steps.bound.readings
    year = next(n.value for n in steps.bound.linked.question.numbers if date_of(n.value) is not None)
    since = number_of(value_of(reading.best), reading.best.label)
    result = None if since is None else int(year) - int(since)
    if result is None or result < 0:
        return None
    found = (steps.value(reading), Step(f"{year} - {value_of(reading.best)} = {result}", float(result)))
    claim = f"{reading.name}: {result} ({year} - {value_of(reading.best)}, {reading.best.label})."
    return steps.reasoned(claim, found, (reading,), verdict=str(result), apart=float(result))


def with_money(steps: Steps) -> Reasoned | None:
    """Return how many a sum of money buys, or what is left of it; None if it does not suffice, or the price is none."""
    (reading,), (money, many) = steps.bound.readings, steps.bound.factors
    price = number_of(value_of(reading.best), reading.best.label)
    if not price or price < 0 or price * many > money:
        return None
    told = f"{reading.name} {value_of(reading.best)}"
    if steps.bound.operation == "buys":
        result, how = float(int(money / price + _EQUAL)), f"{money:g} / {price:g}"
    else:
        result, how = money - many * price, f"{money:g} - {many:g} × {price:g}"
    said_result = f"{round(result, _DECIMALS):g}"
    found = (steps.value(reading), Step(f"{how}: {said_result}", result))
    return steps.reasoned(f"{said_result} ({how}; {told}).", found, (reading,), verdict=said_result, apart=result)


def portion(steps: Steps) -> Reasoned | None:
    """Return what part the first value is of all others together; None if they are not numbers of one unit."""
    first, *every = steps.bound.readings
    texts = [value_of(each.best) for each in every]
    quantities = quantities_of(texts, first.best.label)
    total = None if quantities is None else computed("total", quantities, texts)
    own = number_of(value_of(first.best), first.best.label)
    if not total or own is None:
        return None
    told = f"{round(100 * own / total, _DECIMALS):g} %"
    claim = f"{told}: {first.name} {value_of(first.best)} of {total:,.10g} ({steps.bound.measure})."
    found = (*map(steps.value, every), Step(f"{own:g} / {total:g} = {own / total:.4g}", own / total))
    return steps.reasoned(claim, found, (first,), verdict=told, apart=own / total)
