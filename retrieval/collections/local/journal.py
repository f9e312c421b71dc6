"""What the last changes of a vault changed: the chunks as they were before, by which an index is brought up to date.

Each change leads from one `state` of the vault to another. From the state that an index was built from, the journal
leads to the present one, step by step; where a step is missing (an earlier version of versus wrote, a copy was put
back, the changes were many), it leads nowhere, and everything is compared.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence

MOST = 2000
"""Chunks that the journal tells of; a change of more of them is not noted, and ends it."""
_SCHEMA = """
create table if not exists journal (number integer primary key, before text not null, after text not null,
    id text not null, body blob, checksum blob not null) strict
"""


class Journal:
    """The journal of an open vault, in whose transactions it is read and written."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._db = database

    def bodies(self, ids: Collection[str]) -> dict[str, bytes | None]:
        """What some chunks are before they change, `None` for new ones; nothing where they are too many to note."""
        if len(ids) > MOST:
            return {}
        found: dict[str, bytes | None] = dict.fromkeys(sorted(ids))
        asked = "select value from json_each(?)"
        found |= self._db.execute(
            f"select id, body from chunks where id in ({asked})", (json.dumps([*found]),)
        ).fetchall()
        return found

    def note(self, before: str, after: str, bodies: dict[str, bytes | None]) -> None:
        """Note a change of the chunks that had these `bodies`; without any, that there is nothing to lead on from."""
        self._db.execute(_SCHEMA)
        rows = [(before, after, id_, body, _checksum(before, after, id_, body)) for id_, body in bodies.items()]
        self._db.executemany("insert into journal (before, after, id, body, checksum) values (?, ?, ?, ?, ?)", rows)
        if not rows or self._db.execute("select count(*) from journal").fetchone()[0] > MOST:
            self._db.execute("delete from journal where after <> ?", (after,))

    def since(self, state: str, now: str) -> dict[str, bytes | None] | None:
        """The chunks that have changed from one state to the present one, as they were then; `None` if unknown."""
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
        """Each change from a state on; a row that is not what was written leads nowhere."""
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
