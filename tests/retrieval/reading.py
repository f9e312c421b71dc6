"""What tests of reading share: a record as a line of JSON, and the error with which paths are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.errors import SourceError
from retrieval.ingest.read import read_sources

Write = Callable[[str, str | bytes], Path]
"""Writes a file into the test's folder."""


def line(**fields: object) -> str:
    return json.dumps({"id": "c1", "text": "text", "title": "Title"} | fields)


def refusal(*paths: Path) -> SourceError:
    with pytest.raises(SourceError) as refused:
        read_sources(paths)
    return refused.value
