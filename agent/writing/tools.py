"""The three tools that a model may use while it writes: read a cell, calculate, work out the odds of a duel.

They see the evidence of this question and nothing else, and they take no number that stands nowhere: what goes into a
calculation must be in the evidence, a finding, the question or an earlier result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from agent.llm.protocol import Tool, ToolCall
from agent.reasoners import dice as d
from agent.reasoners.odds import Fighter, duel_odds, hit_probability
from agent.types import Finding, Step
from agent.verify import numbers_of
from agent.writing.cited import Source
from retrieval.lookup import CellQuery, lookup
from retrieval.types import Chunk

_Short = Annotated[str, StringConstraints(max_length=200)]
_FREE = frozenset(map(str, (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 21, 100)))
"""Numbers of dice and of percentages: they need no source."""
_MOST_POINTS = 2000


class KeyArgument(BaseModel):
    """What selects a row or column."""

    name: _Short
    value: _Short


class LookupArguments(BaseModel):
    """What to read: whose value (may be empty), under which keys, from which column."""

    subject: _Short
    keys: list[KeyArgument] = Field(default_factory=list, max_length=6)
    want: _Short


class CalculateArguments(BaseModel):
    """An expression of numbers with + - * / and brackets, min, max, round, abs."""

    expression: _Short


class SideArguments(BaseModel):
    """One side of a duel: hit points such as `4d10+4` or `23`, the d20 roll it needs and its bonus, the damage of each
    attack such as `1d8+1`, and attacks a round such as `3/2`."""

    hit_points: _Short
    needs: int = Field(ge=-100, le=200)
    bonus: int = Field(default=0, ge=-100, le=100)
    damage: list[_Short] = Field(min_length=1, max_length=12)
    attacks_per_round: _Short = "1"


class OddsArguments(BaseModel):
    """The two sides of a duel."""

    first: SideArguments
    second: SideArguments


@dataclass(slots=True)
class Toolbox:
    """The tools over one question's evidence. `results` are findings that a text may rest on; `sources` grow by cells.

    `supports` gives the texts whose numbers may go into a computation; it is called when something is to be computed.
    """

    chunks: Sequence[Chunk]
    sources: dict[int, Source]
    supports: Callable[[], Iterable[str]]
    results: list[Finding] = field(default_factory=list)
    _found: set[str] = field(default_factory=set)

    def use(self, call: ToolCall) -> str:
        """Return what a tool says; a call that can't be followed is answered with the reason, never raised."""
        entry = _TOOLS.get(call.name)
        if entry is None:
            return f"error: there is no tool {call.name!r}; there are {', '.join(_TOOLS)}"
        model, run = entry
        try:
            return run(self, model.model_validate_json(call.arguments or "{}"))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            return f"error: {'.'.join(map(str, first['loc'])) or 'arguments'}: {first['msg']}"
        except (ValueError, ArithmeticError) as error:
            return f"error: {str(error)[:200]}"

    def _lookup(self, asked: LookupArguments) -> str:
        keys = tuple((key.name, key.value) for key in asked.keys)
        wanted = lookup(CellQuery(asked.subject, keys, (asked.want,) if asked.want else ()), self.chunks)
        # Two keys pin a cell down, whatever its column is called.
        cell = wanted or (lookup(CellQuery(asked.subject, keys), self.chunks) if len(keys) > 1 else None)
        if cell is None:
            return "not found: no table of the evidence has such a cell"
        number = max(self.sources, default=0) + 1
        self.sources[number] = Source(cell.chunk, cell.quote)
        self._found |= set(numbers_of(cell.quote))
        return f"[{number}] {cell.chunk.title}: {cell.quote}"

    def _calculate(self, asked: CalculateArguments) -> str:
        from simpleeval import InvalidExpression, SimpleEval

        self._require_known(asked.expression)
        try:
            value = SimpleEval(functions=_FUNCTIONS).eval(asked.expression)
        except (InvalidExpression, SyntaxError, TypeError, RecursionError, MemoryError) as error:
            raise ValueError(f"can't calculate that: {error}") from error
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError("the result is no number")
        return self._record(f"{asked.expression} = {value:.6g}", float(value))

    def _odds(self, asked: OddsArguments) -> str:
        for side in (asked.first, asked.second):
            self._require_known(" ".join((side.hit_points, str(side.needs), str(side.bonus), *side.damage)))
        odds = duel_odds(_fighter(asked.first), _fighter(asked.second))
        told = f"the first side wins {odds.first:.1%}, the second {odds.second:.1%}, both fall {odds.both:.1%}"
        return self._record(told, round(odds.first, 6))

    def _require_known(self, text: str) -> None:
        known = self._found.union(_FREE, *map(numbers_of, self.supports()))
        unknown = [number for number in numbers_of(text) if number.lstrip("-") not in known]
        if unknown:
            raise ValueError(f"{unknown[0]} stands in no source; look it up first")

    def _record(self, text: str, value: float) -> str:
        self._found |= set(numbers_of(text))
        self.results.append(Finding("tool", text, (Step(text, value),)))
        return text


def _fighter(side: SideArguments) -> Fighter:
    attacks = Fraction(side.attacks_per_round)
    if not 0 < attacks <= 20:
        raise ValueError("attacks_per_round must be above 0 and at most 20")
    chance = hit_probability(side.needs, side.bonus)
    return Fighter(_points(side.hit_points), chance, tuple(_points(each) for each in side.damage), attacks)


def _points(text: str) -> d.Distribution:
    if text.strip().isdigit() and 0 < int(text) <= _MOST_POINTS:
        return d.exactly(int(text))
    dice = d.parse_dice(text)
    if dice is None or not 0 < dice.count * dice.sides + abs(dice.plus) <= _MOST_POINTS:
        raise ValueError(f"{text!r} is no number and no dice such as 2d6+1")
    return d.total(dice, at_least=1)


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {"min": min, "max": max, "round": round, "abs": abs}
_TOOLS: Mapping[str, tuple[type[BaseModel], Callable[[Toolbox, Any], str]]] = {
    "lookup_cell": (LookupArguments, Toolbox._lookup),
    "calculate": (CalculateArguments, Toolbox._calculate),
    "duel_odds": (OddsArguments, Toolbox._odds),
}
TOOLS = tuple(Tool(name, " ".join((model.__doc__ or "").split()), model.model_json_schema())
              for name, (model, _) in _TOOLS.items())  # fmt: skip
