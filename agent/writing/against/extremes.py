"""Superlatives that a table contradicts: *with 95 Nm it has the strongest motor of all*, where another row has 120."""

from __future__ import annotations

from functools import lru_cache

from agent.languages.language import english
from agent.reasoning.values.quantities import quantities_of
from agent.writing.cells.table_claims import claims_of
from agent.writing.texts.claims import ParsedSentence, in_full, meant_by
from agent.writing.texts.numbers import is_plain
from agent.writing.texts.plain import plain
from retrieval.text.normal import STOP_WORDS, normal
from retrieval.types import Chunk, Table

_FEWEST = 3
"""The fewest rows among which one is the most."""
_BRIEF = 3
"""The most words of a value that names a kind."""


def no_extremes(chunk: Chunk, sentence: ParsedSentence) -> frozenset[int]:
    """Return the places of the numbers with which a sentence calls a row the most or the least of a table, and that
    are neither in its column.

    A sentence that also has a value shared by some rows may speak of these alone, *the cheapest of the city bikes*.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> motors = Table("Motors", (("Bike",), ("Torque",)), (("Elk", "95"), ("Fox", "120"), ("Hare", "60")))
    >>> chunk = Chunk("1", "", "Motors", tables=(motors,))
    >>> said = ("with 95 the elk has the strongest motor", "with 120 the fox has the strongest motor")
    >>> [sorted(no_extremes(chunk, parse_sentence(each))) for each in said]
    [[1], []]
    """
    degrees = map(english().degree_of, sentence.tokens)
    if "superlative" not in degrees or not english().negations.isdisjoint(sentence.tokens):
        return frozenset()
    found = set[int]()
    for table in chunk.tables:
        if table.columns and not table.is_record and len(table.rows) >= _FEWEST:
            found |= _in_table(table, sentence)
    return frozenset(found)


def _in_table(table: Table, sentence: ParsedSentence) -> set[int]:
    rows = meant_by(in_full(claims_of(table).rows_named(sentence)))
    if len(rows) != 1 or _names_some(table, sentence):
        return set()
    row = table.rows[min(rows)]
    found = set()
    for number in (each for each in sentence.told if is_plain(each) and not each.bound):
        columns = [at for at, cell in enumerate(row) if at and number.value in normal(plain(cell))]
        if columns and not any(_may_be_most(table, at, row[at]) for at in columns):
            found.add(number.place)
    return found


def _may_be_most(table: Table, column: int, text: str) -> bool:
    """True if a value is the highest or the lowest of its column, or if the column can't be ordered."""
    texts = tuple(row[column] for row in table.rows if row[column:] and any(map(str.isdigit, row[column])))
    values = _values(texts)
    if values is None or text not in texts:
        return True
    return values[texts.index(text)] in (min(values), max(values))


@lru_cache(maxsize=512)
def _values(texts: tuple[str, ...]) -> tuple[float, ...] | None:
    found = quantities_of(texts)
    is_plain_column = found is not None and all(each.top is None for each in found)
    return tuple(each.number for each in found or ()) if is_plain_column and len(texts) >= _FEWEST else None


def _names_some(table: Table, sentence: ParsedSentence) -> bool:
    """True if the sentence has a word of brief values that some rows of the table share, and not all."""
    for column in range(1, len(table.columns)):
        cells = [frozenset(normal(plain(row[column]))) for row in table.rows if row[column:]]
        cells = [cell for cell in cells if len(cell) <= _BRIEF]
        words = frozenset().union(*cells) & sentence.words
        words = frozenset(word for word in words if word.isalpha() and word not in STOP_WORDS)
        if any(1 < sum(word in cell for cell in cells) < len(cells) for word in words):
            return True
    return False
