"""Processes of our own: what they tell is heard, what others print there is not taken for it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from retrieval.errors import StoreError
from retrieval.processes.worker import Ending, News, run_worker

CHILD = """
import os, sys
def main(how, tell):
    print("a library prints")
    os.write(1, b"and another, further down\\n")
    tell({"done": 1})
    print("{}", flush=True)
    if how == "crash":
        os.abort()
    tell({"done": 2})
    return 3 if how == "fail" else 0
"""


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module that prints as libraries do."""
    (tmp_path / "printing.py").write_text(CHILD)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "printing"


@pytest.mark.parametrize(("how", "told", "code"), [("", 2, None), ("fail", 2, 3), ("crash", 1, -6)])
async def test_what_a_child_prints_is_no_report(child: str, how: str, told: int, code: int | None) -> None:
    heard: list[News] = []
    ended = await run_worker(child, [how], heard.append)

    assert [{"done": 1}, {"done": 2}][:told] == heard
    assert code == (None if ended is None else ended.code)
    assert (how == "crash") == (ended is not None and ended.is_crash)


async def test_what_is_printed_when_python_starts_is_passed_over_and_logged(
    child: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('hello from sitecustomize'); print([1, 2], flush=True)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    heard: list[News] = []

    assert None is await run_worker(child, [""], heard.append)
    assert [{"done": 1}, {"done": 2}] == heard
    logged = " ".join(record.getMessage() for record in caplog.records)
    assert (True, True, 2) == ("hello from sitecustomize" in logged, "[1, 2]" in logged, len(caplog.records))


async def test_a_line_without_an_end_is_a_typed_error(
    child: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.stdout.write('x' * 3_000_000); sys.stdout.flush()")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    with pytest.raises(StoreError, match=r"said what is no report .* sitecustomize"):
        await run_worker(child, [""], lambda news: None)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_who_was_killed_from_outside_did_not_crash() -> None:
    assert [False, True] == [Ending(-9, "").is_crash, Ending(-11, "").is_crash]
    assert "was ended by SIGKILL (no memory)" == str(Ending(-9, f"first{os.linesep}no memory"))
