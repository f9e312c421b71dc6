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
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise

from agent.languages.language import english
from agent.writing.claims import Said
from agent.writing.numbers import BOUNDING, OF_ANOTHER, Number, extremes, is_dice, numbers_of_plain, parts, plain
from retrieval.tables.names import without_part
from retrieval.text.normal import STOP_WORDS, is_number, normal
from retrieval.types import Chunk, Table

_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z\"“(])")
_CLAUSE = re.compile(r"(,(?!\d)|[;)+|]|\s[-–—]\s(?![^\w\s]?\d)|\b(?:and|but|or|while|whereas|with|compared|instead)\b)")
_SET_BESIDE = frozenset({";", "+", "|", "and", "but", "or", "while", "whereas"})
"""What parts clauses of which none has the words of the other."""
_LISTED = re.compile(r"\s*[-*•]\s")
_LABEL = re.compile(r"[^.:;!?]{1,60}:(?=\s)")
"""What a line begins with that all its sentences are said of."""
_ROMAN_ONE = "i"
_TEXT, _LIST = 0, -1
_STEM, _END = 4, 2
"""Letters that a word has at least without its end, and at most in its end."""
_ONE = "1"
"""Counts little: *one target*."""


_Pair = tuple[str, str]
"""A value and what stands behind it."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Numbers of a source that stand together, each with what stands behind it, and the words beside them.

    Those of one table, list or text are `of` the same, and rivals. `beside` has besides its words those of what leads
    to it. Of its `clauses` with numbers, each is a fact; its `bare` labels have a number, and no other words.
    """

    of: int
    pairs: frozenset[_Pair]
    words: frozenset[str]
    beside: frozenset[str]
    clauses: tuple[Fact, ...] = ()
    bare: frozenset[str] = frozenset()

    def has(self, value: str) -> bool:
        return any(value == each for each, _ in self.pairs)

    @property
    def is_bare(self) -> bool:
        """True where numbers and their units stand without other words."""
        behind = {unit for _, unit in self.pairs}
        return not any(word.isalpha() for word in self.words - (behind if len(behind) == 1 else _units()))


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
    own = [fact for fact in having if unit and (wanted.value, unit) in fact.pairs] or having
    if (wanted.value == _ONE and not wanted.unit) or not own:
        return False
    before = _pairs(sentence.tokens, (each for each in told if each.place < wanted.place))
    rivals = [fact for fact in facts if not all(_is_told(pair, before) for pair in fact.pairs)]
    known = frozenset().union(*(fact.words for fact in facts))
    claim = _claim(sentence, wanted, unit, about, known)
    return all(
        _has_another_unit(claim, fact, facts, sentence)
        or (fact.of <= _TEXT and _has_another_key(fact, claim.words, facts))
        or (claim.telling.isdisjoint(known - {claim.label}) and _is_of_a_part(claim, fact, facts))
        or _is_outdone_by(rivals, fact, claim)
        or _is_outdone_within(fact, claim, before)
        or _is_crossed(fact, claim, _pairs(sentence.tokens, told))
        for fact in own
    )


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a sentence says of a number: its value, its unit, the word before it, and the words that it may be said of.

    `telling` are those of them that tell it from others: words of the title tell only behind the number.
    """

    value: str
    unit: str
    label: str
    words: frozenset[str]
    telling: frozenset[str]
    denies: bool


def _claim(sentence: Said, wanted: Number, unit: str, about: frozenset[str], known: frozenset[str]) -> _Claim:
    label = sentence.tokens[wanted.place - 1] if wanted.place else ""
    words, behind = _words_of(sentence, wanted, unit in _units())
    without = frozenset({wanted.measure.removesuffix(OF_ANOTHER)})
    words, telling = (_as_known(each - without, known) for each in (words, (words - about) | behind))
    denies = not sentence.words.isdisjoint(english().negations)
    return _Claim(wanted.value, unit, label, words, telling, denies)


def _is_of_a_part(claim: _Claim, own: Fact, facts: Sequence[Fact]) -> bool:
    """Whether a number is told of the whole, whose measure stands here alone, and stands here with words of a part."""
    is_of_part = claim.label in own.words and claim.label not in own.bare
    return is_of_part and any(claim.label in fact.bare for fact in facts)


def _as_known(words: frozenset[str], known: frozenset[str]) -> frozenset[str]:
    """The words, those that a source has with other ends as it has them: *defense* for *defends*."""
    return frozenset(next((each for each in known if _are_akin(word, each)), word) for word in words - known) | (
        words & known
    )


def _are_akin(one: str, other: str) -> bool:
    shared = max(_STEM, min(len(one), len(other)) - _END)
    return min(len(one), len(other)) >= shared and one[:shared] == other[:shared] and (one + other).isalpha()


def _is_outdone_within(own: Fact, claim: _Claim, told: frozenset[_Pair]) -> bool:
    """Whether of the clauses of a fact another than the number's has more of the words, and a number like it."""
    having = [each for each in own.clauses if each.has(claim.value)]
    if claim.denies or not having or any(each.is_bare for each in own.clauses):
        return False
    units = {behind for each in having for value, behind in each.pairs if value == claim.value}
    rivals = []
    for each in own.clauses:
        alike = [pair for pair in each.pairs if pair[1] in units or pair[1] not in _units()]
        if alike and not each.has(claim.value) and not all(_is_told(pair, told) for pair in alike):
            rivals.append(each)
    return all(any(_has_more(each, mine, claim.telling) for each in rivals) for mine in having)


def _is_crossed(own: Fact, claim: _Claim, told: frozenset[_Pair]) -> bool:
    """Whether a sentence of two numbers, a value *at 64 kbps*, has that of one clause and this of another."""
    others = [pair for pair in told if pair[0] != claim.value]
    units = {claim.unit, *(unit for _, unit in others)}
    if len(others) != 1 or len(units) != 2 or not units <= _units():
        return False
    other = others[0]
    having = [each for each in own.clauses if each.has(claim.value)]
    is_elsewhere = any(other in each.pairs and not each.has(claim.value) for each in own.clauses)
    return is_elsewhere and all(
        other not in each.pairs and any(unit == other[1] for _, unit in each.pairs) for each in having
    )


def _has_more(rival: Fact, own: Fact, words: frozenset[str]) -> bool:
    """Whether a clause, with those that it goes on from, has all of some words that another has, and own ones more."""
    return own.words & words <= rival.beside and not words & rival.words <= own.words


def _is_told(pair: _Pair, told: frozenset[_Pair]) -> bool:
    value, unit = pair
    return any(value == each and (unit == behind or not {unit, behind} <= _units()) for each, behind in told)


def _is_outdone_by(rivals: Iterable[Fact], own: Fact, claim: _Claim) -> bool:
    """Whether a rival has more of the words; one in running text, where words stand by chance, most of them."""
    words = claim.telling if own.of <= _TEXT else claim.words
    shared = words & own.beside
    if own.of <= _TEXT and claim.denies and not shared:
        return False
    for rival in rivals:
        counted = words if _TEXT in (own.of, rival.of) else frozenset[str]()
        is_rival = rival.of == own.of or max(rival.of, own.of) <= _TEXT
        is_rival = is_rival and (not is_dice(claim.value) or any(is_dice(value) for value, _ in rival.pairs))
        each = words & rival.words
        if is_rival and shared < each and len(each) > len(counted) // 2:
            return True
    return False


def _has_another_unit(claim: _Claim, own: Fact, facts: Iterable[Fact], sentence: Said) -> bool:
    """Whether what stands behind a number stands here behind others, and not behind this one; or both are units of
    which neither may be short for the other: one that is known, or *cups* in *cups of water*.

    What counts something is no unit's: the 100 of *100 claims* is none of the *claim storage* of 100 GiB.
    """
    unit, units = claim.unit, {each for number, each in own.pairs if number == claim.value}
    if not unit or unit in units or "" in units:
        return False
    if units <= _units() and any(unit in fact.words and "" in {each for _, each in fact.pairs} for fact in facts):
        return unit not in _units()
    if unit in own.words:
        return False
    is_unit = unit in _units() or (unit, "of") in pairwise(sentence.tokens)
    if is_unit and not any(_is_short(unit, each) or each in sentence.words - _units() for each in units):
        return True
    return any(unit == each for fact in facts for _, each in fact.pairs)


def _is_short(one: str, other: str) -> bool:
    """Whether one of two units may be short for the other: *kb* for *kilobyte*, but not *g* for *kg*."""
    short, long = sorted((one, other), key=len)
    letters = iter(long)
    return short[0] == long[0] and all(letter in letters for letter in short)


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


def _words_of(sentence: Said, wanted: Number, has_unit: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The words that a number of a sentence may be said of: those before it in its part, and those behind it as far as
    its clause goes; where that has another number, they are that one's.
    """
    start = max(each for each in sentence.parts if each <= wanted.place)
    own = range(wanted.place - start, wanted.place - start + (2 if has_unit else 1))
    end = min((each for each in sentence.clauses if each > wanted.place), default=len(sentence.tokens))
    if any(wanted.place < one[0].place < end for one in sentence.numbers):
        end = wanted.place + 1
    words = _words(sentence.tokens[start:end], own)
    return words, words & frozenset(sentence.tokens[wanted.place + 1 : end])


def _words(tokens: Sequence[str], without: Container[int] = ()) -> frozenset[str]:
    """The words of a text, and its numbers together with the word on either side; but for some places."""
    found = {token for i, token in enumerate(tokens) if _is_telling(token) and i not in without}
    for i, token in enumerate(tokens):
        if is_number(token) and i not in without:
            found |= {" ".join(tokens[i : i + 2]), " ".join(tokens[max(0, i - 1) : i + 1])}
    return frozenset(found)


def _is_telling(token: str) -> bool:
    return token == _ROMAN_ONE or token not in STOP_WORDS | english().small | BOUNDING


def text_of(chunk: Chunk) -> str:
    """The text of a chunk; where it begins with the title, that is without the number of a piece.

    >>> text_of(Chunk("c", "Folk > Elf (2)\\nElves sleep for 4 hours.", "Elf (2)"))
    'Folk > Elf\\nElves sleep for 4 hours.'
    """
    first, line, rest = chunk.text.partition("\n")
    return f"{without_part(first)}{line}{rest}" if first.endswith(chunk.title) else chunk.text


@lru_cache(maxsize=512)
def _facts(chunk: Chunk) -> tuple[Fact, ...]:
    tables = tuple(table for table in chunk.tables if not table.is_record and table.columns)
    cells = [fact for n, table in enumerate(tables, start=1) for fact in _of_table(n, table)]
    return (*cells, *_of_text(text_of(chunk), tables))


def _of_table(n: int, table: Table) -> Iterator[Fact]:
    """The cells with numbers, each beside the words of its row and of its head."""
    for row in table.rows:
        named = " ".join((row[0], *(cell for cell in row[1:] if not numbers_of_plain(plain(cell)))))
        for head, cell in zip(table.columns[1:], row[1:], strict=True):
            numbers = numbers_of_plain(plain(cell))
            if numbers:
                words = _words(normal(plain(f"{named} | {' '.join(head)}")))
                yield Fact(n, _pairs(normal(plain(cell)), numbers), words, words, tuple(_clauses(n, cell)))


def _of_text(text: str, tables: Sequence[Table]) -> Iterator[Fact]:
    """The lines of a list and the sentences of a text with numbers, each also beside the words of the one before it."""
    heads = tuple(f"{' '.join(head)}: " for table in tables for head in table.columns)
    for line in text.split("\n"):
        if " | " in line or (heads and line.startswith(heads)):
            continue
        of, before = _LIST if _LISTED.match(line) else _TEXT, frozenset[str]()
        label = _LABEL.match(line)
        led = _fact(of, label[0]).words if label is not None else frozenset[str]()
        for sentence in _SENTENCE.split(line):
            fact = _fact(of, sentence)
            fact = replace(fact, words=fact.words | led)
            if fact.pairs:
                clauses = tuple(_clauses(of, sentence))
                yield replace(fact, beside=fact.words | before, clauses=clauses)
            before = fact.words


def _clauses(of: int, text: str) -> Iterator[Fact]:
    """The clauses of a text that have numbers, each also beside the words of those that it goes on from."""
    before = frozenset[str]()
    for each in _CLAUSE.split(text):
        fact = _fact(of, each)
        if fact.pairs:
            yield replace(fact, beside=fact.words | before)
        before = frozenset() if each in _SET_BESIDE else before | fact.words


def _fact(of: int, text: str) -> Fact:
    tokens, numbers = normal(plain(text)), numbers_of_plain(plain(text))
    words = _words(tokens)
    return Fact(of, _pairs(tokens, numbers), words, words, bare=frozenset(_bare(tokens, numbers)))


def _bare(tokens: Sequence[str], numbers: Iterable[Number]) -> Iterator[str]:
    """The words behind which a number stands, and before which no other does: *Level: 4 Health: 18*."""
    start = 0
    for each in numbers:
        before = [token for token in tokens[start : each.place] if _is_telling(token)]
        start = each.place + 1
        yield from before if len(before) == 1 else ()


def _pairs(tokens: Sequence[str], numbers: Iterable[Number]) -> frozenset[_Pair]:
    return frozenset(
        (value, _unit(tokens, each))
        for each in numbers
        for value in (each.value, *extremes(each.value), *parts(each.value))
    )
