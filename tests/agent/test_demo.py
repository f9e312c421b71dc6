"""`versus demo` on the bundled book."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agent.cli.app import app
from agent.cli.demo import sample, wrong_chunks
from agent.questions import classic
from retrieval.types import Chunk, QueryMust

RULED = Chunk("c1", "", "ATTACK MATRIX FOR THIEVES - Opponent Armor Class 6", query_must=QueryMust(contain="thief"))
FREE = Chunk("c2", "", "Strength")


def test_a_ruled_chunk_that_was_not_kept_is_wrong() -> None:
    assert {"c1"} == wrong_chunks([RULED, FREE], chosen=())
    assert set() == wrong_chunks([RULED, FREE], chosen=("c1",))


def test_the_bundled_book_is_on_disk() -> None:
    with sample() as folder:
        assert sorted(folder.glob("*.md"))


@pytest.fixture(scope="module")
def shown(demonstrated: Path) -> list[dict[str, Any]]:
    said = json.loads((demonstrated / "said.json").read_text(encoding="utf-8"))
    assert 0 == said["exit_code"], said["stderr"]
    return [json.loads(line) for line in said["stdout"].splitlines()]


def test_each_classic_question_is_answered(shown: list[dict[str, Any]]) -> None:
    assert list(classic()) == [one["question"] for one in shown]
    assert ["complete"] * 3 == [one["answer"]["stop_reason"] for one in shown]


def test_plain_retrieval_is_mostly_wrong(shown: list[dict[str, Any]]) -> None:
    first = shown[0]["plain"]
    assert 15 == len(first)
    assert sum(chunk["wrong"] for chunk in first) > 7


WANTED = [
    {("CLERICS", "6")},
    {("FIGHTERS", "9"), ("FIGHTERS", "3")},
    {("FIGHTERS", "9"), ("CLERICS", "3")},
]
ROW = re.compile(r"ATTACK MATRIX FOR (\w+).*Armor Class (-?\d+)$")


@pytest.mark.parametrize(("number", "most"), [(0, 5), (1, 12), (2, 12)])
def test_after_planning_the_right_rows_are_left_and_no_other(
    number: int, most: int, shown: list[dict[str, Any]]
) -> None:
    titles = [passage["title"] for passage in shown[number]["answer"]["evidence"]]
    rows = {(found[1], found[2]) for title in titles if (found := ROW.search(title))}
    assert WANTED[number] == rows
    assert len(titles) <= most


def test_the_demo_leaves_its_store_and_log_where_settings_and_flags_say(
    sample_chroma: str, empty_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(sample_chroma, empty_place / "store")
    monkeypatch.setenv("VERSUS_CHROMA", "store")
    result = CliRunner().invoke(app, ["demo", "--json", "--collection", "rules", "--log-dir", "told"])
    assert (0, 3) == (result.exit_code, len(result.stdout.splitlines()))
    assert {"store", "told"} == {path.name for path in empty_place.iterdir()}


def test_without_a_flag_or_setting_the_demo_has_a_place_of_its_own(empty_place: Path) -> None:
    (empty_place / ".versus").write_text("in the way")
    result = CliRunner().invoke(app, ["demo"])
    assert 1 == result.exit_code
    assert f"{empty_place / '.versus' / 'demo' / 'versus-demo'} can't be made" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="modes of Unix")
def test_folders_that_can_not_be_written_name_the_flags(empty_place: Path) -> None:
    through = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"] if os.geteuid() == 0 else []
    if through and shutil.which("setpriv") is None:
        pytest.skip("root may write everywhere, and there is no setpriv to take that away")
    empty_place.chmod(0o555)
    command = [*through, sys.executable, "-m", "agent.cli.app", "demo"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (1, "") == (done.returncode, done.stdout)
    assert "can't be made (Permission denied); check whose folder it is, or name another with --chroma" in done.stderr
    assert "no log is written: logs: Permission denied. Name another folder with --log-dir" in done.stderr
