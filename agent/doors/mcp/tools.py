"""The five tools. A model chooses one by its first paragraph, and every word is paid for in each prompt."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Literal, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent
from pydantic import Field

from agent.application.application import Application
from agent.application.options import MOST_CHUNKS, Options
from agent.doors.leaving import cancelled_on_disconnect
from agent.doors.mcp.progress import Progress
from agent.errors import AgentError
from agent.render import answer_data, evidence_data, evidence_view, plan_data, to_markdown, to_text
from agent.render.collections import cell_data, listing_data
from agent.render.data import as_object
from agent.render.shapes import AnswerData, CellData, ListingData, PlannedData, SearchData
from agent.types import Answer, Citation
from retrieval.errors import RetrievalError

LONGEST_QUESTION = 4000
Question = Annotated[str, Field(max_length=LONGEST_QUESTION, description="The question, in words that stand alone.")]
Collection = Annotated[str | None, Field(description="A collection, or several with commas; the usual one if omitted.")]
Effort = Annotated[
    Literal["auto", "minimal", "low", "medium"] | None, Field(description="How far to split the question.")
]
Chunks = Annotated[int | None, Field(ge=1, le=MOST_CHUNKS, description="Most chunks of one sub-query.")]
AnyContext = Context[Any, Any]
T = TypeVar("T")


class Tools:
    """The tools of a model; each returns the object that the command of the same name prints with `--json`.

    An error that the model can act on is a `ToolError` with the message of the command line.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def ask(
        self,
        question: Question,
        context: AnyContext,
        collection: Collection = None,
        effort: Effort = None,
        max_chunks: Chunks = None,
    ) -> Annotated[CallToolResult, AnswerData]:
        """Answer a question over the documents of a collection, computed from its tables and cited to the cell."""
        with _as_tool_errors():
            options = Options(effort=effort, max_chunks=max_chunks)
            answer = await _unless_gone(context, self._followed(question, collection, options, context))
        return _result("\n\n".join([to_markdown(answer), *_places(answer.citations)]), answer_data(answer))

    async def search(
        self,
        question: Question,
        context: AnyContext,
        collection: Collection = None,
        max_chunks: Chunks = None,
        explain: Annotated[bool, Field(description="Also tell what was dropped, and why.")] = False,
    ) -> Annotated[CallToolResult, SearchData]:
        """Find the passages that a question is about, without an answer."""
        with _as_tool_errors():
            searching = self._application.search(question, collection, Options(max_chunks=max_chunks))
            found = await _unless_gone(context, searching)
        text = to_text(evidence_view(question, found, show_context=True, debug=explain))
        return _result(text, evidence_data(question, found, explain))

    async def plan(
        self, question: Question, context: AnyContext, collection: Collection = None, effort: Effort = None
    ) -> Annotated[CallToolResult, PlannedData]:
        """Show how a question would be split into sub-queries, and nothing more."""
        with _as_tool_errors():
            planning = self._application.plan(question, collection, Options(effort=effort))
            plan = await _unless_gone(context, planning)
        lines = [f"{each.id}: {each.text}" for each in plan.sub_queries]
        return _result("\n".join([f"planned by {plan.planner}", *lines]), plan_data(plan, debug=True))

    async def read_cell(
        self,
        chunk_id: Annotated[str, Field(description="As a citation or a passage tells it.")],
        row: Annotated[str, Field(description='The key of the row as the table has it, or "#3" for its place from 0.')],
        column: Annotated[
            str, Field(description='The head of the column, or "#1" for its place; "" in a table of labels and values.')
        ] = "",
        table: Annotated[int, Field(ge=0, description="Which table of the chunk, from 0.")] = 0,
        collection: Collection = None,
    ) -> Annotated[CallToolResult, CellData]:
        """Read one cell of a table, to verify a citation; a miss lists the rows or columns that there are."""
        with _as_tool_errors():
            cell = await self._application.read_cell(chunk_id, row, column, table, collection)
        return _result(f"{cell.title}: {cell.quote}", cell_data(cell))

    async def list_collections(self) -> Annotated[CallToolResult, ListingData]:
        """List the collections that can be asked."""
        with _as_tool_errors():
            listing = await self._application.collections()
        lines = [f"{one.name}: {one.problem or f'{one.chunks} chunks'}" for one in listing.collections]
        return _result("\n".join(lines) or "there are none yet", listing_data(listing))

    async def _followed(self, question: str, collection: str | None, options: Options, context: AnyContext) -> Answer:
        """Return the answer, and report each step on the way."""
        progress = Progress(context.report_progress)
        answer: Answer | None = None
        async for event in self._application.stream(question, collection, options, with_text=False):
            await progress.follow(event)
            answer = event.data.get("answer", answer)
        if answer is None:
            raise RuntimeError("the stream ended without an answer")
        return answer


async def _unless_gone(context: AnyContext, work: Coroutine[Any, Any, T]) -> T:
    """Do the work, and cancel it if the connection of its HTTP request ends first.

    Revisions of the protocol before 2026 let a client resume such a stream, if the server stores its messages; this one
    stores none, so nobody could read the answer.
    """
    request = context.request_context.request
    return await (work if request is None else cancelled_on_disconnect(request.receive, work))


@contextmanager
def _as_tool_errors() -> Iterator[None]:
    """Turn our errors into `ToolError`s with their message; any other shows only its tool's name and is logged."""
    try:
        yield
    except (AgentError, RetrievalError) as error:
        raise ToolError(str(error)) from error


def _result(text: str, data: Any) -> CallToolResult:
    """Return the object for programs, and the text for a model."""
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=as_object(data))


def _places(citations: Sequence[Citation]) -> list[str]:
    """Return the arguments with which `read_cell` and the resources find each citation."""
    lines = []
    for citation in citations:
        cell = citation.cell
        at = "" if cell is None else f", table {cell.table}, row #{cell.row}, column #{cell.column}"
        lines.append(f"[{citation.n}] chunk_id {citation.chunk_id!r}{at}")
    return ["\n".join(["### For read_cell", "", *lines])] if lines else []
