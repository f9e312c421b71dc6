"""Named checks of a log: what each measures, and what to do about a warning.

The indicators come from seed document 4, "Quality Indicators", with those that any service needs. The limits are
settings (`agent.settings.checks`); the measurements are here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from agent.monitoring.summary import RECENT, Summary
from agent.settings.checks import CheckSettings, Limits

Level = Literal["good", "warning", "critical", "no data"]
FEWEST = 3
"""Sub-queries below which nothing is "consistent", "often" or "always"."""
FEW = 10
"""The least denominator of a share of sub-queries."""
_ORDER: tuple[Level, ...] = ("no data", "good", "warning", "critical")


@dataclass(frozen=True, slots=True)
class Check:
    """One verdict: the measure in words and as a number, the limits that applied, and what to do."""

    name: str
    level: Level
    value: float | None
    limits: Limits
    measures: str
    advice: str


@dataclass(frozen=True, slots=True)
class _Indicator:
    """How to measure one thing: `measure` returns a value, or None if the log has too little data."""

    name: str
    measure: Callable[[Summary], float | None]
    measures: str
    advice: str


def judged(summary: Summary, settings: CheckSettings) -> tuple[Check, ...]:
    """Return the result of every check on a log.

    >>> {check.level for check in judged(Summary(), CheckSettings())}
    {'no data'}
    """
    return tuple(_judge(indicator, summary, getattr(settings, f"check_{indicator.name}")) for indicator in _INDICATORS)


def worst(checks: tuple[Check, ...]) -> Level:
    """Return the level of the worst check."""
    return max((check.level for check in checks), key=_ORDER.index, default="no data")


def _judge(indicator: _Indicator, summary: Summary, limits: Limits) -> Check:
    value = indicator.measure(summary)
    level: Level = "no data" if value is None else limits.level(value)
    return Check(indicator.name, level, value, limits, indicator.measures, indicator.advice)


def _share(part: int, whole: int, fewest: int = 1) -> float | None:
    return part / whole if whole >= fewest else None


def _kept_none(summary: Summary) -> float | None:
    """Return the share of the latest sub-queries that kept nothing, out of at least `FEW`; old ones are forgotten."""
    latest = summary.kept_none
    return sum(latest) / max(len(latest), FEW) if latest else None


def _questions_failed(summary: Summary) -> float | None:
    return _share(summary.total.failed, summary.total.finished)


def _sub_queries_failed(summary: Summary) -> float | None:
    failed = summary.total.sub_queries_failed
    return _share(failed, summary.total.sub_queries + failed)


def _llm_failures(summary: Summary) -> float | None:
    failed = summary.total.llm_failures
    return _share(failed, summary.total.spent.calls + failed)


def _slow(summary: Summary) -> float | None:
    total = summary.total.latency.get("total")
    return total.percentile(95) if total else None


_INDICATORS: tuple[_Indicator, ...] = (
    _Indicator(
        "kept_none",
        _kept_none,
        f"share of the latest {RECENT} sub-queries that kept no chunk, or of {FEW} where there are fewer",
        "no chunk was eligible: see that the collection holds what is asked for (versus collections NAME), that "
        "--tags, --chunk-types and --min-score are not too narrow, and which rules drop chunks (versus check)",
    ),
    _Indicator(
        "kept_one",
        lambda s: _share(s.total.kept_one, s.total.sub_queries, FEWEST),
        "share of sub-queries that kept a single chunk",
        "the collection has little on what is asked, or the limits are strict: try --preset lenient",
    ),
    _Indicator(
        "filtered",
        lambda s: _share(s.total.filtered, s.total.sub_queries),
        "chunks filtered for not being near enough, per sub-query",
        "the limits may be too strict: try --preset lenient, and compare with versus replay RUN_ID --preset lenient",
    ),
    _Indicator(
        "unique_none",
        lambda s: _share(s.total.unique_none, s.total.comparable, FEWEST),
        "share of later sub-queries that added no chunk of their own",
        "sub-queries find the same chunks again and again: plan fewer (--effort low), or see that chunks differ",
    ),
    _Indicator(
        "questions_failed",
        _questions_failed,
        "share of questions that failed",
        "see the errors: versus logs lists them, and versus logs show RUN_ID tells the story of one",
    ),
    _Indicator(
        "sub_queries_failed",
        _sub_queries_failed,
        "share of sub-queries that failed",
        "the store or the embedding service fails: see subquery.failed in the log, and run versus doctor",
    ),
    _Indicator(
        "answered_in_part",
        lambda s: _share(s.total.in_part, s.total.finished, FEWEST),
        "share of questions answered in part",
        "facts are missing: the most frequent are listed under what was not found; ingest sources that have them",
    ),
    _Indicator(
        "llm_retries",
        lambda s: _share(s.total.retries, s.total.spent.calls),
        "calls of a language model that were tried again, per call",
        "the endpoint is overloaded or limits the rate: lower the concurrency or the rate limits",
    ),
    _Indicator(
        "llm_failures",
        _llm_failures,
        "share of calls of a language model that failed for good",
        "see llm.failed in the log; --planner rules works without a language model",
    ),
    _Indicator(
        "planner_fallbacks",
        lambda s: _share(s.total.fallbacks, s.total.finished),
        "share of questions whose plan fell back to the rules",
        "the language model makes no usable plans: see planner.fallback in the log, or choose another --model",
    ),
    _Indicator(
        "slow",
        _slow,
        "milliseconds that 95 of 100 questions stay below",
        "see which stage is slow in the table of latencies",
    ),
    _Indicator(
        "broken_lines",
        lambda s: float(s.broken) if s.events or s.broken else None,
        "lines of the log that are no events",
        "a process was killed while it wrote, the disk was full, or a file is no log; the places are listed",
    ),
)
