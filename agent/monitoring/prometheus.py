"""The summary in the text exposition format of Prometheus, for a textfile collector or a scrape through a pipe.

Source: https://prometheus.io/docs/instrumenting/exposition_formats/. Durations are in seconds, Prometheus' unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from agent.monitoring.checks import Check
from agent.monitoring.histogram import Histogram
from agent.monitoring.summary import Summary
from agent.monitoring.tally import STAGES

_LEVELS = {"no data": -1, "good": 0, "warning": 1, "critical": 2}
_QUANTILES = (50, 95, 99)


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric with its help, its type and its samples, each with labels."""

    name: str
    kind: str
    meaning: str
    samples: Iterable[tuple[Mapping[str, str], float]]


def exposition(summary: Summary, checks: Iterable[Check]) -> str:
    """Return all metrics, each with its help and type; ends with a line break."""
    lines = [line for metric in _metrics(summary, checks) for line in lines_of(metric)]
    return "\n".join([*lines, *_latencies(summary)]) + "\n"


def _metrics(summary: Summary, checks: Iterable[Check]) -> Iterator[Metric]:
    total, spent = summary.total, summary.total.spent
    outcomes = {"answered": total.answered, "in_part": total.in_part, "failed": total.failed}
    outcomes |= {"stopped": total.stopped}
    written = summary.batches.records
    recorded = {"answered": written.answered, "in_part": written.in_part, "failed": written.failed}
    tokens = {"prompt": spent.prompt_tokens, "completion": spent.completion_tokens}
    yield _by("questions_total", "Questions that came to an end.", "outcome", outcomes)
    yield Metric("questions_unfinished", "gauge", "Questions not heard of again.", [({}, summary.unfinished)])
    yield _by("batch_records_total", "Records that batches wrote.", "outcome", recorded)
    yield _one("llm_calls_total", "Calls of language models.", spent.calls)
    yield _by("llm_tokens_total", "Tokens of language models.", "kind", tokens)
    yield _one("llm_cost_usd_total", "What language models cost, in dollars.", spent.cost_usd)
    yield _one("llm_retries_total", "Calls that were tried again.", total.retries)
    yield _one("llm_failures_total", "Calls that failed for good.", total.llm_failures)
    yield _one("planner_fallbacks_total", "Plans that fell back to the rules.", total.fallbacks)
    yield _one("subqueries_total", "Sub-queries that were retrieved.", total.sub_queries)
    yield _one("subqueries_failed_total", "Sub-queries that failed.", total.sub_queries_failed)
    yield _one("chunks_kept_total", "Chunks that sub-queries kept.", total.kept)
    yield _one("chunks_unique_added_total", "Chunks that were new to their question.", total.unique_added)
    yield _by("chunks_dropped_total", "Chunks that were dropped.", "rule", dict(total.dropped.most(100)))
    yield _one("log_events_total", "Events read.", summary.events)
    yield _one("log_broken_lines_total", "Lines that are no events.", summary.broken)
    levels = [({"check": check.name}, float(_LEVELS[check.level])) for check in checks]
    yield Metric("check_level", "gauge", "0 good, 1 warning, 2 critical, -1 no data.", levels)


def _one(name: str, meaning: str, value: float) -> Metric:
    return Metric(name, "counter", meaning, [({}, value)])


def _by(name: str, meaning: str, label: str, values: Mapping[str, float]) -> Metric:
    return Metric(name, "counter", meaning, [({label: key}, value) for key, value in values.items()])


def lines_of(metric: Metric) -> Iterator[str]:
    """Yield a metric as lines of the format."""
    yield f"# HELP versus_{metric.name} {metric.meaning}"
    yield f"# TYPE versus_{metric.name} {metric.kind}"
    for labels, value in metric.samples:
        yield _sample(metric.name, labels, value)


def _latencies(summary: Summary) -> Iterator[str]:
    yield "# HELP versus_stage_seconds How long the stages took; quantiles within one percent."
    yield "# TYPE versus_stage_seconds summary"
    for stage in STAGES:
        durations = summary.total.latency.get(stage, Histogram())
        for percent in _QUANTILES if durations.count else ():
            quantile = {"stage": stage, "quantile": f"{percent / 100:g}"}
            yield _sample("stage_seconds", quantile, (durations.percentile(percent) or 0) / 1000)
        yield _sample("stage_seconds_sum", {"stage": stage}, durations.total / 1000)
        yield _sample("stage_seconds_count", {"stage": stage}, durations.count)


def _sample(name: str, labels: Mapping[str, str], value: float) -> str:
    inside = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
    return f"versus_{name}{{{inside}}} {value!r}" if inside else f"versus_{name} {value!r}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
