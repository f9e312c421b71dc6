"""An index of up to millions of lines outside memory: a temporary database that leaves no file behind.

It records which lines have a record and for which question, which ids and questions have occurred, and where the answer
to a question stands in the output. All of it follows from input and output, so every run builds it anew. It takes about
120 bytes per question on disk (in `/var/tmp`, or `SQLITE_TMPDIR`), and a constant two megabytes of memory.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from agent.batch.errors import BatchError
from agent.batch.questions import Id
from agent.escape import encodable

_SCHEMA = """
    PRAGMA synchronous = OFF;
    CREATE TABLE done (line INTEGER PRIMARY KEY, question BLOB);
    CREATE TABLE ids (id BLOB PRIMARY KEY, line INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE asked (question BLOB PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE answers (question BLOB PRIMARY KEY, offset INTEGER NOT NULL, size INTEGER NOT NULL) WITHOUT ROWID;
"""


class Index:
    """The index; its methods block, and any thread may call them.

    >>> index = Index()
    >>> index.claim("a", 1), index.claim("a", 5)
    (1, 1)
    """

    def __init__(self) -> None:
        self._turn = threading.Lock()
        with _as_batch_error():
            # An empty name is SQLite's for a temporary database on disk.
            self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            self._database.executescript(_SCHEMA)
            self._database.execute("BEGIN")

    def close(self) -> None:
        """Delete the index."""
        self._database.close()

    def claim(self, id_: Id, line: int) -> int:
        """Return the line that owns an id: this line, unless an earlier call claimed the id for another."""
        key = digest(str(id_))
        with self._turn, _as_batch_error():
            self._database.execute("INSERT OR IGNORE INTO ids VALUES (?, ?)", (key, line))
            (owner,) = self._database.execute("SELECT line FROM ids WHERE id = ?", (key,)).fetchone()
        return int(owner)

    def is_new(self, question: str) -> bool:
        """Return True if a question was neither asked nor answered before, and note it as asked."""
        key = digest(question)
        with self._turn, _as_batch_error():
            first = self._database.execute("INSERT OR IGNORE INTO asked VALUES (?)", (key,)).rowcount == 1
            known = self._database.execute("SELECT 1 FROM answers WHERE question = ?", (key,)).fetchone()
        return first and known is None

    def add_done(self, line: int, question: str | None) -> bool:
        """Note that a line has a record; return False if it already had one."""
        row = (line, None if question is None else digest(question))
        with self._turn, _as_batch_error():
            return self._database.execute("INSERT OR IGNORE INTO done VALUES (?, ?)", row).rowcount == 1

    def done(self, line: int) -> tuple[bytes | None] | None:
        """Return the digest of the question that a line has a record for, in a tuple, or `None` without a record."""
        with self._turn, _as_batch_error():
            found: tuple[bytes | None] | None = self._database.execute(
                "SELECT question FROM done WHERE line = ?", (line,)
            ).fetchone()
        return found

    def count_done(self) -> int:
        """Return how many lines have a record."""
        with self._turn, _as_batch_error():
            return int(self._database.execute("SELECT count(*) FROM done").fetchone()[0])

    def add_answer(self, question: str, offset: int, size: int) -> None:
        """Note where the answer to a question stands; the first answer stays."""
        with self._turn, _as_batch_error():
            row = (digest(question), offset, size)
            self._database.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?)", row)

    def move_answer(self, question: str, offset: int) -> None:
        """Note a new place of the answer to a question."""
        with self._turn, _as_batch_error():
            self._database.execute("UPDATE answers SET offset = ? WHERE question = ?", (offset, digest(question)))

    def answer(self, question: str) -> tuple[int, int] | None:
        """Return offset and size of the record that answers a question, or None."""
        with self._turn, _as_batch_error():
            found: tuple[int, int] | None = self._database.execute(
                "SELECT offset, size FROM answers WHERE question = ?", (digest(question),)
            ).fetchone()
        return found


def digest(text: str) -> bytes:
    """Return a digest of 16 bytes of a text, as the output encodes it.

    >>> digest("Who wins?") == digest("Who wins?")
    True
    """
    return hashlib.blake2b(encodable(text).encode(), digest_size=16).digest()


@contextmanager
def _as_batch_error() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise BatchError(
            f"the temporary index can't be kept ({error}); free some room in /var/tmp, or set SQLITE_TMPDIR"
        ) from error
