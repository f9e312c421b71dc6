"""What came since the graph of an index was built: a few chunks, kept beside it, and those in it that are no more.

Chroma's folder is by far the largest of an index, and a change of a word would copy all of it. So an index may use
that of an earlier one, and bring along what has changed since: such chunks are compared one by one, and what the graph
has of them is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from retrieval.collections.local.integrity import read_sound
from retrieval.collections.local.vault import Change
from retrieval.errors import Damaged

SINCE = "since.json"
MOST = 2000
"""Chunks that are kept beside a graph; with more of them the next is built."""


@dataclass(frozen=True, slots=True)
class Since:
    """Text and metadata of each chunk that the graph has not, by its id, and the ids that are no more in it, with the
    part of the index that has them.
    """

    fresh: Mapping[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    gone: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        """How many chunks it is about."""
        return len(self.fresh.keys() | self.gone.keys())

    def changed(self, changes: Iterable[Change], part_of: Mapping[str, str]) -> Since:
        """With further changes; `part_of` has the part of the index in which each changed chunk has been."""
        fresh, gone = dict(self.fresh), dict(self.gone)
        for change in changes:
            if fresh.pop(change.id, None) is None and change.before is not None:
                gone[change.id] = part_of[change.id]
            if change.after is not None:
                fresh[change.id] = change.after.text, change.after.flat
        return Since(fresh, gone)

    def save(self, folder: Path) -> None:
        """Write it into the folder of an index."""
        (folder / SINCE).write_bytes(orjson.dumps({"fresh": self.fresh, "gone": self.gone}))

    @classmethod
    def load(cls, index: Path) -> Since:
        """Read what `save` wrote in an index since published; `Damaged` when it is not what was written."""
        try:
            found = orjson.loads(read_sound(index, SINCE))
            return cls({id_: (text, flat) for id_, (text, flat) in found["fresh"].items()}, found["gone"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Damaged(f"the index {index} is damaged: {error}") from error
