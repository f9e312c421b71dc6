"""A mistyped name of a closed list is answered with the nearest one, at every door that has such a list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.testing import CliRunner

from agent.cli.app import app
from agent.cli.choices import EFFORTS, PLANNERS, PRESETS
from agent.settings.settings import Settings

pytestmark = pytest.mark.usefixtures("empty_place")

CHUNKS = [
    {"id": "c1", "title": "Owlbear", "text": "An owlbear hugs.", "tags": ["monsters"]},
    {"id": "c2", "title": "Fireball", "text": "A fireball burns.", "tags": ["spells"], "chunk_type": "spell"},
]


def versus(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture(scope="module")
def tagged(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store whose chunks have tags and types."""
    folder = tmp_path_factory.mktemp("tagged")
    (folder / "chunks.jsonl").write_text("\n".join(map(json.dumps, CHUNKS)))
    arguments = ["ingest", str(folder / "chunks.jsonl"), "--chroma", str(folder / "chroma"), "--json"]
    result = CliRunner().invoke(app, arguments, env={"VERSUS_LOG_DIR": str(folder / "logs")})
    assert 0 == result.exit_code, result.stderr
    return str(folder / "chroma")


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["serach", "q"], "search"),
        (["ask", "--presset", "strict", "q"], "--preset"),
        (["ask", "q", "--preset", "stirct"], "strict"),
        (["ask", "q", "--planner", "ruls"], "rules"),
        (["ask", "q", "--effort", "mediun"], "medium"),
        (["ingest", "book.md", "--rules", "generatd"], "generated"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_was_meant_is_said(arguments: list[str], meant: str) -> None:
    result = versus(*arguments)
    assert (2, "") == (result.exit_code, result.stdout)
    assert f"Did you mean '{meant}'?" in result.stderr
    assert f"Did you mean '{meant}'?" in json.loads(versus(*arguments, "--json").stderr)["error"]["message"]


def test_what_is_near_nothing_is_not_guessed() -> None:
    assert "Did you mean" not in versus("lightsaber").stderr
    assert "Did you mean" not in versus("ask", "q", "--bogus").stderr


def test_a_setting_and_a_switch_that_are_mistyped_are_named(empty_place: Path) -> None:
    (empty_place / "questions.jsonl").write_text('{"question": "q", "wanted": ["t"]}\n')
    assert "Did you mean 'hybrid'?" in versus("eval", "questions.jsonl", "--ways", "hybird").stderr
    (empty_place / "versus.toml").write_text('colection = "rules"\n')
    assert "Did you mean 'collection'?" in versus("config").stderr


def test_a_variable_that_is_mistyped_is_noted_with_json_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERSUS_CHROMMA", "here")
    result = versus("config", "--json")
    assert {"note": "VERSUS_CHROMMA is set, but there is no such setting. Did you mean 'VERSUS_CHROMA'?"} == json.loads(
        result.stderr
    )
    assert 1 == len(result.stdout.splitlines())


@pytest.mark.parametrize("command", [["collections"], ["collections", "--delete", "--yes"], ["doctor"]], ids=" ".join)
def test_a_collection_that_is_mistyped_is_named(command: list[str], tagged: str) -> None:
    assert "Did you mean 'rules'?" in versus(*command, "ruls", "--chroma", tagged).stderr


@pytest.mark.parametrize("command", ["ask", "search", "plan"])
@pytest.mark.parametrize(
    ("flag", "name", "message"),
    [
        ("--tags", "monster", "Did you mean 'monsters'? Its tags are: monsters, spells"),
        ("--tags", "spells,nowhere", "can't be 'nowhere' (flag or argument): no chunk of 'rules' has it. Its tags"),
        ("--chunk-types", "tabel", "Its chunk types are: section, spell"),
    ],
)
def test_a_tag_or_type_that_no_chunk_has_is_wrong_usage(
    command: str, flag: str, name: str, message: str, tagged: str
) -> None:
    result = versus(command, "owlbear", "--chroma", tagged, flag, name)
    assert (2, "") == (result.exit_code, result.stdout)
    assert message in result.stderr


def test_tags_and_types_that_chunks_have_narrow_the_search(tagged: str) -> None:
    flags = ["--tags", "spells", "--chunk-types", "spell", "--json"]
    found = json.loads(versus("search", "fireball", "--chroma", tagged, *flags).stdout)
    assert ["c2"] == [one["chunk_id"] for one in found["evidence"]]


def test_a_batch_into_a_folder_that_is_missing_asks_nothing(tagged: str, empty_place: Path) -> None:
    (empty_place / "q.txt").write_text("What does an owlbear do?\n")
    result = versus("batch", "q.txt", "-o", "nowhere/out.jsonl", "--chroma", tagged)
    assert (2, "") == (result.exit_code, result.stdout)
    assert "the folder nowhere of the output is not there" in result.stderr
    assert {"q.txt"} == {path.name for path in empty_place.iterdir() if path.name != "logs"}


@pytest.mark.parametrize("command", [["ask"], ["search"], ["plan"], ["check", "--chunk", "c"]], ids=" ".join)
def test_a_question_without_quotes_is_told_how_to_put_it(command: list[str]) -> None:
    result = versus(*command, "hi", "there", "friend")
    assert (2, "") == (result.exit_code, result.stdout)
    assert f'put it in quotes: versus {command[0]} "hi there friend"' in result.stderr


@pytest.mark.parametrize(("setting", "choices"), [("preset", PRESETS), ("planner", PLANNERS), ("effort", EFFORTS)])
def test_the_values_that_a_shell_completes_are_those_of_the_setting(setting: str, choices: tuple[str, ...]) -> None:
    assert choices == get_args(Settings.model_fields[setting].annotation)
