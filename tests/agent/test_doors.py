"""The command line without a store: help, settings, wrong usage."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agent.cli.app import app

REPOSITORY = Path(__file__).parents[2]
HEAVY = ("torch", "chromadb", "sentence_transformers", "transformers", "numpy", "openai", "structlog", "lxml",
         "mcp", "starlette", "uvicorn", "sse_starlette")  # fmt: skip

pytestmark = pytest.mark.usefixtures("empty_place")


def versus(*arguments: str, stdin: str = "") -> Any:
    return CliRunner().invoke(app, list(arguments), input=stdin)


def python(code: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize("arguments", [["--help"], ["ask", "--help"], ["serve", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        f"import sys; sys.argv = ['versus', *{arguments!r}]\n"
        "import agent.cli.app\n"
        "try: agent.cli.app.main()\n"
        f"finally: sys.stderr.write(','.join(m for m in {HEAVY!r} if m in sys.modules))\n"
    )
    done = python(code)
    assert (0, "") == (done.returncode, done.stderr)
    assert "versus" in done.stdout


def test_the_package_imports_nothing_heavy() -> None:
    code = f"import sys, agent; sys.stderr.write(','.join(m for m in {HEAVY!r} if m in sys.modules))"
    assert "" == python(code).stderr


@pytest.mark.parametrize(
    "name",
    [
        "ingest",
        "ask",
        "search",
        "plan",
        "check",
        "batch",
        "logs",
        "replay",
        "eval",
        "collections",
        "doctor",
        "demo",
        "config",
        "mcp",
        "serve",
    ],
)
def test_every_command_has_help_and_json(name: str) -> None:
    result = versus(name, "--help")
    assert 0 == result.exit_code
    assert "--json" in result.stdout


@pytest.mark.parametrize("columns", ["50", "80"])
def test_no_summary_of_a_command_is_cut_off(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    said = " ".join(versus("--help").stdout.partition("Commands:")[2].split())
    assert "..." not in said
    for command in app.registered_commands:
        assert command.callback and command.callback.__doc__
        assert " ".join(command.callback.__doc__.split("\n\n")[0].split()) in said


@pytest.mark.parametrize("arguments", [["nonsense"], ["ask", "--nonsense"], ["check", "q"], ["ask", "-k", "many", "q"]])
def test_wrong_usage_is_2(arguments: list[str]) -> None:
    assert 2 == versus(*arguments).exit_code


def test_a_wrong_setting_is_2_and_says_what_to_do() -> None:
    result = versus("config", "--preset", "brave")
    assert 2 == result.exit_code
    assert "" == result.stdout
    assert "'strict', 'balanced' or 'lenient'" in result.stderr


def test_with_json_an_error_is_an_object_on_stderr() -> None:
    result = versus("config", "--preset", "brave", "--json")
    assert "" == result.stdout
    assert "SettingsError" == json.loads(result.stderr)["error"]["type"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", "x", "--json", "-k", "nan"],
        ["ask", "--json", "--bogus"],
        ["--json", "ask", "x"],
        ["nonsense", "--json"],
        ["check", "q", "--json"],
        ["ask", "x", "--test", "--json"],
        ["ingest", "x", "--dry-run", "--json"],
        ["ingest", "", "--json"],
        ["logs", "--json", "--prometheus"],
    ],
    ids=" ".join,
)
def test_with_json_wrong_usage_is_an_object_too(arguments: list[str]) -> None:
    result = versus(*arguments)
    assert (2, "") == (result.exit_code, result.stdout)
    error = json.loads(result.stderr)["error"]
    assert {"type", "message"} == set(error)
    assert ("UsageError", True) == (error["type"], bool(error["message"]))


def test_json_that_is_a_question_asks_for_no_json() -> None:
    assert versus("ask", "--bogus", "--", "--json").stderr.startswith("Usage:")


@pytest.mark.parametrize("command", ["ask", "logs", "config"])
def test_a_value_that_is_no_json_is_a_wrong_setting_everywhere(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERSUS_LLM_PRICES", "foo")
    arguments = [command, "x"] if command == "ask" else [command]
    result = versus(*arguments, "--json")
    assert (2, "", "SettingsError") == (result.exit_code, result.stdout, json.loads(result.stderr)["error"]["type"])
    assert "VERSUS_LLM_PRICES" in versus(*arguments).stderr


@pytest.mark.parametrize("flags", [["--tags", ","], ["--tags", ""], ["--chunk-types", ""]])
def test_a_filter_that_names_nothing_is_wrong_usage(flags: list[str]) -> None:
    result = versus("config", *flags)
    assert (2, "") == (result.exit_code, result.stdout)
    assert "names nothing" in result.stderr


EMPTY = [["ingest", ""], ["ingest", "book.md", " "], ["eval", ""], ["batch", "", "-o", "o"], ["batch", "q", "-o", ""],
         ["logs", ""], ["logs", "show", "a", ""], ["replay", "a", "--log", ""]]  # fmt: skip


@pytest.mark.parametrize("arguments", EMPTY, ids=" ".join)
def test_an_empty_path_is_wrong_usage(arguments: list[str], empty_place: Path) -> None:
    (empty_place / "book.md").write_text("# A\n\nText.\n")
    result = versus(*arguments)
    assert (2, "") == (result.exit_code, result.stdout)
    assert "empty" in result.stderr
    assert ["book.md"] == [path.name for path in empty_place.iterdir() if path.name != "logs"]


READERS = [["ingest"], ["ingest", "--rules", "llm", "--dry-run"], ["eval"], ["batch", "-o", "o.jsonl"], ["logs"],
           ["logs", "--follow"], ["logs", "show", "a"], ["replay", "a", "--log"]]  # fmt: skip


@pytest.mark.parametrize("reader", READERS, ids=" ".join)
def test_a_file_that_is_missing_is_wrong_usage_at_every_door(reader: list[str], empty_place: Path) -> None:
    result = versus(*reader, "nowhere.jsonl")
    assert (2, "") == (result.exit_code, result.stdout)
    assert "nowhere.jsonl is not there; check its name" in result.stderr
    assert [] == [path.name for path in empty_place.iterdir() if path.name != "logs"]


AT_EVERY_DOOR = f"""
import json
from typer.testing import CliRunner
from agent.cli.app import app

results = [CliRunner().invoke(app, [*reader, "locked.jsonl"]) for reader in {READERS!r}]
print(json.dumps([[result.exit_code, result.stdout, result.stderr] for result in results]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="modes of Unix")
def test_a_file_that_can_not_be_read_is_wrong_usage_at_every_door(empty_place: Path) -> None:
    through = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root may read everything, and there is no setpriv to take that away")
    (empty_place / "locked.jsonl").touch(mode=0)
    command = [*(through if os.geteuid() == 0 else []), sys.executable, "-c", AT_EVERY_DOOR]
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY), "VERSUS_LOG_TO": "none"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    expected = "locked.jsonl can't be read (Permission denied); check whose it is"

    results = dict(zip(map(" ".join, READERS), json.loads(done.stdout), strict=True))
    assert {} == {
        door: result for door, result in results.items() if result[:2] != [2, ""] or expected not in result[2]
    }


@pytest.mark.parametrize("reader", [["eval"], ["batch", "-o", "o.jsonl"]], ids=" ".join)
def test_a_folder_where_a_file_is_wanted_is_wrong_usage(reader: list[str], empty_place: Path) -> None:
    (empty_place / "folder").mkdir()
    result = versus(*reader, "folder")
    assert (2, "") == (result.exit_code, result.stdout)
    assert "folder is a folder; name a file" in result.stderr


@pytest.mark.parametrize("output", ["-", "folder"])
def test_the_output_of_a_batch_has_to_be_a_file(output: str, empty_place: Path) -> None:
    (empty_place / "folder").mkdir()
    (empty_place / "q.txt").write_text("Who wins?\n")
    result = versus("batch", "q.txt", "-o", output)
    assert (2, "") == (result.exit_code, result.stdout)
    assert "output" in result.stderr
    assert {"folder", "q.txt"} == {path.name for path in empty_place.iterdir() if path.name != "logs"}


@pytest.mark.parametrize("command", [["ask"], ["search"], ["plan"], ["check", "--chunk", "c"]], ids=" ".join)
def test_a_question_that_is_not_utf_8_is_wrong_usage(command: list[str]) -> None:
    result = versus(*command, "caf\udce9")
    assert (2, "") == (result.exit_code, result.stdout)
    assert "UTF-8" in result.stderr


def test_the_advice_for_a_missing_collection_repeats_where_it_was_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "versus ingest PATH --collection rules" in versus("ask", "q").stderr
    said = versus("ask", "q", "--chroma", "no where").stderr
    assert "versus ingest PATH --chroma 'no where' --collection rules" in said
    assert "versus ingest PATH --chroma nowhere" in versus("collections", "--chroma", "nowhere").stdout
    monkeypatch.setenv("VERSUS_CHROMA", "elsewhere")
    assert "versus ingest PATH --collection rules" in versus("ask", "q").stderr


def test_a_misspelt_variable_is_noted_once_by_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERSUS_CHROMAX", "typo")
    note = "note: VERSUS_CHROMAX is set, but there is no such setting. Did you mean 'VERSUS_CHROMA'?\n"
    assert note == versus("config").stderr
    assert [1, 1] == [versus(*command).stderr.count(note) for command in (("ask", "q"), ("logs", "nowhere"))]
    noted, failed = map(json.loads, versus("config", "--preset", "x", "--json").stderr.splitlines())
    assert (["note"], "SettingsError") == (list(noted), failed["error"]["type"])


def test_config_tells_each_source_and_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.setenv("VERSUS_CHROMAX", "typo")
    result = versus("config", "--json", "-k", "3", "--no-filter")
    data = json.loads(result.stdout)
    found = {setting["name"]: (setting["value"], setting["source"]) for setting in data["settings"]}
    assert ("3", "flag or argument") == found["max_chunks"]
    assert ("True", "flag or argument") == found["no_filter"]
    assert ("0.1", "preset balanced") == found["gap_threshold"]
    assert "environment variable OPENAI_API_KEY" == found["openai_api_key"][1]
    assert ["VERSUS_CHROMAX"] == data["unknown_variables"]
    assert "sk-very-secret" not in result.stdout


def test_config_is_a_table_without_json() -> None:
    result = versus("config", "--collection", "books")
    assert ["collection", "books", "flag", "or", "argument"] == result.stdout.splitlines()[1].split()


def test_config_writes_nothing(empty_place: Path) -> None:
    assert 0 == versus("config").exit_code
    assert [] == list(empty_place.iterdir())
