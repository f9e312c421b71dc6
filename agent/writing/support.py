"""What a sentence of a model may rest on, number by number.

- A number stands in a chunk that the sentence cites: in its prose, beside the same words if beside any; or in the cell
  of a table whose row and column the sentence names (`agent.writing.table_claims`). Of several cited chunks that it
  names, each number stands in the one that it is said of (`agent.writing.claims`).
- Or it stands in a finding. What a finding says of one side counts for clauses about that side and about none.
- Or it stands in the question, and is of the same measure there (the 7 of *7th level*) or beside the same word.
- Or it follows from numbers of the sentence that have a source: a sum, a difference, an average of dice, a count.
- A measure's number is not another's: where the source gives a level, the sentence's level is that one; and a label of
  a row or column, such as armor class 6, is nothing that is rolled. Titles say what their numbers measure.
- Units agree where both have one. A number with fewer decimals may be rounded, and dice told as the range they roll.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property, lru_cache

from agent.languages.language import english, language_of, languages
from agent.types import Finding
from agent.understanding.measures import measures as known_measures
from agent.writing.claims import Mention, Said, named, owners, said, words_of
from agent.writing.derived import follows
from agent.writing.differences import differing, is_difference_of, series_of
from agent.writing.facts import is_telling, label_of, labels_of, text_of
from agent.writing.numbers import PERCENT, TIMES, Number, numbers_of_plain, plain, readings
from agent.writing.offered import Offered, of_measures
from agent.writing.rates import by_rates, takes
from agent.writing.rivals import outdone
from agent.writing.sides import Sides, lines_of
from agent.writing.table_claims import claims_of
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import STOP_WORDS, normal
from retrieval.types import Chunk, Table

_MOST_NUMBERS = 100
"""No sentence has more; what does is not looked through."""
_LISTED = re.compile(r"[-*•] ([A-Za-z][A-Za-z' -]{0,40}?)(:?) ([+-]?\d.{0,80})$")
"""A line of a list that is a name and a number: *- Assassin 15*."""
_BRACKETED = re.compile(r"\(([^()]*)\)")
_WORD = re.compile(r"[^\W\d_]+")
_DECIMAL_COMMA = re.compile(r"(?<![\d,.])(\d+),(\d{1,2})(?![\d,])")
"""How many languages write 12.5; in others it may be two numbers."""
_PART_OF = re.compile(r"\s*\(\d+(?: of \d+)?\)$")
"""Behind the title of a chunk that is one of several."""


_COMPARING = frozenset({"than", "time", "that", "difference"})
"""Words that set a number against another: *4 more than the lich*, *3 times that of the reed*."""
_ALL = ("the", "these", "those", "all")
"""Words before a number that counts what is there."""


class Support:
    """What the sentences of one answer may rest on."""

    def __init__(self, findings: Sequence[Finding], chunks: Mapping[int, Chunk], question: str) -> None:
        self._findings, self._chunks, self._question = findings, chunks, plain(question)

    @cached_property
    def _told(self) -> list[Told]:
        return [Told(finding) for finding in self._findings]

    def lacking(self, sentence: str, marks: Iterable[int]) -> list[str]:
        """The numbers of a sentence (without its marks) that stand nowhere it may take them from."""
        lacking = self._lacking(sentence, marks)
        pointed = _DECIMAL_COMMA.sub(r"\1.\2", sentence)
        return min((lacking, self._lacking(pointed, marks)), key=len) if lacking and pointed != sentence else lacking

    def _lacking(self, sentence: str, marks: Iterable[int]) -> list[str]:
        text = plain(_with_digits(sentence))
        cited = [self._chunks[n] for n in dict.fromkeys(marks) if n in self._chunks]
        read = said(text, frozenset(word for chunk in cited for word in normal(chunk.title)))
        if len(read.numbers) > _MOST_NUMBERS:
            return [f"one of {len(read.numbers)} numbers"]
        read = _without_names(read, cited)
        far = differing(read, cited)
        places = (_borne_out(read, said(self._question), cited) - far) | by_rates(read, cited)
        asked = _asked(self._question)
        unheld: list[Sequence[Number]] = [
            each for each in read.numbers if each[0].place not in places and not asked.hold(each)
        ]
        for told in self._told if unheld else ():
            unheld = told.lacking(unheld, text)
        if unheld:
            lacking = {each[0].place for each in unheld}
            held = [each[0] for each in read.numbers if each[0].place not in lacking]
            counts = _counts(read, cited)
            held += _compared_with(held, read, cited)
            displaced = _displaced(read, cited)
            series = list(series_of(read, cited, _chunks_named(read, cited))) if far else []
            unheld = [
                each for each in unheld if each[0].place not in far or not is_difference_of(each[0], held, series)
            ]
            unheld = [
                each
                for each in unheld
                if each[0].place in far
                or _is_displaced(each[0], displaced, counts)
                or not _follows(each[0], held, counts, read)
            ]
        return list(dict.fromkeys(each[0].value for each in unheld))

    def names_others(self, text: str, marks: Iterable[int]) -> bool:
        """Whether part of a sentence names what a chunk is about that is cited elsewhere, and none of those here."""
        chunks = list(self._chunks.values())
        here = {i for i, n in enumerate(self._chunks) if n in set(marks)}
        named_there = _chunks_named(said(plain(text)), chunks)
        return bool(named_there) and not any(each.meant & here for each in named_there)


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


def _with_digits(sentence: str) -> str:
    """The sentence with the number words of its language as digits; English ones are read anyway.

    >>> _with_digits("Es kostet zwei Münzen und hat sechs Zacken")
    'Es kostet 2 Münzen und hat 6 Zacken'
    """
    words = language_of(normal(sentence), languages()).numbers
    if not words:
        return sentence
    return _WORD.sub(lambda match: words.get(next(iter(normal(match[0])), ""), match[0]), sentence)


@lru_cache(maxsize=256)
def _asked(question: str) -> Offered:
    return Offered(numbers_of_plain(question), keys=True)


def _borne_out(sentence: Said, question: Said, cited: Sequence[Chunk]) -> Set[int]:
    """The places of the numbers that the cited chunks have, each in the one that it is said of."""
    by_chunk = [_held_by(chunk, sentence, question) for chunk in cited]
    every = frozenset().union(*by_chunk)
    mentions = _chunks_named(sentence, cited)
    if len({each.meant for each in mentions}) < 2:
        return every
    of_named = [by_chunk[i] for each in mentions for i in each.meant]
    telling = frozenset().union(*of_named) - frozenset.intersection(*of_named)
    ordered = sorted(every)
    best: Set[int] = frozenset()
    for way in owners(mentions, ordered):
        owned = [(place, each) for place, each in zip(ordered, way, strict=True) if place in telling]
        best = max(best, {place for place, each in owned if any(place in by_chunk[i] for i in each.meant)}, key=len)
    return (every - telling) | best


def _without_names(sentence: Said, cited: Sequence[Chunk]) -> Said:
    """The sentence without the numbers that are part of a name: of *Tier II*, and of *hpc.3.56core*."""
    inside: set[int] = set()
    for name in frozenset().union(*(_numbered_names(chunk) for chunk in cited)):
        for start in range(len(sentence.tokens) - len(name) + 1):
            if sentence.tokens[start : start + len(name)] == name:
                inside.update(range(start, start + len(name)))
    return replace(sentence, numbers=tuple(each for each in sentence.numbers if each[0].place not in inside))


@lru_cache(maxsize=1024)
def _numbered_names(chunk: Chunk) -> frozenset[tuple[str, ...]]:
    """The names of a chunk that have numbers among words: titles, and of its tables the labels and the heads."""
    names = [_PART_OF.sub("", chunk.title), *chunk.headings]
    for table in chunk.tables:
        heads = [part for head in table.columns for part in head]
        names += [*heads, *_BRACKETED.findall(" ".join(heads)), *(row[0] for row in table.rows)]
    codes = [word for name in names for word in name.split() if word[0].isalpha()]
    read = (normal(plain(name)) for name in (*names, *codes))
    return frozenset(name for name in read if _is_numbered(name))


def _is_numbered(name: Sequence[str]) -> bool:
    """True for words with a number that only tells them apart; a number with its measure or its unit tells more."""
    own = numbers_of_plain(" ".join(name))
    has_words = any(token.isalpha() and token not in STOP_WORDS for token in name)
    return bool(own) and has_words and not any(each.measure or each.unit or each.is_end for each in own)


def _chunks_named(sentence: Said, cited: Sequence[Chunk]) -> list[Mention]:
    """Where a sentence names what its chunks are about: by their titles, the last headings or the labels of lines that
    tell them apart.
    """
    titles = [_PART_OF.sub("", chunk.title) for chunk in cited]
    all_names = [
        {title: None, **dict.fromkeys(chunk.headings), **dict.fromkeys(labels_of(chunk) if len(cited) > 1 else ())}
        for title, chunk in zip(titles, cited, strict=True)
    ]
    names = []
    for i, chunk in enumerate(cited):
        others = {name for j, each in enumerate(all_names) if j != i for name in (titles[j], *each)}
        others -= {titles[i]} - {title for j, title in enumerate(titles) if j != i}
        own = [name for name in all_names[i] if name not in chunk.headings[:-2] and name not in others]
        names += [(i, "", name) for name in own if words_of(name)]
    return [each for each in named(names, sentence) if each.is_whole]


def _displaced(sentence: Said, cited: Sequence[Chunk]) -> frozenset[int]:
    """The places of the numbers that the sources say of something else; none where a sentence says that it computes."""
    computing = [phrase for operation, phrase in english().operations if operation in ("total", "difference")]
    tokens = sentence.tokens
    is_computed = any(each == tokens[i : i + len(each)] for each in computing for i in range(len(tokens)))
    if is_computed or not sentence.words.isdisjoint(_COMPARING):
        return frozenset()
    return frozenset().union(*(outdone(chunk, sentence) for chunk in cited))


def _is_displaced(wanted: Number, displaced: Set[int], counts: Set[int]) -> bool:
    """Whether a number stands in a source, but of something else: that others add up to it too is chance."""
    is_count = wanted.value.isdecimal() and int(wanted.value) in counts
    return wanted.place in displaced and wanted.unit not in (TIMES, PERCENT) and not is_count


def _follows(wanted: Number, held: Sequence[Number], counts: Set[int], sentence: Said) -> bool:
    """Whether a number comes from those that are held: *of the two* counts, and *40% of* is a share."""
    is_count = wanted.place == 0 or sentence.tokens[wanted.place - 1] in _ALL
    is_share = sentence.tokens[wanted.place + 2 : wanted.place + 3] == ("of",)
    return follows(wanted, held, counts if is_count else (), is_share) or takes(wanted, held, sentence)


def _compared_with(held: Sequence[Number], sentence: Said, cited: Sequence[Chunk]) -> list[Number]:
    """What is not told of what a sentence compares with: the numbers of other things that it names, beside those held.

    They are of the same column in a row that is named, or of the same label in the record of another chunk.
    """
    if sentence.words.isdisjoint(_COMPARING):
        return []
    values = {each.value for each in held}
    found: list[Number] = []
    for mention in _chunks_named(sentence, cited):
        for chunk in (cited[i] for i in mention.meant):
            records = (row for table in chunk.tables if table.is_record for row in table.rows)
            found += [each for label, value in records if label in _labels_of(values, cited) for each in _read(value)]
    for table in (table for chunk in cited for table in chunk.tables if table.columns and not table.is_record):
        rows = {r for each in claims_of(table).rows_named(sentence) if each.is_whole for r in each.meant}
        for column in list(zip(*table.rows, strict=True))[1:]:
            own = [each for r in rows for each in _read(column[r])]
            found += [] if values.isdisjoint(each.value for each in own) else own
    return found


def _labels_of(values: Set[str], cited: Sequence[Chunk]) -> Set[str]:
    """The labels of records that have some value."""
    rows = (row for chunk in cited for table in chunk.tables if table.is_record for row in table.rows)
    return {label for label, value in rows if any(each.value in values for each in _read(value))}


def _read(cell: str) -> Sequence[Number]:
    return numbers_of_plain(plain(cell))


def _counts(sentence: Said, cited: Sequence[Chunk]) -> Set[int]:
    """How many things a sentence names: chunks, or rows of one table."""
    tables = [table for chunk in cited for table in chunk.tables]
    rows = (claims_of(table).rows_named(sentence) for table in tables if table.columns and not table.is_record)
    counted = (len({each.meant for each in mentions if each.is_whole}) for mentions in rows)
    whole = (len(table.rows) for table in tables if "all" in sentence.words)
    return {count for count in (len(_chunks_named(sentence, cited)), *counted, *whole) if count > 1}


@lru_cache(maxsize=1024)
def _held_by(chunk: Chunk, sentence: Said, question: Said) -> frozenset[int]:
    """The places of a sentence's numbers that a chunk has: in its prose, or in those cells that the sentence names."""
    tables = tuple(table for table in chunk.tables if not table.is_record and table.columns)
    prose = _prose(chunk.title, chunk.headings, text_of(chunk), tables)
    listed = _listed(chunk.title, chunk.text)
    by_range = _by_range(chunk.text)
    tables += tuple(each for each in (listed, by_range) if each is not None)
    held = frozenset(each[0].place for each in sentence.numbers if prose.hold(each, sentence.words))
    claims = [claims_of(table) for table in tables]
    of_others = outdone(chunk, sentence).difference(*(each.keys_of(sentence) for each in claims))
    return held.union(*(each.borne_out(sentence, question) for each in claims)) - of_others


@lru_cache(maxsize=1024)
def _listed(title: str, text: str) -> Table | None:
    """The lines of a list that give each thing its number, as a table of two columns."""
    rows = tuple(row for line in text.split("\n") if (row := _of_list(line)) is not None)
    return Table("", (("",), tuple(_measures_of(title)[:1])), rows) if len(rows) > 1 else None


@lru_cache(maxsize=1024)
def _by_range(text: str) -> Table | None:
    """The lines that each begin with a range of something, as a table: *5 to 9 barges: 1 pilot*, *over 9 barges: 2*."""
    rows = tuple(row for line in text.split("\n") if (row := _of_range(line)) is not None)
    return Table("", (("",), ("",)), rows) if len(rows) > 1 else None


def _of_range(line: str) -> tuple[str, str] | None:
    """The range that a line begins with, of something that has a name, and what it is told of."""
    label, colon, told = line.lstrip("-*• ").partition(": ")
    span = read_label(label).span if colon and any(map(str.isdecimal, label)) else None
    return (label, told) if span is not None and span.minimum < span.maximum and read_label(label).name else None


def _of_list(line: str) -> tuple[str, str] | None:
    """The name and the number of a line of a list; no line is one that is a sentence."""
    match = _LISTED.match(line)
    if match is None or _of_range(line) is not None or not (match[2] or STOP_WORDS.isdisjoint(normal(match[1]))):
        return None
    return match[1], match[3]


def _measures_of(title: str) -> list[str]:
    """The measures that a title names: those of the numbers below it."""
    return [token for token in normal(_PART_OF.sub("", title)) if token in known_measures()]


@lru_cache(maxsize=1024)
def _prose(title: str, headings: tuple[str, ...], text: str, tables: tuple[Table, ...]) -> Offered:
    """The numbers of a text without the rows and captions of its tables; its title tells what they measure."""
    heads = tuple(f"{' '.join(head)}: " for table in tables for head in table.columns)
    marks = [mark for table in tables for mark in (" | ", table.caption) if mark]
    lines = [
        line for line in text.split("\n") if not line.startswith(heads) and not any(each in line for each in marks)
    ]
    if _listed(title, text) is not None:
        lines = [line for line in lines if _of_list(line) is None]
    if _by_range(text) is not None:
        lines = [line for line in lines if _of_range(line) is None]
    about = frozenset(normal(" ".join((title, *headings))))
    return Offered(of_measures(_all(lines), _measures_of(title)), prose=True, title=about)


def _all(lines: Iterable[str]) -> Iterator[Number]:
    """The numbers of lines, each also near the words that its line begins with."""
    for line in lines:
        label = frozenset(filter(is_telling, normal(plain(label_of(line)))))
        for reading in (reading for each in readings(plain(line)) for reading in each):
            yield replace(reading, near=reading.near | label) if label else reading
