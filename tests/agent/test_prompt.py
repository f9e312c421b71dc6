"""The prompt of `versus ask`, on a terminal and behind a pipe."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli.app import app
from agent.cli.prompt import PROMPT

REPOSITORY = Path(__file__).parents[2]
_IN_VAIN = 5.0
"""Seconds without an answer after which a key is typed again."""

pytestmark = pytest.mark.usefixtures("empty_place")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with one chunk."""
    folder = tmp_path_factory.mktemp("store")
    (folder / "book.md").write_text("# Owlbear\n\nAn owlbear hugs its victims.\n")
    arguments = ["ingest", str(folder / "book.md"), "--chroma", str(folder / "chroma"), "--json"]
    result = CliRunner().invoke(app, arguments, env={"VERSUS_LOG_DIR": str(folder / "logs")})
    assert 0 == result.exit_code, result.stderr
    return str(folder / "chroma")


class Terminal:
    """A command at a terminal: what it writes is read as far as something expected."""

    def __init__(self, descriptor: int, process: subprocess.Popen[bytes]) -> None:
        self._descriptor, self.process, self.said = descriptor, process, b""

    def until(self, text: str, again: str = "") -> str:
        """Read until this was written, and give all that came before it.

        Nothing comes of a Ctrl-C in the instant between the prompt and the reading of a line before the next key: who
        waits in vain types it `again`, as anybody would.
        """
        while text.encode() not in self.said:
            if not again or select.select([self._descriptor], [], [], _IN_VAIN)[0]:
                self.said += os.read(self._descriptor, 4096)
            else:
                self.type(again)
        before, _, self.said = self.said.partition(text.encode())
        return before.decode()

    def type(self, keys: str) -> None:
        os.write(self._descriptor, keys.encode())

    def ended(self) -> tuple[str, int]:
        """The rest of what it writes, and its exit code."""
        with suppress(OSError):  # Linux: nobody holds the other end any more
            while piece := os.read(self._descriptor, 4096):
                self.said += piece
        return self.said.decode(), self.process.wait(timeout=60)


@contextmanager
def terminal(*arguments: str) -> Iterator[Terminal]:
    import pty

    mine, its = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.cli.app", *arguments],
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
        preexec_fn=_take_terminal,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY), "TERM": "dumb"},
    )
    os.close(its)
    try:
        yield Terminal(mine, process)
    finally:
        process.kill()
        process.wait()
        os.close(mine)


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C becomes a signal for the command


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of Unix")
def test_ctrl_c_clears_the_line_and_ctrl_d_leaves(store: str) -> None:
    with terminal("ask", "--chroma", store) as versus:
        versus.until(PROMPT)
        versus.type("what does an owl\x03")
        versus.until(PROMPT, again="\x03")
        versus.type("help\n")
        versus.until("Ctrl-C        clears the line")
        versus.until(PROMPT)
        versus.type("\x04")
        rest, code = versus.ended()
        assert ("", 0) == (rest.strip(), code)


def test_help_behind_a_pipe_is_no_question_and_no_output(store: str) -> None:
    result = CliRunner().invoke(app, ["ask", "--chroma", store], input="help\nquit\n")
    assert (0, "") == (result.exit_code, result.stdout)
    assert "A follow-up says only what changes" in result.stderr


def test_with_json_help_is_an_object_on_stderr(store: str) -> None:
    result = CliRunner().invoke(app, ["ask", "--json", "--chroma", store], input="help\n")
    assert (0, "", ["note"]) == (result.exit_code, result.stdout, list(json.loads(result.stderr)))
