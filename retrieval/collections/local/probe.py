"""Query an index in a separate process, since damaged files can crash the process that reads them."""

from __future__ import annotations

from pathlib import Path

from retrieval.collections.chroma.connect import mapped
from retrieval.collections.local.graph import check
from retrieval.errors import Damaged, ProcessTrouble, RetrievalError, StoreError
from retrieval.processes.worker import News, Tell, run_worker


async def probe_apart(index: Path) -> StoreError | None:
    """Query an index in a separate process, and return what is wrong; `None` if it answers correctly.

    `Damaged` if chunks are missing, some are not found, or the process crashes.
    """
    kinds: dict[str, type[StoreError]] = {kind.__name__: kind for kind in (Damaged, ProcessTrouble)}
    heard: list[News] = []
    ended = await run_worker("retrieval.collections.local.probe", [str(index)], heard.append)
    if ended is not None:
        kind = Damaged if ended.is_crash else StoreError
        return kind(f"the process that asks the index {index} {ended}")
    if not heard or "problem" not in heard[-1]:
        return StoreError(f"the process that asks the index {index} gave no answer; try again")
    problem = heard[-1]["problem"]
    return None if problem is None else kinds.get(heard[-1]["kind"], StoreError)(problem)


def main(index: str, tell: Tell) -> int:
    """Check an index, and report `{"problem", "kind"}`, the problem and its type; `null` if it is sound."""
    try:
        mapped(index, lambda: check(Path(index)))
        tell({"problem": None})
    except RetrievalError as error:
        tell({"problem": str(error), "kind": type(error).__name__})
    return 0
