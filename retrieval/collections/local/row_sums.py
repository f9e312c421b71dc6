"""Checksums of database rows, which SQLite lacks, and the keys of texts.

>>> row = summed("owl", b"wings")
>>> is_sound(row), is_sound(("owl", b"teeth", row[-1]))
(True, False)
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any


def text_key(text: str) -> bytes:
    """Return the cache key of a text's vector: its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def summed(*row: str | bytes) -> tuple[str | bytes, ...]:
    """Return a row with its checksum appended."""
    total = hashlib.sha256()
    for value in row:
        content = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
        total.update(len(content).to_bytes(8))
        total.update(content)
    return *row, total.digest()[:16]


def is_sound(row: Sequence[Any]) -> bool:
    """True if a row's checksum at its end matches, or is missing."""
    return row[-1] is None or summed(*row[:-1])[-1] == row[-1]
