"""Differences between two entities in a sentence: the 20 of *20 feet faster than the bear*.

The source does not have such a number. It is the difference of the values of two named entities, in one column of a
table or under one label of two records. If the sentence states one of the values, only columns and labels with this
value count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain, combinations, product

from agent.languages.language import english
from agent.understanding.words.measures import selecting_terms
from agent.writing.cells.table_claims import claims_of
from agent.writing.texts.claims import Mention, ParsedSentence, meant_by, words_of
from agent.writing.texts.columns import with_divided_columns
from agent.writing.texts.facts import Fact, facts_of, facts_of_text
from agent.writing.texts.numbers import OF_ANOTHER, Number, is_plain, may_be_year, numbers_of_plain
from agent.writing.texts.offered import rounds_to
from agent.writing.texts.plain import plain
from agent.writing.texts.reworded import is_akin
from agent.writing.texts.subjects import Name, numbers_of_subjects
from agent.writing.texts.units import PERCENT, TIMES
from retrieval.text.normal import is_number
from retrieval.types import Chunk, Table

_THAN = "than"
_TWO = 2
_SET_APART = frozenset({"than", "time"})
"""Words that compare a number with an unnamed one: *more than the year before*."""
_LONGEST = 6
"""Most tokens from a difference to its *than*: *20 feet per turn faster than*."""

Series = Sequence[Sequence[Number]]
"""The values of several entities in one column or under one label."""


def stated_differences(sentence: ParsedSentence) -> frozenset[int]:
    """Return the places of the numbers of a sentence that are differences between entities.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> said = map(parse_sentence, ("owls fly 20 feet higher than bats", "it is 20, more than 4"))
    >>> [sorted(stated_differences(each)) for each in said]
    [[2], []]
    """
    return frozenset(each.place for each in sentence.told if _is_difference(sentence, each))


def stated_additions(sentence: ParsedSentence, cited: Sequence[Chunk]) -> frozenset[int]:
    """Return the places of the numbers that are additions, and may be stated so: *an extra 20 feet*, *20 feet above
    it*, or *+20* in the source itself.
    """
    tokens, found = sentence.tokens, set()
    for each in sentence.told:
        if _is_led(tokens, each) or _is_beyond(tokens, each) or _is_added(each.value, cited):
            found.add(each.place)
    return frozenset(found)


def _is_led(tokens: Sequence[str], number: Number) -> bool:
    return bool(number.unit or number.measure) and tokens[max(0, number.place - 1)] in english().further


def _is_beyond(tokens: Sequence[str], number: Number) -> bool:
    """True if a reference stands behind a number and its unit: *3 kg above the usual weight*."""
    behind = tuple(tokens[number.place + 2 : number.place + 3])
    return bool(number.unit) and len(tokens) > number.place + 3 and behind in english().beyond


def _is_added(value: str, cited: Iterable[Chunk]) -> bool:
    """True if a source has a number as an addition."""
    signed = re.compile(rf"(?<!\w)(?:\+ ?|(?:{'|'.join(english().further)}) ){re.escape(value)}(?![\w.])")
    return any(signed.search(chunk.text) for chunk in cited)


def _is_difference(sentence: ParsedSentence, number: Number) -> bool:
    """True if a clause has a comparative and *than* behind a number: *20 feet faster than*, *3 more oars than*.

    A number with a measure, *40 hit points*, is a difference only before *more* or *less*.
    """
    if number.bound or number.unit in (PERCENT, TIMES):
        return False
    tokens = sentence.tokens
    end = sentence.clause_at(number.place).stop
    behind = tokens[number.place + 1 : min(end, number.place + 1 + _LONGEST)]
    if _is_led(tokens, number) or _is_beyond(tokens, number):
        return True
    between = (
        behind[: behind.index(_THAN)] if _THAN in behind else _until_end(behind, end == number.place + 1 + len(behind))
    )
    if not between or any(map(is_number, between)) or not english().copulas.isdisjoint(between):
        return False  # *the Hare (20 euro) is cheaper than*
    is_more = not _more().isdisjoint(between)
    is_compared = between[-1].endswith("er") or english().degree_of(between[-1]) == "comparative"
    return is_more or (is_compared and not number.measure)


def _until_end(behind: Sequence[str], is_end: bool) -> Sequence[str]:
    """Return the words up to a comparative that ends the clause of a number: *20 gp less expensive*."""
    degrees = [english().degree_of(each) for each in behind[-2:]] if is_end else []
    return behind if degrees[-1:] == ["comparative"] or degrees == ["comparative", "positive"] else ()


@cache
def _more() -> frozenset[str]:
    """Return the comparatives that fit any number: *more*, *fewer*."""
    return frozenset(word for word, end in english().ends.items() if end.degree == "comparative")


def is_difference_of(wanted: Number, held: Iterable[Number], series: Iterable[Series]) -> bool:
    """True if two entities of a series differ by a number; series with a `held` number come first."""
    told = {each.value for each in held if each.measure.removesuffix(OF_ANOTHER) not in selecting_terms()}
    every = list(series)
    having = [each for each in every if any(_is_told(one, told) for one in _flat(each))]
    for each in having or every:
        for first, second in combinations(each, 2):
            if any(rounds_to(far, wanted.value) for far in _apart(first, second, wanted.unit)):
                return True
    return False


def _is_told(number: Number, told: Set[str]) -> bool:
    return is_plain(number) and any(rounds_to(float(number.value), value) for value in told)


def _apart(first: Iterable[Number], second: Iterable[Number], unit: str) -> Iterator[float]:
    """Yield the differences between numbers of a unit; numbers without a unit fit any."""
    for one, other in product(filter(is_plain, first), filter(is_plain, second)):
        if {one.unit, other.unit, unit} - {""} <= {one.unit or unit}:
            yield abs(float(one.value) - float(other.value))


def series_of(
    sentence: ParsedSentence, cited: Sequence[Chunk], named: Iterable[Mention], held: Iterable[Number]
) -> Iterator[Series]:
    """Yield the series of the named rows in each column, of the `named` chunks (or all, if not several are) under each
    label, and of clauses with the same words beside numbers as one with a `held` number.
    """
    those = [cited[i] for i in sorted(meant_by(named))]
    yield from _by_subject(sentence, cited)
    yield from _by_label(those if len(those) > 1 else cited)
    for table in _tables_to_compare(cited):
        rows = sorted(claims_of(table).rows_named_in_full(sentence))
        for c in range(1, len(table.columns)):
            yield [_read(table.rows[r][c]) for r in rows]
    yield from series_of_like_tables(sentence, cited)
    yield from _in_sources(sentence, cited)
    values = {each.value for each in held}
    for chunk in () if sentence.words.isdisjoint(_SET_APART) else cited:
        yield from _series_of_similar_clauses(values, chunk, [chunk])
    for chunk in those:
        yield from _series_of_similar_clauses(values, chunk, cited)


def _tables_to_compare(cited: Iterable[Chunk]) -> Iterator[Table]:
    for chunk in cited:
        for table in chunk.tables:
            if table.columns:
                yield _as_columns(table)


@lru_cache(maxsize=256)
def _as_columns(table: Table) -> Table:
    """Return a table to compare its rows; a record of entities, *Adult: 9 p*, is one of two columns."""
    return replace(table, columns=(("",), ("",))) if table.is_record else with_divided_columns(table)


def _in_sources(sentence: ParsedSentence, cited: Sequence[Chunk]) -> Iterator[Series]:
    """Yield the two amounts in one unit of a source sentence with words of the sentence, *it costs 140 pounds before
    midnight, 195 after it*, and those of source sentences that differ in their number only, *the maximum is 27 dBm*.
    """
    alike: dict[frozenset[str], list[Number]] = {}
    for fact in chain.from_iterable(map(facts_of_text, cited)):
        amounts = _amounts_of(fact)
        if len(amounts) == _TWO and not fact.words.isdisjoint(sentence.words):
            yield [[each] for each in amounts]
        if len(amounts) == len(fact.pairs) == 1:
            alike.setdefault(fact.words - _numbered(fact.words), []).extend(amounts)
    for amounts in alike.values():
        if len(amounts) > 1:
            yield [[each] for each in amounts]


def _amounts_of(fact: Fact) -> list[Number]:
    """Return the amounts of a source sentence with a unit; with one unit in the sentence, all of them."""
    units = fact.behind - {""}
    amounts = (Number(value, unit=unit) for value, unit in sorted(fact.pairs) if unit or len(units) == 1)
    return list(filter(is_plain, amounts))


def _numbered(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in words if any(map(str.isdecimal, word)))


def series_of_like_tables(sentence: ParsedSentence, cited: Sequence[Chunk]) -> Iterator[Series]:
    """Yield the values of the named rows in each column of tables with the same columns: prices of two years."""
    found: dict[tuple[object, str, int], list[Sequence[Number]]] = {}
    for table in _tables_to_compare(cited):
        for r in sorted(claims_of(table).rows_named_in_full(sentence)):
            name = _name_in(sentence, table.rows[r])
            for c in range(1, len(table.columns)):
                found.setdefault((table.columns, name, c), []).append(_read(table.rows[r][c]))
    yield from _of_several(found.values())


def _of_several(series: Iterable[Series]) -> Iterator[Series]:
    """Yield the series of several entities."""
    for each in series:
        if len(each) > 1:
            yield each


def _name_in(sentence: ParsedSentence, row: Sequence[str]) -> str:
    """Return the first cell of a row whose words a sentence has."""
    return next((cell for cell in row if words_of(cell) and words_of(cell) <= sentence.words), row[0])


def _by_subject(sentence: ParsedSentence, cited: Sequence[Chunk]) -> Iterator[Series]:
    """Yield the numbers of several subjects of clauses, in the order in which a sentence names them."""
    found: dict[Name, list[Number]] = {}
    for chunk in cited:
        for name, pairs in numbers_of_subjects(chunk, sentence):
            found.setdefault(name, []).extend(Number(value, unit=unit) for value, unit in sorted(pairs))
    if len(found) > 1:
        yield [found[name] for name in sorted(found, key=lambda name: _place_of(name, sentence))]


def _place_of(name: Name, sentence: ParsedSentence) -> int:
    """Return the place where a sentence names an entity, in any form of its first word."""
    return next((i for i, token in enumerate(sentence.tokens) if is_akin(name[0], token)), 0)


def _by_label(chunks: Iterable[Chunk]) -> list[Series]:
    """Return the values of each label, record by record."""
    found: dict[str, list[Sequence[Number]]] = {}
    for label, value in chain.from_iterable(map(_labelled, chunks)):
        found.setdefault(label, []).append(_read(value))
    return list(found.values())


def _labelled(chunk: Chunk) -> Iterator[tuple[str, str]]:
    """Yield the labels and values of a chunk's records; a table of one row is a record, too."""
    for table in chunk.tables:
        if table.is_record:
            yield from ((row[0], row[1]) for row in table.rows)
        elif len(table.rows) == 1:
            yield from zip(map(" ".join, table.columns), table.rows[0], strict=True)


def _series_of_similar_clauses(values: Set[str], chunk: Chunk, cited: Sequence[Chunk]) -> Iterator[Series]:
    """Yield, for each clause of cited chunks with one of the values, its numbers and those of clauses with the same
    words: at least half of them, or all if only one chunk is cited.
    """
    facts = facts_of_text(chunk)
    clauses = list(chain.from_iterable(fact.clauses for fact in facts))
    least = 1 if cited == [chunk] else 0.5
    yield from _clauses_sharing_words(values, clauses, chain.from_iterable(map(facts_of, cited)), least)
    for fact in facts:
        yield from _clauses_sharing_words(values, fact.clauses, [fact], 0.5)


def _clauses_sharing_words(
    values: Set[str], clauses: Sequence[Fact], having: Iterable[Fact], least: float
) -> Iterator[Series]:
    """Yield, for each clause with one of the values, its numbers and those of clauses with enough of its words."""
    for own in chain.from_iterable(fact.clauses for fact in having):
        if not any(map(own.has, values)):
            continue
        units = {unit for value, unit in own.pairs if value in values}
        words = frozenset(word for word in own.words - units if word.isalpha())
        alike = [each for each in clauses if words and len(words & each.words) >= least * len(words)]
        yield [[Number(value) for value, unit in each.pairs if unit in units] for each in (own, *alike)]


def series_by_unit(held: Iterable[Number]) -> list[Series]:
    """Return the numbers of a sentence by unit, with years as one unit: it may state their differences."""
    found: dict[str, list[Sequence[Number]]] = {}
    for each in held:
        unit = "year" if may_be_year(each.value) else each.unit
        if unit:
            found.setdefault(unit, []).append([replace(each, unit=unit)])
    return list(found.values())


def compared_with(held: Sequence[Number], series: Iterable[Series]) -> Iterator[Number]:
    """Yield the numbers of the series that have a `held` number: the compared entity's value may be unstated."""
    values, found = {each.value for each in held}, dict[Number, None]()
    for own in map(_flat, series):
        if not values.isdisjoint(each.value for each in own):
            found |= dict.fromkeys(own)
    yield from found


def values_of_pair(series: Iterable[Series]) -> Iterator[Number]:
    """Yield the values of two entities with one number each, for a sentence that compares them without values."""
    for one in series:
        own = _flat(one)
        if len(one) == len(own) == _TWO:
            yield from own


def _flat(series: Series) -> list[Number]:
    return list(chain.from_iterable(series))


def _read(text: str) -> Sequence[Number]:
    return numbers_of_plain(plain(text))
