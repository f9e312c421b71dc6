"""Lists of things with their facts on one line: *Reed: Length: 9 m, Crew: 3* below *Sedge: Length: 12 m, Crew: 8*.

Read line by line, each is a name with one long value. If the same labels recur for one name after another, they are the
heads of a table, and the names its rows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile

from retrieval.types import Table

_FEWEST = 2
"""The fewest things, and the fewest labels that they share."""
_MOSTLY = 0.5
"""The share of a thing's labels that others must have too."""
_LABEL = r"[^\W\d_](?:[^\d,;:()|.]|\.(?! [A-Z])){0,39}"
_IN_SENTENCE = r"[^\W\d_][^.,;:()|]{0,39}"
"""A label behind a full stop may have a number: *Needs 96 kHz licence*."""
_PART = re.compile(rf"(?P<label>{_LABEL}?|{_IN_SENTENCE}?)\s*:\s+(?P<value>\S.*)", re.DOTALL)
_BETWEEN = re.compile(rf"\s*[,;|/•·]\s+(?=\**{_LABEL}\**\s*:\s)|\.\s+(?=\**{_IN_SENTENCE}\**\s*:\s)|\s*\n\s*")
_OPENING = re.compile(rf"(?P<name>.+?)(?:\s+[-–—]\s+|\s*\()(?P<label>{_LABEL})")
"""A name directly followed by the first label, after a dash or a bracket: *Reed - length*."""
_Things = list[tuple[str, dict[str, str]]]


def things_of(record: Table) -> Table | None:
    """Return the table of things in the lines of a record; None if they are no things with shared labels.

    >>> rows = (("Reed", "Length: 9 m, Crew: 3"), ("Sedge (Length", "12 m; Crew: 8; Port: York)"))
    >>> things_of(Table("", ((), ()), rows)).rows
    (('Reed', '9 m', '3', ''), ('Sedge', '12 m', '8', 'York'))
    >>> rows = (("Reed", "A small boat. Crew: 3. Fee: 5 p."), ("Sedge", "Slow. Crew: 8. Fee: 9 p."))
    >>> things_of(Table("", ((), ()), rows)).rows
    (('Reed', '3', '5 p'), ('Sedge', '8', '9 p'))
    """
    things = [_thing(label, value) for label, value, *_ in record.rows]
    things = [(name, facts) for name, facts in things if len(facts) >= _FEWEST] or _by_beginnings(record)
    having = Counter(label for _, facts in things for label in facts)
    shared = {label for label, count in having.items() if count >= _FEWEST}
    names = {name for name, _ in things}
    if len(names) < max(_FEWEST, len(things)) or not all(_is_alike(facts, shared) for _, facts in things):
        return None
    heads = list(having)
    rows = tuple((name, *(facts.get(label, "") for label in heads)) for name, facts in things)
    return Table(record.caption, ((), *((label,) for label in heads)), rows)


def _by_beginnings(record: Table) -> _Things:
    """Return the things whose facts have no colon but begin with the same words: *Length 9 m; Crew 3*."""
    parts = [[part.split() for part in value.strip(" .").split("; ")] for _, value, *_ in record.rows]
    if len(parts) <= _FEWEST or len({len(own) for own in parts}) > 1 or len(parts[0]) < _FEWEST:
        return []
    labels = [_common(column) for column in zip(*parts, strict=True)]
    if not all(labels) or any(len(part) == len(labels[at]) for own in parts for at, part in enumerate(own)):
        return []
    heads = [_headed(" ".join(label)) for label in labels]
    values = [[" ".join(part[len(label) :]) for label, part in zip(labels, own, strict=True)] for own in parts]
    return [(row[0], dict(zip(heads, own, strict=True))) for row, own in zip(record.rows, values, strict=True)]


def _common(texts: Sequence[list[str]]) -> list[str]:
    """Return the words with which all of some texts begin."""
    alike = takewhile(lambda words: len({*words}) == 1, zip(*texts, strict=False))
    return [words[0] for words in alike]


def _is_alike(facts: dict[str, str], shared: set[str]) -> bool:
    own = shared.intersection(facts)
    return len(own) >= max(_FEWEST, _MOSTLY * len(facts))


def _thing(label: str, value: str) -> tuple[str, dict[str, str]]:
    """Return the name of a line and its facts; no facts if some part of it has no label."""
    opening = _OPENING.fullmatch(label)
    if opening is not None and _BETWEEN.search(value):
        whole = f"{opening['label']}: {value}"
        return opening["name"], _facts(whole.removesuffix(")") if "(" in label else whole)
    return label, _facts(value)


def _facts(text: str) -> dict[str, str]:
    """Return the labels and values of a line; a sentence before them describes the thing, and is none of them."""
    said = _BETWEEN.split(text)
    is_described = len(said) > _FEWEST and _PART.fullmatch(said[0].strip()) is None and "." not in said[0].strip()
    parts = [_PART.fullmatch(part.replace("**", "").strip()) for part in said[is_described:]]
    facts = {_headed(part["label"]): part["value"].strip(" .") for part in parts if part is not None}
    return facts if len(facts) == len(parts) else {}


def _headed(label: str) -> str:
    """Return a label capitalized like the head of a table, so that lists with other spellings match."""
    label = label.strip()
    return label[:1].upper() + label[1:]


def listed_things(tables: Sequence[Table]) -> Iterator[Table]:
    """Yield the tables of the things that some records list."""
    yield from (things for table in tables if table.is_record and (things := things_of(table)) is not None)
