"""Members of groups: *a reaver* is meant by a row of *Warriors*, where the book lists the reavers among them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.reasoners.labels import MARKS, Asking, name_words, stem
from retrieval.types import Chunk, Table

_LISTS = re.compile(r"[,;]|\band\b|\bor\b")


@dataclass(frozen=True, slots=True)
class Membership:
    """A member that a question names in tokens [start, end), the group it is of, and where the book says so."""

    start: int
    end: int
    member: str
    group: str
    head: str
    quote: str
    chunk: Chunk


def memberships(asking: Asking, chunks: Sequence[Chunk]) -> list[Membership]:
    """The members of groups that a question names, from left to right; none where groups of one member differ."""
    stems = tuple(map(stem, asking.tokens))
    found: dict[int, set[tuple[int, str]]] = {}
    listed: list[Membership] = []
    for chunk in chunks:
        for table in chunk.tables:
            for group, member, head, quote in _listed(table):
                words = tuple(map(stem, name_words(member)))
                for start in range(len(stems) - len(words) + 1):
                    if words and stems[start : start + len(words)] == words:
                        end = start + len(words)
                        if (end, group) not in found.setdefault(start, set()):
                            listed.append(Membership(start, end, member, group, head, quote, chunk))
                        found[start].add((end, group))
    single = [one for one in listed if len(found[one.start]) == 1]
    return sorted(single, key=lambda one: one.start) if len(single) == len(listed) else []


def _listed(table: Table) -> Iterator[tuple[str, str, str, str]]:
    """Each group with each of its members, where a column parts them: all rows have some, and none has another's."""
    for c, path in enumerate(table.columns[1:], start=1) if not table.is_record else ():
        if 2 * sum(_is_list(row[c]) for row in table.rows) < len(table.rows):
            continue
        cells = [[part.strip(MARKS) for part in _LISTS.split(row[c]) if part.strip(MARKS)] for row in table.rows]
        counts = Counter(part.lower() for parts in cells for part in parts)
        if len(cells) < 2 or not all(cells) or max(counts.values()) > 1:
            continue
        for row, parts in zip(table.rows, cells, strict=True):
            quote = f"{' '.join(table.columns[0])} {row[0]} / {' '.join(path)} = {row[c]}".strip()
            if not any(map(str.isdigit, row[c])):
                yield from ((row[0].strip(MARKS), part, " ".join(path), quote) for part in parts)


def _is_list(cell: str) -> bool:
    maybe = "," in cell or ";" in cell or "and" in cell or "or" in cell  # most cells are none, and this is quicker
    return maybe and _LISTS.search(cell) is not None


def as_groups(asking: Asking, members: Sequence[Membership]) -> Asking:
    """The question with each member called as its group."""
    tokens = list(asking.tokens)
    for one in reversed(members):
        tokens[one.start : one.end] = name_words(one.group)
    return Asking.of(tokens)
