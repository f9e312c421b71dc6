"""Asks an index real questions, in a process of its own: what is damaged can end the process that reads it."""

from __future__ import annotations

from pathlib import Path

from retrieval.apart import News, Tell, run_apart
from retrieval.chroma.connect import mapped
from retrieval.errors import Damaged, RetrievalError, StoreError
from retrieval.kept.build import check


async def probe_apart(index: Path) -> StoreError | None:
    """Ask an index in a process of its own, and return what is wrong; `None` when it answers as it should.

    `Damaged` when it lacks chunks, does not find some, or ends the process.
    """
    heard: list[News] = []
    ended = await run_apart("retrieval.kept.probe", [str(index)], heard.append)
    if ended is not None:
        kind = Damaged if ended.is_crash else StoreError
        return kind(f"the process that asks the index {index} {ended}")
    if not heard or "problem" not in heard[-1]:
        return StoreError(f"the process that asks the index {index} gave no answer; try again")
    problem = heard[-1]["problem"]
    if problem is None:
        return None
    return (Damaged if heard[-1]["damaged"] else StoreError)(problem)


def main(index: str, tell: Tell) -> int:
    """Check an index, and tell `{"problem", "damaged"}`; `problem` is `null` when it is sound."""
    problem: RetrievalError | None = None
    try:
        mapped(index, lambda: check(Path(index)))
    except RetrievalError as error:
        problem = error
    said = None if problem is None else str(problem)
    tell({"problem": said, "damaged": isinstance(problem, Damaged)})
    return 0
