"""The journal of a vault's last changes: the earlier versions of chunks, from which an index is updated.

Each change leads from one `state` of the vault to another. From the state of an index, the journal leads to the present
one step by step. If a step is missing (an earlier version of versus wrote, a copy was restored, there were many
changes), everything is compared instead.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence

MOST = 2000
"""The most chunks in the journal; a larger change is not recorded, and empties it."""
_SCHEMA = """
create table if not exists journal (number integer primary key, before text not null, after text not null,
    id text not null, body blob, checksum blob not null) strict
"""


class Journal:
    """The journal of an open vault, read and written in its transactions."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._db = database

    def bodies(self, ids: Collection[str]) -> dict[str, bytes | None]:
        """Return chunks as they are before a change, `None` for new ones; empty if they are too many to record."""
        if len(ids) > MOST:
            return {}
        found: dict[str, bytes | None] = dict.fromkeys(sorted(ids))
        asked = "select value from json_each(?)"
        found |= self._db.execute(
            f"select id, body from chunks where id in ({asked})", (json.dumps([*found]),)
        ).fetchall()
        return found

    def note(self, before: str, after: str, bodies: dict[str, bytes | None]) -> None:
        """Record a change with the earlier `bodies` of its chunks; without any, mark the chain as broken."""
        self._db.execute(_SCHEMA)
        rows = [(before, after, id_, body, _checksum(before, after, id_, body)) for id_, body in bodies.items()]
        self._db.executemany("insert into journal (before, after, id, body, checksum) values (?, ?, ?, ?, ?)", rows)
        if not rows or self._db.execute("select count(*) from journal").fetchone()[0] > MOST:
            self._db.execute("delete from journal where after <> ?", (after,))

    def since(self, state: str, now: str) -> dict[str, bytes | None] | None:
        """Return the earlier versions of the chunks changed between a state and the present one; `None` if unknown."""
        found: dict[str, bytes | None] = {}
        reached = state
        for before, after, changed in self._steps(state):
            if before != reached:
                return None
            reached = after
            for id_, body in changed:
                found.setdefault(id_, body)
        return found if reached == now else None

    def _steps(self, state: str) -> Iterator[tuple[str, str, Sequence[tuple[str, bytes | None]]]]:
        """Yield each change from a state on; a damaged row yields a step that breaks the chain."""
        if not self._db.execute("select 1 from sqlite_master where name = 'journal'").fetchone():
            return
        first = "select min(number) from journal where before = ?"
        fields = "before, after, id, body, checksum"
        rows = self._db.execute(f"select {fields} from journal where number >= ({first}) order by number", (state,))
        steps: dict[tuple[str, str], list[tuple[str, bytes | None]]] = {}
        for before, after, id_, body, checksum in rows:
            if checksum != _checksum(before, after, id_, body):
                yield "", "", ()
            steps.setdefault((before, after), []).append((id_, body))
        yield from ((*step, changed) for step, changed in steps.items())


def _checksum(before: str, after: str, id_: str, body: bytes | None) -> bytes:
    parts = (
        before.encode(),
        after.encode(),
        id_.encode("utf-8", "surrogatepass"),
        b"" if body is None else b"=" + body,
    )
    return hashlib.sha256(b"".join(len(part).to_bytes(8) + part for part in parts)).digest()[:16]
