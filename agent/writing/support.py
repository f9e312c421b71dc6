"""What a sentence of a model may rest on, number by number.

- A number stands in a chunk that the sentence cites: anywhere in its prose, but of a table in the rows and columns that
  the sentence names, else the question, else in any.
- Or it stands in a finding. What a finding says of one side counts for clauses about that side and about none.
- Or it stands in the question, and is of the same measure there (the 7 of *7th level*) or beside the same word.
- A measure's number is not another's: where the source gives a level, the sentence's level is that one; and a label of
  a row or column, such as armor class 6, is nothing that is rolled.
- Units agree where both have one. A number with fewer decimals may be rounded, and dice told as the range they roll.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from agent.types import Finding
from agent.writing.numbers import (
    MEASURES,
    SCALES,
    TO_HIT,
    Number,
    extremes,
    is_compound,
    is_dice,
    numbers_of_plain,
    parts,
    plain,
)
from agent.writing.sides import Clause, Sides
from retrieval.spans import read_label
from retrieval.text import STOP_WORDS, normal, number
from retrieval.types import Chunk, Table


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures that a sentence names without a number (`free`), and whether it tells a penalty."""

    free: frozenset[str]
    penalty: bool


def _measures(text: str) -> Measures:
    owned = {"armor class" if each.measure == TO_HIT else each.measure for each in numbers_of_plain(text)}
    return Measures(MEASURES.intersection(normal(text)) - owned, "penalt" in text)


class Offered:
    """Numbers that stand somewhere. `keys` are labels and a question's: they say what is asked, and are no answer."""

    def __init__(self, numbers: Iterable[Number], *, keys: bool = False, prose: bool = False) -> None:
        self._keys, self._prose = keys, prose
        self._at: dict[str, list[Number]] = {}
        self._decimals: dict[float, list[Number]] = {}
        self._measures: set[str] = set()
        for each in numbers:
            self._measures.add(each.measure)
            for value in {each.value, *parts(each.value), *extremes(each.value)}:
                self._at.setdefault(value, []).append(each)
            if "." in each.value and not is_dice(each.value):
                self._decimals.setdefault(float(each.value), []).append(each)

    def hold(self, wanted: Number, measures: Measures) -> bool:
        """True when the number stands here, and may be told in a sentence of such measures."""
        values = [wanted.value] if wanted.value in self._at or "/" in wanted.value else parts(wanted.value)
        return all(any(self._fits(wanted, each, measures) for each in self._found(value)) for value in values)

    def _found(self, value: str) -> Iterable[Number]:
        rounded = (near for exact, near in self._decimals.items() if _rounds(exact, value)) if self._decimals else ()
        return chain(self._at.get(value, ()), *rounded)

    def _fits(self, wanted: Number, offered: Number, measures: Measures) -> bool:
        if wanted.unit and offered.unit and wanted.unit != offered.unit:
            return False
        if is_dice(offered.value) and not (is_dice(wanted.value) or wanted.is_end or _is_of_dice(wanted)):
            return False
        if wanted.is_end and offered.is_end:
            return True
        if is_compound(wanted.value) and is_compound(offered.value) and not _alike(wanted.value, offered.value):
            return False
        if wanted.measure and wanted.measure in self._measures:
            elided = self._prose and not offered.measure and wanted.measure in offered.nearby
            return wanted.measure == offered.measure or elided
        if wanted.measure == TO_HIT and offered.measure == "armor class":
            return True
        if offered.measure:
            is_counted = offered.measure not in SCALES and not self._keys
            return not wanted.measure and (is_counted or offered.measure in measures.free)
        return not self._keys or bool(wanted.beside & offered.beside)


def _is_of_dice(wanted: Number) -> bool:
    """True for a number of dice or of their sides."""
    return wanted.measure == "hit dice" or not wanted.beside.isdisjoint({"die", "sided"})


def _alike(value: str, other: str) -> bool:
    """True for the same, and for the same dice with or without something added."""
    return value == other or (is_dice(value) and re.split("[+-]", value)[0] == re.split("[+-]", other)[0])


def _rounds(exact: float, value: str) -> bool:
    """True when the value is what is left of `exact` with fewer decimals."""
    if "/" in value or not value.lstrip("-").replace(".", "", 1).isdigit():
        return False
    return abs(exact - float(value)) <= 0.5 * 10.0 ** -len(value.partition(".")[2]) + 1e-9


class Support:
    """What the sentences of one answer may rest on."""

    def __init__(self, findings: Sequence[Finding], chunks: Mapping[int, Chunk], question: str) -> None:
        self._findings, self._chunks, self._question = findings, chunks, question
        self._told: list[tuple[Sides, dict[str, Offered]]] | None = None

    def lacking(self, sentence: str, marks: Iterable[int]) -> list[str]:
        """The numbers of a sentence (without its marks) that stand nowhere it may take them from."""
        text = plain(sentence)
        if not any(character.isdecimal() for character in text) and not numbers_of_plain(text):
            return []
        measures = _measures(text)
        anywhere = [
            _asked(self._question),
            *(part for n in dict.fromkeys(marks) for part in self._cited(self._chunks.get(n), text)),
        ]
        wanted = dict.fromkeys(each for each in numbers_of_plain(text) if not each.implied)
        unheld = [each for each in wanted if not _held(each, anywhere, measures)]
        told = [(_clauses(sides, text), held) for sides, held in self._of_findings()] if unheld else []
        return [each.value for each in unheld if not any(_told(each, *finding, measures) for finding in told)]

    def _cited(self, chunk: Chunk | None, sentence: str) -> Iterator[Offered]:
        if chunk is not None:
            yield _prose(chunk.text, chunk.title, chunk.tables)
            for table in _tables(chunk):
                yield from _named(table, sentence, self._question)

    def _of_findings(self) -> Iterable[tuple[Sides, dict[str, Offered]]]:
        if self._told is None:
            self._told = [(sides, _by_side(finding, sides)) for finding in self._findings for sides in [Sides(finding)]]
        return self._told


def _held(wanted: Number, offers: Iterable[Offered], measures: Measures) -> bool:
    """True when one of the offers holds the number, or what a *penalty of 1* takes away."""
    wordings = [wanted, replace(wanted, value=f"-{wanted.value}")] if measures.penalty else [wanted]
    return any(each.hold(wording, measures) for each in offers for wording in wordings)


_Valued = tuple[Clause, frozenset[str]]


def _clauses(sides: Sides, text: str) -> Sequence[_Valued]:
    """The sentence by whom it speaks of, with the numbers of each clause; as one, where that can't be told apart."""
    whole = not sides.names or "respectively" in text
    clauses = [Clause(text, frozenset(), frozenset())] if whole else sides.clauses(text)
    return [(each, frozenset(number.value for number in numbers_of_plain(each.text))) for each in clauses]


def _told(wanted: Number, clauses: Sequence[_Valued], held: Mapping[str, Offered], measures: Measures) -> bool:
    """True when a finding says the number of those of whom the sentence does, in every clause that has it."""
    having = [clause for clause, values in clauses if wanted.value in values]
    named = {each.sides if wanted.measure else each.speakers for each in having}
    allowed = [[held[side] for side in ("", *sides) if side in held] if sides else held.values() for sides in named]
    return bool(having) and all(_held(wanted, offers, measures) for offers in allowed)


def _by_side(finding: Finding, sides: Sides) -> dict[str, Offered]:
    """What a finding's lines say of each side; of none, under the empty name."""
    found: dict[str, list[Number]] = {"": [Number(str(len(sides.names)))] if sides.names else []}
    for line in dict.fromkeys((finding.claim, *(step.text for step in finding.steps))):
        text = plain(line)
        if not sides.names:
            found[""] += numbers_of_plain(text)
            continue
        for clause in sides.clauses(text):
            for side in clause.speakers or ("",):
                found.setdefault(side, []).extend(numbers_of_plain(clause.text))
    return {side: Offered(numbers) for side, numbers in found.items()}


@lru_cache(maxsize=256)
def _asked(question: str) -> Offered:
    return Offered(numbers_of_plain(plain(question)), keys=True)


@lru_cache(maxsize=1024)
def _prose(text: str, title: str, tables: tuple[Table, ...]) -> Offered:
    """The numbers of a chunk's text, without the rows of its tables."""
    cells = {
        f"{' '.join(head)}: {cell}"
        for table in tables if not table.is_record
        for row in table.rows for head, cell in zip(table.columns, row, strict=False)
    }  # fmt: skip
    rows = bool(cells)
    lines = [title, *(line for line in text.split("\n") if not (rows and " | " in line) and line not in cells)]
    return Offered(chain.from_iterable(numbers_of_plain(plain(line)) for line in lines), prose=True)


def _tables(chunk: Chunk) -> Iterator[Table]:
    return (table for table in chunk.tables if not table.is_record and table.columns)


def _named(table: Table, sentence: str, question: str) -> Iterator[Offered]:
    """The cells in the rows and columns that a sentence names, else the question, else all; and the labels of those."""
    heads = [" ".join(head) for head in table.columns]
    rows = _chosen([(heads[0], row[0]) for row in table.rows], sentence, question)
    numbered = [i for i in range(1, len(heads)) if read_label(heads[i]).span is not None]
    chosen = {numbered[i] for i in _chosen([("", heads[i]) for i in numbered], sentence, question)}
    columns = [i for i in _worded(heads, numbered, sentence, question) if i in chosen or i not in numbered]
    labels = [*(f"{heads[0]} {table.rows[row][0]}" for row in rows), *(heads[i] for i in columns)]
    told = [(f"{heads[i]} " if i not in chosen else "") + table.rows[row][i] for row in rows for i in columns]
    keys = list(chain.from_iterable(numbers_of_plain(plain(label)) for label in labels))
    cells = chain.from_iterable(numbers_of_plain(plain(cell)) for cell in told)
    yield Offered((each for each in keys if each.measure), keys=True)
    yield Offered(chain((each for each in keys if not each.measure), cells))


def _chosen(labels: Sequence[tuple[str, str]], sentence: str, question: str) -> Sequence[int]:
    """The places of the labels (each behind its head) that the sentence names, else the question, else all.

    A number that says itself what it measures goes before one that may as well be what is told.
    """
    for said in (True, False):
        for text in (sentence, plain(question)):
            numbers = [each for each in numbers_of_plain(text) if not is_dice(each.value)]
            words = frozenset(normal(text)) if said else frozenset()
            found = [i for i, (head, label) in enumerate(labels) if _names(head, label, numbers, words, said)]
            if found:
                return [i for i in found if _words(labels[i][1]) <= words] or found
    return range(len(labels))


def _worded(heads: Sequence[str], numbered: Sequence[int], sentence: str, question: str) -> Sequence[int]:
    """The columns; where the sentence names none by its words and the question does, only that."""
    columns = range(1, len(heads))
    told = [frozenset(normal(text)) for text in (sentence, plain(question))]
    named = [[i for i in columns if words & _words(heads[i])] for words in told]
    return columns if named[0] or not named[1] else [i for i in columns if i in named[1] or i in numbered]


def _names(head: str, label: str, numbers: Sequence[Number], words: frozenset[str], said: bool) -> bool:
    """True when one of the words is the label's, or a number is in its range and is (or may be) of its measure."""
    span = read_label(label).span
    if span is None:
        return bool(words & _words(label))
    measures = {each.measure for each in numbers_of_plain(plain(f"{head} {label}"))} - {""} or SCALES
    return any(number(n.value) in span for n in numbers if (n.measure in measures if said else not n.measure))


def _words(label: str) -> frozenset[str]:
    return frozenset(normal(label)) - STOP_WORDS
