"""Start and monitor the process that builds an index; cancelling kills it, which loses only the time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from retrieval.embedding.protocol import Progress
from retrieval.errors import StoreError
from retrieval.processes.worker import run_worker


async def build_apart(folder: Path, on_progress: Progress | None = None, *, afresh: bool = False) -> None:
    """Build the next index of the local collection in `folder` in another process; `StoreError` if that fails.

    `on_progress` is called with the number of chunks written and the total. With `afresh`, nothing is taken over from
    the index in force.
    """

    def hear(news: dict[str, Any]) -> None:
        if "error" in news:
            raise StoreError(news["error"])
        if on_progress is not None and "done" in news:
            on_progress(news["done"], news["total"])

    ended = await run_worker("retrieval.collections.local.build", [str(folder), "afresh" if afresh else ""], hear)
    if ended is not None:
        raise StoreError(
            f"the process that builds the index of {folder.name!r} {ended}. Its chunks are kept; "
            f"try: versus doctor {folder.name} --repair"
        )
