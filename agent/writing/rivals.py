"""Numbers that a sentence takes from beside what it names: another cell or line of the source fits its words better.

Each number of a source stands beside words: a cell's are those of its row and of its head, a line's are its own. A
sentence that says 230 of *the 16G Kingston reads* has the words of one cell, and the number of another, with fewer of
these words. So a number is none of what the sentence names where some rival has all the words of the sentence that
stand beside it, and more, and is not told itself. What stands behind numbers here, as *TiB* and *GiB*, and behind
this one, is not confused either.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from agent.languages.language import english
from agent.writing.claims import Said
from agent.writing.numbers import BOUNDING, OF_ANOTHER, Number, extremes, numbers_of_plain, parts, plain
from retrieval.text.normal import STOP_WORDS, is_number, normal
from retrieval.types import Chunk, Table

_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z\"“(])")
_ROMAN_ONE = "i"
_TEXT = 0
_ONE = "1"
"""Counts little: *one target*."""


_Pair = tuple[str, str]
"""A value and what stands behind it."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Numbers of a source that stand together, each with what stands behind it, and the words beside them.

    Those of one table or text are `of` the same, and rivals. `beside` has besides its words those of what leads to it.
    """

    of: int
    pairs: frozenset[_Pair]
    words: frozenset[str]
    beside: frozenset[str]

    def has(self, value: str) -> bool:
        return any(value == each for each, _ in self.pairs)


def outdone(chunk: Chunk, sentence: Said) -> frozenset[int]:
    """Return the places of the numbers of a sentence that a chunk has, but says of something else.

    >>> from agent.writing.claims import said
    >>> ways = Chunk("1", "The ferry takes 20 minutes.\\nThe bridge takes 5 minutes.", "Ways")
    >>> read = said("the ferry takes 5 minutes")
    >>> [read.tokens[place] for place in outdone(ways, read)]
    ['5']
    """
    facts = _facts(chunk)
    about = frozenset(normal(" ".join((chunk.title, *chunk.headings))))
    told = [one[0] for one in sentence.numbers]
    return frozenset(one[0].place for one in sentence.numbers if _is_outdone(one[0], facts, sentence, about, told))


def _is_outdone(
    wanted: Number, facts: Sequence[Fact], sentence: Said, about: frozenset[str], told: Sequence[Number]
) -> bool:
    having = [fact for fact in facts if fact.has(wanted.value)]
    unit = _unit(sentence.tokens, wanted)
    own = [fact for fact in having if (wanted.value, unit) in fact.pairs] or having
    if (wanted.value == _ONE and not wanted.unit) or not own:
        return False
    if all(_has_another_unit(wanted.value, unit, fact, facts) for fact in own):
        return True
    words = _words_of(sentence, wanted, unit in _units()) - {wanted.measure.removesuffix(OF_ANOTHER)}
    if all(fact.of == _TEXT and _has_another_key(fact, words, facts) for fact in own):
        return True
    before = _pairs(sentence.tokens, (each for each in told if each.place < wanted.place))
    rivals = [fact for fact in facts if not all(_is_told(pair, before) for pair in fact.pairs)]
    denies = not sentence.words.isdisjoint(english().negations)
    return all(_is_outdone_by(rivals, fact, words - about if fact.of == _TEXT else words, denies) for fact in own)


def _is_told(pair: _Pair, told: frozenset[_Pair]) -> bool:
    value, unit = pair
    return any(value == each and (unit == behind or not unit or not behind) for each, behind in told)


def _is_outdone_by(rivals: Iterable[Fact], own: Fact, words: frozenset[str], denies: bool) -> bool:
    """Whether a rival has more of the words; one in running text, where words stand by chance, most of them.

    What denies something, as *on a 3 or more there is no surprise*, has the words of the other case.
    """
    shared = words & own.beside
    if own.of == _TEXT and denies and not shared:
        return False
    fewest = len(words) // 2 if own.of == _TEXT else 0
    better = (words & rival.words for rival in rivals if rival.of == own.of)
    return any(shared < each and len(each) > fewest for each in better)


def _has_another_unit(value: str, unit: str, own: Fact, facts: Iterable[Fact]) -> bool:
    """Whether what stands behind a number stands here behind others, and not behind this one; or both are units of
    which neither may be short for the other.
    """
    units = {each for number, each in own.pairs if number == value}
    if not unit or unit in units or "" in units or unit in own.words:
        return False
    if {unit} | units <= _units() and all(unit[0] != each[0] for each in units):
        return True
    return any(unit == each for fact in facts for _, each in fact.pairs)


def _has_another_key(own: Fact, words: frozenset[str], facts: Sequence[Fact]) -> bool:
    """Whether a sentence has a number behind a word, as in *pin 32*, that has another there, and this one elsewhere.

    No key is what counts something here: the 3 of *zest of 3 oranges*.
    """
    known = frozenset().union(*(fact.words for fact in facts))
    counting = {number for number, _, noun in (each.partition(" ") for each in words & known) if noun}
    elsewhere = (each for each in (words & known) - own.beside if each.rpartition(" ")[2] not in counting)
    told, own_keys = set(_keys(words & own.beside)), set(_keys(own.words))
    return any(key not in told and key in own_keys for key in _keys(elsewhere))


def _keys(words: Iterable[str]) -> Iterator[str]:
    """What has a number behind it: *pin* in *pin 32*."""
    for each in words:
        key, _, number = each.partition(" ")
        if number.isdecimal() and key.isalpha() and _is_telling(key):
            yield key


@cache
def _units() -> frozenset[str]:
    """All units that are known."""
    return frozenset().union(*(each.units for each in english().dimensions))


def _unit(tokens: Sequence[str], each: Number) -> str:
    """What stands behind a number: its unit, or whatever word."""
    behind = (each.unit,) if each.unit else tokens[each.place + 1 : each.place + 2]
    return behind[0] if behind and behind[0].isalpha() and behind[0] not in STOP_WORDS else ""


def _words_of(sentence: Said, wanted: Number, has_unit: bool) -> frozenset[str]:
    """The words that a number of a sentence may be said of: those before it in its part, and those behind it as far as
    its clause goes; where that has another number, they are that one's.
    """
    start = max(each for each in sentence.parts if each <= wanted.place)
    own = range(wanted.place - start, wanted.place - start + (2 if has_unit else 1))
    end = min((each for each in sentence.clauses if each > wanted.place), default=len(sentence.tokens))
    if any(wanted.place < one[0].place < end for one in sentence.numbers):
        end = wanted.place + 1
    return _words(sentence.tokens[start:end], own)


def _words(tokens: Sequence[str], without: Container[int] = ()) -> frozenset[str]:
    """The words of a text, and its numbers together with the word on either side; but for some places."""
    found = {token for i, token in enumerate(tokens) if _is_telling(token) and i not in without}
    for i, token in enumerate(tokens):
        if is_number(token) and i not in without:
            found |= {" ".join(tokens[i : i + 2]), " ".join(tokens[max(0, i - 1) : i + 1])}
    return frozenset(found)


def _is_telling(token: str) -> bool:
    return token == _ROMAN_ONE or token not in STOP_WORDS | english().small | BOUNDING


@lru_cache(maxsize=512)
def _facts(chunk: Chunk) -> tuple[Fact, ...]:
    tables = tuple(table for table in chunk.tables if not table.is_record and table.columns)
    cells = [fact for n, table in enumerate(tables, start=1) for fact in _of_table(n, table)]
    return (*cells, *_of_text(chunk.text, tables))


def _of_table(n: int, table: Table) -> Iterator[Fact]:
    """The cells with numbers, each beside the words of its row and of its head."""
    for row in table.rows:
        named = " ".join((row[0], *(cell for cell in row[1:] if not numbers_of_plain(plain(cell)))))
        for head, cell in zip(table.columns[1:], row[1:], strict=True):
            numbers = numbers_of_plain(plain(cell))
            if numbers:
                words = _words(normal(plain(f"{named} | {' '.join(head)}")))
                yield Fact(n, _pairs(normal(plain(cell)), numbers), words, words)


def _of_text(text: str, tables: Sequence[Table]) -> Iterator[Fact]:
    """The sentences of a text with numbers, each also beside the words of the one before it."""
    heads = tuple(f"{' '.join(head)}: " for table in tables for head in table.columns)
    for line in text.split("\n"):
        if " | " in line or (heads and line.startswith(heads)):
            continue
        before = frozenset[str]()
        for sentence in _SENTENCE.split(line):
            tokens = normal(plain(sentence))
            numbers, words = numbers_of_plain(plain(sentence)), _words(tokens)
            if numbers:
                yield Fact(_TEXT, _pairs(tokens, numbers), words, words | before)
            before = words


def _pairs(tokens: Sequence[str], numbers: Iterable[Number]) -> frozenset[_Pair]:
    return frozenset(
        (value, _unit(tokens, each))
        for each in numbers
        for value in (each.value, *extremes(each.value), *parts(each.value))
    )
