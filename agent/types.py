"""The nouns of thinking: from a plan to a checked answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from agent.languages.operations import End
from agent.understanding.linking.program import Bound
from agent.understanding.question.intent import Intent, Lookup
from agent.understanding.question.plan_step import PlanStep
from retrieval.tabular import Box
from retrieval.types import Chunk, Passage, Retrieved, SubQuery

StopReason = Literal["complete", "partial", "budget", "deadline", "failed"]
"""Why an answer ends where it does; "failed" is that nothing could be looked up."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that later sub-queries take from what an earlier one found: `attribute` of `subject`, from a cell.

    `type` is `integer` or `text`; what is no whole number is no value of an `integer`.
    """

    subject: str
    attribute: str
    type: Literal["integer", "text"] = "text"


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is split. `planner` is `rules` or `llm`.

    `readings`, by the id of a sub-query, are the values that stand as `{q1}` in the texts of those that depend on it.
    `notes` tell the reader what went otherwise than asked for, such as another planner taking over. `understood` is the
    whole question, where this one only went on from the one before it. `bound` is what the structure of the collection
    makes of it, where that answers all of it. `parts` are the plans of the single questions that it is made of, where
    each is answered for itself; with an `order` they are held against each other, the best first. `steps` are those of
    a model that are not bound yet: to cells, or to what an earlier one finds in prose. `unread` tells what of the
    question could not be read: it comes before all else, and the answer is in part. `unplanned` are its names and
    numbers that no step of a model has: they are told likewise, unless the answer speaks of them.
    """

    question: str
    sub_queries: tuple[SubQuery, ...]
    intent: Intent
    planner: str = "rules"
    effort: str = "auto"
    readings: Mapping[str, Reading] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    understood: str = ""
    bound: Bound | None = None
    unread: tuple[str, ...] = ()
    unplanned: tuple[str, ...] = ()
    parts: tuple[Plan, ...] = ()
    order: End | None = None
    steps: tuple[PlanStep, ...] = ()

    @property
    def is_open(self) -> bool:
        """True for a question that no cell answers and no domain computes: it is answered from sentences."""
        return self.bound is None and not self.parts and isinstance(self.intent, Lookup)


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a conversation, by its plan, with the text of its answer.

    >>> Turn(Plan("and its cost?", (), Lookup("?"), understood="the cost of a mace?"), "5 gp").question
    'the cost of a mace?'
    """

    plan: Plan
    answer: str = ""

    @property
    def question(self) -> str:
        """The question in words that stand alone."""
        return self.plan.understood or self.plan.question


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was retrieved for a question: each sub-query's result, failed ones too, and the fused passages.

    `plan` is there where no answer was wanted; an `Answer` has its own.
    """

    retrieved: tuple[Retrieved, ...] = ()
    passages: tuple[Passage, ...] = ()
    plan: Plan | None = None

    @property
    def failed(self) -> tuple[Retrieved, ...]:
        """The searches that failed or were not made in time, and that no other search of the same text made good."""
        brought = {each.sub_query.text for each in self.retrieved if each.error is None}
        return tuple(each for each in self.retrieved if each.is_failed and each.sub_query.text not in brought)

    @property
    def is_unsearched(self) -> bool:
        """Whether there was something to search for, and nothing could be looked up.

        >>> Evidence((Retrieved(SubQuery("q1", "orc"), stop="error", error="no such store"),)).is_unsearched
        True
        """
        return bool(self.retrieved) and all(each.error is not None for each in self.retrieved)

    @property
    def stop_reason(self) -> StopReason:
        """What became of the searches, in the words of an answer."""
        stops = {each.stop for each in self.failed}
        if self.is_unsearched and "error" in stops:
            return "failed"
        if "deadline" in stops:
            return "deadline"
        return "partial" if stops else "complete"


@dataclass(frozen=True, slots=True)
class CellRef:
    """A cell by its place: the number of the table in its chunk, and of the row and column in it, all from 0."""

    table: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a number stands: the chunk, and the words that were read; `cell` where they are one cell's.

    `address` is what a spreadsheet calls that cell, for instance `Attack!C4`, or without one all cells of the chunk;
    `line` is where the chunk starts in its source, from 1. Where it `is_inferred`, the rows and columns of the table
    are a reader's inference from the gaps between words. `page_label` is what is printed on the page, where that is not
    its number, and `box` where the table or the text stands there: left, top, right and bottom, in points from the
    upper left corner.
    """

    n: int
    chunk_id: str
    title: str
    source: str
    page: int | None
    quote: str
    cell: CellRef | None = None
    address: str = ""
    line: int | None = None
    is_inferred: bool = False
    page_label: str = ""
    box: Box | None = None

    @classmethod
    def of(cls, n: int, chunk: Chunk, quote: str, cell: CellRef | None = None) -> Citation:
        """The citation of these words of a chunk: of a cell with the page of its row and its address."""
        if cell is None or cell.table >= len(chunk.tables):
            page, table, address = chunk.page_at(quote), None, chunk.address
        else:
            page, table = chunk.page_of(cell.table, cell.row), cell.table
            address = chunk.address_of(cell.table, cell.row, cell.column)
        return cls(
            n, chunk.id, chunk.title, chunk.source, page, quote, cell, address, chunk.line, chunk.is_inferred(table),
            chunk.label_of(page), chunk.box_of(table, page),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One measure of named things that are compared: each name with its value, None where none is stated."""

    label: str
    values: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One line of working. `cites` are citation numbers; a computed step has none or those of its inputs.

    `row` is what the line tells of a comparison, for those who show it as a table.
    """

    text: str
    value: float | int | str | None = None
    cites: tuple[int, ...] = ()
    row: Row | None = field(default=None, compare=False, repr=False)


IN_DOUBT = "in doubt"
"""The purpose of what is looked for where it is open whether a finding is what was asked for."""


@dataclass(frozen=True, slots=True)
class Need:
    """A fact that a reasoner lacks, and the sub-query that may find it."""

    need: str
    sub_query: SubQuery


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A fact that was needed and not found, with the sub-queries that looked for it.

    With an `error` it could not be looked up: the searches for it failed or were not made in time. `absent` are those
    of its words that the whole collection does not have.
    """

    need: str
    tried: tuple[str, ...]
    error: str | None = None
    absent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What a reasoner concluded: a claim, the steps that support it, and the values as data.

    It `is_doubted` where something was assumed, where words of the question were not heeded, or where it is open
    whether it is what was asked for.
    """

    reasoner: str
    claim: str
    steps: tuple[Step, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    verdict: str | None = None
    is_doubted: bool = False


@dataclass(frozen=True, slots=True)
class Reasoned:
    """A reasoner's result so far: its finding, what it cited, and the needs that are still open.

    `sought` is all that more retrieval might fill: the needs, and what the finding can do without.
    """

    finding: Finding
    citations: tuple[Citation, ...]
    needs: tuple[Need, ...]
    sought: tuple[Need, ...] = ()

    @property
    def looked_for(self) -> tuple[Need, ...]:
        """What more retrieval might fill; where nobody says more, the needs."""
        return self.sought or self.needs


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls, tokens and cost of language models."""

    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.llm_calls + other.llm_calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cost_usd + other.cost_usd,
        )


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened while answering; `Agent.stream` tells the names and what `data` has."""

    name: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """A checked answer; `agent.render.to_json` gives the JSON of the design page.

    `notes` tell what went otherwise than asked for: the rules planner in place of a model that failed, for instance.
    """

    question: str
    text: str
    plan: Plan
    evidence: Evidence
    verdict: str | None = None
    stop_reason: StopReason = "complete"
    run_id: str = ""
    citations: tuple[Citation, ...] = ()
    findings: tuple[Finding, ...] = ()
    unanswered: tuple[Unanswered, ...] = ()
    usage: Usage = Usage()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def turn(self) -> Turn:
        """This question and answer, for the next question of a conversation to go on from."""
        return Turn(self.plan, self.text)
