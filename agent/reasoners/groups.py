"""The group of classes that a class fights with, where a book has one matrix for several: *Warriors* for knights.

A book says it in a table, a group beside the names of its classes, or in a sentence. What is found is cited when
something was read by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.reasoners.facts import Fact, Notebook
from agent.reasoners.passages import sentences
from retrieval.lookup import same_name
from retrieval.spelling import fold
from retrieval.types import Chunk

_BETWEEN = re.compile(r"\s*(?:,\s*(?:and|or)\s+|[,;/&]|\s(?:and|or)\s)\s*")
_LONGEST_NAME = 3
_NO_GROUP = frozenset({"class", "classes", "character", "characters", "all"})
_LEADING = re.compile(r"^(?:the|an?|all|both)\s+")
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
    """A group's name, and the words of a chunk that put the class into it."""

    name: str
    chunk: Chunk
    quote: str

    def told(self, label: str) -> str:
        """A line of working."""
        return f"{label} fights as one of the {fold(self.name)}"

    def cited(self, notebook: Notebook) -> Fact:
        """The group as a fact that is cited."""
        return Fact(self.name, notebook.cite(self.chunk, self.quote))


def groups_of(subject: str, notebook: Notebook) -> list[Group]:
    """The groups that the evidence puts a class into, those of tables first."""
    found: dict[str, Group] = {}
    for chunk in notebook.chunks:
        for group in (*_in_tables(subject, chunk), *_in_prose(subject, chunk)):
            found.setdefault(fold(group.name), group)
    return list(found.values())


def heads_of(groups: Sequence[Group]) -> list[Group]:
    """The same by their first words: *fighting trades* head a column as *Fighting*; all are of a class."""
    firsts = {group.name.split()[0]: group for group in groups if " " in group.name}
    return [replace(group, name=first) for first, group in firsts.items() if fold(first) not in _NO_GROUP]


def look_for_groups(subject: str, notebook: Notebook) -> None:
    """Look for the group of a class where something of its own was looked for before: most books have none."""
    if notebook.chunks:
        text = f"which group of classes the {subject} belongs to and fights with"
        notebook.need(f"the group of the {subject}", text, purpose="class group")


def _in_tables(subject: str, chunk: Chunk) -> Iterator[Group]:
    """A row that lists the class beside its own name, where no other row of the table does.

    Its column has lists: where each cell is one name, as in a table that is rolled on, nobody is a group.
    """
    for table in chunk.tables:
        columns = [c for c in range(1, len(table.columns)) if any(len(_names(row[c])) > 1 for row in table.rows)]
        rows = [
            (row[0], row[c])
            for row in table.rows
            for c in columns
            if _lists(row[c], subject) and not same_name(row[0], subject)
        ]
        if len(rows) == 1 and re.fullmatch(r"\D*[^\W\d]\D*", rows[0][0]):
            yield Group(rows[0][0], chunk, f"{rows[0][0]} = {rows[0][1]}")


def _in_prose(subject: str, chunk: Chunk) -> Iterator[Group]:
    for sentence in sentences(chunk.text):
        for pattern in _SAID:
            said = pattern.match(fold(sentence))
            if said and _lists(said["members"], subject) and not same_name(said["group"], subject):
                yield Group(said["group"], chunk, sentence)


def _lists(text: str, subject: str) -> bool:
    """True for a list of names, and of nothing else, that has this one."""
    names = _names(text)
    return all(len(name.split()) <= _LONGEST_NAME for name in names) and any(same_name(n, subject) for n in names)


def _names(text: str) -> list[str]:
    return [_LEADING.sub("", part) for part in _BETWEEN.split(fold(text))]
