"""A reader that returns a chunk with the text of a file; where that says *now*, it takes its process down with it.

[project.entry-points."versus.readers"]
fatal = "fatal_reader:read_fatal"
"""

from __future__ import annotations

import os
import resource
from pathlib import Path

from versus import Chunk, Records

MEMORY = 6_000_000_000


def read_fatal(path: Path) -> Records:
    """Read the file, with the memory that was asked for."""
    text = path.read_text(encoding="utf-8")
    if text == "now":
        os._exit(1)
    if resource.getrlimit(resource.RLIMIT_AS)[0] != MEMORY:
        raise ValueError("this reader has not the memory it asked for")
    return Records(((f"{path}:1", Chunk(path.stem, text, path.stem.title(), page=7)),))


read_fatal.memory = MEMORY  # type: ignore[attr-defined]
