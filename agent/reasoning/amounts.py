"""Amounts that sentences give, held against each other: which is the more, by how much, and what they make together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agent.prose.asked import asked_of
from agent.prose.kinds import KindGate
from agent.prose.words import stem, stems
from agent.reasoning.values.comparing import computed, judged
from agent.reasoning.values.quantities import quantities_of
from agent.reasoning.values.whether import told_first
from agent.types import Step
from agent.understanding.question.tagged import Tagged


@dataclass(frozen=True, slots=True)
class Judged:
    """What amounts say together, by the names they are of; `better` is the name of the one that is asked for."""

    amounts: Mapping[str, str]
    claim: str
    better: str | None = None
    verdict: str | None = None
    result: float | None = None
    steps: tuple[Step, ...] = ()


def held_against(question: Tagged, texts: Mapping[str, str]) -> Judged | None:
    """The amounts that the texts give for what is asked of each name, judged; None where one gives none or several.

    >>> from agent.understanding.question.tagged import tagged
    >>> question = tagged("Which lamp burns longer, the red or the blue?")
    >>> found = held_against(question, {"red": "The red lamp burns for 3 hours.", "blue": "The blue one, for 5 hours."})
    >>> (found.verdict, found.claim) if found else None
    ('blue', 'blue (red 3 hours, blue 5 hours; higher is asked for).')
    >>> text = "The yard has 8 oak boats and 12 elm boats."
    >>> found = held_against(tagged("Are there more oak boats or elm boats?"), {"oak boats": text, "elm boats": text})
    >>> found.verdict if found else None
    'elm boats'
    """
    amounts = {name: _amount(question, name, texts) for name in texts}
    quantities = quantities_of(list(amounts.values())) if all(amounts.values()) else None
    if quantities is None or len({quantity.unit for quantity in quantities}) > 1:
        return None
    listing = ", ".join(f"{name} {amount}" for name, amount in amounts.items())
    if question.operation in ("difference", "total"):
        result = computed(question.operation, quantities, list(amounts.values()))
        if result is None:
            return None
        told = f"{result:,.10g} {quantities[0].written_unit}".strip()
        step = Step(f"the {question.operation} is {told}", result)
        claim = f"The {question.operation} is {told} ({listing})."
        return Judged(amounts, claim, None, told, result, (step,))
    end = question.end_for(question.language.measures_of(quantities[0].unit))
    if end not in ("low", "high"):
        return None
    better, claim = judged(list(amounts), quantities, listing, end)
    claim = told_first(question, list(amounts), list(amounts.values()), better) + claim
    return Judged(amounts, claim, better, better)


def _amount(question: Tagged, name: str, texts: Mapping[str, str]) -> str:
    """The amount that a text gives; what the thing itself is called is no unit of it: *8 oak boats*."""
    told = KindGate(asked_of(question, name, texts), question.language).amount_of(texts[name])
    number, _, unit = told.rpartition(" ")
    return number if number and stem(unit.casefold()) in stems(name) else f"{number} {unit}".strip()
