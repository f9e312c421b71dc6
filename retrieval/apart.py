"""Work in a process of its own: followed while it goes on, killed when it is no longer wanted.

What chromadb does can hold the interpreter for seconds, and a damaged file can end its process; neither should happen
to the one that answers questions. A child reports in JSON Lines on its standard output. Its standard input ends when
this process does, however that happens.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any

import orjson

from retrieval.errors import StoreError

_PROGRAM = (
    "import importlib, sys; module, given = sys.argv[1], int(sys.argv[2]); arguments = sys.argv[3:3 + given]; "
    "sys.path[:] = sys.argv[3 + given:]; sys.exit(importlib.import_module(module).main(*arguments))"
)
_TOLD = 2000  # characters of what an unexpected death left on stderr


async def run_apart(module: str, arguments: Sequence[str], hear: Callable[[dict[str, Any]], None]) -> str | None:
    """Run `main(*arguments)` of a module in another process, and `hear` each object that it reports.

    A child that reports `{"ready": true}` is sent a line. Returns `None` when it ended well, else how it ended.
    Cancelling kills it; so does what `hear` raises. `StoreError` when no process can be started.
    """
    process = await _started(module, arguments)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    said = asyncio.ensure_future(process.stderr.read())
    try:
        async for line in process.stdout:
            news = orjson.loads(line)
            if "ready" in news:
                process.stdin.write(b"\n")
            else:
                hear(news)
        code = await process.wait()
        return None if code == 0 else _ending(code, (await said).decode(errors="replace"))
    finally:
        if process.returncode is None:
            process.kill()
            await asyncio.shield(process.wait())
        process.stdin.close()
        said.cancel()


async def _started(module: str, arguments: Sequence[str]) -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-c", _PROGRAM, module, str(len(arguments)), *arguments, *sys.path,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the parent, which knows what to do with the child
        )  # fmt: skip
    except OSError as error:
        raise StoreError(f"no process can be started for {module} ({error.strerror or error}); try again") from error


def _ending(code: int, said: str) -> str:
    last = "".join(said.strip()[-_TOLD:].splitlines()[-1:])
    how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
    return f"{how} ({last})" if last else how
