"""Headings that are labels: *Length* with nothing below it but *9 m*, under the heading of each of several things.

Such headings are recognized as in `page_records`: by labels that recur above brief values of several kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from retrieval.ingest.page_records import are_of_things, records_among
from retrieval.readers.documents.sections import Paragraph, Placed, Section, Source
from retrieval.readers.labels.label_marks import is_label
from retrieval.readers.labels.running_text import is_phrase
from retrieval.types import Table

_FEWEST = 2
"""The fewest labels of a thing."""
_Thing = tuple[str, tuple[str, ...]]
"""A source and the path of a heading."""


@dataclass(frozen=True, slots=True)
class _Fact:
    """A section that may be a label with its value."""

    section: Section
    label: str
    value: Paragraph


def with_heading_records(sources: Sequence[Source]) -> list[Source]:
    """Merge headings that are labels into the record of the heading above them.

    >>> facts = {"Reed": ("9 m", "Hull", "3"), "Sedge": ("12 m", "York", "8"), "Rush": ("7 m", "Hull", "2")}
    >>> labels = "Length", "Home port", "Crew"
    >>> sections = [
    ...     Section((name, label), 1, [Paragraph(value, 1)])
    ...     for name, values in facts.items() for label, value in zip(labels, values)
    ... ]
    >>> [found] = with_heading_records([Source("boats.md", sections)])
    >>> [(section.headings, section.blocks[0].table.rows[0]) for section in found.sections]
    [(('Reed',), ('Length', '9 m')), (('Sedge',), ('Length', '12 m')), (('Rush',), ('Length', '7 m'))]
    """
    facts: dict[_Thing, list[_Fact]] = {}
    for source in sources:
        for fact in _facts(source.sections):
            facts.setdefault((source.name, fact.section.headings[:-1]), []).append(fact)
    tables = {place: _table(own) for place, own in facts.items() if len(own) >= _FEWEST}
    records = records_among(list(tables.values()))
    meant = {id(table) for table in records} if are_of_things(records) else set()
    known = {place: facts[place] for place, table in tables.items() if id(table) in meant}
    return [replace(each, sections=list(_with_records(each, known))) for each in sources] if known else list(sources)


def _facts(sections: Sequence[Section]) -> Iterator[_Fact]:
    """Yield the sections of one brief paragraph, with no heading below them."""
    for section, behind in zip_longest(sections, sections[1:]):
        path = section.headings
        holds_others = behind is not None and behind.headings[: len(path)] == path
        if len(path) < 2 or holds_others or len(section.blocks) != 1:
            continue
        [value] = section.blocks
        if isinstance(value, Paragraph) and _is_value(value) and is_label(section.title):
            yield _Fact(section, section.title.rstrip(":"), value)


def _is_value(paragraph: Paragraph) -> bool:
    return "\n" not in paragraph.text and not paragraph.parts and is_phrase(paragraph.text)


def _table(facts: Sequence[_Fact]) -> Table:
    return Table("", ((), ()), tuple((fact.label, fact.value.text) for fact in facts))


def _with_records(source: Source, known: Mapping[_Thing, Sequence[_Fact]]) -> Iterator[Section]:
    """Yield the sections of a source, with those that are labels merged into the record of their thing."""
    gone = {id(fact.section) for (name, _), own in known.items() if name == source.name for fact in own}
    of_things = {section.headings: at for at, section in enumerate(source.sections) if id(section) not in gone}
    for at, section in enumerate(source.sections):
        path = section.headings if id(section) not in gone else section.headings[:-1]
        own = known.get((source.name, path), ())
        if id(section) not in gone:
            is_thing = bool(own) and of_things[path] == at
            yield replace(section, blocks=[*section.blocks, _record(own)]) if is_thing else section
        elif path not in of_things and own[0].section is section:
            yield Section(path, section.line, [_record(own)])


def _record(facts: Sequence[_Fact]) -> Placed:
    first = facts[0].value
    return Placed(_table(facts), first.line, first.pages)
