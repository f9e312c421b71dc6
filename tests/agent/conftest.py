"""Tests of the doors run in an empty folder with an empty environment, so no one's settings leak in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def empty_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current directory without `.env` and `versus.toml`, and no variable that is a setting."""
    for name in list(os.environ):
        if name.upper().startswith(("VERSUS_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path
