"""`versus logs` as it is typed: figures, one question's story, the live screen, metrics, exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from typer.testing import CliRunner, Result

from agent.cli.app import app
from agent.events import bind, configure_logging, emit
from agent.settings.settings import Settings, load
from tests.agent.logged import ask, ids, line, retrieved

pytestmark = pytest.mark.usefixtures("empty_place")
NASTY = "two\nlines \x1b[31mred [bold]\u2028 and \udce9"


@pytest.fixture
def log(empty_place: Path) -> Path:
    """The log folder, with two questions: an owlbear answered, an orc in part."""
    folder = empty_place / "logs"
    ask(folder, "aa11", "What is an owlbear?", [retrieved(5, 5, {"gap": 2}), retrieved(4, 2)], ms=200.0, cost=0.5)
    ask(folder, "ab22", "What is an orc?", [retrieved(3, 3)], stop_reason="partial", unanswered=["hit dice of orc"])
    return folder


def logs(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["logs", *arguments])


def figures(*arguments: str) -> dict[str, Any]:
    result = logs(*arguments, "--json")
    assert (1, "") == (len(result.stdout.splitlines()), result.stderr)
    return dict(json.loads(result.stdout))


@pytest.mark.usefixtures("log")
def test_the_figures_are_those_of_the_log() -> None:
    found = figures()
    expected = {"total": 2, "answered": 1, "in_part": 1, "failed": 0, "stopped": 0, "searched": 0, "unfinished": 0}
    assert expected == found["questions"]
    assert (12, 10, 2) == tuple(found["sub_queries"][name] for name in ("kept", "unique_added", "filtered"))
    assert (0.5, 1) == (found["llm"]["cost_usd"], found["llm"]["calls"])
    assert [{"need": "hit dice of orc", "count": 1}] == found["unanswered"]
    assert ["aa11", "ab22"] == [each["run_id"] for each in found["slowest"]]
    assert [("ab22", 3), ("aa11", 9)] == [(run["run_id"], run["sub_queries"]["kept"]) for run in found["runs"]]


@pytest.mark.parametrize(
    ("arguments", "total"),
    [((), 2), (("--run", "aa"), 1), (("--question", "ORC"), 1), (("--since", "1h"), 2), (("--since", "2999-01-01"), 0)],
)
def test_runs_questions_and_times_are_selected(arguments: tuple[str, ...], total: int, log: Path) -> None:
    assert total == figures(*arguments)["questions"]["total"]
    assert total == figures(str(log), *arguments)["questions"]["total"]


@pytest.mark.usefixtures("log")
def test_the_screen_names_what_a_reader_looks_for() -> None:
    shown = logs().stdout
    parts = (
        "2 questions: 1 answered, 1 in part",
        "kept_none",
        "p95",
        "dropped by gap",
        "hit dice of orc",
        "What is an orc?",
    )
    assert [] == [part for part in parts if part not in shown]


def test_a_question_that_was_only_searched_is_neither_answered_nor_unfinished(log: Path) -> None:
    with configure_logging(load({"log_dir": log})), bind(run_id="ae55", question_id="ae55"):
        emit("question.received", {"question": "What is a troll?"})
        emit("search.completed", {"passages": 3, "timings_ms": {"plan": 1.0}})
    asked = figures()["questions"]
    assert (3, 1, 1, 1, 0) == tuple(asked[n] for n in ("total", "answered", "in_part", "searched", "unfinished"))
    assert "1 searched only" in logs().stdout
    assert "searched only: 3 chunks" in logs("show", "ae55").stdout


def test_a_critical_check_ends_with_2_and_says_what_to_do(log: Path) -> None:
    assert 0 == logs().exit_code
    ask(log, "ac33", "What is a lightsaber?", [retrieved(0, 0)])
    assert (0, "warning") == (logs().exit_code, figures()["level"])
    ask(log, "ad44", "What is a phaser?", [retrieved(0, 0)] * 2)
    result = logs()
    assert 2 == result.exit_code
    assert "versus collections" in result.stdout
    assert ("critical", 2) == (figures()["level"], logs("--prometheus").exit_code)


def test_broken_lines_are_shown_with_their_place_and_not_fatal(log: Path) -> None:
    (log / "versus-19990101.jsonl").write_bytes(line("x") + b'{"event": "answer.comp')
    result = logs()
    assert (0, True) == (result.exit_code, "versus-19990101.jsonl:2: not JSON" in result.stdout)


def test_an_empty_log_and_none_at_all_are_told_apart(empty_place: Path) -> None:
    assert (1, 2, "") == (logs().exit_code, logs("nowhere").exit_code, logs("nowhere").stdout)
    (empty_place / "empty").mkdir()
    assert "the log is empty" in logs("empty").stdout


@pytest.mark.parametrize("command", [("logs",), ("logs", "show", "aa"), ("replay", "aa"), ("logs", "--prometheus")])
def test_a_log_that_is_not_there_is_not_begun_by_looking_for_it(command: tuple[str, ...], empty_place: Path) -> None:
    for _ in range(2):
        result = CliRunner().invoke(app, command, env={"VERSUS_LOG_DIR": "typo"})
        assert (1, True) == (result.exit_code, "there is no log at typo" in result.stderr)
    assert [] == list(empty_place.iterdir())


def test_a_log_in_which_nothing_matches_is_not_called_empty(log: Path) -> None:
    whole = figures()["events"]
    assert f"0 events, none of {whole} events matches" in logs("--run", "zzz", str(log)).stdout
    assert (0, whole) == tuple(figures("--run", "zzz")[name] for name in ("events", "events_not_wanted"))
    assert "0 events, 1 file is older" in logs("--since", "2999-01-01").stdout


def test_a_file_without_events_is_not_called_an_empty_log(empty_place: Path) -> None:
    (empty_place / "a.pdf").write_bytes(b"%PDF-1.7\nno\nevents")
    assert "0 events, none of 3 lines is an event" in logs("a.pdf").stdout
    (empty_place / "timeless.jsonl").write_bytes(b'{"event": "a"}\n')
    assert "1 event, without a time" in logs("timeless.jsonl").stdout


@pytest.mark.parametrize(
    "arguments", [("--since", "yesterday"), ("--follow", "--prometheus"), ("show",), ("show", "a", "--follow")]
)
def test_wrong_usage_is_explained(arguments: tuple[str, ...]) -> None:
    result = logs(*arguments)
    assert (2, "") == (result.exit_code, result.stdout)
    assert result.stderr.startswith("error: ")


@pytest.mark.usefixtures("log")
def test_the_metrics_are_what_prometheus_reads() -> None:
    families = {family.name: family for family in text_string_to_metric_families(logs("--prometheus").stdout)}
    samples = {(s.name, *sorted(s.labels.items())): s.value for family in families.values() for s in family.samples}
    assert 1 == samples[("versus_questions_total", ("outcome", "in_part"))]
    assert 12 == samples[("versus_chunks_kept_total",)]
    assert 2 == samples[("versus_chunks_dropped_total", ("rule", "gap"))]
    assert 0.5 == samples[("versus_llm_cost_usd_total",)]
    assert 0 == samples[("versus_check_level", ("check", "kept_none"))]
    assert pytest.approx(0.2, rel=0.01) == samples[("versus_stage_seconds", ("quantile", "0.99"), ("stage", "total"))]
    assert ("counter", "summary") == (families["versus_questions"].type, families["versus_stage_seconds"].type)


def test_a_label_from_a_stranger_s_log_does_not_break_the_metrics(empty_place: Path) -> None:
    (empty_place / "a.jsonl").write_bytes(line("subquery.retrieved", **retrieved(dropped={'"}\n\\x 1': 3})))
    families = list(text_string_to_metric_families(logs("a.jsonl", "--prometheus").stdout))
    assert '"}\n\\x 1' in [s.labels.get("rule") for family in families for s in family.samples]


def tell_story(folder: Path, level: str) -> None:
    """A question with everything that a trace shows."""
    hit = {"chunk_id": "c1", "title": "OWLBEAR", "distance": 0.2, "relevance": 0.8}
    plan = [{"id": "q1", "text": "owlbear armor class", "purpose": "its armor class"}]
    passage = {"chunk_id": "c1", "title": "OWLBEAR", "score": 0.0164, "found_by": ["q1"]}
    with configure_logging(load({"log_dir": folder, "log_level": level})), bind(run_id="aa11", question_id="aa11"):
        place = {"collection": "rules", "store": "/books/chroma"}
        emit("question.received", {"question": f"What is an owlbear? {NASTY}", **place})
        emit("plan.created", {"planner": "llm", "effort": "medium", "sub_queries": plan})
        emit("llm.called", {"model": "gpt-x", "purpose": "plan", "prompt_tokens": 77, "cost_usd": 0.01})
        with bind(sub_query="q1"):
            numbers = {"best_score": 0.8, "effective_threshold": 0.32, "cut": "gap", "hits": [hit]}
            emit("subquery.retrieved", retrieved(1, 1, {"gap": 1}, **numbers))
            emit("chunk.dropped", {"chunk_id": "c2", "title": "BEAR", "rule": "gap", "reason": "beyond the cliff"})
        emit(
            "plan.extended",
            {"round": 1, "needs": ["its hit dice"], "sub_queries": [{"id": "f1.1", "text": "owlbear hit dice"}]},
        )
        with bind(sub_query="f1.1"):
            emit("subquery.failed", {"text": "owlbear hit dice", "error": "StoreError", "message": "gone"})
        found = {"findings": [{"reasoner": "compare", "claim": "armor class 5"}], "evidence": [passage]}
        emit(
            "answer.completed",
            {
                "stop_reason": "partial",
                "text": "It has 5 [1].",
                "unanswered": ["hit dice"],
                "notes": ["by rules"],
                **found,
            },
        )


def test_show_tells_the_whole_story(empty_place: Path) -> None:
    tell_story(empty_place / "logs", "debug")
    shown = logs("show", "aa").stdout
    plan = ["What is an owlbear?", "planner llm", "its armor class", "gpt-x", "looked again for: its hit dice"]
    chunks = ["OWLBEAR", "0.200", "0.320", "BEAR", "beyond the cliff", "StoreError: gone", "0.0164"]
    parts = [*plan, *chunks, "compare found: armor class 5", "not found: hit dice", "note: by rules", "It has 5 [1]."]
    assert [] == [part for part in parts if part not in shown]
    assert not any(ord(c) < 32 and c != "\n" for c in shown)
    assert "VERSUS_LOG_LEVEL" not in shown


def test_show_begins_with_a_summary_of_a_screen(empty_place: Path) -> None:
    tell_story(empty_place / "logs", "debug")
    lines = logs("show", "aa").stdout.splitlines()
    end = next(number for number, line in enumerate(lines) if line.startswith("Plan"))
    summary = "\n".join(lines[:end])
    parts = [
        "collection rules · store /books/chroma",
        "plan: 2 sub-queries by planner llm, effort medium, looked again in 1 round",
        "retrieved: 1 chunk kept of 48 fetched; dropped: 1 by gap",
        "of the sub-queries 1 failed",
        "language model: 1 call, $0.0100",
        "partial: It has 5 [1].",
        "not found: hit dice",
        "note: by rules",
    ]
    assert [] == [part for part in parts if part not in summary]
    assert end < 20


def test_the_summary_stays_a_summary(empty_place: Path) -> None:
    needs = [f"fact number {number} " * 30 for number in range(40)]
    ask(empty_place / "logs", "aa11", "?", stop_reason="partial", text="word " * 900, unanswered=needs, notes=needs)
    lines = logs("show", "aa").stdout.split("no plan is in the log\n")[1].splitlines()
    assert [True, "and 37 more", "and 37 more"] == [lines[0].endswith("…"), lines[4], lines[8]]
    assert max(map(len, lines[:9])) < 300


def test_show_of_a_question_that_failed_or_was_cut_off_says_so_first(empty_place: Path) -> None:
    (empty_place / "a.jsonl").write_bytes(
        line("question.received", question="one", **ids("r1"))
        + line("question.received", question="two", **ids("r2"))
        + line("question.failed", error="StoreError", message="gone", **ids("r2"))
    )
    assert "no end is in the log" in "".join(logs("show", "r1", "a.jsonl").stdout.splitlines()[:5])
    assert "failed: StoreError: gone" in "".join(logs("show", "r2", "a.jsonl").stdout.splitlines()[:5])


def test_show_without_the_drops_says_how_to_get_them(empty_place: Path) -> None:
    tell_story(empty_place / "logs", "info")
    shown = logs("show", "aa").stdout
    assert "beyond the cliff" not in shown
    assert "1 by gap" in shown
    assert "VERSUS_LOG_LEVEL=debug" in shown


def test_show_as_json_has_each_event_as_it_was_logged(empty_place: Path) -> None:
    tell_story(empty_place / "logs", "debug")
    story = json.loads(logs("show", "aa11", "--json").stdout)
    assert ["q1", "f1.1"] == [each["id"] for each in story["sub_queries"]]
    assert "beyond the cliff" == story["sub_queries"][0]["drops"][0]["reason"]


@pytest.mark.usefixtures("log")
def test_show_needs_an_id_that_is_unique() -> None:
    assert "What is an orc?" in logs("show", "ab").stdout
    several, none = logs("show", "a"), logs("show", "zz")
    assert (1, 1) == (several.exit_code, none.exit_code)
    assert "aa11: What is an owlbear?" in several.stderr
    assert "'zz'" in none.stderr
    assert "What is an orc?" in logs("show", "a", "--question", "orc").stdout


def test_an_exact_id_wins_over_those_it_begins(empty_place: Path) -> None:
    lines = [line("question.received", question=f"number {n}", **ids("batch", str(n))) for n in range(1, 30)]
    (empty_place / "a.jsonl").write_bytes(b"".join(lines))
    assert "number 2\n" in logs("show", "2", "a.jsonl").stdout


def test_following_tells_what_is_added_and_ends_with_ctrl_c(log: Path) -> None:
    command = [sys.executable, "-m", "agent.cli.app", "logs", "--follow", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as watching:
        assert watching.stdout is not None
        totals = list[int]()
        for expected in (2, 3, 4):
            shown = json.loads(watching.stdout.readline())
            while totals and (shown["questions"]["total"] < expected or shown["questions"]["unfinished"]):
                shown = json.loads(watching.stdout.readline())
            totals.append(shown["questions"]["total"])
            if expected == 2:
                (file,) = log.glob("*.jsonl")
                file.rename(log / "moved.jsonl")
                ask(log, "ac33", "Moved?", [retrieved()])
            if expected == 3:
                ask(log, "ad44", "Nothing?", [retrieved(0, 0)] * 3)
        watching.send_signal(signal.SIGINT)
        _, errors = watching.communicate(timeout=20)
    assert ([2, 3, 4], b"", 2) == (totals, errors, watching.returncode)


def test_reading_a_log_writes_none(log: Path) -> None:
    before = {file: file.read_bytes() for file in log.iterdir()}
    logs()
    assert before == {file: file.read_bytes() for file in log.iterdir()}
    assert log == Path.cwd() / Settings().log_dir
