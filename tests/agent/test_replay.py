"""A logged plan, run again: what came, what went, what moved; with other settings, and over the command line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from agent import Agent, ingest
from agent.cli.app import app
from agent.errors import LogError
from agent.evaluation.replay import Change, Hits, replayed
from agent.events import configure_logging
from agent.monitoring.reading import events_of, log_files
from agent.monitoring.trace import Trace, trace_of
from agent.render import answer_data
from agent.settings.settings import Settings
from agent.stages.event_fields import plan_fields, plan_of, sub_query_fields, sub_query_of
from agent.types import Answer, Plan
from agent.understanding.question.intent import Lookup
from retrieval.types import Retrieved, SubQuery
from tests.agent.logged import events_in, ids, line
from tests.agent.shelf import ATTACK_TABLES, LOWER_ROLL
from tests.loopback import Reply, loopback

BOOK = (
    ATTACK_TABLES
    + """
# Morale

Hirelings may run when their leader falls. Wages are paid each month.

# Guild

The guild keeps a tower by the river, and its doors are closed at night.

# Travel

A rider covers thirty miles a day on a road, and half of that in a forest.
"""
)
QUESTION = LOWER_ROLL
MISSING = "What is the wingspan of a hexer?"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("replay")


@pytest.fixture(scope="module")
async def answers(place: Path) -> list[Answer]:
    """The answers to both questions, and to the first with the filters off; the log of them is in `place / "logs"`."""
    (place / "book.md").write_text(BOOK, encoding="utf-8")
    settings = settings_of(place)
    with configure_logging(settings):
        await ingest([place / "book.md"], settings)
        async with Agent.open(settings) as agent, Agent.open(settings_of(place, no_filter=True)) as plain:
            return [await agent.ask(QUESTION), await agent.ask(MISSING), await plain.ask(QUESTION)]


def settings_of(place: Path, **more: Any) -> Settings:
    names = {"collection": "book", "chroma": str(place / "chroma"), "log_dir": place / "logs", "planner": "rules"}
    return Settings(**names, **more)  # type: ignore[arg-type]


def logged(place: Path, answer: Answer) -> Trace:
    return trace_of(events_of(log_files([place / "logs"])), answer.run_id[:12])


async def test_the_same_settings_bring_the_same_chunks_even_in_further_rounds(
    place: Path, answers: list[Answer]
) -> None:
    for answer in answers[:2]:
        trace = logged(place, answer)
        async with Agent.open(settings_of(place)) as agent:
            now = await replayed(agent, trace.planned(), trace.follow_ups())
        then = answer_data(answer)["retrieved"]
        assert [each["sub_query"] for each in then] == [each.sub_query.id for each in now]
        assert [[h["chunk_id"] for h in each["hits"]] for each in then] == [[h.chunk.id for h in r.hits] for r in now]
    (further,) = [each for each in answers[1].evidence.retrieved if each.sub_query.id.startswith("f")]
    assert further.drops
    assert () == further.hits  # a second look keeps nothing that is not near enough, not even the best of it


def test_the_log_says_which_collection_of_which_store_was_asked(place: Path, answers: list[Answer]) -> None:
    received = [event for event in events_in(place / "logs") if event["event"] == "question.received"]
    assert {("book", str(place / "chroma"))} == {(event["collection"], event["store"]) for event in received}
    trace = logged(place, answers[0])
    assert ("book", str(place / "chroma")) == (trace.collection, trace.store)


async def test_a_replay_leaves_no_trace_in_the_log(place: Path, answers: list[Answer]) -> None:
    before, trace = events_in(place / "logs"), logged(place, answers[0])
    with configure_logging(settings_of(place, log_level="debug")):
        async with Agent.open(settings_of(place)) as agent:
            await replayed(agent, trace.planned())
    assert before == events_in(place / "logs")


def replay(place: Path, *arguments: str) -> Result:
    where = ("--chroma", str(place / "chroma"), "--collection", "book", "--log", str(place / "logs"))
    return CliRunner().invoke(app, ["replay", *arguments, *where])


@pytest.mark.usefixtures("empty_place")
@pytest.mark.parametrize(("asked", "flags", "mark"), [(0, ("--no-filter",), "+"), (2, ("-k", "1"), "-")])
def test_other_settings_show_what_came_and_went(
    asked: int, flags: tuple[str, ...], mark: str, place: Path, answers: list[Answer]
) -> None:
    told = json.loads(replay(place, answers[asked].run_id, *flags, "--json").stdout)
    for each, then in zip(told["sub_queries"], answers[asked].evidence.retrieved, strict=True):
        kept, before = [hit["chunk_id"] for hit in each["hits"]], [hit.chunk.id for hit in then.hits]
        assert before == [hit["chunk_id"] for hit in each["before"]]
        assert [id_ for id_ in before if id_ not in kept] == [hit["chunk_id"] for hit in each["went"]]
        assert [id_ for id_ in kept if id_ not in before] == [hit["chunk_id"] for hit in each["came"]]
    shown = replay(place, answers[asked].run_id, *flags).stdout
    changed = told["sub_queries"][0]["came" if mark == "+" else "went"][0]
    summary = f"{told['changed']} of them with other chunks"
    parts = (QUESTION, f"{mark} {changed['relevance']:.3f}  {changed['title']}", summary)
    assert [] == [part for part in parts if part not in shown]


@pytest.mark.usefixtures("empty_place")
def test_without_flags_what_was_asked_then_is_asked_again_wherever_one_is(place: Path, answers: list[Answer]) -> None:
    Path("versus.toml").write_text('collection = "other"\n')
    result = CliRunner().invoke(app, ["replay", answers[0].run_id, "--log", str(place / "logs"), "--json"])
    told = json.loads(result.stdout)
    assert (0, "book", str(place / "chroma")) == (result.exit_code, told["collection"], told["store"])
    assert 0 == told["changed"]


def replay_logged(place: Path, *arguments: str, **received: str) -> Result:
    plan = {"sub_queries": [{"id": "q1", "text": "hexer attack table level 5"}]}
    (place / "then.jsonl").write_bytes(
        line("question.received", question="?", **received, **ids("r1")) + line("plan.created", **plan, **ids("r1"))
    )
    return CliRunner().invoke(app, ["replay", "r1", "--log", "then.jsonl", *arguments])


def test_no_key_goes_to_an_address_that_only_a_log_names(empty_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERSUS_CHROMA_API_KEY", "ck-users-canary")
    with loopback(lambda request: Reply({})) as stranger:
        result = replay_logged(empty_place, collection="book", store=stranger.url)
        assert (2, []) == (result.exit_code, stranger.requests)
        assert f"this was asked at {stranger.url}" in result.stderr.replace("\n", " ")


def test_a_collection_in_a_log_that_can_be_none_is_an_error(empty_place: Path) -> None:
    result = replay_logged(empty_place, collection="../../etc", store=str(empty_place))
    assert (2, True) == (result.exit_code, "'collection'" in result.stderr)


@pytest.mark.usefixtures("empty_place")
def test_nothing_changed_is_said(place: Path, answers: list[Answer]) -> None:
    result = replay(place, answers[0].run_id)
    assert (0, True) == (result.exit_code, "0 of them with other chunks" in result.stdout)


def test_a_log_without_the_chunks_still_replays(place: Path, answers: list[Answer], empty_place: Path) -> None:
    plan = {"sub_queries": [{"id": "q1", "text": "hexer attack table level 5"}]}
    (empty_place / "old.jsonl").write_bytes(
        line("question.received", question="?", **ids("r1")) + line("plan.created", **plan, **ids("r1"))
    )
    arguments = ["replay", "r1", "--log", "old.jsonl", "--chroma", str(place / "chroma"), "--collection", "book"]
    assert "does not tell what was kept" in CliRunner().invoke(app, arguments).stdout
    (told,) = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)["sub_queries"]
    assert (None, None) == (told["before"], told["came"])
    assert told["hits"]


@pytest.mark.parametrize("plan", [{}, {"sub_queries": ["orc"]}, {"sub_queries": [{"id": "q1"}]}, {"sub_queries": 3}])
def test_a_plan_that_is_not_whole_is_refused(plan: Mapping[str, Any]) -> None:
    trace = trace_of([{"event": "plan.created", **plan, **ids("r1")}], "r1")
    with pytest.raises(LogError, match="can't be run again"):
        trace.planned()


def test_a_sub_query_is_run_with_the_values_that_were_put_into_it() -> None:
    events: list[dict[str, Any]] = [
        {"event": "plan.created", "sub_queries": [{"id": "q2", "text": "hit armor class {q1}"}]},
        {"event": "subquery.retrieved", "sub_query": "q2", "text": "hit armor class 5"},
    ]
    trace = trace_of([{**event, **ids("r1")} for event in events], "r")
    assert ["hit armor class 5"] == [each.text for each in trace.planned().sub_queries]


TEXTS = st.text(max_size=9)
NAMES = st.tuples(TEXTS)
SUB_QUERIES = st.builds(SubQuery, TEXTS, TEXTS, TEXTS, NAMES, NAMES, NAMES, NAMES, st.floats(0, 1))


@given(SUB_QUERIES, st.lists(SUB_QUERIES, max_size=3), st.sampled_from(["rules", "llm"]))
def test_a_plan_comes_back_from_the_log_as_it_went_in(one: SubQuery, several: list[SubQuery], planner: str) -> None:
    plan = Plan("?", tuple(several), Lookup("?"), planner, "low")
    assert plan == plan_of("?", json.loads(json.dumps(plan_fields(plan))))
    assert one == sub_query_of(json.loads(json.dumps(sub_query_fields(one))))


def hits(names: str) -> Hits:
    return tuple({"chunk_id": name, "title": name.upper()} for name in names)


@given(st.permutations("abcdef"), st.permutations("abcdef"), st.integers(0, 6), st.integers(0, 6))
def test_what_came_went_and_moved_explains_the_difference(then: list[str], now: list[str], m: int, n: int) -> None:
    before, after = "".join(then[:m]), "".join(now[:n])
    change = Change(hits(before), hits(after), Retrieved(SubQuery("q1", "?")))
    came, went = ["".join(h["chunk_id"] for h in each) for each in (change.added, change.removed)]
    stayed = [name for name in before if name in after]
    assert sorted(after) == sorted([*stayed, *came])
    assert sorted(before) == sorted([*stayed, *went])
    for moved in change.moved:
        stayed[moved.after - 1] = moved.chunk_id
    assert [name for name in after if name not in came] == stayed
    assert (before == after) == change.same


def test_a_newcomer_moves_nobody() -> None:
    assert () == Change(hits("abc"), hits("xabc"), Retrieved(SubQuery("q1", "?"))).moved
