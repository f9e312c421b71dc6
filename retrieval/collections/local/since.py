"""Changes since the graph of an index was built: a few new chunks, stored beside it, and the removed ones in it.

Chroma's folder is by far the largest part of an index, and a one-word change would copy all of it. So an index may use
that of an earlier one and add what has changed since: new chunks are compared one by one, and outdated ones in the
graph are skipped.
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
"""The most chunks stored beside a graph; with more, a new graph is built."""


@dataclass(frozen=True, slots=True)
class Since:
    """Text and metadata of each chunk missing from the graph, by id, and the outdated ids in it, with their part of the
    index.
    """

    fresh: Mapping[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    gone: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        """The number of changed chunks."""
        return len(self.fresh.keys() | self.gone.keys())

    def changed(self, changes: Iterable[Change], part_of: Mapping[str, str]) -> Since:
        """Return this with further changes; `part_of` has the part of the index that held each changed chunk."""
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
        """Read what `save` wrote in an index published since; `Damaged` if it is not as written."""
        try:
            found = orjson.loads(read_sound(index, SINCE))
            return cls({id_: (text, flat) for id_, (text, flat) in found["fresh"].items()}, found["gone"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Damaged(f"the index {index} is damaged: {error}") from error
