"""What a sentence of a model may rest on, number by number.

- A number stands in a chunk that the sentence cites: anywhere in its prose; of a table, in the rows and columns that
  the sentence names, else the question, else in any. A column that is named is told before the rest of its row may be.
- Or it stands in a finding. What a finding says of one side counts for clauses about that side and about none.
- Or it stands in the question, and is of the same measure there (the 7 of *7th level*) or beside the same word.
- A measure's number is not another's: where the source gives a level, the sentence's level is that one; and a label of
  a row or column, such as armor class 6, is nothing that is rolled.
- Units agree where both have one. A number with fewer decimals may be rounded, and dice told as the range they roll.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import chain

from agent.types import Finding
from agent.understanding.measures import named_everywhere, scales
from agent.writing.numbers import OF_ANOTHER, Number, extremes, is_dice, numbers_of_plain, plain, readings
from agent.writing.sides import Sides, lines_of
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import STOP_WORDS, normal, number
from retrieval.types import Chunk, Table

_WHOLE = 1000
"""More words than a label has."""


class Offered:
    """Numbers that stand somewhere. A question's are `keys`: they say what is asked, and are no answer."""

    def __init__(self, numbers: Iterable[Number], *, keys: bool = False) -> None:
        self._keys = keys
        self._at: dict[str, list[Number]] = {}
        self._decimals: list[Number] = []
        self._measures: set[str] = set()
        for each in numbers:
            self._measures.add(each.measure)
            for value in {each.value, *extremes(each.value), *each.value.split("/")}:
                self._at.setdefault(value, []).append(each)
            if "." in each.value and not is_dice(each.value):
                self._decimals.append(each)

    def hold(self, wanted: Sequence[Number]) -> bool:
        """True when a number in one of its readings stands here, and may be told."""
        if any(self._fits(reading, each) for reading in wanted for each in self._found(reading.value)):
            return True
        pieces, ends = _pieces(wanted[0]), extremes(wanted[0].value)
        if ends and all(any(each.is_end for each in self._at.get(end, ())) for end in ends):
            return True
        return bool(pieces) and all(self.hold([each]) for each in pieces)

    def _found(self, value: str) -> Iterable[Number]:
        return chain(self._at.get(value, ()), (each for each in self._decimals if _rounds(float(each.value), value)))

    def _fits(self, wanted: Number, offered: Number) -> bool:
        if wanted.unit and offered.unit and wanted.unit != offered.unit:
            return False
        dice = [is_dice(wanted.value), is_dice(offered.value)]
        if any(dice):
            return all(dice) or wanted.is_end
        return (wanted.is_end and offered.is_end) or self._measures_fit(wanted, offered)

    def _measures_fit(self, wanted: Number, offered: Number) -> bool:
        """True when two equal numbers measure the same, as far as the texts say what they measure."""
        own = wanted.measure.removesuffix(OF_ANOTHER)
        if own != wanted.measure and own == offered.measure:
            return True
        if own in named_everywhere() or (wanted.measure and wanted.measure in self._measures):
            return wanted.measure == offered.measure
        if offered.measure:
            return not (
                wanted.measure or self._keys or offered.measure in scales() or offered.measure.endswith(OF_ANOTHER)
            )
        return not self._keys or bool(wanted.beside & offered.beside)


def _pieces(wanted: Number) -> list[Number]:
    """What dice are put together from: *1d8+1* from 1d8 and 1."""
    dice, plus, pips = wanted.value.partition("+")
    return [replace(wanted, value=dice), replace(wanted, value=pips)] if plus and is_dice(dice) else []


def _rounds(exact: float, value: str) -> bool:
    """True when the value is what is left of `exact` with fewer decimals."""
    if not value.lstrip("-").replace(".", "", 1).isdigit():
        return False
    return abs(exact - float(value)) <= 0.5 * 10.0 ** -len(value.partition(".")[2]) + 1e-9


class Support:
    """What the sentences of one answer may rest on."""

    def __init__(self, findings: Sequence[Finding], chunks: Mapping[int, Chunk], question: str) -> None:
        self._findings, self._chunks, self._question = findings, chunks, plain(question)

    @cached_property
    def _told(self) -> list[Told]:
        return [Told(finding) for finding in self._findings]

    def lacking(self, sentence: str, marks: Iterable[int]) -> list[str]:
        """The numbers of a sentence (without its marks) that stand nowhere it may take them from."""
        text = plain(sentence)
        wanted: dict[Number, Sequence[Number]] = {each[0]: each for each in readings(text) if not each[0].implied}
        if not wanted:
            return []
        cited = [self._chunks[n] for n in dict.fromkeys(marks) if n in self._chunks]
        offers = [_asked(self._question), *(part for chunk in cited for part in _offers(chunk, text, self._question))]
        unheld = [each for each in wanted.values() if not any(offer.hold(each) for offer in offers)]
        for told in self._told if unheld else ():
            unheld = told.lacking(unheld, text)
        return [each[0].value for each in unheld]


class Told:
    """What one finding says, by the side that it says it of; of none, under the empty name."""

    def __init__(self, finding: Finding) -> None:
        self._sides = Sides(finding)
        found = {"": [Number(str(len(self._sides.names)))] if self._sides.names else []}
        for line in lines_of(finding):
            for clause in self._sides.clauses(plain(line)):
                for side in clause.speakers or ("",):
                    found.setdefault(side, []).extend(numbers_of_plain(clause.text))
        self._held = {side: Offered(numbers) for side, numbers in found.items()}

    def lacking(self, wanted: Iterable[Sequence[Number]], text: str) -> list[Sequence[Number]]:
        """The numbers of a text that are not said, in some clause that has them, of those of whom it speaks."""
        clauses = [
            (
                {"", *each.speakers} & self._held.keys() if each.speakers else self._held.keys(),
                numbers_of_plain(each.text),
            )
            for each in self._sides.clauses(text)
        ]
        return [each for each in wanted if not self._hold(each, clauses)]

    def _hold(self, wanted: Sequence[Number], clauses: Iterable[tuple[Set[str], Sequence[Number]]]) -> bool:
        having = [sides for sides, numbers in clauses if any(each.value == wanted[0].value for each in numbers)]
        return bool(having) and all(any(self._held[side].hold(wanted) for side in sides) for sides in having)


@lru_cache(maxsize=256)
def _asked(question: str) -> Offered:
    return Offered(numbers_of_plain(question), keys=True)


def _offers(chunk: Chunk, sentence: str, question: str) -> Iterator[Offered]:
    """The numbers of a chunk's prose, and of those cells of its tables that may be told."""
    tables = tuple(table for table in chunk.tables if not table.is_record and table.columns)
    yield _prose(chunk.text, tables)
    for table in tables:
        yield Offered(
            each for cell in _cells(table, sentence, question) for one in readings(plain(cell)) for each in one
        )


@lru_cache(maxsize=1024)
def _prose(text: str, tables: tuple[Table, ...]) -> Offered:
    """The numbers of a text without the rows and captions of its tables."""
    heads = tuple(f"{head}: " for table in tables for head in _heads(table))
    marks = [mark for table in tables for mark in (" | ", table.caption) if mark]
    lines = (
        line for line in text.split("\n") if not line.startswith(heads) and not any(each in line for each in marks)
    )
    return Offered(_all(lines))


def _all(lines: Iterable[str]) -> Iterator[Number]:
    return (reading for line in lines for each in readings(plain(line)) for reading in each)


def _heads(table: Table) -> list[str]:
    return [" ".join(head) for head in table.columns]


def _cells(table: Table, sentence: str, question: str) -> Iterator[str]:
    """The labels and cells of the rows and columns that a sentence names, else the question, else of all.

    A column with a number for its name, as *level 4-6*, is one of many ways to ask, and counts when it is named. Of the
    others all do, but only if one that is named is told.
    """
    heads = _heads(table)
    spans = [i for i in range(1, len(heads)) if read_label(heads[i]).span is not None]
    words = [i for i in range(1, len(heads)) if i not in spans]
    rows = [table.rows[i] for i in _chosen([(heads[0], row[0]) for row in table.rows], sentence, question)]
    spans = [spans[i] for i in _chosen([("", heads[i]) for i in spans], sentence, question)]
    named = [words[i] for i in _chosen([("", heads[i]) for i in words], sentence, question)]
    told = {each.value for each in numbers_of_plain(sentence) if not each.implied}
    values = {each.value for row in rows for i in named for each in numbers_of_plain(plain(row[i])) if not each.implied}
    for row in rows:
        yield f"{heads[0]} {row[0]}"
        yield from (f"{heads[i]} {row[i]}" for i in (named if values and not values & told else words))
        yield from (row[i] for i in spans)
    yield from (heads[i] for i in spans)


def _chosen(labels: Sequence[tuple[str, str]], sentence: str, question: str) -> Sequence[int]:
    """The places of the labels (each behind its head) that the sentence names, else the question, else all.

    Those that are named in full go before those of which most is.
    """
    for text in (sentence, question):
        words, numbers = frozenset(normal(text)), numbers_of_plain(text)
        named = [_named(head, label, words, numbers) for head, label in labels]
        if best := max(named, default=0):
            return [i for i, each in enumerate(named) if each == best]
    return range(len(labels))


def _named(head: str, label: str, words: frozenset[str], numbers: Sequence[Number]) -> int:
    """How many words of a label are named; most, if all are, or if a number of its measure is in its range."""
    span = read_label(label).span
    if span is None:
        own = frozenset(normal(label)) - STOP_WORDS
        return _WHOLE if own and own <= words else len(own & words)
    measures = {each.measure for each in numbers_of_plain(plain(f"{head} {label}"))} - {""} or scales()
    keys = (number(each.value) for each in numbers if each.measure in measures and not is_dice(each.value))
    return _WHOLE if any(key in span for key in keys) else 0
