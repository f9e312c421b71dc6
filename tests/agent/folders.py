"""Settings that the working folder brings."""

from __future__ import annotations

import json
from pathlib import Path


def in_toml(**settings: str) -> None:
    Path("versus.toml").write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items()))


def in_env_file(**settings: str) -> None:
    Path(".env").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
