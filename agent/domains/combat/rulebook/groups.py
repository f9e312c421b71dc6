"""Groups of classes and their members: *Warriors* for knights, if a book has one row or one matrix for several.

A table lists the members beside a group, or a sentence names them. A group is cited when a value was read by it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from agent.domains.combat.rulebook.profile import Rulebook
from agent.reasoning.notebook import Fact
from retrieval.tables.names import same_name
from retrieval.tables.reading import CellQuery, read_cells
from retrieval.text.normal import phrase
from retrieval.text.sentences import sentences
from retrieval.text.spelling import fold
from retrieval.types import Chunk

_BETWEEN = re.compile(r"\s*(?:,\s*(?:and|or)\s+|[,;/&]|\s(?:and|or)\s)\s*", re.IGNORECASE)
_LEADING = re.compile(r"^(?:the|an?|all|both)\s+", re.IGNORECASE)
_MARKS = " *†‡"
_LONGEST_NAME = 3
_NO_GROUP = frozenset({"class", "classes", "character", "characters", "all"})
_GROUP = r"(?:the |an? )?(?P<group>[^\W\d_]+(?:[- ][^\W\d_]+)??)(?: (?:group|class|classes|matrix|table|column|row))?"
_MEMBERS = r"(?P<members>[^.:;()]+?)"
_MEMBERSHIP_PATTERNS = (
    re.compile(rf"^{_GROUP} \({_MEMBERS}\)"),
    re.compile(rf"^{_GROUP}(?:: | are | includes? | comprises? ){_MEMBERS}\.?$"),
    re.compile(
        rf"^{_MEMBERS} (?:are|counts? as|belongs? to|(?:fight|attack|strike)s? (?:as|like|with)|uses?) "
        rf"(?:the (?:[\w-]+ )?(?:matrix|table|column|row)s? (?:of|for) )?{_GROUP}\.?$"
    ),
)


@dataclass(frozen=True, slots=True)
class Group:
    """A group's name, one member, and the words of the chunk that list it."""

    name: str
    member: str
    chunk: Chunk
    quote: str

    def cited(self, notebook: Rulebook) -> Fact:
        """Return the group as a cited fact."""
        return Fact(self.name, notebook.cite(self.chunk, self.quote))


def groups_of(subject: str, notebook: Rulebook) -> list[Group]:
    """Return the groups of a class: in each chunk, first those of its tables."""
    found: dict[str, Group] = {}
    for chunk in notebook.chunks:
        for group in (*_in_tables(subject, chunk), *_in_prose(subject, chunk)):
            found.setdefault(fold(group.name), group)
    return list(found.values())


def shared_table_value(
    name: str, level: str, want: Sequence[str], title: re.Pattern[str], notebook: Rulebook
) -> Fact | None:
    """Return the value of a class or group from a table with such a `title` that has several in rows or columns."""
    key = "level", level
    near = [c for c in notebook.chunks if title.match(c.title) or any(title.match(table.caption) for table in c.tables)]
    for query in (CellQuery(name, (key,), tuple(want)), CellQuery("", (key, ("", name)), tuple(want))):
        for cell in read_cells(query, near):
            told = title.match(cell.caption) or title.match(cell.chunk.title)
            if told and "level" in phrase(f"{cell.row} {cell.column}"):
                return notebook.fact(cell)
    return None


def groups_by_first_word(groups: Sequence[Group]) -> list[Group]:
    """Return the groups under their first words: *Fighting* heads the column of *fighting trades*."""
    firsts = {group.name.split()[0]: group for group in groups if " " in group.name}
    return [replace(group, name=first) for first, group in firsts.items() if fold(first) not in _NO_GROUP]


def _in_tables(subject: str, chunk: Chunk) -> list[Group]:
    """Return the group whose row alone lists the class beside another name; a level is no group."""
    groups = [group for group in _listed(chunk) if same_name(group.member, subject)]
    is_group = len(groups) == 1 and not same_name(groups[0].name, subject)
    return groups if is_group and re.fullmatch(r"\D*[^\W\d]\D*", groups[0].name) else []


def _listed(chunk: Chunk) -> Iterator[Group]:
    """Yield each group of a chunk's tables with each of its members, from columns that divide members among rows.

    Most cells of such a column are lists. A column of single names, as in a table that is rolled on, has no groups.
    """
    for table in chunk.tables:
        for c in _columns_of_lists(table.rows) if not table.is_record else ():
            head = " ".join(table.columns[c])
            for row in table.rows:
                quote = f"{' '.join(table.columns[0])} {row[0]} / {head} = {row[c]}".strip()
                members = names_of(row[c]) if row[c].strip() and not any(map(str.isdigit, row[c])) else ()
                yield from (Group(row[0].strip(_MARKS), member, chunk, quote) for member in members)


@lru_cache(maxsize=2048)
def _columns_of_lists(rows: Sequence[Sequence[str]]) -> Sequence[int]:
    """Return the columns after the first that divide members among rows; cached, as books stay the same."""
    return [c for c in range(1, len(rows[0])) if _parts_members([names_of(row[c]) for row in rows])]


def _parts_members(cells: Sequence[Sequence[str]]) -> bool:
    counts = Counter(name.lower() for names in cells for name in names)
    lists = sum(len(names) > 1 for names in cells)
    return len(cells) > 1 and 2 * lists >= len(cells) and max(counts.values()) == 1


@lru_cache(maxsize=16384)
def names_of(text: str) -> Sequence[str]:
    """Return the names of a list: *Knights, squires and all pages*."""
    return tuple(_LEADING.sub("", part.strip(_MARKS)) for part in _BETWEEN.split(text))


def _in_prose(subject: str, chunk: Chunk) -> Iterator[Group]:
    for group, members, sentence in _groups_in_prose(chunk.text):
        if _lists(members, subject) and not same_name(group, subject):
            yield Group(group, subject, chunk, sentence)


@lru_cache(maxsize=2048)
def _groups_in_prose(text: str) -> Sequence[tuple[str, str, str]]:
    """Return the possible groups of a text, each with its members and the sentence; cached, as books stay the same."""
    found: list[tuple[str, str, str]] = []
    for sentence in sentences(text):
        for clause in map(fold, re.split(r";\s*", sentence)):
            matches = (pattern.match(clause) for pattern in _MEMBERSHIP_PATTERNS)
            found += ((match["group"], match["members"], sentence) for match in matches if match)
    return tuple(found)


@lru_cache(maxsize=16384)
def _lists(text: str, subject: str) -> bool:
    """Return True if the text is a list of names only and has this name."""
    names = names_of(text)
    return all(len(name.split()) <= _LONGEST_NAME for name in names) and any(same_name(n, subject) for n in names)
