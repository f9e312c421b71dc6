"""The tools that a model may use while it writes: search, read a cell or a table, calculate, and the domains' tools.

They see only the collection of this question. Each source and result has a number for citations; a result is cited by
its sources. Long texts are cut, with a note of how much is left out. A calculation accepts only numbers from the
evidence, a finding, the question or an earlier result; dice count as their average. Only 1, 2, 20, 21 and 100, which
chances and percentages need, are free: each once in an expression, and only against a number with a source, so that no
result is made of free numbers alone. Work is bounded before it begins.
"""

from __future__ import annotations

import ast
import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError

from agent.llm.protocol import Tool, ToolCall
from agent.llm.schemas import brief
from agent.plugins.domain import Brief, Computed, ModelTool
from agent.plugins.domains import installed
from agent.writing.checking.cited import Source
from agent.writing.texts.numbers import parts, values_in
from agent.writing.wording.arithmetic import calculated, parsed
from agent.writing.wording.ledger import Ledger, passage_text
from agent.writing.wording.library import Library
from agent.writing.wording.lookup_tool import LOOK_UP, LookupArguments, lookup_alternatives, matching_cells
from agent.writing.wording.table_tool import READ_TABLE, read_table, tables_called, tables_labelled, title_wanted
from agent.writing.wording.whole_tables import TableArguments
from retrieval.errors import RetrievalError
from retrieval.types import Chunk

_FREE = frozenset({"1", "2", "20", "21", "100"})
_SEARCH = "search"
_NO_PASSAGE = "not found: no other passage of the collection is near that"
_LONGEST_ERROR = 600
"""Most characters of an error message, such as the list of columns."""
_MOST_SEEN = 6
"""Most known passages near a search that are named."""
_MOST_FOUND, _LONGEST_FOUND = 4, 1500
"""Most passages of one search, and most characters of each."""
_DICE = re.compile(r"\b(\d{1,3})d(\d{1,3})\b")


class SearchArguments(BaseModel):
    """Search the collection for passages that were not shown yet: a few words that such a passage has."""

    query: Brief


class CalculateArguments(BaseModel):
    """An expression of numbers with + - * / and brackets, min, max, round, abs; dice such as 2d6 are their average."""

    expression: Brief


class Toolbox(Ledger):
    """The tools over one question's evidence, and with a `library` over its collection."""

    __slots__ = ()

    async def answer(self, call: ToolCall) -> str:
        """Return the text of a tool, as `use`, after the library has found what it reads."""
        looking = {_SEARCH: self._searched, LOOK_UP: self._looked_up, READ_TABLE: self._table_read}
        try:
            if self.library is not None and call.name in looking:
                return await looking[call.name](self.library, call)
        except ValidationError as error:
            return _complaint(error)
        except ValueError as error:
            return f"error: {str(error)[:_LONGEST_ERROR]}"
        except RetrievalError as error:
            return f"error: the search failed: {str(error)[:200]}"
        return await asyncio.to_thread(self.use, call)

    async def _searched(self, library: Library, call: ToolCall) -> str:
        """Return passages that the model has not seen, the nearest first; the same query continues where it ended."""
        query = SearchArguments.model_validate_json(call.arguments or "{}").query
        new, seen = self._sifted(await library.near(query))
        if len(new) < _MOST_FOUND:
            new, seen = self._sifted((*new, *seen, *await library.beyond(query)))
        told = list(map(self._passage, new[:_MOST_FOUND])) or [_NO_PASSAGE]
        if len(new) > _MOST_FOUND:
            told.append(f"{len(new) - _MOST_FOUND} more passages are near; the same search goes on with them")
        if seen:
            numbers = (f"[{self.number(Source(chunk))}]" for chunk in seen[:_MOST_SEEN])
            told.append(f"near too, and shown before: {''.join(numbers)}")
        return "\n\n".join(told)

    def _sifted(self, chunks: Iterable[Chunk]) -> tuple[list[Chunk], list[Chunk]]:
        """Return the chunks that the model has not seen, and those that it has, each once."""
        sides: tuple[dict[str, Chunk], dict[str, Chunk]] = {}, {}
        for chunk in chunks:
            sides[chunk.id in self.shown][chunk.id] = chunk
        return list(sides[0].values()), list(sides[1].values())

    def _passage(self, chunk: Chunk) -> str:
        """Return a passage with its number, and mark it as shown."""
        self.take([chunk])
        self.shown.add(chunk.id)
        number = self.number(Source(chunk))
        return f"[{number}] {self.record_shown(passage_text(chunk, _LONGEST_FOUND))}"

    async def _table_read(self, library: Library, call: ToolCall) -> str:
        """Return the rows of a table, with all parts found by its title, or by the names in the title."""
        asked = TableArguments.model_validate_json(call.arguments or "{}")
        title = title_wanted(asked.table, self)
        titled = await library.titled(title)
        near = () if titled else await library.named(title)
        self.take((*titled, *near))
        found = await asyncio.to_thread(tables_called, asked, self, titled, near)
        if asked.labels and not any(table.has_columns(asked.labels) for table in found):
            labelled = await library.labelled(asked.labels[-1])
            found = await asyncio.to_thread(tables_labelled, asked, labelled) or found
            self.take(row.chunk for table in found for row in table.rows)
        return await asyncio.to_thread(read_table, asked, self, found)

    async def _looked_up(self, library: Library, call: ToolCall) -> str:
        """Return a cell of the tables that have the names, else of passages near them."""
        asked = LookupArguments.model_validate_json(call.arguments or "{}")
        for look in (library.named, library.near):
            self.take(await look(asked.text))
            if said := await asyncio.to_thread(matching_cells, asked, self):
                return said
        return await asyncio.to_thread(lookup_alternatives, asked, self)

    def use(self, call: ToolCall) -> str:
        """Return the text of a tool; an invalid call returns the reason, and raises nothing."""
        own, of_domain = _OWN.get(call.name), _of_domains().get(call.name)
        try:
            if own is not None:
                model, run = own
                return run(self, model.model_validate_json(call.arguments or "{}"))
            if of_domain is not None:
                return self._computed(of_domain, of_domain.arguments.model_validate_json(call.arguments or "{}"))
            known = ", ".join(tool.name for tool in tools(self.library))
            return f"error: there is no tool {call.name!r}; there are {known}"
        except ValidationError as error:
            return _complaint(error)
        except (ValueError, ArithmeticError) as error:
            return f"error: {str(error)[:_LONGEST_ERROR]}"

    def _calculate(self, asked: CalculateArguments) -> str:
        averaged, averages = self._averaged(asked.expression)
        expression = parsed(averaged)
        self._require_sourced(expression, averages)
        value = calculated(expression)
        dice = [match[0] for match in _DICE.finditer(asked.expression)]
        numbers = [*dice, *(number for number in _numbers(expression) if number not in averages)]
        computed = Computed(f"{asked.expression} = {value:.6g}", value, f"{value:.6g}")
        return self.record(computed, self._sources_of(numbers))

    def _computed(self, tool: ModelTool, asked: BaseModel) -> str:
        told = " ".join(tool.sourced(asked))
        numbers = [part for value in values_in(told) for part in parts(value)]
        self._require_known(numbers, tool.free)
        return self.record(tool.run(asked), self._sources_of(number for number in numbers if number not in tool.free))

    def _averaged(self, expression: str) -> tuple[str, frozenset[str]]:
        """Return the expression with dice as their averages, and these averages; all dice must stand in a source."""
        dice = {match[0]: int(match[1]) * (int(match[2]) + 1) / 2 for match in _DICE.finditer(expression)}
        self._require_known(dice, frozenset())
        return _DICE.sub(lambda match: str(dice[match[0]]), expression), frozenset(map(str, dice.values()))

    def _require_known(self, numbers: Iterable[str], free: Set[str]) -> None:
        known = self.known | free
        unknown = [number for number in numbers if number.lstrip("-") not in known]
        if unknown:
            raise ValueError(f"{unknown[0]} stands in no source; look it up first")

    def _require_sourced(self, expression: ast.expr, averages: Set[str]) -> None:
        """Raise `ValueError` unless every number has a source, or is free and combined with one that has."""
        numbers = Counter(_numbers(expression))
        self._require_known(numbers, _FREE | averages)
        free = numbers.keys() - self.known - averages
        if any(numbers[number] > 1 for number in free) or _uses_only(expression, free):
            raise ValueError("only numbers that stand in a source can be calculated with; look them up first")
        if any(all(_uses_only(part, free) for part in _operands(node)) for node in _operations(expression)):
            raise ValueError("numbers without a source can't be put together; look one up first")

    def _sources_of(self, numbers: Iterable[str]) -> dict[int, None]:
        """Return the sources of numbers: the last cell with it, else an earlier result, else the only passage."""
        found: dict[int, None] = {}
        for number in dict.fromkeys(numbers):
            cells = [n for n, each in self.sources.items() if each.quote and number in values_in(each.quote)]
            results = [each.sources for each in self.results.values() if number in each.values]
            passages = [
                n for n, each in self.sources.items() if not each.quote and number in values_in(each.chunk.text)
            ]
            if cells:
                found[cells[-1]] = None
            elif results:
                found |= dict.fromkeys(results[-1])
            elif len(passages) == 1 and number not in _FREE:
                found[passages[0]] = None
        return found


def _numbers(expression: ast.expr) -> list[str]:
    return [str(node.value) for node in ast.walk(expression) if isinstance(node, ast.Constant)]


def _operations(expression: ast.expr) -> list[ast.BinOp | ast.Call]:
    return [node for node in ast.walk(expression) if isinstance(node, ast.BinOp | ast.Call)]


def _operands(node: ast.BinOp | ast.Call) -> list[ast.expr]:
    return [node.left, node.right] if isinstance(node, ast.BinOp) else node.args


def _uses_only(expression: ast.expr, free: Set[str]) -> bool:
    """True if all numbers of an expression are free."""
    return all(number in free for number in _numbers(expression))


_OWN: Mapping[str, tuple[type[BaseModel], Callable[[Toolbox, Any], str]]] = {
    LOOK_UP: (LookupArguments, lambda tools, asked: matching_cells(asked, tools) or lookup_alternatives(asked, tools)),
    READ_TABLE: (TableArguments, lambda tools, asked: read_table(asked, tools, tables_called(asked, tools))),
    "calculate": (CalculateArguments, Toolbox._calculate),
}


@cache
def _of_domains() -> Mapping[str, ModelTool]:
    return {tool.name: tool for domain in installed() for tool in domain.tools}


def _complaint(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"error: {'.'.join(map(str, first['loc'])) or 'arguments'}: {first['msg']}"


def tools(library: Library | None = None) -> tuple[Tool, ...]:
    """Return the tools that a model is offered; with a collection also a search, and the tools of its domains."""
    return _tools(() if library is None else library.computing, library is not None)


@cache
def _tools(computing: tuple[ModelTool, ...], searching: bool) -> tuple[Tool, ...]:
    arguments: dict[str, type[BaseModel]] = {_SEARCH: SearchArguments} if searching else {}
    arguments |= {name: model for name, (model, _) in _OWN.items()}
    arguments |= {tool.name: tool.arguments for tool in computing}
    return tuple(
        Tool(name, _tool_description(model), brief(model.model_json_schema())) for name, model in arguments.items()
    )


def _tool_description(model: type[BaseModel]) -> str:
    return " ".join((model.__doc__ or "").split())
