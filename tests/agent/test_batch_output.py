"""n lines in, n records out: whatever stops a batch, the next run completes it and asks nothing twice."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from agent.batch.errors import BatchError
from agent.batch.manifest import Manifest, write_manifest
from agent.batch.output import Output
from agent.batch.responding import Respond, responder_for
from agent.batch.run import Batch
from agent.batch.source import Source
from agent.batch.stop_policy import StopPolicy
from agent.batch.tally import Tally
from agent.cli.views.batch import summary_data
from agent.errors import AgentError, QuestionError, SettingsError
from agent.types import Answer
from tests.agent.batches import Answerer, answer_to, job_in, records, work, write_questions

LINES: tuple[Any, ...] = (
    "Who wins?",
    b"not json",
    "Who wins?",
    {"id": "a", "question": "Owl or bear?", "tag": "x"},
    {"id": "a", "question": "Another with that id?"},
    b"",
    "Last \u2028 one \x1b[31m?",
)
DONE = {1: "answered", 2: "failed", 3: "answered", 4: "answered", 5: "failed", 7: "answered"}


def states(output: Path) -> dict[int, str]:
    return {line: "failed" if "error" in record else "answered" for line, record in records(output).items()}


async def test_every_line_has_one_record_that_says_whose_it_is(tmp_path: Path) -> None:
    write_questions(tmp_path, *LINES)
    answerer = Answerer()
    tally = await work(job_in(tmp_path), answerer.ask)

    found = records(tmp_path / "out.jsonl")
    assert DONE == states(tmp_path / "out.jsonl")
    assert ["line-1", "line-2", "line-3", "a", "a", "line-7"] == [found[line]["id"] for line in sorted(found)]
    assert {"tag": "x"} == found[4]["extra"]
    assert "line 4 has the id 'a' already" in found[5]["error"]["message"]
    assert (4, 0, 2, 1, 6) == (tally.answered, tally.in_part, tally.failed, tally.copied, tally.total)


async def test_identical_questions_are_asked_once_also_long_after(tmp_path: Path) -> None:
    write_questions(tmp_path, *["Who wins?"] * 20, *[f"{n}?" for n in range(50)], *["Who wins?"] * 20, "0?")
    answerer = Answerer()
    await work(job_in(tmp_path), answerer.ask)

    assert 51 == len(answerer.asked)
    found = records(tmp_path / "out.jsonl")
    asked = [line for line, record in found.items() if "same_as" not in record and record["question"] == "Who wins?"]
    assert 1 == len(asked)
    assert {asked[0]} == {found[line]["same_as"] for line in range(71, 91) if line not in asked}
    assert {"So it is: Who wins?"} == {found[line]["text"] for line in (*range(1, 21), *range(71, 91))}
    assert 21 == found[91]["same_as"]


async def test_cut_off_at_any_byte_of_its_last_two_records_a_resume_completes_it(tmp_path: Path) -> None:
    write_questions(tmp_path, *LINES)
    await work(job_in(tmp_path, concurrency=1), Answerer().ask)
    output = tmp_path / "out.jsonl"
    whole = output.read_bytes()
    lines = whole.splitlines(keepends=True)
    for size in range(len(whole) - len(lines[-1]) - len(lines[-2]), len(whole) + 1):
        output.write_bytes(whole[:size])
        answerer = Answerer()
        await work(job_in(tmp_path, concurrency=1), answerer.ask)
        assert whole == output.read_bytes(), size
        assert (len(whole) - size >= 1) == bool(answerer.asked), size


async def test_what_a_power_cut_left_behind_the_last_record_is_cut_off(tmp_path: Path) -> None:
    write_questions(tmp_path, *LINES)
    await work(job_in(tmp_path), Answerer().ask)
    output = tmp_path / "out.jsonl"
    whole = output.read_bytes()
    output.write_bytes(whole + b"\0" * 300 + b"\n\0\0")
    answerer = Answerer()
    await work(job_in(tmp_path), answerer.ask)
    assert (whole, []) == (output.read_bytes(), answerer.asked)


async def test_failed_ones_are_asked_again_only_when_that_is_wanted(tmp_path: Path) -> None:
    write_questions(tmp_path, "one", "two", b"broken", "two")
    answerer = Answerer()
    answerer.failing = {"two"}
    await work(job_in(tmp_path), answerer.ask)
    answerer.failing = set()
    write_questions(tmp_path, "one", "two", "mended", "two", "new")

    await work(job_in(tmp_path), answerer.ask)
    assert {1: "answered", 2: "failed", 3: "failed", 4: "failed", 5: "answered"} == states(tmp_path / "out.jsonl")
    tally = await work(job_in(tmp_path, retry_failed=True), answerer.ask)
    assert dict.fromkeys(range(1, 6), "answered") == states(tmp_path / "out.jsonl")
    assert {"one": 1, "two": 2, "new": 1, "mended": 1} == Counter(answerer.asked)
    assert (5, 2, 1) == (tally.answered, tally.earlier, tally.copied)


async def test_answers_that_stay_are_still_found_after_failed_ones_were_removed(tmp_path: Path) -> None:
    write_questions(tmp_path, b"broken", "one")
    await work(job_in(tmp_path, concurrency=1), Answerer().ask)
    write_questions(tmp_path, "mended", "one", "one")
    answerer = Answerer()
    await work(job_in(tmp_path, retry_failed=True), answerer.ask)
    assert ["mended"] == answerer.asked
    assert ("So it is: one", 2) == (
        records(tmp_path / "out.jsonl")[3]["text"],
        records(tmp_path / "out.jsonl")[3]["same_as"],
    )


async def test_another_question_in_an_answered_line_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    write_questions(tmp_path, "one", "two")
    await work(job_in(tmp_path), Answerer().ask)
    write_questions(tmp_path, "new", "one", "two")
    answerer = Answerer()
    with pytest.raises(SettingsError, match=r"line 1 of .* is another question"):
        await work(job_in(tmp_path), answerer.ask)
    assert [] == answerer.asked


async def test_a_question_that_failed_may_be_mended(tmp_path: Path) -> None:
    write_questions(tmp_path, "oen", "two")
    answerer = Answerer()
    answerer.failing = {"oen"}
    await work(job_in(tmp_path), answerer.ask)
    write_questions(tmp_path, "one", "two")
    await work(job_in(tmp_path), answerer.ask)
    assert {1: "failed", 2: "answered"} == states(tmp_path / "out.jsonl")
    await work(job_in(tmp_path, retry_failed=True), answerer.ask)
    assert "So it is: one" == records(tmp_path / "out.jsonl")[1]["text"]


async def test_an_output_of_other_settings_is_refused_and_says_which(tmp_path: Path) -> None:
    write_questions(tmp_path, "one", "two")
    await work(job_in(tmp_path, most_records=1), Answerer().ask)
    before = (tmp_path / "out.jsonl").read_bytes()
    with pytest.raises(SettingsError, match=r"collection was small and is large.*--no-resume"):
        await work(job_in(tmp_path, made_with={"collection": "large"}), Answerer().ask)
    assert before == (tmp_path / "out.jsonl").read_bytes()
    await work(job_in(tmp_path, made_with={"collection": "large"}, resume=False), Answerer().ask)
    assert {1: "answered", 2: "answered"} == states(tmp_path / "out.jsonl")


async def test_a_collection_that_changed_between_two_runs_is_told_once(tmp_path: Path) -> None:
    write_questions(tmp_path, "one", "two", "three")
    first = await work(job_in(tmp_path, most_records=1, contents="old"), Answerer().ask)
    second = await work(job_in(tmp_path, most_records=2, contents="new"), Answerer().ask)
    third = await work(job_in(tmp_path, contents="new"), Answerer().ask)

    assert ([], []) == (first.notes, third.notes)
    (note,) = second.notes
    assert "the collection has changed since the first 1 record," in note
    assert note in summary_data(second, "questions", tmp_path)["notes"]
    assert {1: "answered", 2: "answered", 3: "answered"} == states(tmp_path / "out.jsonl")


@pytest.mark.parametrize("content", [b"my notes\nof years\n", b'{"line": 1}\n'])
async def test_a_file_that_is_no_batch_is_never_written_over(tmp_path: Path, content: bytes) -> None:
    write_questions(tmp_path, "one")
    (tmp_path / "out.jsonl").write_bytes(content)
    with pytest.raises(SettingsError, match="it has no manifest"):
        await work(job_in(tmp_path), Answerer().ask)
    assert content == (tmp_path / "out.jsonl").read_bytes()


async def test_the_questions_are_never_written_over(tmp_path: Path) -> None:
    write_questions(tmp_path, "one")
    with pytest.raises(SettingsError, match="has the questions"):
        await work(job_in(tmp_path, output=tmp_path / "q.jsonl", resume=False), Answerer().ask)
    assert b'{"question":"one"}\n' == (tmp_path / "q.jsonl").read_bytes()


async def test_an_output_has_to_be_a_file(tmp_path: Path) -> None:
    write_questions(tmp_path, "one")
    with pytest.raises(BatchError, match="is no file"):
        await work(job_in(tmp_path, output=tmp_path), Answerer().ask)


TRACES = ["out.jsonl", "out.jsonl.lock", "out.jsonl.manifest.json"]


@pytest.mark.parametrize("there", [[], ["out.jsonl"], ["out.jsonl.lock"], TRACES])
@pytest.mark.parametrize("begins", [True, False], ids=["fails when it asks", "fails when it reads"])
async def test_a_start_that_fails_leaves_what_was_there_and_nothing_else(
    tmp_path: Path, there: list[str], begins: bool
) -> None:
    (tmp_path / "q.csv").write_text("question\nWho?\n" if begins else "text\nWho?\n")
    for name in there:
        (tmp_path / name).touch()
    manifest = tmp_path / "out.jsonl.manifest.json"
    if manifest.exists():
        write_manifest(tmp_path / "out.jsonl", Manifest({}))
    job = job_in(tmp_path, source=Source(str(tmp_path / "q.csv"), 1000))
    with pytest.raises(AgentError):
        await Batch(job, Tally(), StopPolicy()).run(unable)
    assert {"q.csv", *there} == {path.name for path in tmp_path.iterdir()}


@asynccontextmanager
async def unable(message: str = "no collection") -> AsyncIterator[Respond]:
    if message:
        raise SettingsError(message)
    yield responder_for(Answerer().ask)


async def test_a_folder_that_was_made_for_an_output_goes_with_it(tmp_path: Path) -> None:
    write_questions(tmp_path, "one")
    with pytest.raises(SettingsError, match="no collection"):
        await Batch(job_in(tmp_path, output=tmp_path / "a" / "b" / "out.jsonl"), Tally(), StopPolicy()).run(unable)
    assert {"q.jsonl"} == {path.name for path in tmp_path.iterdir()}


async def test_refused_questions_keep_no_lock(tmp_path: Path) -> None:
    write_questions(tmp_path, "one")
    with pytest.raises(SettingsError, match="has the questions"):
        await work(job_in(tmp_path, output=tmp_path / "q.jsonl"), Answerer().ask)
    assert {"q.jsonl"} == {path.name for path in tmp_path.iterdir()}


async def test_questions_that_can_not_be_read_cost_no_earlier_answers(tmp_path: Path) -> None:
    write_questions(tmp_path, "one")
    await work(job_in(tmp_path), Answerer().ask)
    before = (tmp_path / "out.jsonl").read_bytes()
    (tmp_path / "q.csv").write_text("text\nWho?\n")
    with pytest.raises(QuestionError, match="no column"):
        await work(job_in(tmp_path, source=Source(str(tmp_path / "q.csv"), 1000), resume=False), Answerer().ask)
    assert before == (tmp_path / "out.jsonl").read_bytes()


async def test_a_record_that_somebody_broke_in_the_middle_is_pointed_out(tmp_path: Path) -> None:
    write_questions(tmp_path, *LINES)
    await work(job_in(tmp_path), Answerer().ask)
    lines = (tmp_path / "out.jsonl").read_bytes().splitlines(keepends=True)
    broken = b"".join([lines[0], b"oops\n", *lines[1:]])
    (tmp_path / "out.jsonl").write_bytes(broken)
    with pytest.raises(BatchError, match=r"line 2 of .* is no record"):
        await work(job_in(tmp_path), Answerer().ask)
    assert broken == (tmp_path / "out.jsonl").read_bytes()


async def test_of_two_writers_one_is_refused(tmp_path: Path) -> None:
    write_questions(tmp_path, "one")
    other = Output((tmp_path / "out.jsonl").resolve(), lambda record: None)
    await other.open()
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "out.jsonl")
    for name in ("out.jsonl", "link.jsonl"):
        with pytest.raises(BatchError, match="another process is writing"):
            await work(job_in(tmp_path, output=tmp_path / name), Answerer().ask)
    await other.close()
    await work(job_in(tmp_path), Answerer().ask)
    assert {1: "answered"} == states(tmp_path / "out.jsonl")


async def test_a_limit_of_questions_is_of_the_whole_batch(tmp_path: Path) -> None:
    write_questions(tmp_path, *(f"{n}?" for n in range(10)))
    endings = []
    for most in (3, 3, 7, 10):
        stop_policy = StopPolicy()
        tally = await work(job_in(tmp_path, most_records=most), Answerer().ask, stop_policy)
        endings.append((tally.done, stop_policy.ending))
    assert [(3, "questions"), (3, "questions"), (7, "questions"), (10, "complete")] == endings


async def test_an_interruption_lets_what_is_under_way_finish_and_asks_nothing_new(tmp_path: Path) -> None:
    write_questions(tmp_path, *(f"{n}?" for n in range(100)))
    stop_policy, asked = StopPolicy(), list[str]()

    async def ask(question: str) -> Answer:
        asked.append(question)
        if len(asked) == 6:
            stop_policy.interrupt()
        await asyncio.sleep(0)
        return answer_to(question)

    tally = await work(job_in(tmp_path), ask, stop_policy)
    assert "interrupted" == stop_policy.ending
    assert len(asked) == tally.done == len(records(tmp_path / "out.jsonl"))
    assert 6 <= len(asked) <= 9


async def test_an_interruption_waits_for_nobody_for_ever(tmp_path: Path) -> None:
    write_questions(tmp_path, "one", "hang", "two", "three")
    stop_policy = StopPolicy()

    async def ask(question: str) -> Answer:
        if question == "hang":
            stop_policy.interrupt()
            stop_policy.interrupt()
            await asyncio.Event().wait()
        return answer_to(question)

    tally = await work(job_in(tmp_path), ask, stop_policy)
    assert tally.done == len(records(tmp_path / "out.jsonl"))
    assert 2 not in records(tmp_path / "out.jsonl")
    answerer = Answerer()
    await work(job_in(tmp_path), answerer.ask)
    assert dict.fromkeys(range(1, 5), "answered") == states(tmp_path / "out.jsonl")


async def test_a_surprise_costs_its_own_record(tmp_path: Path) -> None:
    write_questions(tmp_path, "one", "two")

    async def ask(question: str) -> Answer:
        if question == "one":
            raise ZeroDivisionError("oops: sk-canary-0123456789")
        return answer_to(question)

    await work(job_in(tmp_path), ask, clean=lambda text: text.replace("sk-canary-0123456789", "***"))
    error = records(tmp_path / "out.jsonl")[1]["error"]
    assert ("ZeroDivisionError", "unexpected: oops: ***. This is a bug; please report it") == (
        error["type"],
        error["message"],
    )
    assert "answered" == states(tmp_path / "out.jsonl")[2]


class Batches(RuleBasedStateMachine):
    """Lines are added, questions fail or not, runs are killed anywhere; then it is completed."""

    def __init__(self) -> None:
        super().__init__()
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name)
        self.lines: list[Any] = []
        self.answerer = Answerer()

    @rule(line=st.sampled_from([*(f"{n}?" for n in range(9)), b"broken", b"", {"id": "a", "question": "named?"}]))
    def add_line(self, line: Any) -> None:
        self.lines.append(line)

    @rule(number=st.integers(0, 8))
    def fail(self, number: int) -> None:
        self.answerer.failing ^= {f"{number}?"}

    @rule(most=st.none() | st.integers(0, 10), retry=st.booleans(), cut=st.integers(0, 400))
    def run_and_kill(self, most: int | None, retry: bool, cut: int) -> None:
        self.run(most, retry)
        output = self.folder / "out.jsonl"
        size = output.stat().st_size
        os.truncate(output, max(0, size - cut))

    @rule(retry=st.booleans())
    def complete(self, retry: bool) -> None:
        self.run(None, retry)
        expected = [n for n, line in enumerate(self.lines, 1) if line != b""]
        found = records(self.folder / "out.jsonl")
        assert expected == sorted(found)
        for line, record in found.items():
            asked = self.lines[line - 1]
            question = asked["question"] if isinstance(asked, dict) else asked
            if "error" not in record:
                assert (question, f"So it is: {question}") == (record["question"], record["text"])
            if question == b"broken":
                assert "QuestionError" == record["error"]["type"]
        before = len(self.answerer.asked)
        self.run(None, False)
        assert before == len(self.answerer.asked)

    def run(self, most: int | None, retry: bool) -> None:
        write_questions(self.folder, *self.lines)
        before, answered = len(self.answerer.asked), self.answered()
        asyncio.run(work(job_in(self.folder, most_records=most, retry_failed=retry), self.answerer.ask))
        assert set() == answered & set(self.answerer.asked[before:])

    def answered(self) -> set[str]:
        """The questions whose answers are in the output whole."""
        output = self.folder / "out.jsonl"
        lines = output.read_bytes().splitlines(keepends=True) if output.exists() else []
        found = [orjson.loads(line) for line in lines if line.endswith(b"\n")]
        return {record["question"] for record in found if "error" not in record}

    def teardown(self) -> None:
        self.place.cleanup()


TestBatches = Batches.TestCase
TestBatches.settings = hypothesis_settings(max_examples=60, stateful_step_count=12, deadline=None)
