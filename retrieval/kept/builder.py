"""Starts the process that builds an index, and follows it; cancelling kills it, which costs nothing but the time."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import orjson

from retrieval.errors import StoreError

_PROGRAM = "import sys; sys.path[:] = sys.argv[2:]; from retrieval.kept.build import main; sys.exit(main(sys.argv[1]))"
_TOLD = 2000  # characters of what an unexpected death left on stderr


async def build_apart(folder: Path, on_progress: Callable[[int, int], None] | None = None) -> None:
    """Build the next index of the kept collection in `folder` in another process; `StoreError` when that fails."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _PROGRAM, str(folder), *sys.path,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    said = asyncio.ensure_future(process.stderr.read())
    try:
        async for line in process.stdout:
            news = orjson.loads(line)
            if "error" in news:
                raise StoreError(news["error"])
            if on_progress is not None:
                on_progress(news["done"], news["total"])
        if await process.wait() != 0:
            last = (await said).decode(errors="replace").strip()[-_TOLD:].splitlines()[-1:]
            raise StoreError(
                f"building the index of {folder.name!r} ended with code {process.returncode} ({' '.join(last)}). "
                f"Its chunks are kept; try: versus doctor --repair"
            )
    finally:
        if process.returncode is None:
            process.kill()
            await asyncio.shield(process.wait())
        said.cancel()
