"""Groups and their members: where a table has a column that lists the members of each row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.reasoning.labels import MARKS
from agent.reasoning.notebook import Fact, Notebook
from retrieval.types import Chunk

_BETWEEN = re.compile(r"\s*(?:,\s*(?:and|or)\s+|[,;/&]|\s(?:and|or)\s)\s*", re.IGNORECASE)
_LEADING = re.compile(r"^(?:the|an?|all|both)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Group:
    """A group's name, who is of it, and the words of a chunk that say so; `head` is the column of a table."""

    name: str
    member: str
    chunk: Chunk
    quote: str
    head: str = ""

    def cited(self, notebook: Notebook) -> Fact:
        """The group as a fact that is cited."""
        return Fact(self.name, notebook.cite(self.chunk, self.quote))


def listed(chunk: Chunk) -> Iterator[Group]:
    """Each group of a chunk's tables with each of its members, where a column parts them: no row has another's.

    Most cells of such a column are lists: where each is one name, as in a table that is rolled on, nobody is a group.
    """
    for table in chunk.tables:
        for c in _columns_of_lists(table.rows) if not table.is_record else ():
            head = " ".join(table.columns[c])
            for row in table.rows:
                quote = f"{' '.join(table.columns[0])} {row[0]} / {head} = {row[c]}".strip()
                members = names_of(row[c]) if row[c].strip() and not any(map(str.isdigit, row[c])) else ()
                yield from (Group(row[0].strip(MARKS), member, chunk, quote, head) for member in members)


@lru_cache(maxsize=2048)
def _columns_of_lists(rows: Sequence[Sequence[str]]) -> Sequence[int]:
    """The columns behind the first that part members; books stay the same from question to question."""
    return [c for c in range(1, len(rows[0])) if _parts_members([names_of(row[c]) for row in rows])]


def _parts_members(cells: Sequence[Sequence[str]]) -> bool:
    counts = Counter(name.lower() for names in cells for name in names)
    return len(cells) > 1 and 2 * sum(len(names) > 1 for names in cells) >= len(cells) and max(counts.values()) == 1


def names_of(text: str) -> list[str]:
    """The names of a list: *Knights, squires and all pages*."""
    return [_LEADING.sub("", part.strip(MARKS)) for part in _BETWEEN.split(text)]
