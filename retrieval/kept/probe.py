"""Asks an index real questions, in a process of its own: what is damaged can end the process that reads it."""

from __future__ import annotations

import sys
from pathlib import Path

import orjson

from retrieval.chroma.connect import mapped
from retrieval.errors import RetrievalError
from retrieval.kept.build import check


def main(index: str) -> int:
    """Check an index, and report `{"problem"}`, `null` when it is sound."""
    problem = None
    try:
        mapped(index, lambda: check(Path(index)))
    except RetrievalError as error:
        problem = str(error)
    sys.stdout.buffer.write(orjson.dumps({"problem": problem}) + b"\n")
    return 0
