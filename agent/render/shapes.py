"""The JSON objects of the design page as types: every door hands out these, and their schemas are made of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    NotRequired,  # that of `typing` can't be read by pydantic before Python 3.12
)

from typing_extensions import TypedDict

StopReason = Literal["complete", "partial", "budget", "deadline", "failed"]


class CellPlace(TypedDict):
    """A cell by its place: which table of the chunk, and which row and column of that, all from 0."""

    table: int
    row: int
    column: int


class CitationData(TypedDict):
    """Where something of the answer stands: the chunk, the words that were read, and the cell where it is one.

    `address` is what a spreadsheet calls that cell; `line` is where the chunk starts in its source, from 1;
    `page_label` what is printed on the page, where that is not its number; and `box` where the table or text stands on
    it: left, top, right and bottom, in points from the upper left corner.
    """

    n: int
    chunk_id: str
    title: str
    source: str
    page: int | None
    page_label: NotRequired[str | None]
    box: NotRequired[tuple[float, float, float, float] | None]
    line: int | None
    quote: str
    address: str | None
    inferred: bool
    cell: CellPlace | None


class StepData(TypedDict):
    """One line of the working; `cites` are numbers of citations."""

    text: str
    value: float | int | str | None
    cites: list[int]


class FindingData(TypedDict):
    """What was concluded, with the steps that support it and the values as data."""

    reasoner: str
    claim: str
    steps: list[StepData]
    values: Mapping[str, Any]


class UnansweredData(TypedDict):
    """What was needed and not found; with an `error` it could not be looked up. `absent` words are nowhere in it."""

    need: str
    tried: list[str]
    error: str | None
    absent: list[str]


class SubQueryData(TypedDict):
    """One focused query of a plan."""

    id: str
    text: str
    purpose: str
    depends_on: list[str]


class PlanData(TypedDict):
    """How a question was split, and by whom: `rules` or `llm`."""

    planner: str
    effort: str
    sub_queries: list[SubQueryData]


class NeedData(TypedDict):
    """A fact that is looked for again, and the query that looks for it."""

    need: str
    sub_query: SubQueryData


class IntentData(TypedDict, total=False):
    """What a question was taken for; there with `debug`."""

    intent: Mapping[str, Any]


class PlannedData(PlanData, IntentData):
    """A plan alone."""

    question: str


class HitData(TypedDict):
    """A chunk that a sub-query kept."""

    chunk_id: str
    title: str
    page: int | None
    page_label: NotRequired[str | None]
    category: str
    distance: float
    relevance: float
    confidence: Literal["high", "medium", "low"] | None


class DropData(TypedDict):
    """A chunk that was dropped, by which rule and why."""

    chunk_id: str
    title: str
    relevance: float
    rule: str
    reason: str


class GapData(TypedDict):
    """A gap between the distances of two neighbours, and why it cuts or does not."""

    after: int
    near: float
    far: float
    cuts: bool
    reason: str
    size: float


class RetrievedNumbers(TypedDict):
    """The numbers of one sub-query's retrieval."""

    rounds: int
    fetched: int
    kept: int
    stop: str
    error: str | None
    ms: float
    best_score: float
    dynamic_threshold: float
    absolute_min: float
    effective_threshold: float
    cut: str
    dropped: Mapping[str, int]


class DecisionsData(TypedDict, total=False):
    """What was dropped and why, what was asked for by name, and the gaps that were looked at; there with `debug`."""

    drops: list[DropData]
    pinned: list[str]
    gaps: list[GapData]


class RetrievedData(RetrievedNumbers, DecisionsData):
    """What one sub-query brought."""

    sub_query: str
    hits: list[HitData]


class ChunkData(TypedDict):
    """A chunk as evidence shows it."""

    chunk_id: str
    title: str
    source: str
    page: int | None
    page_label: NotRequired[str | None]
    category: str
    text: str


class TableData(TypedDict):
    """A table: each column by the path of its heads from the outside in, each row with as many cells as columns."""

    caption: str
    columns: list[list[str]]
    rows: list[list[str]]
    notes: list[str]


class WholeChunkData(ChunkData):
    """A chunk with its tables as data, and all that is known of it."""

    headings: list[str]
    line: int | None
    chunk_type: str
    tags: list[str]
    query_must: Mapping[str, Any]
    tables: list[TableData]


class PassageData(ChunkData):
    """A chunk that an answer rests on: how relevant it is, and which sub-queries found it."""

    relevance: float
    score: float
    found_by: list[str]


class UsageData(TypedDict):
    """What was spent on language models."""

    llm_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float


class EvidenceData(TypedDict):
    """What was retrieved: each sub-query's result, and the passages of all of them."""

    retrieved: list[RetrievedData]
    evidence: list[PassageData]


class SearchData(EvidenceData):
    """The result of a search."""

    question: str
    stop_reason: StopReason
    plan: PlanData | None


class AnswerData(EvidenceData):
    """A checked answer with all that it rests on."""

    question: str
    text: str
    verdict: str | None
    stop_reason: StopReason
    run_id: str
    citations: list[CitationData]
    findings: list[FindingData]
    unanswered: list[UnansweredData]
    plan: PlanData
    usage: UsageData
    timings_ms: Mapping[str, float]
    notes: list[str]


class CheckData(TypedDict):
    """Whether a chunk's rule holds for a query, and what the query lacks."""

    query: str
    chunk_id: str
    title: str
    query_must: Mapping[str, Any]
    holds: bool
    missing: list[str]


class CellData(TypedDict):
    """One cell of a table: what it says, the heads that it stands under, and where it can be read.

    `row_label` is the key of its row and `column_path` the heads of its column, the outermost first; `number` is there
    where the cell is no more than a number.
    """

    value: str
    number: float | None
    row_label: str
    column_path: list[str]
    citation: CitationData


class ListedData(TypedDict):
    """A collection in a list; `problem` says why it can't be used."""

    name: str
    kind: str
    chunks: int | None
    model: str | None
    problem: str | None


class ListingData(TypedDict):
    """The collections of a place; the outer `problem` is why those that others made can't be listed."""

    collections: list[ListedData]
    problem: str | None


class SourceData(TypedDict):
    """A file with what was named when it was ingested, and how many chunks came from it."""

    source: str
    root: str
    chunks: int


class DescriptionData(TypedDict):
    """What one collection holds; `vocabulary` is how many words its rules are about, null what is not known."""

    name: str
    kind: str
    chunks: int
    model: str | None
    dimension: int | None
    chunk_types: Mapping[str, int]
    sources: list[SourceData]
    tags: Mapping[str, int]
    rules: int
    tables: int
    vocabulary: int
    revision: int | None
    index: str | None
    bytes: int | None
    problem: str | None


class SkippedData(TypedDict):
    """Files that were not read: their kind, why, how many there are, and the first of them."""

    kind: str
    reason: str
    count: int
    files: list[str]


class FailedData(TypedDict):
    """A file that can't be read, and why."""

    file: str
    reason: str


class ReportData(TypedDict):
    """What an ingestion did; every chunk is embedded, updated or unchanged."""

    collection: str
    files: int
    chunks: int
    tables: int
    rules: int
    embedded: int
    updated: int
    unchanged: int
    removed: int
    warnings: list[str]
    skipped: list[SkippedData]
    failed: list[FailedData]


class MarkedChunkData(WholeChunkData):
    """A chunk with the cell that was asked for by its place, or null."""

    marked: CellData | None


class FieldProblem(TypedDict):
    """A wrong field: its place as a JSON pointer, and what is wrong."""

    pointer: str
    detail: str


class ProblemData(TypedDict):
    """What went wrong, by RFC 9457; `instance` is the run that it is about, `errors` are wrong fields."""

    type: str
    title: str
    status: int
    detail: str
    instance: str | None
    errors: list[FieldProblem]


RunState = Literal["running", "answered", "failed", "cancelled"]


class RunData(TypedDict):
    """A question that was asked: how far it is, and its answer or its problem once there is one."""

    run_id: str
    state: RunState
    question: str
    collection: str
    answer: AnswerData | None
    problem: ProblemData | None
