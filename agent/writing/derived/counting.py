"""Counts in a sentence: of the entities that it names, of rows that share a value, of list items.

An answer to *how many* is a number that the source does not have. It is right if code counts the same: the table rows
with a cell or a name word that the sentence has (*four entries cost $500*), or the items of a list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from operator import itemgetter

from agent.languages.language import english
from agent.writing.cells.table_claims import claims_of
from agent.writing.texts.claims import ParsedSentence, in_full, is_in
from agent.writing.texts.columns import tables_of
from agent.writing.texts.facts import Fact, facts_of_text, is_content_word, text_of
from agent.writing.texts.numbers import Number, counted
from agent.writing.texts.plain import plain
from agent.writing.texts.sources_named import chunks_named
from agent.writing.texts.units import known_units
from retrieval.text.normal import Tokens, is_number, normal
from retrieval.types import Chunk

_SLASHED = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)+")
"""Words in a list with slashes: *claw/claw/bite*."""
_SEVERAL = 2
"""A list must have more items for a count of all."""
_A = ("a", "an")
_LONGEST_VALUE = 8
"""Most tokens of a cell that a sentence may have verbatim."""


@dataclass(frozen=True, slots=True)
class _SharedValues:
    """The values that several rows of a table, or list items, share: a whole cell, or a word of their names, with
    counts. `measures` are words that cannot be counted here: those of value headers.
    """

    values: tuple[tuple[Tokens, int], ...]
    measures: frozenset[str] = frozenset()

    def counts(self, sentence: ParsedSentence, place: int) -> Iterator[int]:
        """Yield the counts of the shared values that a sentence has, apart from the number at a place."""
        tokens = (*sentence.tokens[:place], "", *sentence.tokens[place + 1 :])
        return (count for value, count in self.values if is_in(value, tokens))


def counts_of(sentence: ParsedSentence, cited: Sequence[Chunk]) -> Set[int]:
    """Return the counts of what a sentence names: chunks, rows of one table, or with *all*, every row of a table."""
    counts = {len(chunks_named(sentence, cited))}
    for table in chain.from_iterable(map(tables_of, cited)):
        named_there = in_full(claims_of(table).rows_named(sentence))
        counts.add(len({each.meant for each in named_there}))
    if "all" in sentence.words:
        counts.update(len(table.rows) for chunk in cited for table in chunk.tables)
    return counts - {0, 1}


def is_count(wanted: Number, sentence: ParsedSentence, cited: Sequence[Chunk]) -> bool:
    """True if a number counts the items of a list under a label, *2 neighbours* of *Neighbours: A 7, B 9*, or the rows
    with a shared value, or is the 1 of *1 mill* for *a mill*.
    """
    thing = _counted_of(sentence.tokens, wanted.place) or counted(sentence.tokens, wanted.place)
    if not thing or wanted.bound:
        return False
    if any(int(wanted.value) in each.counts(sentence, wanted.place) for each in _alike(wanted, thing, tuple(cited))):
        return True
    counts = chain(
        _sizes_of_lists(_things(wanted, sentence), cited),
        _sizes_of_lines(thing, cited),
        _rows_of(wanted, sentence, cited),
    )
    if wanted.value in map(str, counts):
        return True
    return wanted.value == "1" and any(thing in _singles(chunk) for chunk in cited)


def _sizes_of_lists(things: frozenset[str], cited: Sequence[Chunk]) -> Iterator[int]:
    """Yield the sizes of the lists of some things."""
    for _, items in chain.from_iterable(map(_lists, cited)):
        if _is_among(things, items):
            yield len(items)


def _sizes_of_lines(thing: str, cited: Sequence[Chunk]) -> Iterator[int]:
    """Yield how many things the lines under a label list."""
    for fact in chain.from_iterable(map(facts_of_text, cited)):
        if thing in fact.label | fact.over and _is_list_of(thing, fact):
            yield len(fact.clauses)


def _counted_of(tokens: Sequence[str], place: int) -> str:
    """Return the thing in *6 of the 13 beasts*; empty for any other number."""
    behind = [token for token in tokens[place + 1 : place + 5] if token not in english().articles]
    is_part = behind[:1] and behind[0] in english().partitive and is_number("".join(behind[1:2]))
    return behind[2] if is_part and behind[2:] else ""


def counted_in_lists(sentence: ParsedSentence, cited: Sequence[Chunk]) -> frozenset[int]:
    """Return the places of the numbers that count a word in a list with slashes: 2 *claws*, of *(claw/claw/bite)*."""
    found = set[int]()
    for text in _SLASHED.findall("\n".join(map(text_of, cited))):
        many = Counter(normal(text))
        for number in sentence.told:
            if number.value == str(many[counted(sentence.tokens, number.place)]):
                found.add(number.place)
    return frozenset(found)


def _alike(wanted: Number, thing: str, cited: tuple[Chunk, ...]) -> Iterator[_SharedValues]:
    """Yield what a number may count in some chunks. It must have no unit, and stand before a word that is no measure
    there, or before a verb: *six are open*.
    """
    is_thing = is_content_word(thing) or thing in english().copulas
    if wanted.value.isdecimal() and int(wanted.value) >= _SEVERAL and not wanted.unit and is_thing:
        yield from (each for each in _shared_values_in(cited) if thing not in each.measures | known_units())


@lru_cache(maxsize=256)
def _shared_values_in(cited: tuple[Chunk, ...]) -> tuple[_SharedValues, ...]:
    """Return the shared values of the tables and lists of some chunks."""
    tables = chain.from_iterable(map(tables_of, cited))
    lists = chain.from_iterable(map(_lists, cited))
    return (*(_of_rows(each.rows, each.columns) for each in tables), *(_of_items(items, lead) for lead, items in lists))


def _of_rows(rows: Sequence[Sequence[str]], heads: Sequence[Sequence[str]]) -> _SharedValues:
    cells: Counter[tuple[int, Tokens]] = Counter()
    for row in rows:
        cells.update((at, tuple(normal(plain(cell)))) for at, cell in enumerate(row))
    values = [(value, count) for (_, value), count in cells.items() if 0 < len(value) <= _LONGEST_VALUE]
    measures = frozenset(normal(" ".join(chain.from_iterable(heads[1:])))) | _behind_numbers(chain.from_iterable(rows))
    return _SharedValues((*values, *_shared_words(list(map(itemgetter(0), rows)))), measures)


def _of_items(items: Sequence[str], lead: str) -> _SharedValues:
    """Return the shared values of a list; a word of the line above it counts all items."""
    words = _telling(lead)
    return _SharedValues((*(((word,), len(items)) for word in words), *_shared_words(items)), _behind_numbers(items))


def _behind_numbers(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that texts count themselves: the *tents* of *2 tents*."""
    found = set[str]()
    for text in texts:
        found.update(word for before, word in pairwise(normal(plain(text))) if is_number(before))
    return frozenset(found)


def _shared_words(names: Sequence[str]) -> Iterator[tuple[Tokens, int]]:
    """Yield the words that several names have, but not all of them."""
    found = Counter(chain.from_iterable(map(_telling, names)))
    for word, count in found.items():
        if 1 < count < len(names):
            yield (word,), count


def _telling(text: str) -> frozenset[str]:
    return frozenset(word for word in normal(plain(text)) if is_content_word(word) and not is_number(word))


@lru_cache(maxsize=512)
def _lists(chunk: Chunk) -> tuple[tuple[str, Sequence[str]], ...]:
    """Return the lists of a text, each with the line above it, or the title if there is none."""
    found: list[tuple[str, list[str]]] = []
    lead = chunk.title
    for line in filter(str.strip, text_of(chunk).split("\n")):
        if line.lstrip().startswith(("- ", "* ", "• ")):
            found += [(lead, [])] if lead or not found else []
            found[-1][1].append(line)
            lead = ""
        else:
            lead = line
    return tuple(found)


def _is_among(things: frozenset[str], items: Sequence[str]) -> bool:
    """True if at least half of the list items have one of the words."""
    called = sum(not things.isdisjoint(normal(item)) for item in items)
    return len(items) > _SEVERAL and 2 * called >= len(items)


def _things(wanted: Number, sentence: ParsedSentence) -> frozenset[str]:
    """Return what a number may count: the two words behind it, except units."""
    behind = filter(is_content_word, sentence.tokens[wanted.place + 1 : wanted.place + 3])
    return frozenset(behind) - known_units()


def _rows_of(wanted: Number, sentence: ParsedSentence, cited: Sequence[Chunk]) -> Iterator[int]:
    """Yield the row count of each table whose title, caption, first header or row labels name what a number counts."""
    things = _things(wanted, sentence)
    for chunk in cited:
        for table in tables_of(chunk):
            labels = [frozenset(normal(row[0])) for row in table.rows]
            called = normal(" ".join((chunk.title, table.caption, *table.columns[0])))
            if not things.isdisjoint(frozenset(called).union(frozenset.intersection(*labels) if labels else ())):
                yield len(table.rows)


def _is_list_of(thing: str, fact: Fact) -> bool:
    """True if a line lists things, and does not count them for others: *for some sparks: blind (5 sparks)*."""
    return len(fact.clauses) > _SEVERAL and thing not in fact.behind


@lru_cache(maxsize=512)
def _singles(chunk: Chunk) -> frozenset[str]:
    """Return the words that soon follow an *a* of a chunk: *a mill*, *a large old mill*."""
    tokens = normal(text_of(chunk))
    found = set[str]()
    for i, token in enumerate(tokens):
        if token in _A:
            found.update(tokens[i + 1 : i + 4])
    return frozenset(found)
