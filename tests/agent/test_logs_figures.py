"""Figures of the log against a plain oracle: percentiles, frequencies, and totals of interleaved processes."""

from __future__ import annotations

import itertools
import math
import random
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.cli.views.logs import live_view, summary_data, summary_view
from agent.monitoring.batches import MOST_BATCHES
from agent.monitoring.checks import judged
from agent.monitoring.frequent import Frequent
from agent.monitoring.histogram import ERROR, Histogram
from agent.monitoring.reading import LogEvent
from agent.monitoring.summary import MOST_OPEN, MOST_RUNS, Summary, summarized
from agent.render.terminal import to_text
from agent.settings.checks import CheckSettings
from tests.agent.logged import answered, ids, retrieved


@given(st.lists(st.floats(0.001, 1e9), min_size=1), st.sampled_from([0, 50, 95, 99, 100]))
def test_a_percentile_is_within_one_percent_of_the_nearest_rank(durations: list[float], percent: int) -> None:
    histogram = Histogram()
    for ms in durations:
        histogram.add(ms)
    exact = sorted(durations)[max(1, math.ceil(len(durations) * percent / 100)) - 1]
    estimate = histogram.percentile(percent)
    assert estimate is not None
    assert abs(estimate - exact) <= (ERROR + 1e-9) * exact


def test_without_durations_there_is_no_percentile() -> None:
    assert Histogram().percentile(50) is None


@given(st.lists(st.sampled_from("abcdefghij")), st.integers(1, 12))
def test_the_most_frequent_are_counted_within_the_error(things: list[str], capacity: int) -> None:
    frequent, exact = Frequent(capacity), Counter(things)
    for thing in things:
        frequent.add(thing)
    for thing, count in frequent.most(capacity):
        assert count <= exact[thing] <= count + frequent.error
    assert frequent.error > 0 or dict(exact) == dict(frequent.most(99))


OUTCOMES = st.sampled_from(["complete", "partial", "deadline", "failed", "unfinished"])
QUESTIONS = st.lists(
    st.tuples(
        OUTCOMES,
        st.lists(st.tuples(st.integers(0, 12), st.integers(0, 9)), max_size=4),
        st.lists(st.tuples(st.integers(0, 100), st.sampled_from([0.0, 0.25, 0.5])), max_size=3),
        st.integers(1, 10_000),
    ),
    max_size=6,
)


def story(
    run: str, outcome: str, found: list[tuple[int, int]], calls: list[tuple[int, float]], ms: int
) -> list[LogEvent]:
    """The events of one question, as an agent logs them; a failed one has no usage of its own."""
    events: list[LogEvent] = [{"event": "question.received", "question": f"question {run}"}]
    events += [
        {"event": "subquery.retrieved", **retrieved(kept, kept, {"gap": gap, "query_must": 1})} for kept, gap in found
    ]
    events += [{"event": "llm.called", "prompt_tokens": t, "completion_tokens": 1, "cost_usd": c} for t, c in calls]
    if outcome == "failed":
        events.append({"event": "question.failed", "error": "StoreError"})
    elif outcome != "unfinished":
        tokens = {"prompt_tokens": sum(t for t, _ in calls), "completion_tokens": len(calls)}
        usage = {"llm_calls": len(calls), **tokens, "cost_usd": sum(c for _, c in calls)}
        needs = [f"need {ms % 3}"] if outcome == "partial" else []
        events.append({"event": "answer.completed", **answered(outcome, ms), "usage": usage, "unanswered": needs})
    return [{**event, **ids(run)} for event in events]


@given(QUESTIONS, st.randoms(use_true_random=False))
def test_totals_are_right_however_the_lines_of_several_processes_interleave(
    asked: list[Any], chance: random.Random
) -> None:
    stories = [story(f"r{number}", *each) for number, each in enumerate(asked)]
    summary = summarized(interleaved(stories, chance))
    total, ends = summary.total, Counter(outcome for outcome, *_ in asked)
    found = [pair for _, pairs, _, _ in asked for pair in pairs]
    calls = [call for _, _, each, _ in asked for call in each]

    assert (ends["complete"], ends["partial"] + ends["deadline"]) == (total.answered, total.in_part)
    assert (ends["failed"], ends["unfinished"]) == (total.failed, summary.unfinished)
    assert (len(found), sum(kept for kept, _ in found)) == (total.sub_queries, total.kept)
    assert sum(gap for _, gap in found) == total.filtered
    assert (len(calls), sum(tokens for tokens, _ in calls)) == (total.spent.calls, total.spent.prompt_tokens)
    assert math.isclose(sum(cost for _, cost in calls), total.spent.cost_usd, abs_tol=1e-9)
    assert ends["partial"] == sum(count for _, count in summary.needs.most(9))
    assert [len(found)] == [sum(run.tally.sub_queries for run in summary.runs.values())]
    timed = sorted((ms for outcome, _, _, ms in asked if outcome not in ("failed", "unfinished")), reverse=True)
    assert timed[:10] == [round(each.ms) for each in summary.slowest]


def interleaved(stories: list[list[LogEvent]], chance: random.Random) -> Iterator[LogEvent]:
    left = [list(reversed(each)) for each in stories if each]
    while left:
        chosen = chance.choice(left)
        yield chosen.pop()
        left = [each for each in left if each]


def test_what_the_answer_says_was_spent_counts_and_not_the_calls_twice() -> None:
    call = {"event": "llm.called", "prompt_tokens": 7, "completion_tokens": 1, "cost_usd": 0.5, **ids("r")}
    end = {"event": "answer.completed", **answered(cost=0.75), **ids("r")}
    summary = summarized([{"event": "question.received", **ids("r")}, call, end])
    assert (1, 10, 0.75) == (
        summary.total.spent.calls,
        summary.total.spent.prompt_tokens,
        summary.total.spent.cost_usd,
    )
    assert [0.75] == [each.cost_usd for each in summary.costliest]


@given(st.permutations(range(1, 31)))
def test_the_slowest_and_the_costliest_are_kept_in_whatever_order_they_come(order: list[int]) -> None:
    ends = [answered(ms=10.0 * number, cost=1.0 / number) for number in order]
    summary = summarized(
        {"event": "answer.completed", **end, **ids(f"r{number}")} for number, end in zip(order, ends, strict=True)
    )
    assert [f"r{number}" for number in range(30, 20, -1)] == [asked.run_id for asked in summary.slowest]
    assert [f"r{number}" for number in range(1, 11)] == [asked.run_id for asked in summary.costliest]


JUNK = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(
    ["kept", "unique_added", "dropped", "ms", "usage", "timings_ms", "unanswered", "question", "run_id", "question_id",
     "timestamp", "level", "stop_reason", "model", "prompt_tokens", "cost_usd", "error", "batch_id", "status",
     "same_as", "ending", "output", "done", "total"]
)  # fmt: skip
EVENTS = st.sampled_from(
    [
        "question.received",
        "subquery.retrieved",
        "llm.called",
        "answer.completed",
        "question.failed",
        "batch.recorded",
        "batch.progress",
        "batch.completed",
        "x",
    ]
)


@given(st.lists(st.tuples(EVENTS, st.dictionaries(NAMES, JUNK, max_size=6)), max_size=5))
def test_a_log_that_others_wrote_is_never_fatal(lines: list[tuple[str, dict[str, Any]]]) -> None:
    summary = summarized([{**fields, "event": event} for event, fields in lines])
    checks = judged(summary, CheckSettings())
    assert len(lines) == summary_data(summary, checks)["events"]
    shown = to_text(summary_view(summary, checks)) + to_text(live_view(summary, checks))
    assert not any(ord(c) < 32 and c != "\n" for c in shown)


RECORDS = st.lists(
    st.tuples(
        st.sampled_from(["b1", "b2", "b3"]),
        st.sampled_from(["answered", "in_part", "failed"]),
        st.none() | st.integers(1, 9),
        st.sampled_from(["QuestionError", "LLMError"]),
    ),
    max_size=30,
)


@given(RECORDS)
def test_records_are_counted_for_each_batch_and_for_all(written: list[tuple[str, str, int | None, str]]) -> None:
    batches = summarized(
        {"event": "batch.recorded", "batch_id": batch, "status": status, "same_as": same,
         "error": error if status == "failed" else None, "run_id": "r"}
        for batch, status, same, error in written
    ).batches  # fmt: skip
    for batch, found in [(None, batches.records), *((each.batch_id, each.records) for each in batches.latest.values())]:
        mine = [each for each in written if batch in (None, each[0])]
        ends = Counter(status for _, status, _, _ in mine)
        assert (ends["answered"], ends["in_part"], ends["failed"]) == (found.answered, found.in_part, found.failed)
        assert sum(same is not None for _, _, same, _ in mine) == found.copies
        assert Counter(error for _, s, _, error in mine if s == "failed") == dict(found.errors.most(9))
    assert {batch for batch, *_ in written} == set(batches.latest)


def test_batches_tell_how_far_they_are_and_how_they_ended_and_the_oldest_are_forgotten() -> None:
    events: list[LogEvent] = [
        {"event": "batch.completed", "batch_id": f"b{n}", "ending": "complete", "done": n, "output": "out.jsonl"}
        for n in range(MOST_BATCHES + 5)
    ]
    batches = summarized([*events, {"event": "batch.progress", "batch_id": "new", "done": 3, "total": 7}]).batches
    assert (MOST_BATCHES, 6) == (len(batches.latest), batches.forgotten)
    assert ("", {"done": 3, "total": 7}) == (batches.latest["new"].ending, batches.latest["new"].whole)
    assert ("complete", "out.jsonl") == (batches.latest["b8"].ending, batches.latest["b8"].output)


@pytest.mark.parametrize("error", ["CancelledError", "Halted"])
def test_a_question_that_was_cut_off_is_stopped_and_no_trouble(error: str) -> None:
    end = {"event": "question.failed", "level": "error", "error": error}
    summary = summarized([{**event, **ids("r")} for event in ({"event": "question.received"}, end)])
    assert (1, 0, 0) == (summary.total.stopped, summary.total.failed, summary.unfinished)
    assert [] == summary.troubles.most(9)


def questions(count: int) -> Iterator[LogEvent]:
    for number in range(count):
        run = f"run-{number:032}"
        yield {"event": "question.received", "question": f"What is {number}?", **ids(run)}
        yield {"event": "subquery.retrieved", **retrieved(), **ids(run)}
        if number % 2:  # the other half is cut off
            end = {"unanswered": [f"need {number}"], "timings_ms": {"total": float(number)}}
            yield {"event": "answer.completed", "stop_reason": "partial", **end, **ids(run)}


@pytest.mark.slow
def test_memory_does_not_grow_with_the_log() -> None:
    summary, stream = Summary(), questions(60_000)
    tracemalloc.start()
    for event in itertools.islice(stream, 75_000):
        summary.add(event)
    before = tracemalloc.get_traced_memory()[0]
    for event in stream:
        summary.add(event)
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 2_000_000
    assert 30_000 == summary.unfinished
    assert (MOST_RUNS, 60_000 - MOST_RUNS) == (len(summary.runs), summary.runs_forgotten)
    assert MOST_OPEN < 30_000
