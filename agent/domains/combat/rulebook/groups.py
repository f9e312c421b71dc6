"""Groups and who is of them: *Warriors* for knights, where a book has one row or one matrix for several.

A book says it in a table, a group beside the names of its members, or in a sentence. What is found is cited when
something was read by it.
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
_SAID = (
    re.compile(rf"^{_GROUP} \({_MEMBERS}\)"),
    re.compile(rf"^{_GROUP}(?:: | are | includes? | comprises? ){_MEMBERS}\.?$"),
    re.compile(
        rf"^{_MEMBERS} (?:are|counts? as|belongs? to|(?:fight|attack|strike)s? (?:as|like|with)|uses?) "
        rf"(?:the (?:[\w-]+ )?(?:matrix|table|column|row)s? (?:of|for) )?{_GROUP}\.?$"
    ),
)


@dataclass(frozen=True, slots=True)
class Group:
    """A group's name, who is of it, and the words of a chunk that say so."""

    name: str
    member: str
    chunk: Chunk
    quote: str

    def cited(self, notebook: Rulebook) -> Fact:
        """The group as a fact that is cited."""
        return Fact(self.name, notebook.cite(self.chunk, self.quote))


def groups_of(subject: str, notebook: Rulebook) -> list[Group]:
    """The groups that the evidence puts a class into, those of tables first."""
    found: dict[str, Group] = {}
    for chunk in notebook.chunks:
        for group in (*_in_tables(subject, chunk), *_in_prose(subject, chunk)):
            found.setdefault(fold(group.name), group)
    return list(found.values())


def beside_others(
    name: str, level: str, want: Sequence[str], title: re.Pattern[str], notebook: Rulebook
) -> Fact | None:
    """What a table of such a `title` gives for a class or group, where it has several in rows or in columns."""
    key = "level", level
    near = [c for c in notebook.chunks if title.match(c.title) or any(title.match(table.caption) for table in c.tables)]
    for query in (CellQuery(name, (key,), tuple(want)), CellQuery("", (key, ("", name)), tuple(want))):
        for cell in read_cells(query, near):
            told = title.match(cell.caption) or title.match(cell.chunk.title)
            if told and "level" in phrase(f"{cell.row} {cell.column}"):
                return notebook.fact(cell)
    return None


def heads_of(groups: Sequence[Group]) -> list[Group]:
    """The same by their first words: *fighting trades* head a column as *Fighting*; all are of a class."""
    firsts = {group.name.split()[0]: group for group in groups if " " in group.name}
    return [replace(group, name=first) for first, group in firsts.items() if fold(first) not in _NO_GROUP]


def _in_tables(subject: str, chunk: Chunk) -> list[Group]:
    """The row that lists the class beside its own name, where no other row does; levels are no groups."""
    groups = [group for group in _listed(chunk) if same_name(group.member, subject)]
    is_group = len(groups) == 1 and not same_name(groups[0].name, subject)
    return groups if is_group and re.fullmatch(r"\D*[^\W\d]\D*", groups[0].name) else []


def _listed(chunk: Chunk) -> Iterator[Group]:
    """Each group of a chunk's tables with each of its members, where a column parts them: no row has another's.

    Most cells of such a column are lists: where each is one name, as in a table that is rolled on, nobody is a group.
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
    """The columns behind the first that part members; books stay the same from question to question."""
    return [c for c in range(1, len(rows[0])) if _parts_members([names_of(row[c]) for row in rows])]


def _parts_members(cells: Sequence[Sequence[str]]) -> bool:
    counts = Counter(name.lower() for names in cells for name in names)
    lists = sum(len(names) > 1 for names in cells)
    return len(cells) > 1 and 2 * lists >= len(cells) and max(counts.values()) == 1


@lru_cache(maxsize=16384)
def names_of(text: str) -> Sequence[str]:
    """The names of a list: *Knights, squires and all pages*."""
    return tuple(_LEADING.sub("", part.strip(_MARKS)) for part in _BETWEEN.split(text))


def _in_prose(subject: str, chunk: Chunk) -> Iterator[Group]:
    for group, members, sentence in _said(chunk.text):
        if _lists(members, subject) and not same_name(group, subject):
            yield Group(group, subject, chunk, sentence)


@lru_cache(maxsize=2048)
def _said(text: str) -> Sequence[tuple[str, str, str]]:
    """The groups that a text may speak of, each with its members and the sentence; read once, as columns are."""
    found: list[tuple[str, str, str]] = []
    for sentence in sentences(text):
        for clause in map(fold, re.split(r";\s*", sentence)):
            matches = (pattern.match(clause) for pattern in _SAID)
            found += ((match["group"], match["members"], sentence) for match in matches if match)
    return tuple(found)


@lru_cache(maxsize=16384)
def _lists(text: str, subject: str) -> bool:
    """True for a list of names, and of nothing else, that has this one."""
    names = names_of(text)
    return all(len(name.split()) <= _LONGEST_NAME for name in names) and any(same_name(n, subject) for n in names)
