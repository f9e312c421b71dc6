"""The three tools that a model may use while it writes: read a cell, calculate, work out the odds of a duel.

They see the evidence of this question and nothing else, and they take no number that stands nowhere: what goes into a
calculation must be in the evidence, a finding, the question or an earlier result. Only 1, 2, 20, 21 and 100, which the
chances of a d20 and percentages need, are free: each once in an expression, and only against a number with a source, so
that no result is made of free numbers alone. Work is bounded before it begins.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from agent.domains.combat.odds import Fighter, duel_odds, hit_probability
from agent.llm.protocol import Tool, ToolCall
from agent.reasoners import dice as d
from agent.types import Finding, Step
from agent.writing.arithmetic import calculated, parsed
from agent.writing.cited import Source
from agent.writing.numbers import parts, values_in
from retrieval.lookup import CellQuery, lookup
from retrieval.types import Chunk

_Short = Annotated[str, StringConstraints(max_length=200)]
_FREE = frozenset({"1", "2", "20", "21", "100"})
_DICE = frozenset({"0", "1", "2", "3", "4", "6", "8", "10", "12", "20", "100"})
"""What a side of a duel may have without a source: the dice there are, and no bonus."""
_MOST_POINTS, _MOST_DAMAGE = 500, 200
"""Hit points of a side, and points of one attack."""
_RATE = re.compile(r"([1-9]|10)(?:/([1-9]|10))?")


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
        self._found |= set(values_in(cell.quote))
        return f"[{number}] {cell.chunk.title}: {cell.quote}"

    def _calculate(self, asked: CalculateArguments) -> str:
        expression = parsed(asked.expression)
        self._require_sourced(expression)
        value = calculated(expression)
        return self._record(f"{asked.expression} = {value:.6g}", value, f"{value:.6g}")

    def _odds(self, asked: OddsArguments) -> str:
        for side in (asked.first, asked.second):
            told = " ".join((side.hit_points, str(side.needs), str(side.bonus), *side.damage, side.attacks_per_round))
            self._require_known([part for value in values_in(told) for part in parts(value)], _DICE)
        first, second = _fighter(asked.first), _fighter(asked.second)
        odds = duel_odds(first, second)
        told = f"the first side wins {odds.first:.1%}, the second {odds.second:.1%}, both fall {odds.both:.1%}"
        return self._record(told, round(odds.first, 6), told)

    def _known(self) -> Set[str]:
        return self._found.union(*map(values_in, self.supports()))

    def _require_known(self, numbers: Iterable[str], free: Set[str]) -> None:
        known = self._known() | free
        unknown = [number for number in numbers if number.lstrip("-") not in known]
        if unknown:
            raise ValueError(f"{unknown[0]} stands in no source; look it up first")

    def _require_sourced(self, expression: ast.expr) -> None:
        """Raise `ValueError` unless every number has a source, but for the free ones where each meets one that has."""
        numbers = Counter(str(node.value) for node in ast.walk(expression) if isinstance(node, ast.Constant))
        self._require_known(numbers, _FREE)
        free = numbers.keys() - self._known()
        if any(numbers[number] > 1 for number in free) or _made_of(expression, free):
            raise ValueError("only numbers that stand in a source can be calculated with; look them up first")
        if any(all(_made_of(part, free) for part in _operands(node)) for node in _operations(expression)):
            raise ValueError("numbers without a source can't be put together; look one up first")

    def _record(self, text: str, value: float, result: str) -> str:
        """Keep a finding; only its result is a number to go on with, and not the free ones that went into it."""
        self._found |= set(values_in(result))
        self.results.append(Finding("tool", text, (Step(text, value),)))
        return text


def _operations(expression: ast.expr) -> list[ast.BinOp | ast.Call]:
    return [node for node in ast.walk(expression) if isinstance(node, ast.BinOp | ast.Call)]


def _operands(node: ast.BinOp | ast.Call) -> list[ast.expr]:
    return [node.left, node.right] if isinstance(node, ast.BinOp) else node.args


def _made_of(expression: ast.expr, free: Set[str]) -> bool:
    """True when all numbers of an expression are free ones."""
    numbers = [str(node.value) for node in ast.walk(expression) if isinstance(node, ast.Constant)]
    return all(number in free for number in numbers)


def _fighter(side: SideArguments) -> Fighter:
    rate = _RATE.fullmatch(side.attacks_per_round.strip())
    if rate is None:
        raise ValueError("attacks_per_round must be a number from 1 to 10, or two of them such as 3/2")
    chance = hit_probability(side.needs, side.bonus)
    damage = tuple(_points(each, _MOST_DAMAGE) for each in side.damage)
    return Fighter(_points(side.hit_points, _MOST_POINTS), chance, damage, Fraction(int(rate[1]), int(rate[2] or 1)))


def _points(text: str, most: int) -> d.Distribution:
    if text.strip().isdecimal() and len(text) < 9 and 0 < int(text) <= most:
        return d.exactly(int(text))
    dice = d.parse_dice(text)
    if dice is None or not 0 < dice.count * dice.sides + abs(dice.plus) <= most:
        raise ValueError(f"{text!r} is no number up to {most} and no dice such as 2d6+1 that roll no more")
    return d.total(dice, at_least=1)


_TOOLS: Mapping[str, tuple[type[BaseModel], Callable[[Toolbox, Any], str]]] = {
    "lookup_cell": (LookupArguments, Toolbox._lookup),
    "calculate": (CalculateArguments, Toolbox._calculate),
    "duel_odds": (OddsArguments, Toolbox._odds),
}
TOOLS = tuple(Tool(name, " ".join((model.__doc__ or "").split()), model.model_json_schema())
              for name, (model, _) in _TOOLS.items())  # fmt: skip
