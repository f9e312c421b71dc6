"""What the columns of data are, where a page or a file beside them tells: *gp_all* is the *number of games played*.

The heads of a file of data are written for programs. A page tells what they are, in a table, a list or definitions, of
which most keys are heads of the file. Of what is told there counts what a reader would call the column by: the words
before the first mark, and of these the ones before the first small word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from pathlib import PurePath

from retrieval.text.normal import STOP_WORDS, phrase
from retrieval.types import Chunk, Table

DESCRIBES = "=="
"""What begins the key of a head that a dictionary describes, so that it is never the key of a name."""
_DATA = frozenset({".csv", ".tsv", ".xlsx"})
_MOSTLY = 0.5
"""The share of its keys that have to be heads of one file of data, for a table to be a dictionary of it."""
_FEWEST = 2
"""Keys that are heads, and words of a name that is a part of what is told."""
_LONGEST = 8
"""Words by which a column is called."""
_SENTENCE = re.compile(r"[.;\n]")
_CLAUSE = re.compile(r"[.:;,()\[\]|•=]|\s[-–—]\s|\n")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_MARKS = " *`'\""
_GLUE = frozenset({"of"})
_Entry = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Data:
    """A file of data: where it is, and the heads of its columns, in their order."""

    source: str
    heads: Mapping[str, None]

    @property
    def first(self) -> str:
        """The head of its keys."""
        return next(iter(self.heads))


@dataclass(frozen=True, slots=True)
class _Told:
    """A table that may be a dictionary: where it stands, what that is called, and what it says of its keys."""

    source: str
    names: tuple[str, ...]
    entries: Mapping[str, str]

    def shared(self, data: _Data) -> list[str]:
        """The heads of a file that it describes; none, where it has too few of them."""
        found = [head for head in data.heads if head in self.entries]
        is_most = len(found) >= max(_FEWEST, _MOSTLY * len(self.entries))
        return found if is_most and data.source != self.source else []

    def is_named(self, data: _Data) -> bool:
        """True for a page that is called as the file is, or a part of it whose heading has the file's name."""
        file, own = PurePath(data.source), PurePath(self.source)
        is_called = phrase(file.stem) in (phrase(own.stem), *map(phrase, self.names))
        return own.suffix.lower() not in _DATA and (is_called or any(file.name in name for name in self.names))

    def is_near(self, data: _Data) -> bool:
        """True where it stands in the folder of the file or above, and has the head of its keys too, or words as only
        programs have them: *France* and *Spain* are the names of things.
        """
        found = self.shared(data)
        is_coded = sum(map(_is_coded, found)) >= _MOSTLY * len(found)
        is_beside = PurePath(self.source).parent in PurePath(data.source).parents
        return is_beside and (data.first in found or is_coded)


def described(chunks: Sequence[Chunk]) -> Iterator[_Entry]:
    """The heads of files of data with what dictionaries call them; none for a head of which two files tell different
    things, or that shares its name with another head.

    >>> data = Table("", (("boat",), ("gp_all",)), (("Reed", "41"),))
    >>> told = Table("", (("Column",), ("What it is",)), (("boat", "Name of the boat"), ("gp_all", "Total trips made")))
    >>> list(described([Chunk("a", "", "a", "a.csv", tables=(data,)), Chunk("b", "", "b", "b.md", tables=(told,))]))
    [('boat', 'Name of the boat'), ('gp_all', 'Total trips made')]
    """
    files = _files(chunks)
    having = Counter(head for data in files for head in data.heads)
    texts: dict[str, set[str]] = {}
    of: Counter[str] = Counter()
    for data, dictionaries in _dictionaries(files, list(_tables(chunks)) if files else []):
        told: dict[str, set[str]] = {}
        for each in dictionaries:
            for head in each.shared(data):
                told.setdefault(head, set()).add(each.entries[head])
        of.update(told.keys())
        for head, said in told.items():
            texts.setdefault(head, set()).update(said)
    alike = (head for head, said in texts.items() if len(said) == 1 and of[head] == having[head])
    names = {head: list(_names(*texts[head])) for head in alike}
    shared_by = Counter(phrase(name) for own in names.values() for name in own)
    for head, own in names.items():
        yield from ((head, name) for name in own if shared_by[phrase(name)] == 1)


def _dictionaries(files: Sequence[_Data], tables: Sequence[_Told]) -> Iterator[tuple[_Data, list[_Told]]]:
    """The files with their dictionaries: those that name the file, or, where none does, those near it."""
    by_head: dict[str, list[_Data]] = {}
    for data in files:
        for head in data.heads:
            by_head.setdefault(head, []).append(data)
    found: dict[str, list[_Told]] = {}
    for told in tables:
        near = {data.source: data for key in told.entries for data in by_head.get(key, ())}
        for source, data in near.items():
            if told.shared(data):
                found.setdefault(source, []).append(told)
    for data in files:
        every = found.get(data.source, [])
        named = [told for told in every if told.is_named(data)]
        yield data, named or [told for told in every if told.is_near(data)]


def _files(chunks: Sequence[Chunk]) -> list[_Data]:
    """The files of data; a head that is a number describes itself."""
    found: dict[str, dict[str, None]] = {}
    for chunk in chunks:
        if PurePath(chunk.source).suffix.lower() in _DATA:
            for table in chunk.tables:
                heads = (path[-1] for path in table.columns if path)
                found.setdefault(chunk.source, {}).update(dict.fromkeys(head for head in heads if _has_letter(head)))
    return [_Data(source, heads) for source, heads in found.items() if heads]


def _tables(chunks: Sequence[Chunk]) -> Iterator[_Told]:
    """The tables of a collection, the pieces and rows of one together."""
    found: dict[tuple[str, int | None, tuple[str, ...]], tuple[dict[str, None], dict[str, str]]] = {}
    for chunk in chunks:
        for table in chunk.tables:
            names, entries = found.setdefault((chunk.source, chunk.line, chunk.headings), ({}, {}))
            names |= dict.fromkeys((chunk.title, table.caption, *chunk.headings))
            entries |= _entries(table)
    yield from (_Told(place[0], tuple(names), entries) for place, (names, entries) in found.items() if entries)


def _entries(table: Table) -> Mapping[str, str]:
    """What a table says of its keys: the longest of its columns."""
    if len(table.columns) < _FEWEST:
        return {}
    sizes = [sum(len(row[column]) for row in table.rows) for column in range(1, len(table.columns))]
    telling = 1 + sizes.index(max(sizes))
    told = ((row[0].strip(_MARKS), row[telling]) for row in table.rows)
    return {key: text for key, text in told if key and text.strip()}


def _names(text: str) -> Iterator[str]:
    """What a column is called by: the first sentence of what is told, its first clause, and the words of that before
    the first small one.

    >>> list(_names("The highest position on the northern list that a boat reached. Missing where unknown."))
    ['highest position']
    >>> list(_names("Number of games played (including playoffs)"))
    ['Number of games played including playoffs', 'Number of games played']
    """
    sentence = _WORD.findall(_SENTENCE.split(text.strip(), maxsplit=1)[0])
    clause = _led(_WORD.findall(_CLAUSE.split(text.strip(), maxsplit=1)[0]))
    first = list(takewhile(lambda word: not _is_small(word) or word.casefold() in _GLUE, clause))
    found = [_led(sentence), clause]
    found += [first] if sum(not _is_small(word) for word in first) >= _FEWEST else []
    for said in dict.fromkeys(map(tuple, found)):
        if 0 < len(said) <= _LONGEST and not _is_small(said[-1]) and any(map(_has_letter, said)):
            yield " ".join(said)


def _led(words: Sequence[str]) -> list[str]:
    """Words without the small ones before them."""
    return list(dropwhile(_is_small, words))


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def _is_coded(head: str) -> bool:
    """True for a word as only programs write them.

    >>> [head for head in ("France", "New Zealand", "gp_all", "V01", "OxfordPct", "pop", "H.Length") if _is_coded(head)]
    ['gp_all', 'V01', 'OxfordPct', 'pop', 'H.Length']
    """
    return " " not in head and not (head[:1].isupper() and head[1:].islower() and head.isalpha())


def _is_small(word: str) -> bool:
    return word.casefold() in STOP_WORDS
