"""`versus collections` and `versus doctor`, as they are typed."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agent.cli.app import app

pytestmark = pytest.mark.usefixtures("empty_place")

BOOK = "# Combat\n\nMelee is fought in rounds.\n\n## Morale\n\nHirelings may run when their leader falls.\n"


def versus(*arguments: str, stdin: str = "") -> Any:
    return CliRunner().invoke(app, [*arguments, "--chroma", "chroma"], input=stdin)


@pytest.fixture
def rules(empty_place: Path, ingested: Callable[[str], Path]) -> Path:
    """The folder of a collection that holds a small book."""
    shutil.copytree(ingested(BOOK), empty_place / "chroma")
    return empty_place / "chroma" / "rules"


def damage(rules: Path) -> None:
    (rules / "index-1" / "rows.json").write_bytes(b"")


def test_where_there_is_nothing_that_is_said() -> None:
    result = versus("collections")
    assert (0, "no collections in chroma; make one with: versus ingest PATH --chroma chroma\n") == (
        result.exit_code,
        result.stdout,
    )


def test_collections_are_listed_with_their_state(rules: Path) -> None:
    assert ["rules", "local", "2", "all-MiniLM-L6-v2", "ready"] == versus("collections").stdout.splitlines()[-1].split()

    damage(rules)
    result = versus("collections")
    assert (0, True) == (result.exit_code, "rows.json has 0 bytes" in result.stdout)


def test_a_collection_is_described_in_words_and_as_json(empty_place: Path) -> None:
    (empty_place / "book.md").write_text(BOOK, encoding="utf-8")
    assert 0 == versus("ingest", "book.md").exit_code
    found = json.loads(versus("collections", "rules", "--json").stdout)
    assert {
        "name": "rules",
        "kind": "local",
        "chunks": 2,
        "dimension": 384,
        "revision": 1,
        "problem": None,
    }.items() <= (found.items())
    assert [{"source": "book.md", "root": str(Path("book.md").resolve()), "chunks": 2}] == found["sources"]
    assert "book.md from " in versus("collections", "rules").stdout


def test_one_that_does_not_exist_is_a_failure_that_names_the_others(rules: Path) -> None:
    result = versus("collections", "monsters")
    assert (1, True) == (result.exit_code, "existing: rules" in result.stderr)


def test_nothing_is_deleted_unless_somebody_is_sure(rules: Path) -> None:
    result = versus("collections", "rules", "--delete")
    assert (1, True) == (result.exit_code, "--yes" in result.stderr)
    assert rules.exists()

    assert 2 == versus("collections", "--delete", "--yes").exit_code
    result = versus("collections", "rules", "--delete", "--yes")
    assert (0, "deleted collection rules with 2 chunks\n") == (result.exit_code, result.stdout)
    assert not rules.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of Unix")
@pytest.mark.parametrize(("said", "code", "left"), [("no\n", 1, True), ("yes\n", 0, False)])
def test_on_a_terminal_somebody_is_asked(
    said: str, code: int, left: bool, rules: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keyboard, terminal = os.openpty()
    os.write(keyboard, said.encode())
    with os.fdopen(keyboard), os.fdopen(terminal) as screen:
        monkeypatch.setattr("sys.stdin", screen)
        with pytest.raises(SystemExit) as ended:
            app(["collections", "rules", "--delete", "--chroma", "chroma"])

    assert "Delete collection 'rules' with its 2 chunks? Type yes: " in capsys.readouterr().err
    assert (code, left) == (ended.value.code, rules.exists())


def test_a_deletion_as_json(rules: Path) -> None:
    result = versus("collections", "rules", "--delete", "--yes", "--json")
    assert {"deleted": "rules", "kind": "local", "chunks": 2} == json.loads(result.stdout)


def test_the_doctor_finds_mends_and_is_content_in_words_and_as_json(rules: Path) -> None:
    damage(rules)
    result = versus("doctor")
    (line,) = (line for line in result.stdout.splitlines() if line.startswith("wrong"))
    assert 1 == result.exit_code
    assert line.startswith("wrong     rules: the index is damaged: rows.json has 0 bytes instead of ")
    assert line.endswith("Next: versus doctor --chroma chroma rules --repair")
    result = versus("doctor", "--json")
    found = json.loads(result.stdout)
    assert (1, "chroma", False) == (result.exit_code, found["place"], found["sound"])
    assert [("rules", "index")] == [(d["collection"], d["check"]) for d in found["diagnoses"] if d["state"] == "wrong"]
    advised = [one["advice"] for one in found["diagnoses"] if one["advice"]]
    assert ["versus doctor --chroma chroma rules --repair"] == advised

    result = versus("doctor", "rules", "--repair")
    assert (0, "nothing is wrong") == (result.exit_code, result.stdout.splitlines()[-1])
    assert any(line.startswith("repaired  rules: ") for line in result.stdout.splitlines())
    assert 0 == versus("doctor").exit_code


def test_an_index_that_is_built_again_is_noted_and_logged(rules: Path) -> None:
    damage(rules)
    result = versus("search", "rounds of melee", "--json")
    assert 0 == result.exit_code
    assert result.stderr.startswith(
        "note: the index of 'rules' is built again from its 2 kept chunks, nothing was lost"
    )
    assert 1 == len(result.stderr.splitlines())

    events = [json.loads(line) for file in Path("logs").glob("*.jsonl") for line in file.read_text().splitlines()]
    (event,) = (event for event in events if event["event"] == "index.rebuilt")
    assert ("warning", "rules", 2) == (event["level"], event["collection"], event["chunks"])
    assert "rows.json has 0 bytes" in event["reason"]
