"""The tools that a model may use while it writes: search, read a cell, calculate, and what the domains bring.

They see the collection of this question and nothing else; what they find has a number under which it can be cited. They
take no number that stands nowhere: what goes into a calculation must be in the evidence, a finding, the question or an
earlier result; dice are calculated with as their average. Only 1, 2, 20, 21 and 100, which
chances and percentages need, are free: each once in an expression, and only against a number with a source, so
that no result is made of free numbers alone. Work is bounded before it begins.
"""

from __future__ import annotations

import ast
import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from agent.llm.protocol import Tool, ToolCall
from agent.plugins.domain import ModelTool
from agent.plugins.domains import installed
from agent.types import Finding, Step
from agent.writing.arithmetic import calculated, parsed
from agent.writing.cited import Source
from agent.writing.numbers import parts, values_in
from retrieval.errors import RetrievalError
from retrieval.tables.reading import CellQuery, read_cell
from retrieval.types import Chunk

_Short = Annotated[str, StringConstraints(max_length=200)]
_FREE = frozenset({"1", "2", "20", "21", "100"})
_SEARCH = "search"
_NO_CELL = "not found: no table has such a cell"
_MOST_FOUND, _LONGEST_FOUND = 4, 1500
_DICE = re.compile(r"\b(\d{1,3})d(\d{1,3})\b")
Search = Callable[[str], Awaitable[Sequence[Chunk]]]
"""Finds passages of the collection; the nearest first."""


class KeyArgument(BaseModel):
    """What selects a row or column."""

    name: _Short
    value: _Short


class LookupArguments(BaseModel):
    """Read a cell of any table of the collection: whose value (may be empty), under which keys, from which column."""

    subject: _Short
    keys: list[KeyArgument] = Field(default_factory=list, max_length=6)
    want: _Short


class SearchArguments(BaseModel):
    """Search the collection for passages that are not shown: a few words that such a passage has."""

    query: _Short


class CalculateArguments(BaseModel):
    """An expression of numbers with + - * / and brackets, min, max, round, abs; dice such as 2d6 are their average."""

    expression: _Short


@dataclass(slots=True)
class Toolbox:
    """The tools over one question's evidence, and with `search` over its collection.

    `results` are findings that a text may rest on; `sources` grow by cells and passages, `chunks` by what is searched.
    `supports` gives the texts whose numbers may go into a computation; it is called when something is to be computed.
    """

    chunks: list[Chunk]
    sources: dict[int, Source]
    supports: Callable[[], Iterable[str]]
    search: Search | None = None
    results: list[Finding] = field(default_factory=list)
    _found: set[str] = field(default_factory=set)

    async def answer(self, call: ToolCall) -> str:
        """Return what a tool says, as `use`; a cell that the evidence lacks is searched for."""
        try:
            if call.name == _SEARCH and self.search is not None:
                return await self._searched(self.search, call.arguments)
            said = await asyncio.to_thread(self.use, call)
            if said != _NO_CELL or self.search is None:
                return said
            asked = LookupArguments.model_validate_json(call.arguments)
            keys = " ".join(f"{key.name} {key.value}" for key in asked.keys)
            self._take(await self.search(f"{asked.subject} {asked.want} {keys}".strip()))
        except RetrievalError as error:
            return f"error: the search failed: {str(error)[:200]}"
        return await asyncio.to_thread(self.use, call)

    async def _searched(self, search: Search, arguments: str) -> str:
        try:
            query = SearchArguments.model_validate_json(arguments or "{}").query
        except ValidationError as error:
            return _complaint(error)
        shown = []
        for chunk in (await search(query))[:_MOST_FOUND]:
            self._take([chunk])
            shown.append(f"[{self._number(Source(chunk))}] {chunk.title}\n{chunk.text[:_LONGEST_FOUND]}")
            self._found |= set(values_in(chunk.text[:_LONGEST_FOUND]))
        return "\n\n".join(shown) or "not found: no passage of the collection is near that"

    def _take(self, chunks: Iterable[Chunk]) -> None:
        held = {chunk.id for chunk in self.chunks}
        self.chunks += [chunk for chunk in chunks if chunk.id not in held]

    def _number(self, source: Source) -> int:
        """The number of a source: its own where it has one already."""
        number = next((n for n, each in self.sources.items() if each == source), max(self.sources, default=0) + 1)
        self.sources[number] = source
        return number

    def use(self, call: ToolCall) -> str:
        """Return what a tool says; a call that can't be followed is answered with the reason, never raised."""
        own, of_domain = _OWN.get(call.name), _of_domains().get(call.name)
        try:
            if own is not None:
                model, run = own
                return run(self, model.model_validate_json(call.arguments or "{}"))
            if of_domain is not None:
                return self._computed(of_domain, of_domain.arguments.model_validate_json(call.arguments or "{}"))
            return f"error: there is no tool {call.name!r}; there are {', '.join(tool.name for tool in tools())}"
        except ValidationError as error:
            return _complaint(error)
        except (ValueError, ArithmeticError) as error:
            return f"error: {str(error)[:200]}"

    def _lookup(self, asked: LookupArguments) -> str:
        keys = tuple((key.name, key.value) for key in asked.keys)
        wanted = read_cell(CellQuery(asked.subject, keys, (asked.want,) if asked.want else ()), self.chunks)
        # Two keys pin a cell down, whatever its column is called.
        cell = wanted or (read_cell(CellQuery(asked.subject, keys), self.chunks) if len(keys) > 1 else None)
        if cell is None:
            return _NO_CELL
        number = self._number(Source(cell.chunk, cell.quote))
        self._found |= set(values_in(cell.quote))
        return f"[{number}] {cell.chunk.title}: {cell.quote}"

    def _calculate(self, asked: CalculateArguments) -> str:
        averaged, averages = self._averaged(asked.expression)
        expression = parsed(averaged)
        self._require_sourced(expression, averages)
        value = calculated(expression)
        return self._record(f"{asked.expression} = {value:.6g}", value, f"{value:.6g}")

    def _computed(self, tool: ModelTool, asked: BaseModel) -> str:
        told = " ".join(tool.sourced(asked))
        self._require_known([part for value in values_in(told) for part in parts(value)], tool.free)
        computed = tool.run(asked)
        return self._record(computed.text, computed.value, computed.result)

    def _averaged(self, expression: str) -> tuple[str, frozenset[str]]:
        """The expression with dice as their averages, and these averages; each has to stand in a source."""
        dice = {match[0]: int(match[1]) * (int(match[2]) + 1) / 2 for match in _DICE.finditer(expression)}
        self._require_known(dice, frozenset())
        return _DICE.sub(lambda match: str(dice[match[0]]), expression), frozenset(map(str, dice.values()))

    def _known(self) -> Set[str]:
        return self._found.union(*map(values_in, self.supports()))

    def _require_known(self, numbers: Iterable[str], free: Set[str]) -> None:
        known = self._known() | free
        unknown = [number for number in numbers if number.lstrip("-") not in known]
        if unknown:
            raise ValueError(f"{unknown[0]} stands in no source; look it up first")

    def _require_sourced(self, expression: ast.expr, averages: Set[str]) -> None:
        """Raise `ValueError` unless every number has a source, but for the free ones where each meets one that has."""
        numbers = Counter(str(node.value) for node in ast.walk(expression) if isinstance(node, ast.Constant))
        self._require_known(numbers, _FREE | averages)
        free = numbers.keys() - self._known() - averages
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


_OWN: Mapping[str, tuple[type[BaseModel], Callable[[Toolbox, Any], str]]] = {
    "lookup_cell": (LookupArguments, Toolbox._lookup),
    "calculate": (CalculateArguments, Toolbox._calculate),
}


@cache
def _of_domains() -> Mapping[str, ModelTool]:
    return {tool.name: tool for domain in installed() for tool in domain.tools}


def _complaint(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"error: {'.'.join(map(str, first['loc'])) or 'arguments'}: {first['msg']}"


@cache
def tools(searching: bool = False) -> tuple[Tool, ...]:
    """The tools that a model is offered, with a search where there is one."""
    arguments: dict[str, type[BaseModel]] = {_SEARCH: SearchArguments} if searching else {}
    arguments |= {name: model for name, (model, _) in _OWN.items()}
    arguments |= {name: tool.arguments for name, tool in _of_domains().items()}
    return tuple(Tool(name, _told(model), model.model_json_schema()) for name, model in arguments.items())


def _told(model: type[BaseModel]) -> str:
    return " ".join((model.__doc__ or "").split())
