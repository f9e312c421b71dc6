"""Which way a sentence says that values differ or went, held against its numbers and its source.

*The Elk has more beds than the Fox, 2 to 3* says itself what is wrong with it; that wages *rose by 3 percent* is wrong
where the source has that they *declined by 3 percent*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from agent.languages.language import english
from agent.writing.claims import Said
from agent.writing.facts import TEXT, Fact, facts_of, unit_of
from agent.writing.numbers import PERCENT, Number, is_dice, is_plain
from retrieval.text.normal import is_number
from retrieval.types import Chunk

_THAN = "than"


def contrary(chunk: Chunk, sentence: Said) -> frozenset[int]:
    """Return the places of the numbers that a chunk says to have gone the other way.

    >>> from agent.writing.claims import said
    >>> pay = Chunk("1", "Wages declined by 3 percent.", "Pay")
    >>> sorted(contrary(pay, said("wages rose by 3 percent"))), sorted(contrary(pay, said("wages fell by 3 percent")))
    ([3], [])
    """
    facts = [fact for fact in facts_of(chunk) if fact.of <= TEXT]
    found = set()
    for number in (one[0] for one in sentence.numbers):
        ways = _ways(sentence.words_around(number.place))
        having = [clause for fact in facts for clause in _clauses(fact, number.value)]
        if (
            len(ways) == 1
            and having
            and all(_ways(clause.words) and ways.isdisjoint(_ways(clause.words)) for clause in having)
        ):
            found.add(number.place)
    return frozenset(found)


def turned(sentence: Said) -> frozenset[int]:
    """Return the places of two numbers that a sentence compares the wrong way round.

    >>> from agent.writing.claims import said
    >>> sorted(turned(said("the elk has more beds than the fox, 2 to 3")))
    [8, 10]
    """
    told = [one[0] for one in sentence.numbers if not is_dice(one[0].value)]
    if len(told) != 2 or any(each.bound for each in told) or not all(map(is_plain, told)):
        return frozenset()
    if not _is_of_one_kind(told, sentence.tokens):
        return frozenset()
    way, first, second = _compared(sentence.tokens), float(told[0].value), float(told[1].value)
    is_wrong = (way == "high" and first < second) or (way == "low" and first > second)
    return frozenset(each.place for each in told) if is_wrong else frozenset()


def _compared(tokens: Sequence[str]) -> str:
    """Which of two things has more, as a sentence says: the first, *high*, or the second, *low*; empty for neither."""
    place = tokens.index(_THAN) if _THAN in tokens else 0
    behind = tokens[place + 1 : place + 3]
    if any(tokens[place : place + len(each)] == each for each in english().of_all):
        return ""
    if not place or is_number("".join(behind[:1])) or not _parts().isdisjoint(behind):
        return ""
    ways = {way for token in tokens[:place] if (way := _comparatives().get(token))}
    return ways.pop() if len(ways) == 1 else ""


@cache
def _parts() -> frozenset[str]:
    """Words for parts of a whole: *less than half* compares with nothing else that is told."""
    return frozenset().union(*(each.units for each in english().dimensions if PERCENT in each.units))


@cache
def _comparatives() -> dict[str, str]:
    ends = english().ends.items()
    return {word: "high" if end.high else "low" for word, end in ends if end.degree == "comparative"}


def _is_of_one_kind(told: Sequence[Number], tokens: Sequence[str]) -> bool:
    units = {unit_of(tokens, each) for each in told} - {""}
    return len(units) < 2 and not any(each.measure for each in told)


def _ways(words: frozenset[str]) -> frozenset[str]:
    return frozenset(way for way, own in english().changes.items() if not own.isdisjoint(words))


def _clauses(fact: Fact, value: str) -> Iterator[Fact]:
    yield from (each for each in fact.clauses if each.has(value))
