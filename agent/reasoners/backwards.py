"""Look-ups backwards: the key of which the value is told, *at what level does a thief get 50 % in hiding in shadows*.

The key is asked for by the head of the rows or columns; the other words have to say which line of which table is meant,
and the number that is left is the value; without one it is whatever is more than a dash. Parts of a table are read as
one, and nothing is told of a line that may have begun before what was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from agent.planner.clauses import tokens_of
from agent.planner.keys import ENDS, key_asked
from agent.planner.measures import selecting
from agent.reasoners.facts import Notebook
from agent.reasoners.grounding import is_told_by_measure
from agent.reasoners.labels import MARKS, Asking, stem, words_of
from agent.reasoners.quantities import number_of
from agent.types import Comparison, Finding, Reasoned, Step
from retrieval.spans import Span, read_label
from retrieval.tables.reading import says_something
from retrieval.text import is_number, number
from retrieval.types import Chunk, Table

_FIRST = re.compile(r"\bfirst\b(?! levels?\b)", re.IGNORECASE)
_WHEN = re.compile(r"^\s*when\b", re.IGNORECASE)
_UNIT = re.compile(r"[£€$%°]|(?<=\d )degree")
_LATER_PART = re.compile(r" \((?!1 )\d+ of \d+\)$")
_REACHING = ENDS | {"need", "reach", "attain"}
_REQUIRED = words_of("required needed minimum")
_NAMING = 2
"""How many columns may say what a row is, where the others are keys."""
_LEVELS, _AT_ONCE = 24, 8
"""How many values of a key are looked for, and how many in one sub-query."""


class _Place(NamedTuple):
    """A cell, and the key that it stands under."""

    label: str
    span: Span
    text: str
    chunk: Chunk
    quote: str


class _Line(NamedTuple):
    """A row or column across the keys that are asked for, with the words by which these and the table are called."""

    name: str
    axis: str
    called: frozenset[str]
    places: Sequence[_Place]


def backwards(comparison: Comparison, notebook: Notebook, *, final: bool) -> Reasoned | None:
    """The keys whose cells have the value that the question tells; None where its words lead to no one line."""
    question = _WHEN.sub("at what level", _FIRST.sub(" ", comparison.question))
    tokens = tokens_of(question)
    place = key_asked(tokens)
    if place is None or comparison.others:
        return None
    lines = list(_lines(tokens[place], notebook.chunks))
    first = question != comparison.question or not _REACHING.isdisjoint(tokens)
    told = _found(lines, question, place, first) if lines else []
    if len({tuple(one.label for one in places) for *_, places in told}) == 1:
        return _told(*told[0], first, notebook)
    missing = not final and comparison.entities and (tokens[place] in selecting() or lines)
    return _more(comparison, tokens[place], notebook) if missing else None


def _found(
    lines: Sequence[_Line], question: str, place: int, first: bool
) -> list[tuple[_Line, float | None, list[_Place]]]:
    """The lines to which most words of the question lead, with the value that is asked for and where they have it."""
    asking = Asking.of(tokens_of(question))
    units = {mark.replace("degree", "°") for mark in _UNIT.findall(question)}
    found = [one for line in lines if (one := _meant(asking, place, units, line)) is not None]
    most = max((named for named, *_ in found), default=0)
    held = any(one == "with" and is_number(number) for one, number in pairwise(asking.tokens))
    nearest = ((line, value, _under(line, value, first, held)) for named, line, value in found if named == most)
    return [each for each in nearest if each[2]]


def _lines(key: str, chunks: Sequence[Chunk]) -> Iterator[_Line]:
    """All lines of tables whose rows or columns are keyed by what is asked for, the parts of a table put together."""
    found: dict[tuple[str, str, str, str], tuple[frozenset[str], dict[str, _Place]]] = {}
    for chunk, table in ((one, table) for one in chunks for table in one.tables if not table.is_record):
        title = table.caption or chunk.title
        for name, axis, label, text, quote in _cells(table, stem(key)):
            if (span := read_label(label).span) is not None:
                called = words_of(" ".join((title, axis, *chunk.headings)))
                cells = found.setdefault((chunk.source, title, axis, name), (called, {}))[1]
                cells[label] = _Place(label.strip(MARKS), span, text, chunk, quote)
    for (_, _, axis, name), (called, cells) in found.items():
        yield _Line(name, axis, called, sorted(cells.values(), key=lambda one: one.span.minimum))


def _cells(table: Table, key: str) -> Iterator[tuple[str, str, str, str, str]]:
    """Each cell under a key: the name of its line, what the keys are called, the key, the text and how it is cited."""
    heads = [" ".join(path) for path in table.columns]
    down = key in words_of(heads[0])
    across = [
        c for c, head in enumerate(heads) if c and key in words_of(head) and read_label(table.columns[c][-1]).span
    ]
    across = across if len(across) >= len(heads) - _NAMING else []
    for row in table.rows if down or across else ():
        quotes = [f"{heads[0]} {row[0]} / {head} = {text}" for head, text in zip(heads, row, strict=True)]
        if down:
            yield from ((heads[c], heads[0], row[0], row[c], quotes[c]) for c in range(1, len(heads)))
        name = " ".join((heads[0], *(text for c, text in enumerate(row) if c not in across)))
        for c in across:
            yield name, " ".join(table.columns[c][:-1]), table.columns[c][-1], row[c], quotes[c]


def _meant(asking: Asking, place: int, units: set[str], line: _Line) -> tuple[int, _Line, float | None] | None:
    """The line with how many words lead to it and the value asked for; None where some word is not its own."""
    tokens, rest, span = asking.tokens, asking.needed - {place}, read_label(line.name).span
    own = {i for i in rest if stem(tokens[i]) in words_of(line.name)}
    own |= {i for i in rest if span and is_number(tokens[i]) and number(tokens[i]) in span}
    values = [i for i in rest - own if is_number(tokens[i])]
    others = {tokens[i] for i in rest - own if not is_number(tokens[i]) and stem(tokens[i]) not in line.called}
    texts = (line.name, *(one.text for one in line.places))
    named = units & {*"".join(texts)} or any(not is_number(tokens[i]) for i in own)
    told = all(any(is_told_by_measure(word, text) for text in texts) for word in others)
    if not named or not told or len(values) > 1 or any(tokens[i - 1] in selecting() for i in values):
        return None
    return len(own), line, number(tokens[values[0]]) if values else None


def _under(line: _Line, value: float | None, first: bool, held: bool) -> list[_Place]:
    """Where the line has the value, or the first that reaches it; nowhere where that may stand in what was not read."""
    told = [one for one in line.places if says_something(one.text)]
    if value is None:
        found = told[:1] if told[:1] != list(line.places[:1]) else []
    else:
        found = [one for one in told if number_of(one.text, line.name) == value] or _reaching(
            line, told, value, first, held
        )
        found = found[:1] if first else found
    read = line.places[: line.places.index(found[0]) + 1] if found else []
    whole = all(a.chunk is b.chunk or b.span.minimum - a.span.maximum <= 1 for a, b in pairwise(read))
    return found if read and whole and (read[0].span.minimum <= 1 or _is_beginning(read[0].chunk)) else []


def _is_beginning(chunk: Chunk) -> bool:
    return chunk.chunk_type == "table" and _LATER_PART.search(chunk.title) is None


def _reaching(line: _Line, told: Sequence[_Place], value: float, first: bool, held: bool) -> list[_Place]:
    """The first that has no less than the value; of what is required, or *held* by somebody, the last with no more."""
    required = held or bool(_REQUIRED & words_of(line.name))
    numbers = [n for one in told if (n := number_of(one.text, line.name)) is not None]
    if not (required or first) or len(numbers) < max(2, len(told)):
        return []
    sign = 1 if numbers[0] < numbers[-1] else -1
    met = next((i for i, n in enumerate(numbers) if sign * n >= sign * value), 0)
    return [told[met - 1 if required else met]] if met else []


def _told(line: _Line, value: float | None, places: Sequence[_Place], first: bool, notebook: Notebook) -> Reasoned:
    reached = value is not None and number_of(places[0].text, line.name) != value
    start = ("the first: " if first else "") + (f"{value:g} reaches " if reached else "")
    steps = [
        Step(
            f"{start}{line.axis} {one.label}: {one.text} ({line.name})".strip(),
            one.label,
            (notebook.cite(one.chunk, one.quote),),
        )
        for one in places
    ]
    names = " and ".join(one.label for one in places)
    values = [{"name": one.label, "value": one.text, "number": number_of(one.text, line.name)} for one in places]
    data = {"attribute": line.name, "values": values, "better": None, "difference": None}
    claim = f"{line.axis} {names}: {', '.join(dict.fromkeys(one.text for one in places))} ({line.name}).".strip()
    return notebook.reasoned(Finding("compare", claim, tuple(steps), data, names))


def _more(comparison: Comparison, key: str, notebook: Notebook) -> Reasoned:
    """What is still lacking: the lines of the one who is named, under so many keys."""
    names = " ".join(comparison.entities)
    for low in range(1, _LEVELS + 1, _AT_ONCE):
        text = " ".join((names, comparison.attribute, *(f"{key} {n}" for n in range(low, low + _AT_ONCE))))
        notebook.need(f"{key}s of {names} from {low}", text, purpose=comparison.attribute, entities=comparison.entities)
    return notebook.reasoned(Finding("compare", f"Not found: {comparison.attribute}.", (), {"values": []}))
