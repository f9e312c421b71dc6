"""Numbers that a source has for one year or level, and a sentence for another: *9% in 2012* where that was in 2011."""

from __future__ import annotations

from collections.abc import Iterator

from agent.understanding.words.measures import selecting
from agent.writing.texts.claims import Said
from agent.writing.texts.facts import TEXT, Fact, facts_of, unit_of
from agent.writing.texts.numbers import Number, may_be_year
from retrieval.types import Chunk

_YEAR = "year"

Key = tuple[str, str]
"""What chooses among values: *year* or a measure such as *level*, and its number."""


def miskeyed(chunk: Chunk, sentence: Said) -> frozenset[int]:
    """Return the places of the numbers of a sentence that a chunk has for other keys, and for its key another one.

    >>> from agent.writing.texts.claims import said
    >>> debt = Chunk("1", "9 percent of income (2012)\\n7 percent of income (2011)", "Debt")
    >>> [sorted(miskeyed(debt, said(text))) for text in ("9 percent in 2011", "in 2012 it was 9 percent")]
    [[0], []]
    """
    facts = [clause for fact in facts_of(chunk) if fact.of <= TEXT for clause in fact.clauses]
    keyed = [(fact, keys) for fact in facts if (keys := frozenset(_keys_of(fact)))]
    found = set()
    for number, key in _keyed(sentence) if keyed else ():
        own = [fact for fact in facts if fact.has(number.value)]
        of_own = [keys for fact, keys in keyed if fact.has(number.value) and any(each[0] == key[0] for each in keys)]
        if len(of_own) < len(own) or not own or any(key in keys for keys in of_own):
            continue
        unit = unit_of(sentence.tokens, number)
        if any(key in keys and _is_alike(fact, each, number.value, unit) for fact, keys in keyed for each in own):
            found.add(number.place)
    return frozenset(found)


def _keyed(sentence: Said) -> Iterator[tuple[Number, Key]]:
    """The numbers that are said of a key: the one that stands behind them, else the only one of the sentence."""
    told = [one[0] for one in sentence.numbers]
    keys = [_key(each) for each in told]
    known = [key for key in keys if key is not None]
    for i, each in enumerate(told):
        behind = keys[i + 1] if i + 1 < len(told) else None
        if keys[i] is not None:
            continue
        if behind is not None and (len(known) > 1 or told[i + 1].place - each.place < 5):
            yield each, behind
        elif len(set(known)) == 1:
            yield each, known[0]


def _key(number: Number) -> Key | None:
    """The key that a number is; None where it is none."""
    if number.measure in selecting():
        return number.measure, number.value
    return (_YEAR, number.value) if is_year(number) else None


def is_year(number: Number) -> bool:
    """True for a number that may be a year."""
    return may_be_year(number.value) and not number.unit


def _keys_of(fact: Fact) -> Iterator[Key]:
    yield from ((_YEAR, value) for value, _ in fact.pairs if may_be_year(value))
    for words in fact.words | fact.label:
        measure, _, value = words.rpartition(" ")
        if measure in selecting() and value.isdecimal():
            yield measure, value


def _is_alike(fact: Fact, own: Fact, value: str, unit: str) -> bool:
    """Whether a fact has another value of the unit, among the same words."""
    words, others = (frozenset(filter(str.isalpha, each.beside)) for each in (own, fact))
    keys = {value for _, value in _keys_of(fact)}
    has_another = any(each != value and behind == unit for each, behind in fact.pairs if each not in keys)
    return has_another and 2 * len(words & others) >= len(words | others)
