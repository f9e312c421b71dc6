"""The log as a whole: a summary that consumes one event at a time and never exceeds a fixed size.

Lines of several processes and questions may be interleaved; their ids tell them apart.
"""

from __future__ import annotations

import heapq
from collections import OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from agent.monitoring.batches import Batches
from agent.monitoring.frequent import Frequent
from agent.monitoring.reading import Broken, LogEvent
from agent.monitoring.selecting import Ids, ids_of, text_of
from agent.monitoring.tally import (
    ANSWER_STAGES,
    Spent,
    Tally,
    count_field,
    number_field,
    object_field,
    spent_by_answer,
    spent_by_call,
)

MOST_OPEN = 10_000
"""Running questions at once; beyond that the oldest counts as unfinished."""
MOST_RUNS = 1_000
"""Number of runs counted separately: the latest."""
RECENT = 100
"""Number of sub-queries that count as the latest."""
RANKED = 10
"""Number of slowest and costliest questions that are kept, and of broken lines that are shown."""
_QUESTION_CHARS = 300
_STOPPED = ("CancelledError", "Halted")
"""Errors of questions that an interruption or the end of their batch cut off: they did not fail."""


@dataclass(frozen=True, slots=True)
class EndedQuestion:
    """A question that has ended. `outcome` is its stop reason, or the error that ended it."""

    run_id: str
    question_id: str
    question: str
    outcome: str
    ms: float
    cost_usd: float


@dataclass(slots=True)
class Run:
    """One run: its first and last time, its latest question, and its counts."""

    run_id: str
    first: str
    last: str = ""
    question: str = ""
    tally: Tally = field(default_factory=Tally)


@dataclass(slots=True)
class _Open:
    question: str
    added: bool = False
    spent: Spent = field(default_factory=Spent)


@dataclass(slots=True)
class Summary:
    """All counts of `versus logs`. Feed it with `add`.

    >>> summary = summarized([{"event": "question.received", "run_id": "r1", "question": "?"}])
    >>> summary.unfinished, summary.total.finished
    (1, 0)
    """

    total: Tally = field(default_factory=Tally)
    runs: OrderedDict[str, Run] = field(default_factory=OrderedDict)
    runs_forgotten: int = 0
    events: int = 0
    first: str = ""
    last: str = ""
    broken: int = 0
    broken_first: list[Broken] = field(default_factory=list)
    needs: Frequent = field(default_factory=Frequent)
    outcomes: Frequent = field(default_factory=lambda: Frequent(100))
    models: dict[str, Spent] = field(default_factory=dict)
    troubles: Frequent = field(default_factory=lambda: Frequent(100))
    batches: Batches = field(default_factory=Batches)
    kept_none: deque[bool] = field(default_factory=lambda: deque(maxlen=RECENT))
    """For each of the latest sub-queries, in log order: whether it kept no chunk."""
    not_wanted: int = 0
    """Events that were read but not selected; and files that were skipped because they are too old."""
    older_files: int = 0
    _lost: int = 0
    _open: OrderedDict[Ids, _Open] = field(default_factory=OrderedDict)
    _slowest: list[tuple[float, int, EndedQuestion]] = field(default_factory=list)
    _costliest: list[tuple[float, int, EndedQuestion]] = field(default_factory=list)

    @property
    def lines(self) -> int:
        """The number of counted lines, broken ones included."""
        return self.events + self.broken

    @property
    def unfinished(self) -> int:
        """The number of questions without an end: running, cancelled, or killed."""
        return len(self._open) + self._lost

    @property
    def slowest(self) -> list[EndedQuestion]:
        """The slowest questions, the slowest first."""
        return [ended for _, _, ended in sorted(self._slowest, key=lambda ranked: (-ranked[0], ranked[1]))]

    @property
    def costliest(self) -> list[EndedQuestion]:
        """The costliest questions, the costliest first; those without cost are left out."""
        return [ended for _, _, ended in sorted(self._costliest, key=lambda ranked: (-ranked[0], ranked[1]))]

    def add(self, event: LogEvent | Broken) -> None:
        """Count one line."""
        if isinstance(event, Broken):
            self.broken += 1
            if len(self.broken_first) < RANKED:
                self.broken_first.append(event)
            return
        self.events += 1
        when = text_of(event, "timestamp")
        self.first, self.last = min(self.first or when, when or self.first), max(self.last, when)
        if event.get("level") in ("warning", "error", "critical") and not _is_stopped(event):
            self.troubles.add(event["event"])
        if event["event"].startswith("batch."):
            self.batches.add(event)
            return
        ids = ids_of(event)
        self._count(event, ids, self._run(ids[0], when))

    def _count(self, event: LogEvent, ids: Ids, run: Run | None) -> None:
        tallies = [self.total, run.tally] if run else [self.total]
        match event["event"]:
            case "question.received":
                self._receive(event, ids, run)
            case "subquery.retrieved":
                self._retrieve(event, ids, tallies)
            case "answer.completed" | "question.failed":
                self._end(event, ids, tallies)
            case "search.completed":
                self._open.pop(ids, None)
                for tally in tallies:
                    tally.searched += 1
            case "llm.called":
                self._call(event, ids, tallies)
            case other:
                _count_one(other, tallies)

    def _run(self, run_id: str, when: str) -> Run | None:
        if not run_id:
            return None
        run = self.runs.setdefault(run_id, Run(run_id, when))
        run.last = max(run.last, when)
        self.runs.move_to_end(run_id)
        if len(self.runs) > MOST_RUNS:
            self.runs.popitem(last=False)
            self.runs_forgotten += 1
        return run

    def _receive(self, event: LogEvent, ids: Ids, run: Run | None) -> None:
        question = text_of(event, "question")[:_QUESTION_CHARS]
        if run:
            run.question = question
        self._open[ids] = _Open(question)
        if len(self._open) > MOST_OPEN:
            self._open.popitem(last=False)
            self._lost += 1

    def _retrieve(self, event: LogEvent, ids: Ids, tallies: list[Tally]) -> None:
        under_way = self._open.get(ids)
        self.kept_none.append(count_field(event.get("kept")) == 0)
        for tally in tallies:
            tally.add_retrieved(event, first=under_way is not None and not under_way.added)
        if under_way is not None and number_field(event.get("unique_added")):
            under_way.added = True

    def _call(self, event: LogEvent, ids: Ids, tallies: list[Tally]) -> None:
        """Count a call; the answer's own total may correct it later, see `_end`."""
        spent, model = spent_by_call(event), text_of(event, "model")
        if model in self.models or len(self.models) < 100:
            self.models.setdefault(model, Spent()).add(spent)
        for tally in tallies:
            tally.add_duration("llm", event.get("ms"))
            tally.spent.add(spent)
        if ids in self._open:
            self._open[ids].spent.add(spent)

    def _end(self, event: LogEvent, ids: Ids, tallies: list[Tally]) -> None:
        under_way = self._open.pop(ids, None) or _Open("")
        spent = spent_by_answer(event) or under_way.spent
        outcome = (text_of(event, "stop_reason") or text_of(event, "error") or "?")[:_QUESTION_CHARS]
        durations = object_field(event.get("timings_ms"))
        for tally in tallies:
            tally.spent.add(spent.beyond(under_way.spent))
            _count_end(tally, event, outcome)
            for stage in ANSWER_STAGES:
                tally.add_duration(stage, durations.get(stage))
        self.outcomes.add(outcome)
        needs = event.get("unanswered")
        for need in needs if isinstance(needs, list) else ():
            self.needs.add(str(need)[:_QUESTION_CHARS])
        ms = number_field(durations.get("total"))
        ended = EndedQuestion(*ids, under_way.question, outcome, ms, spent.cost_usd)
        self._rank(self._slowest, ms, ended)
        self._rank(self._costliest, spent.cost_usd, ended)

    def _rank(self, ranking: list[tuple[float, int, EndedQuestion]], value: float, ended: EndedQuestion) -> None:
        if value <= 0:
            return
        heapq.heappush(ranking, (value, self.events, ended))
        if len(ranking) > RANKED:
            heapq.heappop(ranking)


def summarized(events: Iterable[LogEvent | Broken]) -> Summary:
    """Return the summary of these events."""
    summary = Summary()
    for event in events:
        summary.add(event)
    return summary


def _is_stopped(event: LogEvent) -> bool:
    return event["event"] == "question.failed" and event.get("error") in _STOPPED


def _count_end(tally: Tally, event: LogEvent, outcome: str) -> None:
    if _is_stopped(event):
        tally.stopped += 1
    elif event["event"] == "question.failed" or outcome == "failed":
        tally.failed += 1
    elif outcome == "complete":
        tally.answered += 1
    else:
        tally.in_part += 1


def _count_one(name: str, tallies: list[Tally]) -> None:
    for tally in tallies:
        tally.sub_queries_failed += name == "subquery.failed"
        tally.sub_queries_skipped += name == "subquery.skipped"
        tally.retries += name == "llm.retried"
        tally.llm_failures += name == "llm.failed"
        tally.fallbacks += name == "planner.fallback"
