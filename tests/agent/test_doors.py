"""The command line without a store: help, settings, wrong usage."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agent.cli import app

REPOSITORY = Path(__file__).parents[2]
HEAVY = ("torch", "chromadb", "sentence_transformers", "transformers", "numpy", "openai", "structlog", "bm25s", "lxml")

pytestmark = pytest.mark.usefixtures("empty_place")


def versus(*arguments: str, stdin: str = "") -> Any:
    return CliRunner().invoke(app, list(arguments), input=stdin)


def python(code: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize("arguments", [["--help"], ["ask", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        f"import sys; sys.argv = ['versus', *{arguments!r}]\n"
        "import agent.cli\n"
        "try: agent.cli.main()\n"
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
    ],
)
def test_every_command_has_help_and_json(name: str) -> None:
    result = versus(name, "--help")
    assert 0 == result.exit_code
    assert "--json" in result.stdout


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
