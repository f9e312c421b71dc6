"""Execute a bound question: read, compare or rank its cells, in words with citations and as data.

Nothing is looked for here; every value is that of a cell whose chunk was retrieved. Where two values can't be put in an
order, or the question does not say which end of the scale is the better one, they stand side by side.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from agent.languages.operations import Operation
from agent.reasoning.notebook import Notebook
from agent.reasoning.quantities import Quantity, best_of, number_of, quantities_of, same_unit
from agent.types import CellRef, Finding, Reasoned, Step
from agent.understanding.clauses import COMMA
from agent.understanding.program import Bound, Reading
from retrieval.ingest.rules import ordinal
from retrieval.tables.bind import Binding
from retrieval.tables.cells import Cell
from retrieval.tables.match import is_told, said_words
from retrieval.tables.names import SHORT, without_part
from retrieval.text.normal import phrase
from retrieval.types import Chunk

_NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?")
MOST_SHOWN = 24
"""Members of a list that are told by name and cited."""
_GRADED = re.compile(r"\s*\d+\s*\+\s*\d")
"""A value with something added that is less than one of it, which has an order and no sum: *5+2*."""
_DECIMALS = 2
"""Decimals of a ratio that are told; the data has all of them."""
_MOST_NAMED = 3
"""Winners of a rank that are told by name."""


def execute(bound: Bound, chunks: Sequence[Chunk], prefix: str = "q") -> Reasoned | None:
    """The finding of a bound question; None where a chunk was not retrieved, or has another value in the cell."""
    there = {chunk.id: chunk for chunk in chunks}
    shown = shown_readings(bound)
    if not shown or not all(_is_there(each.cell, there) for reading in shown for each in reading.found):
        return None
    if any(_tells_apart(word, bound, there) for word in bound.unheeded):
        return None
    work = _Work(bound, Notebook(chunks, prefix), there)
    match bound.operation:
        case "best":
            return work.ranked(shown)
        case "list" | "count":
            return work.listed(shown)
        case "key_of":
            return work.keys()
        case "read":
            return work.read()
        case "total" | "difference" | "ratio":
            return work.computed()
        case "order":
            return work.ordered() or work.compared()
        case _:
            return work.compared()


def shown_readings(bound: Bound) -> tuple[Reading, ...]:
    """The readings that an answer shows and cites: of the best of a kind those, of a long list the first."""
    if bound.operation == "best":
        winners = best_readings(bound)
        return (*winners, *_best_elsewhere(bound, winners)) if winners else ()
    return (*bound.readings, *bound.unsure, *(() if bound.readings else bound.without))[:MOST_SHOWN]


def _is_there(cell: Cell, chunks: Mapping[str, Chunk]) -> bool:
    """True where the retrieved chunk has the cell, and in it what the index of cells says."""
    chunk = chunks.get(cell.chunk_id)
    if chunk is None or cell.table >= len(chunk.tables):
        return False
    rows = chunk.tables[cell.table].rows
    return cell.row < len(rows) and rows[cell.row][cell.column : cell.column + 1] == (cell.text,)


def _tells_apart(word: str, bound: Bound, chunks: Mapping[str, Chunk]) -> bool:
    """True for a word that nothing about the cells tells, that qualifies what is told behind it, and that the passage
    around them speaks of: the *forestry* income of which it says that it is taxed at half the rate.
    """
    question = bound.linked.question
    behind = {after for before, after in pairwise(question.tokens) if before == word}
    idle = {*bound.unheeded, *question.language.small, *question.language.asking, COMMA}
    if behind <= idle:
        return False
    ids = {each.cell.chunk_id for reading in bound.readings for each in reading.found}
    return any(word in phrase(chunks[id_].text) for id_ in ids)


def best_readings(bound: Bound) -> tuple[Reading, ...]:
    """Of the members of a kind those that are best, and the next; none where it is not certain which are."""
    quantities = quantities_of([_value(reading.found[0]) for reading in bound.readings], bound.measure)
    places = [] if quantities is None else _ranked_at(bound.rank, quantities, is_low(bound))
    return tuple(bound.readings[place] for place in places)


def _best_elsewhere(bound: Bound, winners: Sequence[Reading]) -> tuple[Reading, ...]:
    """The best of each further table, where the kind stands in a few: what shows that these were read as well."""
    own = {reading.found[0].cell.chunk_id for reading in winners}
    others: dict[str, list[Reading]] = {}
    for reading in bound.readings if bound.rank == 1 else ():
        if reading.found[0].cell.chunk_id not in own:
            others.setdefault(reading.found[0].cell.chunk_id, []).append(reading)
    if len(others) > _MOST_NAMED:
        return ()
    found = (best_readings(replace(bound, readings=tuple(some))) for some in others.values())
    return tuple(best[0] for best in found if best)


def _ranked_at(rank: int, quantities: Sequence[Quantity], low: bool) -> list[int]:
    """The places of those at a rank; none where equals above it leave open which is next."""
    left = list(range(len(quantities)))
    for _ in range(1, rank):
        best = best_of([quantities[place] for place in left], low)
        if len(best) != 1:
            return []
        left.pop(best[0])
    return [left[place] for place in best_of([quantities[place] for place in left], low)]


def is_low(bound: Bound) -> bool:
    """True where the low end of the scale is asked for."""
    return bound.end == "low"


@dataclass(frozen=True, slots=True)
class _Work:
    bound: Bound
    notebook: Notebook
    chunks: dict[str, Chunk]

    def read(self) -> Reasoned:
        """One value; where there are several, each of them with the names that it stands under."""
        steps = [self._step(reading, binding) for reading in self.bound.readings for binding in reading.found]
        claim = "; ".join(step.text for step in steps)
        verdict = self.bound.readings[0].found[0].text if len(steps) == 1 else None
        values = self._values(None, None)
        return self.notebook.reasoned(Finding("structure", claim, (*self._assumed(), *steps), values, verdict))

    def compared(self) -> Reasoned:
        """Several values side by side, the one that is asked for first."""
        readings = self.bound.readings
        texts = [_value(reading.found[0]) for reading in readings]
        listing = ", ".join(f"{r.subject.text} {text}" for r, text in zip(readings, texts, strict=True))
        steps = [*self._assumed(), *map(self._step, readings)]
        quantities = quantities_of(texts, self.bound.measure)
        better, claim = self._judged(quantities, listing)
        apart = _difference(quantities, texts)
        if apart is not None:
            steps.append(Step(f"the difference is {apart:g}", apart))
        return self.notebook.reasoned(Finding("structure", claim, tuple(steps), self._values(better, apart), better))

    def ranked(self, shown: Sequence[Reading]) -> Reasoned | None:
        """The best of a kind; several where they share it."""
        winners = best_readings(self.bound)
        if len(winners) > _MOST_NAMED * 4:
            return None
        rank = f"{ordinal(self.bound.rank)} " if self.bound.rank > 1 else ""
        end = rank + ("lowest" if is_low(self.bound) else "highest")
        names = " and ".join(_named(reading) for reading in winners)
        where = _where(self.bound.readings)
        value = _value(winners[0].found[0])
        has = "has" if len(winners) == 1 else "share"
        claim = f"{names} {has} the {end} {self.bound.measure}: {value} (of all {len(self.bound.readings)} in {where})."
        steps = [replace(self._step(reading), value=_named(reading)) for reading in winners]
        steps += [
            replace(step, value=None, text=f"none better: {step.text}")
            for step in map(self._step, shown[len(winners) :])
        ]
        if self.bound.without:
            left_out = ", ".join(f"{_named(each)} ({_value(each.found[0])})" for each in self.bound.without)
            steps.append(Step(f"left out, for lack of a number: {left_out}"))
        return self._of_a_kind(claim, names if len(winners) == 1 else None, winners, steps)

    def listed(self, shown: Sequence[Reading]) -> Reasoned:
        """The members of a kind under a condition, each with its value, and how many they are."""
        readings = self.bound.readings
        told = [reading for reading in shown if reading in readings]
        more = len(readings) - len(told)
        listing = ", ".join(map(_with_value, told)) + (f" and {more} more" if more else "")
        judged = len(readings) + len(self.bound.without)
        claim = f"{len(readings)}: {listing}." if readings else f"None of {judged}."
        if self.bound.unsure:
            unsure = ", ".join(f"{_named(each)} ({_value(each.found[0])})" for each in self.bound.unsure)
            question = self.bound.linked.question.question
            self.notebook.need(f"whether these meet it: {unsure}", question, purpose="unclear cells")
        names = ", ".join(map(_named, told)) if told and not more else None
        verdict = str(len(readings)) if self.bound.operation == "count" else names
        return self._of_a_kind(claim, None if self.bound.unsure else verdict, told, list(map(self._step, shown)))

    def keys(self) -> Reasoned:
        """The keys under which a value stands, each with the value."""
        readings = self.bound.readings
        names = ", ".join(map(_named, readings))
        cell = readings[0].found[0].cell
        axis = cell.axis if cell.row_label.strip(" *") == _named(readings[0]) else ""
        listing = ", ".join(dict.fromkeys(_value(reading.found[0]) for reading in readings))
        claim = f"{axis} {names}: {listing} ({self.bound.measure}).".strip()
        return self._of_a_kind(claim, names, readings, list(map(self._step, readings)))

    def ordered(self) -> Reasoned | None:
        """The values from the highest to the lowest, or the other way round; None where they can't be put in order."""
        texts = [_value(reading.found[0]) for reading in self.bound.readings]
        quantities = quantities_of(texts, self.bound.measure)
        if quantities is None:
            return None
        low = is_low(self.bound)
        places = sorted(range(len(texts)), key=lambda place: quantities[place].number, reverse=not low)
        listing = ", ".join(f"{_named(self.bound.readings[place])} {texts[place]}" for place in places)
        claim = f"Ranked from the {'lowest' if low else 'highest'}: {listing}."
        first = _named(self.bound.readings[places[0]])
        steps = (*self._assumed(), *map(self._step, self.bound.readings))
        return self.notebook.reasoned(Finding("structure", claim, steps, self._values(first, None), first))

    def _of_a_kind(self, claim: str, verdict: str | None, shown: Sequence[Reading], steps: Sequence[Step]) -> Reasoned:
        values = [self._datum(reading) for reading in shown]
        data = {"attribute": self.bound.measure, "values": values, "better": verdict, "difference": None}
        return self.notebook.reasoned(Finding("structure", claim, (*self._assumed(), *steps), data, verdict))

    def computed(self) -> Reasoned | None:
        """A total, a difference or a ratio of values; None where they are no numbers of one unit."""
        readings = self.bound.readings
        texts = [_value(reading.found[0]) for reading in readings]
        quantities = quantities_of(texts, self.bound.measure)
        if quantities is None or any(quantity.top is not None for quantity in quantities):
            return None
        if any(map(_GRADED.match, texts)):
            return None
        numbers = [quantity.number for quantity in quantities]
        result = _computed(self.bound.operation, numbers)
        if result is None or len({quantity.unit for quantity in quantities}) > 1:
            return None
        unit = quantities[0].unit if self.bound.operation != "ratio" else ""
        shown = round(result, _DECIMALS) if self.bound.operation == "ratio" else result
        told = f"{shown:,.10g} {unit}".strip()
        listing = ", ".join(f"{_named(r)} {text}" for r, text in zip(readings, texts, strict=True))
        step = Step(f"the {self.bound.operation} is {told}", result)
        claim = f"The {self.bound.operation} is {told} ({listing})."
        steps = (*self._assumed(), *map(self._step, readings), step)
        better = self._judged(quantities, listing)[0] if self.bound.operation == "difference" else None
        return self.notebook.reasoned(Finding("structure", claim, steps, self._values(better, result), told))

    def _judged(self, quantities: Sequence[Quantity] | None, listing: str) -> tuple[str | None, str]:
        if quantities is None or self.bound.end not in ("low", "high"):
            return None, f"{listing}."
        low = is_low(self.bound)
        best = best_of(quantities, low)
        names = [self.bound.readings[place].subject.text for place in best]
        if len(best) > 1:
            return None, f"{' and '.join(names)} are equal: {listing}."
        if not best:
            return None, f"{listing}."
        return names[0], f"{names[0]} ({listing}; {'lower' if low else 'higher'} is asked for)."

    def _step(self, reading: Reading, binding: Binding | None = None) -> Step:
        """A value with the row and column it stands in, cited."""
        cell = (binding or reading.found[0]).cell
        own = set(phrase(reading.subject.text))
        named = () if len(reading.found) == 1 else (cell.caption or cell.title,)
        path = [part for part in (*named, *cell.row_path, cell.column_label) if part and set(phrase(part)) != own]
        where = f" ({', '.join(dict.fromkeys(path))})" if path else ""
        cite = self.notebook.cite(self.chunks[cell.chunk_id], cell.quote, CellRef(cell.table, cell.row, cell.column))
        return Step(f"{reading.subject.text}: {cell.text}{where}", cell.text, (cite,))

    def _assumed(self) -> tuple[Step, ...]:
        """What was taken for the nearest label or name, and what was not heeded."""
        wording = self.bound.linked.wording
        assumed = {f"{wording} means {reading.assumed}" for reading in self.bound.readings if reading.assumed}
        assumed |= {meant for reading in self.bound.readings for meant in self._other_words(reading.found[0])}
        short = [reading for reading in self.bound.readings if reading.subject.key.startswith(SHORT)]
        assumed |= {f"{reading.subject.text} means {reading.found[0].place.name}" for reading in short}
        assumed |= set(self.bound.linked.meant)
        steps = [Step(f"assumed: {what}") for what in sorted(assumed)]
        unheeded = ", ".join(self.bound.unheeded)
        return (*steps, Step(f"not heeded: {unheeded}")) if unheeded else tuple(steps)

    def _other_words(self, binding: Binding) -> Iterator[str]:
        """The words of the question that the label has in another word: *price means Cost*."""
        said, linked = said_words(binding.label), self.bound.linked
        for word in binding.fit.label & linked.implied.keys():
            if not is_told(word, said) and word not in linked.question.language.adjectives:
                yield f"{word} means {binding.label}"

    def _values(self, better: str | None, apart: float | None) -> dict[str, object]:
        values = [self._datum(reading, binding) for reading in self.bound.readings for binding in reading.found]
        return {"attribute": self.bound.measure, "values": values, "better": better, "difference": apart}

    def _datum(self, reading: Reading, binding: Binding | None = None) -> dict[str, object]:
        text = _value(binding or reading.found[0])
        return {"name": reading.subject.text, "value": text, "number": number_of(text, self.bound.measure)}


def _named(reading: Reading) -> str:
    return reading.subject.text


def _where(readings: Sequence[Reading]) -> str:
    """The tables that some readings are from, a few by name."""
    titles = list(dict.fromkeys(without_part(each.found[0].cell.title) for each in readings))
    return ", ".join(titles) if len(titles) <= _MOST_NAMED else f"{len(titles)} places"


def _with_value(reading: Reading) -> str:
    return f"{_named(reading)} ({reading.found[0].label}: {_value(reading.found[0])})"


def _computed(operation: Operation, numbers: Sequence[float]) -> float | None:
    """The result of arithmetic over values, rounded where floating point is not exact."""
    if operation == "total":
        return round(sum(numbers), 9)
    if len(numbers) != 2:
        return None
    if operation == "difference":
        return round(abs(numbers[0] - numbers[1]), 9)
    low, high = sorted(numbers)
    return round(high / low, 9) if low else None


def _value(binding: Binding) -> str:
    """What is asked of a cell: all of it, or the number whose unit is asked, as in *5 (1,800 XP)*."""
    text = binding.cell.text
    if binding.fit.label or not binding.fit.value:
        return text
    return next((part for part in _with_units(text) if _has_unit(part, binding.fit.value)), text)


def _with_units(text: str) -> list[str]:
    """Each number of a text with the word behind it, else with the one before it."""
    found = [f"{match[0]} {_word_after(text, match.end())}" for match in _NUMBER.finditer(text)]
    return [part.strip() for part in found]


def _word_after(text: str, place: int) -> str:
    match = re.match(r"\s*([^\W\d_]+)", text[place:])
    return match[1] if match else ""


def _has_unit(part: str, words: Collection[str]) -> bool:
    return bool(set(phrase(part)) & set(words))


def _difference(quantities: Sequence[Quantity] | None, texts: Sequence[str]) -> float | None:
    """By how much two values of one unit differ."""
    if quantities is None or len(quantities) != 2 or not same_unit(texts) or any(map(_GRADED.match, texts)):
        return None
    if any(quantity.top is not None for quantity in quantities):
        return None
    return round(abs(quantities[0].number - quantities[1].number), 9)
