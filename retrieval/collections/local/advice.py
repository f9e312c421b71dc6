"""The messages about a failing vault: what is wrong, and what to do next."""

from __future__ import annotations

from pathlib import Path

from retrieval.errors import FOLDER_ADVICE


def advice(path: Path, error: Exception | str, reason: str = "") -> str:
    """Return why the vault at `path` failed; `reason` is *damaged* if that is known."""
    reason = reason or str(error)
    doctor = f"versus doctor {path.parent.name} --repair"
    if not path.exists():
        return f"{path} is missing; put it back, or let its chunks be taken from the index: {doctor}"
    if "readonly" in reason or "unable to open" in reason:
        return f"{path} can't be opened for writing ({reason}); {FOLDER_ADVICE}"
    if "full" in reason:
        return f"{path} can't be written, the disk is full ({reason}); make room and ingest again: nothing was lost"
    if "I/O" in reason:
        return f"{path} can't be read or written ({reason}); check the disk, its quota and limits: nothing was changed"
    if reason == "damaged" or is_damage(reason):
        return f"{path} is damaged ({error}); its chunks can perhaps be taken from the index: {doctor}"
    return f"{path} failed: {reason}"


def is_damage(reason: str) -> bool:
    """True for SQLite's messages about a damaged file.

    >>> is_damage("database disk image is malformed"), is_damage("database is locked")
    (True, False)
    """
    return any(word in reason for word in ("malformed", "not a database", "decode"))
