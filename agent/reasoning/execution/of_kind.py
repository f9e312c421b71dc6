"""Findings about a whole kind: its best members, those that meet a condition, or their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.reasoning.coverage.doubts import head_asked
from agent.reasoning.coverage.lost import lost_parts
from agent.reasoning.execution.derived import closest, share, tally
from agent.reasoning.execution.of_named import is_told_so
from agent.reasoning.execution.steps import Steps, names_of
from agent.reasoning.kinds.readings import MOST_NAMED, best_readings
from agent.reasoning.measures.asked_of_spans import grades_times
from agent.reasoning.measures.dimensions import asks_share
from agent.reasoning.values.cell_text import value_of
from agent.reasoning.values.comparing import said, told_of_kind
from agent.reasoning.values.dates import are_times
from agent.reasoning.values.quantities import dates_of
from agent.types import Reasoned, Step
from agent.understanding.linking.program import Bound, Reading
from retrieval.ingest.rules import ordinal
from retrieval.tables.names import without_part
from retrieval.text.normal import phrase

_END = {
    (True, False): "lowest",
    (False, False): "highest",
    (True, True): "earliest",
    (False, True): "latest",
}
"""The words for the low and the high end, of numbers and of dates."""
_MOST_EQUAL = 12
"""The most winners that share a rank; with more of them, there is no finding."""


def of_kind(steps: Steps, shown: Sequence[Reading]) -> Reasoned | None:
    """Return the finding about a kind, with the shown readings; None if too many members share the best value."""
    if steps.bound.doubtful_word:
        steps.doubt(_doubt(steps.bound))
    for lost in lost_parts(steps.bound):
        steps.doubt(lost)
    if steps.bound.operation == "best":
        return _ranked(steps, shown)
    if steps.bound.operation == "share":
        return share(steps, shown)
    if steps.bound.operation == "tally":
        return tally(steps)
    if steps.bound.operation == "closest":
        return closest(steps)
    return _listed(steps, shown)


def _doubt(bound: Bound) -> str:
    """Return the doubt: whether these members are what a word means, or which values the members without a
    cell have.
    """
    for reading in bound.readings:
        if reading.best.label == bound.doubtful_word:
            return f"{bound.doubtful_word} of the others"
    return f"whether these are what {bound.doubtful_word} means"


def _ranked(steps: Steps, shown: Sequence[Reading]) -> Reasoned | None:
    """Return the best members of a kind: several if they tie, or if the question asks for several."""
    bound, winners = steps.bound, best_readings(steps.bound)
    if len(winners) > max(_MOST_EQUAL, bound.top):
        return None
    found = [replace(steps.value(reading), value=reading.name) for reading in winners]
    if word := head_asked(bound, bound.measure, bound.linked.words):
        steps.doubt(f"whether {word} is {bound.measure}")
    if bound.other_values:
        return _told(steps, winners, found)
    for reading in shown[len(winners) :]:
        step = steps.value(reading)
        found.append(replace(step, value=None, text=f"none better: {step.text}"))
    if bound.without_value:
        found.append(Step(f"left out, for lack of a number: {_with_values(bound.without_value)}"))
    if unread := [each for each in bound.without_value if _may_be_beyond(each, bound)]:
        steps.doubt(f"whether it is {_with_values(unread)}", "unclear cells")
    names = ", ".join(names_of(winners))
    verdict = names if len(winners) == 1 or bound.top > 1 else None
    if bound.yes_or_no is not None:
        verdict = said(bound.yes_or_no).rstrip(": ")
        return steps.reasoned(said(bound.yes_or_no) + _claim(steps, winners), tuple(found), winners, verdict=verdict)
    return steps.reasoned(_claim(steps, winners), tuple(found), winners, verdict=verdict, better=verdict)


def _may_be_beyond(reading: Reading, bound: Bound) -> bool:
    """True for a word such as *Unlimited*, which is more than any number, if the high end is asked for."""
    said = phrase(value_of(reading.best))[:1]
    return not bound.is_low and not bound.linked.question.language.ranges.endless.isdisjoint(said)


def _told(steps: Steps, winners: Sequence[Reading], ranked: Sequence[Step]) -> Reasoned:
    """Return the value asked for of the best members, with the ranking that chose them."""
    told = steps.bound.other_values
    claim = f"{', '.join(map(_with_value, told))}. {_claim(steps, winners)}"
    verdict = value_of(told[0].best) if len(told) == 1 else None
    is_so = is_told_so(replace(steps.bound, readings=told), verdict)
    if is_so is not None:
        verdict = said(is_so).rstrip(": ")
        claim = said(is_so) + claim
    return steps.reasoned(claim, (*map(steps.value, told), *ranked), told, verdict=verdict)


def _claim(steps: Steps, winners: Sequence[Reading]) -> str:
    """Return the claim: which members have or share the highest value, of how many and in which tables."""
    bound = steps.bound
    texts = [value_of(each.best) for each in bound.readings]
    end = _END[bound.is_low, dates_of(texts) is not None or (grades_times(bound.linked.question) and are_times(texts))]
    among = f"(of all {len(bound.readings)}{_where(bound.readings)})"
    if bound.top > 1:
        listing = ", ".join(f"{each.name} {value_of(each.best)}" for each in winners)
        return f"The {bound.top} {end} {bound.measure}: {listing} {among}."
    rank = f"{ordinal(bound.rank)} " if bound.rank > 1 else ""
    names = " and ".join(names_of(winners))
    has = "has" if len(winners) == 1 else "share"
    return f"{names} {has} the {rank}{end} {bound.measure}: {value_of(winners[0].best)} {among}."


def _listed(steps: Steps, shown: Sequence[Reading]) -> Reasoned:
    """Return the members of a kind that meet a condition, with their values and their number."""
    bound = steps.bound
    told = tuple(reading for reading in shown if reading in bound.readings)
    more = len(bound.readings) - len(told)
    listing = ", ".join(map(_with_value, told)) + (f" and {more} more" if more else "")
    judged = len(bound.readings) + len(bound.without_value)
    claim = f"{len(bound.readings)}: {listing}." if bound.readings else f"None of {judged}."
    if bound.unsure:
        steps.doubt(f"whether these meet it: {_with_values(bound.unsure)}", "unclear cells")
    is_so = told_of_kind(bound.linked.question, some=bool(bound.readings), others=bool(bound.without_value))
    if is_so is None:
        steps.doubt("whether it is so of all")
    if asks_share(bound.linked.question, [binding.label for reading in told for binding in reading.found]):
        steps.doubt("what share of all that is")
    if told and _tell_only_names(told, bound):
        steps.doubt("what is asked about them")
    claim = f"{is_so or ''}{claim}"
    names = ", ".join(dict.fromkeys(names_of(told))) if told and not more else None
    verdict = str(len(bound.readings)) if bound.operation == "count" else names
    verdict = None if bound.unsure else verdict
    values = tuple(steps.value(reading, binding) for reading in shown for binding in reading.found)
    return steps.reasoned(claim, values, told, verdict=verdict, better=verdict)


def _tell_only_names(readings: Sequence[Reading], bound: Bound) -> bool:
    """True if nothing is told but the numbers that name the members, though something else is asked: *where does stage
    2 end*.
    """
    tokens, language = bound.linked.question.tokens, bound.linked.question.language
    if (
        bound.operation != "list"
        or tokens[0] in language.kinds | language.listing | language.helpers | language.copulas
    ):
        return False
    return all(
        _with_value(reading) == f"{reading.name} ({': '.join(reading.name.rsplit(' ', 1))})" for reading in readings
    )


def _where(readings: Sequence[Reading]) -> str:
    """Return the tables of some readings, a few by name; empty if there are many and each reading has its own."""
    titles = list(dict.fromkeys(without_part(each.best.cell.title) for each in readings))
    if len(titles) > MOST_NAMED:
        return f" in {len(titles)} places" if len(titles) < len(readings) else ""
    return f" in {', '.join(titles)}"


def _with_values(readings: Sequence[Reading]) -> str:
    return ", ".join(f"{each.name} ({value_of(each.best)})" for each in readings)


def _with_value(reading: Reading) -> str:
    values = [f"{each.label}: {value_of(each)}" if each.label else value_of(each) for each in reading.found]
    return reading.name if values == [reading.name] else f"{reading.name} ({', '.join(values)})"
