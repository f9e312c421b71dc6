"""The units of prose: sentences and list items, each with the text that says what it is about.

A sentence stands under the names of its section, an item under the lead-in of its list. A sentence with a pronoun needs
the sentence before it, which names what the pronoun stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.prose.words import stems_and_compounds
from retrieval.text.normal import STOP_WORDS, normal, title_key
from retrieval.text.sentences import sentences
from retrieval.types import Chunk, Table

_PART = re.compile(r"\s*\(\d+(?: of \d+)?\)$")
_ITEM = re.compile(r"(?:[-*•+]|\d+[.)])\s+")
_ROW = " | "
"""The delimiter between the cells of a table row."""
_CONTENTS = 3
"""A line with this many dashes is a table of contents, not a sentence."""
_NAMING_BACK = re.compile(r"(?:these|those|such) (?:are|were)\b", re.IGNORECASE)
"""The beginning of a sentence that sums up the one before it: *These are the arts …*"""
_CLAUSE = re.compile(r"[,;:]\s")
_OPENING = 5
"""The words of a sentence in which a pronoun stands for something in the one before; behind, its own subject stands."""
_DESCRIBING = 5
"""Least number of words in a cell that describes the others."""
_LONGEST_NAME = 5
"""Most words of a heading that stands at the beginning of its paragraph."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, a list item, a whole list under its `list_lead`, or a table row; `context_text` is the text before it
    that says what it is about. If `has_pronoun_subject`, one of its clauses begins with a pronoun. If `is_row`, it is a
    table row in which a cell describes the others.
    """

    text: str
    context_text: str = ""
    list_lead: str = ""
    has_pronoun_subject: bool = False
    is_row: bool = False

    @property
    def own_words(self) -> frozenset[str]:
        """The stems of its own words; for a whole list, those of its lead-in."""
        return stems_and_compounds(f"{self.context_text} {self.list_lead}" if self.list_lead else self.text)

    @property
    def near_words(self) -> frozenset[str]:
        """The stems of the text before it."""
        return stems_and_compounds(self.context_text) if self.context_text else frozenset()

    @property
    def whole(self) -> str:
        """The text before it and its own text."""
        return f"{self.context_text} {self.text}".strip()


def section_names(chunk: Chunk) -> tuple[str, ...]:
    """Return the names of the sections that a chunk is in, innermost last.

    >>> section_names(Chunk("c", "", "Power (2)", headings=("Manual", "Power")))
    ('Manual', 'Power')
    """
    return _names((*chunk.headings, chunk.title))


@lru_cache(maxsize=8192)
def _names(texts: tuple[str, ...]) -> tuple[str, ...]:
    names = (_PART.sub("", name) for name in texts)
    return tuple(dict.fromkeys(name for name in names if name))


def has_section_name(name: str, chunk: Chunk) -> bool:
    """True if a chunk, or a section that it is in, has exactly this name."""
    return title_key(name) in _keys(section_names(chunk))


@lru_cache(maxsize=8192)
def _keys(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(title_key, names))


def units_of(chunk: Chunk, pronouns: frozenset[str] = frozenset()) -> tuple[Unit, ...]:
    """Return the sentences and list items of a chunk, without its rows; `pronouns` refer to the sentence before."""
    return () if chunk.chunk_type == "row" else _units(chunk.text, chunk.title, pronouns)


def describing_rows(chunk: Chunk) -> Iterator[Unit]:
    """Yield the table rows of a chunk in which a cell describes the others, each as column headers with cells.

    >>> from retrieval.types import Table
    >>> table = Table("", (("Key",), ("What it does",), ("Default",)), (("keep", "How many files are kept", "7"),))
    >>> [unit.text for unit in describing_rows(Chunk("c", "", "Options", tables=(table,)))]
    ['Key: keep; What it does: How many files are kept; Default: 7']
    """
    for table in chunk.tables:
        yield from _rows(table, [row for row in table.rows if any(len(cell.split()) >= _DESCRIBING for cell in row)])


def table_rows(chunk: Chunk) -> Iterator[Unit]:
    """Yield all rows of the tables of a chunk, each as column headers with cells; lines of records are sentences.

    >>> from retrieval.types import Table
    >>> table = Table("", (("Boat",), ("Price",)), (("Reed", "$40"),))
    >>> [unit.text for unit in table_rows(Chunk("c", "", "Boats", tables=(table,)))]
    ['Boat: Reed; Price: $40']
    """
    for table in chunk.tables:
        yield from () if table.is_record else _rows(table, table.rows)


def _rows(table: Table, rows: Sequence[Sequence[str]]) -> Iterator[Unit]:
    """Yield some rows of a table as column headers with cells."""
    heads = list(map(" ".join, table.columns))
    for row in rows:
        told = (f"{head}: {cell}" if head else cell for head, cell in zip(heads, row, strict=False) if cell)
        yield Unit("; ".join(told), is_row=True)


def told_in_cells(chunk: Chunk) -> Iterator[Unit]:
    """Yield the sentences of each cell that has several, with the name of their row: *Driver: Drivers give up at 75.*

    >>> from retrieval.types import Table
    >>> told = (("Driver", "At least 21 years old. Gives up at 75."), ("Seats", "48"))
    >>> table = Table("", ((), ()), told)
    >>> [(unit.context_text, unit.text) for unit in told_in_cells(Chunk("c", "", "Staff", tables=(table,)))]
    [('Driver:', 'At least 21 years old.'), ('Driver:', 'Gives up at 75.')]
    """
    for table in chunk.tables:
        for row in table.rows:
            for cell in row[1:]:
                said = list(sentences(cell)) if len(cell.split()) >= _DESCRIBING else []
                if len(said) > 1:
                    name = row[0].strip(" *`")
                    yield from (Unit(each, f"{name}:" if name else "") for each in said)


def untabled_rows(chunk: Chunk) -> Iterator[Unit]:
    """Yield the rows in a chunk's text that are in none of its tables: their column headers are unknown.

    >>> [unit.text for unit in untabled_rows(Chunk("c", "Prices\\nLadder | 9 m | $70\\nIt is long.", "Prices"))]
    ['Ladder | 9 m | $70']
    """
    tables = chunk.tables
    told = {_ROW.join(map(" ".join, table.columns)) for table in tables}
    told |= {_ROW.join(row) for table in tables for row in table.rows}
    for line in chunk.text.split("\n"):
        if _ROW in line and line not in told:
            yield Unit(line.strip(), is_row=True)


def is_list(chunk: Chunk) -> bool:
    """True if most lines of a chunk are list items.

    >>> is_list(Chunk("c", "Steps\\nIn short:\\n1. Lift it.\\n2. Turn it.", "Steps"))
    True
    """
    lines = [line.strip() for line in chunk.text.split("\n")[1:] if line.strip()]
    return 2 * sum(_ITEM.match(line) is not None for line in lines) > len(lines)


@lru_cache(maxsize=8192)
def _units(text: str, title: str, pronouns: frozenset[str]) -> tuple[Unit, ...]:
    first, *rest = text.split("\n")
    lines = rest if title and first.strip().endswith(title) else [first, *rest]
    lines = _with_terms([line.strip() for line in lines if line.strip() and _ROW not in line])
    if title.endswith("?") and lines:
        lines[0] = f"{title} {lines[0]}"  # its section answers it
    return tuple(_read(lines, pronouns))


def _with_terms(lines: Sequence[str]) -> list[str]:
    """Return the lines; each definition, *: extension 14*, follows its term in one line.

    >>> _with_terms(["Invoices", ": Ann", ": Bo", "Ask us."])
    ['Invoices: Ann', 'Invoices: Bo', 'Ask us.']
    """
    out, term = list[str](), ""
    for line in lines:
        is_definition = line.startswith(": ") and bool(term or out)
        term = (term or out.pop().rstrip(" :")) if is_definition else ""
        out.append(f"{term}{line}" if is_definition else line)
    return out


def _read(lines: Sequence[str], pronouns: frozenset[str]) -> Iterator[Unit]:
    """Yield the units of some lines. The whole list follows its last item."""
    lead, before, last, items = "", "", "", list[str]()
    for line in (*lines, ""):
        item = _ITEM.match(line)
        if item and line.count(" - ") < _CONTENTS:
            items.append(line[item.end() :])
            yield from _with_context(list(sentences(items[-1])), f"{before} {lead}".strip(), pronouns)
            continue
        if lead and items:
            yield Unit(" ".join((lead, *(f"- {each}" for each in items))), before, lead)
        items = []
        told = [each for each in sentences(line) if each.count(" - ") < _CONTENTS]
        lead = told.pop() if told and told[-1].endswith(":") else ""
        last = told[-1] if told else last
        before = "" if pronouns.isdisjoint(normal(lead)) else last
        yield from _paragraph(told, pronouns)


def _paragraph(told: Sequence[str], pronouns: frozenset[str]) -> Iterator[Unit]:
    """Yield the sentences of a paragraph, with the heading or the question that it may begin with: *Forced March. You
    can …*
    """
    is_title = len(told) > 1 and told[0].istitle() and len(told[0].split()) <= _LONGEST_NAME
    is_headed = is_title or (len(told) > 1 and told[0].endswith("?"))
    yield from _with_context(told[1:], told[0], pronouns) if is_headed else _with_context(told, "", pronouns)


def _with_context(told: Sequence[str], lead: str, pronouns: frozenset[str]) -> Iterator[Unit]:
    """Yield each sentence with the lead before it, behind the first also with the label that this begins with, and with
    the previous sentence if it has a pronoun.
    """
    before, left_out = "", ""
    labelled = f"{lead} {_label_of(told)}".strip()
    for place, sentence in enumerate(told):
        lead = labelled if place else lead
        if before and _NAMING_BACK.match(sentence):
            yield Unit(f"{before} {sentence}", lead)
            continue
        is_pointing = _is_pointing(sentence, pronouns)
        refers_back = is_pointing or not pronouns.isdisjoint(normal(sentence)[:_OPENING])
        near = " ".join(filter(None, (lead, before + left_out if refers_back else "")))
        yield Unit(sentence, near, "", is_pointing)
        if before and is_pointing:
            left_out = " …"
        else:
            before, left_out = sentence, ""


def _label_of(told: Sequence[str]) -> str:
    """Return the name that a paragraph begins with: *Gas mask: It covers the face. The filter lasts for 12 hours.*

    >>> _label_of(["Gas mask: It covers the face.", "It is grey."]), _label_of(["It is grey: not black.", "Well."])
    ('Gas mask:', '')
    """
    name, colon, _ = told[0].partition(": ") if len(told) > 1 else ("", "", "")
    is_name = bool(colon) and len(name.split()) <= _LONGEST_NAME and STOP_WORDS.isdisjoint(normal(name))
    return f"{name}:" if is_name else ""


def _is_pointing(sentence: str, pronouns: frozenset[str]) -> bool:
    openings = (normal(clause)[:1] for clause in _CLAUSE.split(sentence))
    return any(opening and opening[0] in pronouns for opening in openings)
