"""What a source says, number by number: the words beside each, in a cell, in a line of a list, or in a clause."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from agent.languages.language import english
from agent.understanding.words.measures import selecting_terms
from agent.writing.texts.bounds import bounding
from agent.writing.texts.columns import apart, naming_columns
from agent.writing.texts.numbers import Number, extremes, known_units, numbers_of_plain, parts, plain
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
"""What parts clauses of which none has the words of the other."""
_ITEM = re.compile(r"\w \([^()]*\d[^()]*\)(?=,|;| and\b| or\b)")
"""A thing of a list within a sentence, with its number in brackets: *figs (3 p), dates (5 p) and plums*."""
_AVERAGE = re.compile(r"(\d) \((\d*d\d+[^()]*)\)")
"""What dice come to, with the dice behind it, as one: *14 (2d8+5) slashing*."""
_LISTED = re.compile(r"\s*[-*•]\s")
_LABEL = re.compile(r"[^.:;!?]{1,80}:(?=\s)|[^\W\d_][\w'’-]*(?: [\w'’-]+| \([^()]{1,40}\)){0,3}\.(?=\s+[A-Z])")
"""What a line begins with that all its sentences are said of: *Reach:*, or *Claw.* before a sentence."""
_ALONE = re.compile(r"[^.:;!?]{1,80}:\s*$")
"""A label in a line of its own, said of the lines below it."""
_ROMAN_ONE = "i"
TEXT, LIST = 0, -1

Pair = tuple[str, str]
"""A value and what stands behind it."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Numbers of a source that stand together, each with what stands behind it, and the words beside them.

    Those of one table, list or text are `of` the same, and rivals. `beside` has besides its words those of what leads
    to it. Of its `clauses` with numbers, each is a fact. `label` are the words that its line begins with, `over` those
    of what leads the line: a label above it, or the line of a list. `names` are what the row of a cell is called.
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
    def is_bare(self) -> bool:
        """True where numbers and their units stand without other words."""
        behind = {unit for _, unit in self.pairs}
        return not any(word.isalpha() for word in self.words - (behind if len(behind) == 1 else known_units()))


def unit_of(tokens: Sequence[str], each: Number) -> str:
    """What stands behind a number: its unit, or whatever word."""
    later = tokens[each.place + 2 : each.place + 3]
    is_unit = bool(later) and later[0] in known_units() - STOP_WORDS
    is_later = is_unit and tokens[each.place + 1].isalpha() and tokens[each.place + 1] not in known_units() | STOP_WORDS
    behind = (each.unit,) if each.unit else later if is_later else tokens[each.place + 1 : each.place + 2]
    return behind[0] if behind and behind[0].isalpha() and behind[0] not in STOP_WORDS else ""


def words_beside(tokens: Sequence[str], without: Container[int] = ()) -> frozenset[str]:
    """The words of a text, and its numbers together with the word on either side; but for some places."""
    found = {token for i, token in enumerate(tokens) if is_telling(token) and i not in without}
    for i, token in enumerate(tokens):
        if is_number(token) and i not in without:
            found |= {" ".join(tokens[i : i + 2]), " ".join(tokens[max(0, i - 1) : i + 1])}
    return frozenset(found)


@cache
def _small() -> frozenset[str]:
    """Words that tell nothing from anything: *within 20 feet* is no more a thing's than *up to 20 feet*."""
    return STOP_WORDS | english().function_words | bounding() | english().statement_words("places")


def is_telling(token: str) -> bool:
    return token == _ROMAN_ONE or token not in _small()


def text_of(chunk: Chunk) -> str:
    """The text of a chunk; where it begins with the title, that is without the number of a piece.

    >>> text_of(Chunk("c", "Folk > Elf (2)\\nElves sleep for 4 hours.", "Elf (2)"))
    'Folk > Elf\\nElves sleep for 4 hours.'
    """
    first, line, rest = chunk.text.partition("\n")
    return f"{without_part(first)}{line}{rest}" if first.endswith(chunk.title) else chunk.text


@lru_cache(maxsize=512)
def tokens_of(chunk: Chunk) -> tuple[str, ...]:
    """The tokens of the text of a chunk."""
    return tuple(normal(plain(text_of(chunk))))


@lru_cache(maxsize=512)
def facts_of(chunk: Chunk) -> tuple[Fact, ...]:
    tables = tuple(table for table in chunk.tables if not table.is_record and table.columns)
    cells = [fact for n, table in enumerate(tables, start=1) for fact in _of_table(n, apart(table))]
    return (*cells, *_of_text(text_of(chunk), tables))


def _of_table(n: int, table: Table) -> Iterator[Fact]:
    """The cells with numbers, each beside the words of its row and of its head."""
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
    """Whether a label is a number, a range or a date, and so may be what a sentence tells of its row."""
    return not any(
        token.isalpha() for token in normal(plain(label)) if is_telling(token) and token not in english().months
    )


def _of_text(text: str, tables: Sequence[Table]) -> Iterator[Fact]:
    """The lines of a list and the sentences of a text with numbers, each also beside the words of the one before it."""
    heads = tuple(f"{' '.join(head)}: " for table in tables for head in table.columns)
    groups = _groups(text)
    above = ""
    for n, line in enumerate(text.split("\n")):
        if " | " in line or (heads and line.startswith(heads)):
            continue
        above = _leading(line, above)
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
    """The words of those lines of a list that lead each group of it, where groups have a label in common: the *owl* of
    *- owl*, *- Pace: 4*, *- crow*, *- Pace: 6*. By the numbers of the lines that have a label.
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


def _leading(line: str, above: str) -> str:
    """The label that stands alone above a line, *Area:*; none from an empty line on.

    >>> _leading("Area:", ""), _leading("total: 7 km", "Area"), _leading("", "Area")
    ('Area', 'Area', '')
    """
    if _ALONE.match(line):
        return line.rstrip(": ")
    return above if line.strip() else ""


def label_of(line: str) -> str:
    """What a line begins with that all of it is said of, without what stands in brackets; empty where nothing does.

    >>> label_of("Claw (both). It cuts for 7."), label_of("It cuts for 7.")
    ('Claw', '')
    """
    match = _LABEL.match(line)
    return re.sub(r"\s*\([^()]*\)", "", match[0].rstrip(".:")) if match is not None else ""


@lru_cache(maxsize=512)
def labels_of(chunk: Chunk) -> tuple[str, ...]:
    """What the lines of a chunk begin with that tell something of it."""
    return tuple(filter(None, dict.fromkeys(map(label_of, text_of(chunk).split("\n")))))


def sentences_of(line: str) -> list[str]:
    """The sentences of a line; the point of a unit that is cut short ends none before a few words.

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
    """The clauses of a text that have numbers, each also beside the words of those that it goes on from; a thing of a
    list beside those that lead to the list.
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
    """The clauses and what parts them, a condition together with what it is for: *if you have 50, 3*."""
    joined: list[str] = []
    for each in pieces:
        if len(joined) > 1 and joined[-1] == "," and _is_condition(joined[-2]):
            joined[-2:] = [f"{joined[-2]},{each}"]
        else:
            joined.append(each)
    return joined


def _is_condition(text: str) -> bool:
    """Whether a clause tells for which number what follows holds: *if you have 50*, *at levels 7 to 9*."""
    words = normal(text)
    told = {word for word in words if is_telling(word) and not is_number(word)}
    is_led = any(phrase[0] in words for phrase in english().statement_phrases.get("conditions", ()))
    return any(map(is_number, words)) and (is_led or (bool(told) and told <= selecting_terms()))


def _lead(text: str) -> frozenset[str]:
    """What the first thing of a list has before its name and its number: *who built* of *who built Ada (1998)*."""
    tokens = normal(plain(text))
    place = next((i for i, token in enumerate(tokens) if is_number(token)), 0)
    return words_beside(tokens[: max(0, place - 1)])


def _are_alike(one: Fact, other: Fact) -> bool:
    """Whether two clauses are things of one list, *Alba 7 km, Bern 9 km*: each a number with the same behind it."""
    behind = [{unit for _, unit in each.pairs} for each in (one, other)]
    return behind[0] == behind[1] and not other.is_bare and len(one.pairs) == len(other.pairs) == 1


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
    """A decimal without the zeros at its end: the 16 of *16.00*."""
    return [value.rstrip("0").rstrip(".")] if "." in value and value.endswith("0") else []
