"""The numbers of a source, each with the words beside it: in a cell, in a line of a list, or in a clause."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from agent.languages.language import english
from agent.understanding.words.measures import selecting_terms
from agent.writing.texts.bounds import bounding
from agent.writing.texts.columns import naming_columns, with_divided_columns
from agent.writing.texts.numbers import Number, extremes, numbers_of_plain, parts
from agent.writing.texts.plain import plain
from agent.writing.texts.units import known_units
from retrieval.tables.names import without_part
from retrieval.text.normal import STOP_WORDS, is_number, normal
from retrieval.types import Chunk, Table

_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z\"“(])")
_SHORT_UNIT = re.compile(r"\d ?[a-z]{1,3}\.$")
_FEW = 3
_CLAUSE = re.compile(
    r"(,(?!\d)|[;)|]|\((?=[^()\d]*\d[\d.,]*\s+\w+\s+\w)|(?<!\w)\+(?!\d)|\+(?!\w)|\s[-–—]\s(?![^\w\s]?\d)"
    r"|\b(?:and|but|or|while|whereas|with|compared|instead)\b)"
)
_SET_BESIDE = frozenset({";", "+", "|", "and", "but", "or", "while", "whereas"})
"""Divides clauses that do not share their words."""
_ITEM = re.compile(r"\w \([^()]*\d[^()]*\)(?=,|;| and\b| or\b)")
"""A list item within a sentence, with its number in brackets: *figs (3 p), dates (5 p) and plums*."""
_AVERAGE = re.compile(r"(\d) \((\d*d\d+[^()]*)\)")
"""An average with its dice behind it: *14 (2d8+5) slashing*."""
_LISTED = re.compile(r"\s*[-*•]\s")
_LABEL = re.compile(r"[^.:;!?]{1,80}:(?=\s)|[^\W\d_][\w'’-]*(?: [\w'’-]+| \([^()]{1,40}\)){0,3}\.(?=\s+[A-Z])")
"""The label at the beginning of a line, for all its sentences: *Reach:*, or *Claw.* before a sentence."""
_ALONE = re.compile(r"[^.:;!?]{1,80}:\s*$")
"""A label on a line of its own, for the lines below it."""
_ROMAN_ONE = "i"
TEXT, LIST = 0, -1

Pair = tuple[str, str]
"""A value and the word behind it."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Numbers of a source that stand together, each with the word behind it, and the words beside them.

    Facts of one table, of lists or of text have the same `of`, and are rivals. `beside` holds the words and those of
    the lead-in. `clauses` are its clauses with numbers. `label` holds the words of the line's label, `over` those of a
    label above it or of the list item that heads its group. `names` are the names of a cell's row.
    """

    of: int
    pairs: frozenset[Pair]
    words: frozenset[str]
    beside: frozenset[str]
    clauses: tuple[Fact, ...] = ()
    label: frozenset[str] = frozenset()
    over: frozenset[str] = frozenset()
    names: tuple[tuple[str, ...], ...] = ()

    def has(self, value: str) -> bool:
        return any(value == each for each, _ in self.pairs)

    @property
    def behind(self) -> frozenset[str]:
        """The words behind its numbers."""
        return frozenset(word for _, word in self.pairs)

    def behind_value(self, value: str) -> frozenset[str]:
        """Return the words behind a number."""
        return frozenset(word for each, word in self.pairs if value == each)

    @property
    def is_bare(self) -> bool:
        """True if it has only numbers and their units, and no other words."""
        behind = self.behind
        return not any(word.isalpha() for word in self.words - (behind if len(behind) == 1 else known_units()))


def unit_of(tokens: Sequence[str], each: Number) -> str:
    """Return the unit or other word behind a number; empty for a stop word."""
    later = tokens[each.place + 2 : each.place + 3]
    is_unit = bool(later) and later[0] in known_units() - STOP_WORDS
    is_later = is_unit and tokens[each.place + 1].isalpha() and tokens[each.place + 1] not in known_units() | STOP_WORDS
    behind = (each.unit,) if each.unit else later if is_later else tokens[each.place + 1 : each.place + 2]
    return behind[0] if behind and behind[0].isalpha() and behind[0] not in STOP_WORDS else ""


def unit_written(tokens: Sequence[str], each: Number) -> str:
    """Return the unit or other word behind a number, also a unit whose letters are a small word elsewhere: *84 g*."""
    behind = "".join(tokens[each.place + 1 : each.place + 2])
    return unit_of(tokens, each) or (behind if behind in known_units() else "")


def words_beside(tokens: Sequence[str], without: Container[int] = ()) -> frozenset[str]:
    """Return the words of a text, and each number joined with the word on either side; skip some places."""
    found = {token for i, token in enumerate(tokens) if is_content_word(token) and i not in without}
    for i, token in enumerate(tokens):
        if is_number(token) and i not in without:
            found |= {" ".join(tokens[i : i + 2]), " ".join(tokens[max(0, i - 1) : i + 1])}
    return frozenset(found)


@cache
def _small() -> frozenset[str]:
    """Words without content: *within 20 feet* is no more distinctive than *up to 20 feet*."""
    return STOP_WORDS | english().function_words | bounding() | english().statement_words("places")


def is_content_word(token: str) -> bool:
    return token == _ROMAN_ONE or token not in _small()


@lru_cache(maxsize=4096)
def words_in(text: str) -> frozenset[str]:
    """Return the content words and denials of a text, without units and numbers."""
    words = filter(str.isalpha, normal(plain(text)))
    return frozenset(each for each in words if is_content_word(each) or each in english().negations) - known_units()


def text_of(chunk: Chunk) -> str:
    """Return the text of a chunk; if it begins with the title, without the part number behind it.

    >>> text_of(Chunk("c", "Folk > Elf (2)\\nElves sleep for 4 hours.", "Elf (2)"))
    'Folk > Elf\\nElves sleep for 4 hours.'
    """
    first, line, rest = chunk.text.partition("\n")
    return f"{without_part(first)}{line}{rest}" if first.endswith(chunk.title) else chunk.text


@lru_cache(maxsize=512)
def tokens_of(chunk: Chunk) -> tuple[str, ...]:
    """Return the tokens of the text of a chunk."""
    return tuple(normal(plain(text_of(chunk))))


@lru_cache(maxsize=512)
def facts_of(chunk: Chunk) -> tuple[Fact, ...]:
    tables = tuple(table for table in chunk.tables if not table.is_record and table.columns)
    cells = [fact for n, table in enumerate(tables, start=1) for fact in _of_table(n, with_divided_columns(table))]
    return (*cells, *_of_text(text_of(chunk), tables))


@lru_cache(maxsize=512)
def facts_of_text(chunk: Chunk) -> tuple[Fact, ...]:
    """Return the facts of a chunk outside its tables."""
    return tuple(fact for fact in facts_of(chunk) if fact.of <= TEXT)


def having(facts: Iterable[Fact], value: str) -> list[Fact]:
    """Return the facts with a number."""
    return [fact for fact in facts if fact.has(value)]


def _of_table(n: int, table: Table) -> Iterator[Fact]:
    """Yield the cells with numbers, each beside the words of its row and of its column header."""
    heads = [" ".join(head) for head in table.columns[1:]]
    naming = [0, *naming_columns(table)]
    for row in table.rows:
        named = " ".join((row[0], *(cell for cell in row[1:] if not numbers_of_plain(plain(cell)))))
        names = tuple(normal(plain(row[c])) for c in naming)
        for c, (head, cell) in enumerate(zip([" ".join(table.columns[0]), *heads], row, strict=True)):
            numbers = numbers_of_plain(plain(cell))
            if numbers and (c or _is_unworded(cell)):
                words = words_beside(normal(plain(f"{named if c else ' | '.join(row)} | {head}")))
                words |= frozenset(filter(str.isalpha, words_beside(normal(plain(cell))))) - known_units()
                pairs = pairs_of(normal(plain(cell)), numbers)
                yield Fact(n, pairs, words, words, tuple(_clauses(n, cell)), names=names)


def _is_unworded(label: str) -> bool:
    """True if a label is a number, a range or a date, which a sentence may give as a value of its row."""
    return not any(
        token.isalpha() for token in normal(plain(label)) if is_content_word(token) and token not in english().months
    )


def _of_text(text: str, tables: Sequence[Table]) -> Iterator[Fact]:
    """Yield the list items and sentences with numbers; `beside` also has the words of the sentence before."""
    heads = tuple(f"{' '.join(head)}: " for table in tables for head in table.columns)
    groups = _groups(text)
    above = ""
    for n, line in enumerate(text.split("\n")):
        if " | " in line or (heads and line.startswith(heads)):
            continue
        above = _label_above(line, above)
        over = words_beside(normal(plain(above))) | groups.get(n, frozenset())
        of, before = LIST if _LISTED.match(line) else TEXT, over
        led = words_beside(normal(plain(label_of(line))))
        for sentence in sentences_of(line):
            fact = _fact(of, sentence)
            fact = replace(fact, words=fact.words | led | over, label=led, over=over)
            if fact.pairs:
                clauses = tuple(_clauses(of, sentence, led | over))
                yield replace(fact, beside=fact.words | before, clauses=clauses)
            before = fact.words


def _groups(text: str) -> dict[int, frozenset[str]]:
    """Return the words of the list item that heads each group, by the line numbers of the labelled items in the group.

    It applies if groups have a label in common: the *owl* of *- owl*, *- Pace: 4*, *- crow*, *- Pace: 6*.
    """
    found: dict[int, frozenset[str]] = {}
    labels: list[str] = []
    led, is_led = frozenset[str](), False
    for n, line in enumerate(text.split("\n")):
        own = _LISTED.sub("", line, count=1) if _LISTED.match(line) else ""
        label = label_of(own)
        if label:
            found[n], is_led = led, True
            labels.append(label)
        elif own:
            words = words_beside(normal(plain(own)))
            led, is_led = (words if is_led else led | words), False
        else:
            led, is_led = frozenset(), False
    return found if len(set(labels)) < len(labels) else {}


def _label_above(line: str, above: str) -> str:
    """Return the label that stands alone above a line, *Area:*; an empty line ends it.

    >>> _label_above("Area:", ""), _label_above("total: 7 km", "Area"), _label_above("", "Area")
    ('Area', 'Area', '')
    """
    if _ALONE.match(line):
        return line.rstrip(": ")
    return above if line.strip() else ""


def label_of(line: str) -> str:
    """Return the label at the beginning of a line, without its brackets; empty if there is none.

    >>> label_of("Claw (both). It cuts for 7."), label_of("It cuts for 7.")
    ('Claw', '')
    """
    match = _LABEL.match(line)
    return re.sub(r"\s*\([^()]*\)", "", match[0].rstrip(".:")) if match is not None else ""


@lru_cache(maxsize=512)
def labels_of(chunk: Chunk) -> tuple[str, ...]:
    """Return the labels of a chunk's lines."""
    return tuple(filter(None, dict.fromkeys(map(label_of, text_of(chunk).split("\n")))))


def sentences_of(line: str) -> list[str]:
    """Return the sentences of a line. The point of a short unit does not end one if only a few words follow.

    >>> sentences_of("Area: 60 ft. Radius"), sentences_of("It moves 60 ft. Its wings are broad and black.")
    (['Area: 60 ft. Radius'], ['It moves 60 ft.', 'Its wings are broad and black.'])
    """
    found: list[str] = []
    for each in _SENTENCE.split(line):
        if found and _SHORT_UNIT.search(found[-1]) and len(each.split()) <= _FEW:
            found[-1] += f" {each}"
        else:
            found.append(each)
    return found


def _clauses(of: int, text: str, led: frozenset[str] = frozenset()) -> Iterator[Fact]:
    """Yield the clauses of a text that have numbers, each also beside the words of the clauses it continues. A list
    item is beside the words that lead to the list.
    """
    pieces = _conditions_joined(_CLAUSE.split(_AVERAGE.sub(r"\1 \2", text)))
    is_list = len(_ITEM.findall(text)) > 1
    before, lead = led, led
    last: Fact | None = None
    for i, each in enumerate(pieces):
        fact = _fact(of, each)
        if fact.pairs:
            is_item = last is not None and pieces[i - 1] == "," and (is_list or _are_alike(last, fact))
            lead = lead if is_item else before | _lead(each)
            yield replace(fact, beside=fact.words | (lead if is_item else before), label=led)
            last = fact
        before = led if each in _SET_BESIDE else before | fact.words


def _conditions_joined(pieces: Sequence[str]) -> list[str]:
    """Return the clauses and their divisions, with each condition joined to its consequence: *if you have 50, 3*."""
    joined: list[str] = []
    for each in pieces:
        if len(joined) > 1 and joined[-1] == "," and _is_condition(joined[-2]):
            joined[-2:] = [f"{joined[-2]},{each}"]
        else:
            joined.append(each)
    return joined


def _is_condition(text: str) -> bool:
    """True if a clause says for which number the next clause holds: *if you have 50*, *at levels 7 to 9*."""
    words = normal(text)
    told = {word for word in words if is_content_word(word) and not is_number(word)}
    is_led = any(phrase[0] in words for phrase in english().statement_phrases.get("conditions", ()))
    return any(map(is_number, words)) and (is_led or (bool(told) and told <= selecting_terms()))


def _lead(text: str) -> frozenset[str]:
    """Return the words before the name and number of the first list item: *who built* of *who built Ada (1998)*."""
    tokens = normal(plain(text))
    place = next((i for i, token in enumerate(tokens) if is_number(token)), 0)
    return words_beside(tokens[: max(0, place - 1)])


def _are_alike(one: Fact, other: Fact) -> bool:
    """True if two clauses are items of one list, *Alba 7 km, Bern 9 km*: each one number, with the same unit."""
    return one.behind == other.behind and not other.is_bare and len(one.pairs) == len(other.pairs) == 1


def _fact(of: int, text: str) -> Fact:
    tokens, numbers = normal(plain(text)), numbers_of_plain(plain(text))
    words = words_beside(tokens)
    return Fact(of, pairs_of(tokens, numbers), words, words)


def pairs_of(tokens: Sequence[str], numbers: Iterable[Number]) -> frozenset[Pair]:
    return frozenset(
        (value, unit_of(tokens, each))
        for each in numbers
        for value in (each.value, *_without_zeros(each.value), *extremes(each.value), *parts(each.value))
    )


def _without_zeros(value: str) -> list[str]:
    """Return a decimal without the zeros at its end: the 16 of *16.00*."""
    return [value.rstrip("0").rstrip(".")] if "." in value and value.endswith("0") else []
