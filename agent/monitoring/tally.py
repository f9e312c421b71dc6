"""The counts of one run or of all runs: questions, sub-queries, chunks, calls, tokens, durations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.monitoring.frequent import Frequent
from agent.monitoring.histogram import Histogram
from agent.stages.runner import QUALITY_RULES

ANSWER_STAGES = ("plan", "retrieve", "reason", "synthesize", "total")
STAGES = (*ANSWER_STAGES, "sub_query", "llm")
"""The stages of an answer, one sub-query, and one call of a language model."""


@dataclass(slots=True)
class Spent:
    """Calls, tokens and cost of language models."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0

    def add(self, other: Spent) -> None:
        """Add another spending."""
        self.calls += other.calls
        self.prompt_tokens += other.prompt_tokens
        self.completion_tokens += other.completion_tokens
        self.cost_usd += other.cost_usd

    def beyond(self, known: Spent) -> Spent:
        """Return the difference to the known spending; it may be negative."""
        return Spent(
            self.calls - known.calls,
            self.prompt_tokens - known.prompt_tokens,
            self.completion_tokens - known.completion_tokens,
            self.cost_usd - known.cost_usd,
        )


@dataclass(slots=True)
class Tally:
    """Counts. `filtered` chunks failed a quality rule (`agent.stages.runner.QUALITY_RULES`), `dropped` has every rule.

    `stopped` questions were cut off when their command stopped. `kept_one` and `kept_none` count sub-queries. A
    sub-query that kept something is `comparable` unless it was the first of its question to add a chunk; `unique_none`
    counts comparable ones that added no new chunk to their question.
    """

    answered: int = 0
    in_part: int = 0
    failed: int = 0
    stopped: int = 0
    searched: int = 0
    sub_queries: int = 0
    sub_queries_failed: int = 0
    sub_queries_skipped: int = 0
    rounds: int = 0
    fetched: int = 0
    kept: int = 0
    filtered: int = 0
    unique_added: int = 0
    kept_one: int = 0
    kept_none: int = 0
    comparable: int = 0
    unique_none: int = 0
    retries: int = 0
    llm_failures: int = 0
    fallbacks: int = 0
    spent: Spent = field(default_factory=Spent)
    dropped: Frequent = field(default_factory=lambda: Frequent(100))
    latency: dict[str, Histogram] = field(default_factory=dict)

    @property
    def finished(self) -> int:
        """The number of questions answered, wholly or in part, or failed; not those only searched, or stopped."""
        return self.answered + self.in_part + self.failed

    @property
    def ended(self) -> int:
        """The number of questions that have ended in any way."""
        return self.finished + self.stopped + self.searched

    def add_retrieved(self, event: Mapping[str, Any], first: bool) -> None:
        """Count `subquery.retrieved`; `first` is true if its question had no chunk before."""
        kept, added = count_field(event.get("kept")), count_field(event.get("unique_added"))
        self.sub_queries += 1
        self.rounds += count_field(event.get("rounds"))
        self.fetched += count_field(event.get("fetched"))
        self.kept += kept
        self.unique_added += added
        self.kept_one += kept == 1
        self.kept_none += kept == 0
        if kept and not (first and added):
            self.comparable += 1
            self.unique_none += added == 0
        for rule, count in object_field(event.get("dropped")).items():
            self.dropped.add(str(rule), count_field(count))
            self.filtered += count_field(count) if rule in QUALITY_RULES else 0
        self.add_duration("sub_query", event.get("ms"))

    def add_duration(self, stage: str, ms: object) -> None:
        """Count a duration of a stage."""
        if isinstance(ms, int | float) and not isinstance(ms, bool) and math.isfinite(ms):
            self.latency.setdefault(stage, Histogram()).add(float(ms))


def count_field(value: object) -> int:
    """Return a count from a log, which may hold anything; 0 if it is none.

    >>> count_field(3), count_field("3"), count_field(None)
    (3, 0, 0)
    """
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def number_field(value: object) -> float:
    """Return a positive number from a log; 0 if it is none."""
    return float(value) if isinstance(value, int | float) and math.isfinite(value) and value > 0 else 0.0


def object_field(value: object) -> Mapping[str, Any]:
    """Return an object from a log; empty if it is none."""
    return value if isinstance(value, dict) else {}


def spent_by_call(event: Mapping[str, Any]) -> Spent:
    """Return the spending of one `llm.called`."""
    prompt, completion = count_field(event.get("prompt_tokens")), count_field(event.get("completion_tokens"))
    return Spent(1, prompt, completion, number_field(event.get("cost_usd")))


def spent_by_answer(event: Mapping[str, Any]) -> Spent | None:
    """Return the spending that `answer.completed` reports; None if it reports none."""
    usage = object_field(event.get("usage"))
    if not usage:
        return None
    prompt, completion = count_field(usage.get("prompt_tokens")), count_field(usage.get("completion_tokens"))
    return Spent(count_field(usage.get("llm_calls")), prompt, completion, number_field(usage.get("cost_usd")))
