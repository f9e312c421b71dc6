"""The command line end to end: a small book, the real store, the real embedding model, no network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from agent.cli.app import app
from tests.agent.logged import events_in

REPOSITORY = Path(__file__).parents[2]
BOOK = """\
# Combat

Melee is fought in rounds of one minute.

**I.A. ATTACK MATRIX FOR CLERICS, DRUIDS AND MONKS**

| Opponent Armor Class | Level 1-3 | Level 4-6 | Level 7-9 |
|---|---|---|---|
| 7 | 13 | 11 | 9 |
| 6 | 14 | 12 | 10 |
| 5 | 15 | 13 | 11 |
| 4 | 16 | 14 | 12 |

**I.B. ATTACK MATRIX FOR FIGHTERS**

| Opponent Armor Class | Level 1-2 | Level 3-4 | Level 7-8 |
|---|---|---|---|
| 7 | 13 | 11 | 7 |
| 6 | 14 | 12 | 8 |
| 5 | 15 | 13 | 9 |
| 4 | 16 | 14 | 10 |

## Morale

Hirelings may run when their leader falls.
"""
QUESTION = "What does a 7th level cleric need to roll to hit an opponent with armor class 6?"

pytestmark = pytest.mark.usefixtures("empty_place")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a store that holds the book."""
    folder = tmp_path_factory.mktemp("store")
    (folder / "book.md").write_text(BOOK, encoding="utf-8")
    logs = {"VERSUS_LOG_DIR": str(folder / "logs")}
    arguments = ["ingest", str(folder / "book.md"), "--chroma", str(folder / "chroma"), "--json"]
    result = CliRunner().invoke(app, arguments, env=logs)
    assert 0 == result.exit_code, result.stderr
    return folder


@pytest.fixture
def versus(store: Path) -> Any:
    def call(*arguments: str, stdin: str | bytes = "") -> Result:
        return CliRunner().invoke(app, [*arguments, "--chroma", str(store / "chroma")], input=stdin)

    return call


def test_a_question_is_answered_from_its_row(versus: Any) -> None:
    result = versus("ask", QUESTION, "--json")
    answer = json.loads(result.stdout)
    assert (0, "complete") == (result.exit_code, answer["stop_reason"])
    assert "10" in answer["text"]
    titles = [passage["title"] for passage in answer["evidence"]]
    assert [title for title in titles if "MATRIX" in title and not title.endswith("6")] == []
    assert any("CLERICS" in title for title in titles)


def test_with_json_stdout_is_one_object_and_stderr_is_silent(versus: Any) -> None:
    result = versus("ask", QUESTION, "--json")
    assert (1, "") == (len(result.stdout.splitlines()), result.stderr)


def test_without_json_the_answer_names_its_source(versus: Any) -> None:
    text = versus("ask", QUESTION).stdout
    assert "Sources" in text
    assert "I.A. ATTACK MATRIX FOR CLERICS, DRUIDS AND MONKS - Opponent Armor Class 6" in text


def test_debug_adds_the_drops(versus: Any) -> None:
    answer = json.loads(versus("ask", QUESTION, "--json", "--debug").stdout)
    assert any(retrieved["drops"] for retrieved in answer["retrieved"])


def test_without_filter_nothing_is_screened(versus: Any) -> None:
    answer = json.loads(versus("ask", QUESTION, "--json", "--no-filter").stdout)
    assert {0} == {retrieved["dropped"]["query_must"] for retrieved in answer["retrieved"]}


def test_a_question_is_read_from_standard_input(versus: Any) -> None:
    result = versus("ask", "-", "--json", stdin=QUESTION + "\n")
    assert QUESTION == json.loads(result.stdout)["question"]


def test_standard_input_that_is_not_utf_8_is_explained(versus: Any) -> None:
    result = versus("ask", "-", stdin=b"caf\xe9")
    assert 2 == result.exit_code
    assert "UTF-8" in result.stderr


@pytest.mark.parametrize("command", [["ask"], ["search"], ["plan"], ["check", "--chunk", "c"]], ids=" ".join)
@pytest.mark.parametrize("question", ["", "   ", "x" * 100_000], ids=["empty", "blank", "long"])
def test_an_unusable_question_is_wrong_usage(command: list[str], question: str, versus: Any) -> None:
    result = versus(*command, question)
    assert (2, "") == (result.exit_code, result.stdout)
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.stderr


def test_what_the_book_lacks_is_said(versus: Any) -> None:
    result = versus("ask", "What is a lightsaber?")
    assert 3 == result.exit_code
    assert "not found" in result.stdout.lower()


def test_an_unknown_collection_lists_those_that_exist(versus: Any) -> None:
    result = versus("ask", QUESTION, "--collection", "nowhere")
    assert 1 == result.exit_code
    assert "rules" in result.stderr
    assert "versus ingest" in result.stderr


def test_the_prompt_answers_until_quit(versus: Any) -> None:
    result = versus("ask", "--json", stdin=f"{QUESTION}\n\nquit\n{QUESTION}\n")
    assert (0, 1) == (result.exit_code, len(result.stdout.splitlines()))


def test_the_prompt_ends_with_its_input_and_survives_an_error(versus: Any) -> None:
    result = versus("ask", "--json", stdin=f"{'x' * 100_000}\n{QUESTION}\n")
    assert (0, 1) == (result.exit_code, len(result.stdout.splitlines()))
    assert "QuestionError" == json.loads(result.stderr)["error"]["type"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Unix")
@pytest.mark.parametrize("flags", [[], ["--json"]], ids=["text", "json"])
def test_the_prompt_ends_quietly_when_nobody_reads_on(flags: list[str], store: Path, empty_place: Path) -> None:
    prompt = subprocess.Popen(
        [sys.executable, "-m", "agent.cli.app", "ask", "--chroma", str(store / "chroma"), *flags],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )
    assert prompt.stdin and prompt.stdout and prompt.stderr
    prompt.stdin.write(f"{QUESTION}\n".encode())
    prompt.stdin.flush()
    assert prompt.stdout.read(1)
    prompt.stdout.close()
    prompt.stdin.write(f"{QUESTION}\n".encode())
    prompt.stdin.close()
    assert (b"", 1) == (prompt.stderr.read(), prompt.wait(timeout=60))
    assert [] == [event for event in events_in(empty_place / "logs") if event["event"] == "command.failed"]


def test_the_built_in_questions_give_json_lines(versus: Any) -> None:
    result = versus("ask", "--test", "--json")
    assert 3 == result.exit_code  # this book has half of what the fights need
    assert 8 == len([json.loads(line) for line in result.stdout.splitlines()])


def test_search_shows_each_sub_query_and_no_answer(versus: Any) -> None:
    found = json.loads(versus("search", QUESTION, "--json").stdout)
    assert {"question", "stop_reason", "plan", "retrieved", "evidence"} == set(found)
    assert json.loads(versus("ask", QUESTION, "--json").stdout)["plan"] == found["plan"]
    assert {"planner", "effort", "sub_queries"} == set(found["plan"])
    assert len(found["plan"]["sub_queries"]) == len(found["retrieved"])


def test_search_ends_with_the_fused_chunks_that_it_counts(versus: Any) -> None:
    question = "Does a 5th level cleric or a 5th level fighter need the lower roll to hit armor class 6?"
    flags = ("--absolute-min", "0")  # one chunk of this book is relevant
    evidence = json.loads(versus("search", question, *flags, "--json").stdout)["evidence"]
    _, _, fused = versus("search", question, *flags).stdout.rpartition("Fused: ")
    summary, *lines = fused.splitlines()
    assert summary.startswith(f"{len(evidence)} chunks from ")
    assert 1 < len(evidence) == len(lines)
    for one, line in zip(evidence, lines, strict=True):
        assert f"{one['relevance']:.3f}  {one['title']}  {one['chunk_id']} · " in line
        assert line.endswith(f"found by {', '.join(one['found_by'])}")


def test_plan_shows_the_sub_queries_only(versus: Any) -> None:
    plan = json.loads(versus("plan", QUESTION, "--planner", "rules", "--json").stdout)
    assert (QUESTION, "rules") == (plan["question"], plan["planner"])
    assert plan["sub_queries"]


def test_check_tells_what_a_query_lacks(versus: Any) -> None:
    answer = json.loads(versus("ask", QUESTION, "--json").stdout)
    (row,) = [e["chunk_id"] for e in answer["evidence"] if e["title"].endswith("Armor Class 6")]
    holds = json.loads(versus("check", "cleric against armor class 6", "--chunk", row, "--json").stdout)
    lacks = json.loads(versus("check", "cleric against armor class 5", "--chunk", row, "--json").stdout)
    assert (True, []) == (holds["holds"], holds["missing"])
    assert lacks["missing"]


def test_debug_shows_what_a_plan_is_for_and_the_rule_of_a_chunk(versus: Any) -> None:
    answer = json.loads(versus("ask", QUESTION, "--json").stdout)
    (row,) = [e["chunk_id"] for e in answer["evidence"] if e["title"].endswith("Armor Class 6")]
    for word, command in (("intent: ", ("plan", QUESTION)), ("contain_one_of", ("check", "cleric", "--chunk", row))):
        assert word not in versus(*command).stdout
        assert word in versus(*command, "--debug").stdout
    assert "intent" not in json.loads(versus("plan", QUESTION, "--json").stdout)
    assert json.loads(versus("plan", QUESTION, "--json", "--debug").stdout)["intent"]


def test_check_of_an_unknown_chunk_is_explained(versus: Any) -> None:
    result = versus("check", "orc", "--chunk", "no-such-chunk")
    assert 1 == result.exit_code
    assert "no-such-chunk" in result.stderr


def test_a_second_ingest_embeds_nothing(store: Path, versus: Any) -> None:
    report = json.loads(versus("ingest", str(store / "book.md"), "--json").stdout)
    assert 0 == report["embedded"]
    assert report["chunks"] == report["unchanged"]


@pytest.mark.parametrize("content", [None, b"", b"caf\xe9 \xff\xfe"])
def test_a_source_that_can_not_be_read_writes_nothing(content: bytes | None, empty_place: Path) -> None:
    source = empty_place / "book.md"
    if content is not None:
        source.write_bytes(content)
    result = CliRunner().invoke(app, ["ingest", str(source)])
    assert 2 == result.exit_code
    assert "book.md" in result.stderr
    assert "Traceback" not in result.stderr
    assert not (empty_place / ".versus").exists()


def test_an_empty_folder_is_explained(empty_place: Path) -> None:
    (empty_place / "books").mkdir()
    result = CliRunner().invoke(app, ["ingest", str(empty_place / "books")])
    assert 2 == result.exit_code
    assert "books" in result.stderr


def test_what_happened_is_in_the_log(versus: Any, empty_place: Path) -> None:
    versus("ask", QUESTION)
    (log,) = (empty_place / "logs").glob("versus-*.jsonl")
    names = [json.loads(line)["event"] for line in log.read_text(encoding="utf-8").splitlines()]
    assert ["question.received", "plan.created"] == names[:2]
    assert "subquery.retrieved" in names
    assert "answer.completed" == names[-1]
