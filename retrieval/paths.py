"""Paths with links resolved."""

from __future__ import annotations

from pathlib import Path

from retrieval.errors import StoreError


def resolved(path: Path | str) -> Path:
    """Return a path without links, `~` expanded; it need not exist. `StoreError` if a link in it points to itself."""
    try:
        return Path(path).expanduser().resolve()
    except (OSError, RuntimeError) as error:  # RuntimeError for a loop, before Python 3.13
        raise StoreError(
            f"{path} can't be followed: a symbolic link in it leads to itself, or its user is unknown ({error}). "
            "Remove the link, or name the folder that was meant"
        ) from error
