"""Every file of a collection, damaged at many places: what is answered is right, or is refused with what to do."""

from __future__ import annotations

from benchmarks.attacks.row import Row


def run() -> list[Row]:
    """Damage a collection in every way."""
    return []
