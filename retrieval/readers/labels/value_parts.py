"""Values that list labels with numbers: *STR 6, DEX 13* under *Abilities*, *30 ft., fly 60 ft.* under *Speed*.

Each part becomes a label of the same subject, prefixed by the outer label: *Abilities: STR*, *Speed: fly*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from retrieval.text.calendar import covered_by
from retrieval.text.normal import STOP_WORDS, phrase
from retrieval.types import Table

_BETWEEN = re.compile(r"[,;]\s+(?:and\s+)?(?![^()]*\))")
"""The separator between two parts, outside brackets."""
_PART = re.compile(
    r"(?P<label>[^\W\d_](?:[^\d,;:()]|\([^()]*\))*?)\s+(?P<value>[-+−]?\d[^\s.]*(?:\.\d\S*)?(?:\s+\S+){0,4}?)\.?"
)
_BARE = re.compile(r"[-+−]?\d\S*(?:\s+[^\W\d_]+\.?){0,2}(?:\s+\([^()]*\))?")
"""A number with its unit: the value of the outer label itself."""
_MOST_WORDS = 3
"""The most words of a part's label, without brackets."""
_BRACKET = re.compile(r"\([^()]*\)")


def with_parts(record: Table) -> Table:
    """Return the record with a line for each part of a value.

    >>> with_parts(Table("", ((), ()), (("Abilities", "STR 6, DEX 13"), ("Speed", "30 ft., fly 60 ft.")))).rows[2:]
    (('Abilities: STR', '6'), ('Abilities: DEX', '13'), ('Speed: fly', '60 ft.'))
    >>> with_parts(Table("", ((), ()), (("Hours", "Tue to Fri 6:30 am to 2 pm, Sat 7 am to 3 pm"),))).rows[1:]
    (('Hours: Tue to Fri', '6:30 am to 2 pm'), ('Hours: Sat', '7 am to 3 pm'))
    """
    own = {label for label, *_ in record.rows}
    found = [pair for label, value in _pairs(record) for pair in _parts_of(label, value) if pair[0] not in own]
    return replace(record, rows=(*record.rows, *found)) if found else record


def _pairs(record: Table) -> Iterator[tuple[str, str]]:
    for row in record.rows:
        if len(row) > 1:
            yield row[0], row[1]


def _parts_of(label: str, value: str) -> list[tuple[str, str]]:
    """Return the labels and values that make up a value; empty if any part of it is something else."""
    first, *others = _BETWEEN.split(value.strip())
    parts = others if _BARE.fullmatch(first) else [first, *others]
    found = [_PART.fullmatch(part) for part in parts] if others else []
    pairs = [(f"{label}: {m['label'].strip()}", m["value"]) for m in found if m is not None and _is_label(m["label"])]
    is_whole = len(pairs) == len(parts) and len({name for name, _ in pairs}) == len(pairs)
    return pairs if is_whole else []


def _is_label(text: str) -> bool:
    own = _BRACKET.sub("", text)
    is_plain = STOP_WORDS.isdisjoint(phrase(own)) or bool(covered_by(own))  # *Tue to Fri*
    return 0 < len(own.split()) <= _MOST_WORDS and is_plain
