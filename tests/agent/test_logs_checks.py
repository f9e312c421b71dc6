"""The quality indicators of seed document 4, and what any service needs: each good, warning and critical."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.errors import SettingsError
from agent.monitoring.checks import Check, judged, worst
from agent.monitoring.reading import Broken, LogEvent
from agent.monitoring.summary import summarized
from agent.settings.settings import Settings, load
from tests.agent.logged import answered, ids, retrieved

pytestmark = pytest.mark.usefixtures("empty_place")


def checked(events: Sequence[LogEvent | Broken], settings: Settings | None = None) -> dict[str, Check]:
    return {check.name: check for check in judged(summarized(events), settings or Settings())}


def searched(*each: Mapping[str, Any], run: str = "r1") -> list[LogEvent]:
    """The events of sub-queries of one question."""
    return [{"event": "subquery.retrieved", **ids(run), **fields} for fields in each]


def question(run: str, *each: Mapping[str, Any]) -> list[LogEvent]:
    return [{"event": "question.received", **ids(run)}, *searched(*each, run=run)]


def of(event: str, times: int, **fields: object) -> list[LogEvent]:
    return [{"event": event, **ids("r1"), **fields}] * times


FILTERED_10, FILTERED_5 = retrieved(dropped={"threshold": 7, "gap": 3}), retrieved(dropped={"gap": 5})
CASES: dict[str, tuple[str, str, Sequence[LogEvent | Broken]]] = {
    "filtered=2-5 is good": ("filtered", "good", searched(*[FILTERED_5] * 3)),
    "filtered=10+ warns": ("filtered", "warning", searched(*[FILTERED_10] * 3)),
    "what a rule screens is not filtered": ("filtered", "good", searched(retrieved(dropped={"query_must": 99}))),
    "kept=3-7 is good": ("kept_one", "good", searched(*[retrieved(kept=5)] * 3)),
    "kept=1 consistently warns": ("kept_one", "warning", searched(*[retrieved(kept=1)] * 4)),
    "kept=1 now and then is good": ("kept_one", "good", searched(retrieved(kept=1), *[retrieved(kept=5)] * 3)),
    "kept=1 once tells nothing yet": ("kept_one", "no data", searched(retrieved(kept=1))),
    "kept=0 warns": ("kept_none", "warning", searched(retrieved(kept=0), *[retrieved()] * 9)),
    "kept=0 once is not critical, however short the log": ("kept_none", "warning", searched(retrieved(kept=0))),
    "kept=0 three times and nothing else is critical": ("kept_none", "critical", searched(*[retrieved(kept=0)] * 3)),
    "kept=0 in one of four is critical": (
        "kept_none",
        "critical",
        searched(*[*[retrieved()] * 3, retrieved(kept=0)] * 5),
    ),
    "kept=0 long ago is forgotten": ("kept_none", "good", searched(*[retrieved(kept=0)] * 50, *[retrieved()] * 100)),
    "kept=0 of late is critical, whatever was before": (
        "kept_none",
        "critical",
        searched(*[retrieved()] * 900, *[retrieved(kept=0)] * 25),
    ),
    "kept=0 never is good": ("kept_none", "good", searched(retrieved())),
    "unique_added=3-5 is good": ("unique_none", "good", searched(*[retrieved(unique_added=4)] * 3)),
    "unique_added=0 often warns": (
        "unique_none",
        "warning",
        question("r1", retrieved(), retrieved(unique_added=0), retrieved(unique_added=0), retrieved(unique_added=1)),
    ),
    "unique_added=0 always is critical, but for the first": (
        "unique_none",
        "critical",
        question("r1", retrieved(), *[retrieved(unique_added=0)] * 3),
    ),
    "unique_added=0 of single sub-queries is critical too": (
        "unique_none",
        "critical",
        [event for n in range(3) for event in question(f"r{n}", retrieved(unique_added=0))],
    ),
    "single sub-queries that add chunks tell nothing": (
        "unique_none",
        "no data",
        [event for n in range(3) for event in question(f"r{n}", retrieved())],
    ),
    "one failed question of many warns": (
        "questions_failed",
        "warning",
        [*of("answer.completed", 99, **answered()), *of("question.failed", 1)],
    ),
    "one failed question of ten is critical": (
        "questions_failed",
        "critical",
        [*of("answer.completed", 9, **answered()), *of("question.failed", 1)],
    ),
    "one failed sub-query of many warns": (
        "sub_queries_failed",
        "warning",
        [*searched(*[retrieved()] * 50), *of("subquery.failed", 1)],
    ),
    "half the sub-queries failed is critical": (
        "sub_queries_failed",
        "critical",
        [*searched(retrieved()), *of("subquery.failed", 1)],
    ),
    "half answered in part warns": (
        "answered_in_part",
        "warning",
        [*of("answer.completed", 2, **answered()), *of("answer.completed", 2, **answered("partial"))],
    ),
    "one retry in five calls warns": ("llm_retries", "warning", [*of("llm.called", 5), *of("llm.retried", 1)]),
    "more retries than calls is critical": ("llm_retries", "critical", [*of("llm.called", 1), *of("llm.retried", 2)]),
    "calls without a retry are good": ("llm_retries", "good", of("llm.called", 5)),
    "a call that failed for good warns": ("llm_failures", "warning", [*of("llm.called", 9), *of("llm.failed", 1)]),
    "no call that succeeds is critical": ("llm_failures", "critical", of("llm.failed", 3)),
    "plans that fall back warn": (
        "planner_fallbacks",
        "warning",
        [*of("planner.fallback", 1), *of("answer.completed", 2, **answered())],
    ),
    "slow answers warn": ("slow", "warning", of("answer.completed", 3, **answered(ms=31_000))),
    "quick answers are good": ("slow", "good", of("answer.completed", 3, **answered(ms=300))),
    "a broken line warns": ("broken_lines", "warning", [Broken("a.jsonl", 1, "not JSON")]),
}


@pytest.mark.parametrize(("name", "level", "events"), CASES.values(), ids=CASES.keys())
def test_each_check_knows_its_levels(name: str, level: str, events: Sequence[LogEvent | Broken]) -> None:
    assert level == checked(events)[name].level


def test_every_check_has_a_setting_a_case_and_advice() -> None:
    checks = checked([])
    settings = {name.removeprefix("check_") for name in Settings.model_fields if name.startswith("check_")}
    assert settings == set(checks) == {name for name, _, _ in CASES.values()}
    assert all(check.advice and check.measures for check in checks.values())


def test_the_worst_check_counts() -> None:
    assert "critical" == worst(tuple(checked([*searched(*[retrieved(kept=0)] * 3), Broken("a", 1, "?")]).values()))
    assert "no data" == worst(tuple(checked([]).values()))


def test_limits_are_settings(monkeypatch: pytest.MonkeyPatch, empty_place: Path) -> None:
    events = searched(*[FILTERED_5] * 3)
    assert "critical" == checked(events, load({"check_filtered": "2, 5"}))["filtered"].level
    monkeypatch.setenv("VERSUS_CHECK_FILTERED", "4,never")
    assert "warning" == checked(events)["filtered"].level
    monkeypatch.delenv("VERSUS_CHECK_FILTERED")
    (empty_place / "versus.toml").write_text('check_filtered = ["never", 4.5]\n')
    assert "critical" == checked(events)["filtered"].level
    shown = {origin.name: (origin.value, origin.source) for origin in Settings().explain()}
    assert ("never, 4.5", "versus.toml") == shown["check_filtered"]


@pytest.mark.parametrize("value", ["many", "-1", "1,2,3", "", [1, "x"], None, True, "nan"])
def test_a_limit_that_is_none_is_explained(value: object) -> None:
    with pytest.raises(SettingsError, match="check_filtered"):
        Settings(check_filtered=value)  # type: ignore[arg-type]
