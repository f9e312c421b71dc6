"""Views for people, made of plain text and styles, never of markup.

Every word from a question, a book or a model goes through `Text` and `printable`, so `[red]` in a chunk stays `[red]`
and an escape sequence stays visible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from io import StringIO
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from agent.escape import one_line, printable
from agent.render.comparison import text_view
from agent.render.data import rule_data, to_json
from agent.render.debug import confidence, retrieved_view, shortfall, thresholds
from agent.render.table_layout import grid
from agent.render.words import counted, page_words, where
from agent.types import Answer, Evidence, Plan
from retrieval.readers.documents.document import has_lines
from retrieval.types import Chunk, IngestReport, Passage, Retrieved, Skipped, SubQuery

_UNSEARCHED = "failed: nothing could be looked up"
_PART = {
    "partial": "answered in part: see what was not found or not looked up, or is (unverified) or inferred",
    "budget": "answered in part: the budget was used up",
    "deadline": "answered in part: the time was up (raise VERSUS_DEADLINE)",
}
_UNLIMITED = 10_000
"""Width of text that no terminal wraps, in columns."""


def answer_view(answer: Answer, show_context: bool = False, debug: bool = False) -> RenderableType:
    """Return an answer: its text with the working and what was not found, the sources, and a line about the effort.

    `debug` puts the plan and every sub-query's candidates before it, `show_context` the chunks that were read.
    """
    before: list[RenderableType] = []
    if debug:
        before += [plan_view(answer.plan, debug), *map(retrieved_view, answer.evidence.retrieved)]
    if show_context:
        before += context_view(answer.evidence.passages)
    return Group(*before, *_answer_parts(answer))


def evidence_view(question: str, evidence: Evidence, show_context: bool = False, debug: bool = False) -> RenderableType:
    """Return a search's result: each sub-query with its chunks (`debug`: every candidate), then all chunks fused."""
    each = retrieved_view if debug else _hits_view
    context = context_view(evidence.passages) if show_context else []
    return Group(heading(question), *map(each, evidence.retrieved), *context, _fused_view(evidence))


def plan_view(plan: Plan, debug: bool = False) -> RenderableType:
    """Return a plan: each sub-query with its purpose and dependencies; `debug` adds the parsed intent."""
    table = grid(3)
    for sub_query in plan.sub_queries:
        after = f" (after {', '.join(sub_query.depends_on)})" if sub_query.depends_on else ""
        table.add_row(
            Text(one_line(sub_query.id), style="cyan"),
            Text(one_line(sub_query.text)),
            Text(one_line(sub_query.purpose + after), style="dim"),
        )
        if debug and (narrowed := _narrowed(sub_query)):
            table.add_row(Text(), Text(one_line(narrowed), style="dim"), Text())
    note = f"{counted(len(plan.sub_queries), 'sub-query')}, planner {plan.planner}, effort {plan.effort}"
    kind, intent = type(plan.intent).__name__.lower(), to_json(_without_defaults(asdict(plan.intent)))
    understood = [Text(one_line(f"intent: {kind} {intent}"), style="dim")] if debug else []
    return Group(heading("Plan"), table, *understood, Text(one_line(note), style="dim"), Text())


def check_view(query: str, chunk: Chunk, holds: bool, missing: Sequence[str], debug: bool = False) -> RenderableType:
    """Return whether a chunk may answer a query, and what the query lacks; `debug` adds its rule."""
    if chunk.query_must is None:
        verdict = Text("eligible: this chunk has no rule", style="green")
    elif holds:
        verdict = Text("eligible: its rule holds", style="green")
    else:
        verdict = Text("not eligible: its rule does not hold", style="red")
    lacks = [Text(f"  lacks: {one_line(item)}") for item in missing]
    rule = [Text(one_line(f"rule: {to_json(rule_data(chunk.query_must))}"), style="dim")] if debug else []
    return Group(_chunk_line(chunk), *rule, Text(f"query: {one_line(query)}"), verdict, *lacks)


def report_view(report: IngestReport, collection: str) -> RenderableType:
    """Return the result of an ingestion, with the warnings and their places."""
    did = [
        counted(report.files, "file") + (f" ({report.files_unchanged} unchanged)" if report.files_unchanged else ""),
        counted(report.chunks, "chunk"),
        counted(report.tables, "table"),
        counted(report.rules, "rule"),
    ]
    names = ("embedded", "updated", "unchanged", "removed")
    stored = ", ".join(f"{getattr(report, name)} {name}" for name in names)
    warnings = [Text(f"warning: {one_line(warning)}", style="yellow") for warning in report.warnings]
    failed = [Text(one_line(f"failed: {each.file}: {each.reason}"), style="red") for each in report.failed]
    skipped = map(_skipped_line, report.skipped)
    total = Text(f"{', '.join(did)} in collection {one_line(collection)}")
    return Group(*warnings, *failed, *skipped, total, Text(stored, style="dim"))


def _skipped_line(skipped: Skipped) -> Text:
    files = [*skipped.files, "…"] if skipped.count > len(skipped.files) else skipped.files
    line = f"not read: {skipped.count:,} {skipped.kind} ({skipped.reason}): {', '.join(files)}"
    return Text(one_line(line), style="yellow")


def context_view(passages: Sequence[Passage]) -> list[RenderableType]:
    """Return the chunks a reasoner read, in the form of the founding documents."""
    parts: list[RenderableType] = []
    for number, passage in enumerate(passages, 1):
        chunk = passage.chunk
        parts.append(Text(f"[Chunk {number}/{len(passages)}] {one_line(chunk.title)}", style="bold"))
        found = f"relevance {passage.relevance:.3f}, found by {', '.join(passage.found_by)}"
        parts.append(Text(one_line(" · ".join((*_places(chunk), found))), style="dim"))
        parts += [Text(printable(chunk.text)), Text()]
    return parts


def heading(text: str) -> Text:
    """Return a bold line."""
    return Text(one_line(text), style="bold")


def to_text(view: RenderableType) -> str:
    r"""Return a view as plain text without colour; lines are as long as they are.

    >>> to_text(heading("Plan"))
    'Plan\n'
    """
    console = Console(file=StringIO(), width=_UNLIMITED, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(view)
    return "\n".join(line.rstrip() for line in capture.get().split("\n"))


def _answer_parts(answer: Answer) -> Iterator[RenderableType]:
    if answer.verdict and answer.verdict not in answer.text:
        yield heading(answer.verdict)
    yield from text_view(answer)
    if answer.citations:
        yield from (Text(), heading("Sources"))
        for c in answer.citations:
            line = Text.assemble((f"[{c.n}] ", "cyan"), one_line(c.title), (f" ({one_line(where(c))})", "dim"))
            yield _indented(line.append(f": {one_line(c.quote)}"))
    for note in answer.notes:
        yield Text(f"note: {one_line(note)}", style="yellow")
    yield from (Text(), _effort(answer))


def _effort(answer: Answer) -> Text:
    note = f"{_counts(answer.evidence)}, {answer.timings_ms.get('total', 0):.0f} ms"
    if answer.usage.llm_calls:
        tokens = answer.usage.prompt_tokens + answer.usage.completion_tokens
        note += f", {counted(answer.usage.llm_calls, 'model call')}, {counted(tokens, 'token')}"
    line = Text(note, style="dim")
    if answer.evidence.is_unsearched:
        line.append(f" · {_UNSEARCHED}", style="red")
    elif answer.stop_reason in _PART:
        line.append(f" · {_PART[answer.stop_reason]}", style="yellow")
    return line


def _counts(evidence: Evidence) -> str:
    """Return how many chunks came from how many sub-queries, and how many of these failed."""
    counts = f"{counted(len(evidence.passages), 'chunk')} from {counted(len(evidence.retrieved), 'sub-query')}"
    failed = sum(each.is_failed for each in evidence.retrieved)
    return f"{counts}, {failed} failed" if failed else counts


def _fused_view(evidence: Evidence) -> RenderableType:
    """Return the chunks of all sub-queries as one list, by fused rank, each with the sub-queries that found it."""
    lines = [
        Text.assemble(
            (f"{passage.relevance:.3f}  ", "green"),
            _chunk_line(passage.chunk),
            (f" · found by {one_line(', '.join(passage.found_by))}", "dim"),
        )
        for passage in evidence.passages
    ]
    return Group(heading(f"Fused: {_counts(evidence)}"), *map(_indented, lines))


def _hits_view(retrieved: Retrieved) -> RenderableType:
    parts: list[RenderableType] = [_sub_query_line(retrieved), *map(_indented, shortfall(retrieved))]
    for hit in retrieved.hits:
        line = Text.assemble((f"{hit.relevance:.3f}  ", "green"), confidence(hit), "  ", _chunk_line(hit.chunk))
        parts.append(_indented(line))
    return Group(*parts, _indented(thresholds(retrieved)), Text())


def _sub_query_line(retrieved: Retrieved) -> Text:
    name, text = one_line(retrieved.sub_query.id), one_line(retrieved.sub_query.text)
    return Text.assemble((f"{name}  ", "cyan"), (text, "bold"))


def _chunk_line(chunk: Chunk) -> Text:
    note = one_line(" · ".join(_places(chunk)))
    return Text(one_line(chunk.title), style="default").append(f"  {note}", style="dim")


def _places(chunk: Chunk) -> Iterator[str]:
    """Yield the places of a chunk: its id, the line and page of its source, and its category."""
    yield chunk.id
    line = f"{chunk.source}:{chunk.line}" if chunk.line is not None and has_lines(chunk.source) else chunk.source
    page = page_words(chunk.page, chunk.label_of(chunk.page))
    if source := ", ".join(filter(None, (line, page))):
        yield source
    if chunk.category:
        yield f"category {chunk.category}"


def _narrowed(sub_query: SubQuery) -> str:
    """Return the filters of a sub-query besides its text."""
    lists = {"entities": sub_query.entities, "chunk types": sub_query.chunk_types, "tags": sub_query.tags}
    parts = [f"{name} {', '.join(values)}" for name, values in lists.items() if values]
    return "; ".join(parts + [f"at least {sub_query.min_score:g} relevant"] * (sub_query.min_score > 0))


def _without_defaults(value: Any) -> Any:
    """Return a value without empty fields."""
    if isinstance(value, dict):
        return {name: _without_defaults(part) for name, part in value.items() if part not in (None, "", 0, (), {})}
    return [_without_defaults(part) for part in value] if isinstance(value, tuple) else value


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 0, 0, 2), expand=False)
