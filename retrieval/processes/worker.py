"""Work in a separate process: monitored while it runs, killed if no longer needed.

chromadb can hold the interpreter for seconds, and a damaged file can crash its process; neither should happen to the
process that answers questions. A child reports in JSON Lines through its original standard output; prints of libraries
go to standard error instead. Its standard input ends when this process does, for whatever reason.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import orjson

from retrieval.errors import ProcessTrouble, StoreError

log = logging.getLogger(__name__)
News = dict[str, Any]
"""A child's report: one JSON object."""
Tell = Callable[[News], None]

_PROGRAM = (
    "import importlib, os, sys; module, given = sys.argv[1], int(sys.argv[2]); arguments = sys.argv[3:3 + given]; "
    "sys.path[:] = sys.argv[3 + given:]; news = os.fdopen(os.dup(1), 'wb'); os.dup2(2, 1); "
    "from retrieval.processes.worker import telling; sys.exit(importlib.import_module(module).main(*arguments, "
    "telling(news)))"
)
_TOLD = 2000  # characters of stderr shown after an unexpected death
_LONGEST = 1 << 20
"""The most bytes of one report."""
_PIPE = asyncio.subprocess.PIPE
_CRASHES = frozenset({"SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE"})


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child failed: its exit code, negative for a signal, and its last output.

    >>> str(Ending(-11, ""))
    'was ended by SIGSEGV'
    """

    code: int
    last_output: str

    @property
    def is_crash(self) -> bool:
        """True if its own work crashed it, not a signal from outside."""
        return self.code < 0 and signal.Signals(-self.code).name in _CRASHES

    def __str__(self) -> str:
        last = "".join(self.last_output.strip()[-_TOLD:].splitlines()[-1:])
        how = f"was ended by {signal.Signals(-self.code).name}" if self.code < 0 else f"ended with code {self.code}"
        return f"{how} ({last})" if last else how


def telling(news: BinaryIO) -> Tell:
    """Return the function with which a child reports: each object at once, as a line of JSON."""

    def tell(object_: News) -> None:
        news.write(orjson.dumps(object_) + b"\n")
        news.flush()

    return tell


async def run_worker(module: str, arguments: Sequence[str], hear: Callable[[News], None]) -> Ending | None:
    """Run `main(*arguments, tell)` of a module in another process, and call `hear` with each object that it reports.

    A child that reports `{"ready": true}` is sent a line. Returns `None` if it succeeded, else how it ended. Cancelling
    kills it; so does an exception in `hear`. A line that is no object is logged and skipped. `StoreError` if no process
    can be started, or if its output exceeds any report.
    """
    process = await started(module, arguments)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    said = asyncio.ensure_future(process.stderr.read())
    try:
        async for line in process.stdout:
            news = news_of(module, line)
            if news is not None and "ready" in news:
                process.stdin.write(b"\n")
            elif news is not None:
                hear(news)
        code = await process.wait()
        return None if code == 0 else Ending(code, (await said).decode(errors="replace"))
    except ValueError as error:  # of the stream, for a line without an end
        raise StoreError(f"the process for {module} said what is no report ({error}); {_WHO_PRINTS}") from error
    finally:
        if process.returncode is None:
            process.kill()
            await asyncio.shield(process.wait())
        process.stdin.close()
        said.cancel()


async def started(
    module: str, arguments: Sequence[str], *, stderr: int | None = _PIPE, longest: int = _LONGEST
) -> asyncio.subprocess.Process:
    """Start a child that runs `main` of a module; with `stderr` None it shares this process's standard error.

    `ProcessTrouble` if no process can be started.
    """
    try:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-c", _PROGRAM, module, str(len(arguments)), *arguments, *sys.path,
            stdin=_PIPE, stdout=_PIPE, stderr=stderr,
            start_new_session=True,  # Ctrl-C is for the parent, which knows what to do with the child
            limit=longest,
        )  # fmt: skip
    except OSError as error:
        said = f"no process can be started for {module} ({error.strerror or error}); try again"
        raise ProcessTrouble(said) from error


def news_of(module: str, line: bytes) -> News | None:
    """Return a child's report from a line; a line that is no object is logged and gives `None`."""
    try:
        found = orjson.loads(line)
    except ValueError:
        found = None
    if isinstance(found, dict):
        return found
    log.warning("the process for %s said %r, which is no report; %s", module, line[:80], _WHO_PRINTS)
    return None


_WHO_PRINTS = "see what prints when Python starts, such as sitecustomize"
