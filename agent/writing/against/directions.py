"""Compare the direction of a difference or change in a sentence with its own numbers and with its source.

*The Elk has more beds than the Fox, 2 to 3* contradicts itself; wages that *rose by 3 percent* contradict a source in
which they *declined by 3 percent*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from itertools import chain, pairwise

from agent.languages.language import english
from agent.languages.scales import Adjective
from agent.reasoning.values.quantities import worths
from agent.writing.texts.claims import ParsedSentence, is_in
from agent.writing.texts.facts import facts_of_text, having, is_content_word, sentences_of, text_of, unit_written
from agent.writing.texts.numbers import Number, is_dice, is_plain, may_be_year, numbers_of_plain
from agent.writing.texts.plain import plain
from agent.writing.texts.reworded import share_akin
from agent.writing.texts.units import PERCENT, TIMES
from retrieval.text.normal import is_number, normal
from retrieval.types import Chunk

_THAN = "than"
_GRADING = ("more", "less")
_WITH = frozenset({"with"})
_TWO = 2
_CALENDAR = "date"
"""The unit that stands for years."""


def contrary_changes(chunk: Chunk, sentence: ParsedSentence) -> frozenset[int]:
    """Return the places of the numbers that a chunk gives to a change in the other direction.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> pay = Chunk("1", "Wages declined by 3 percent.", "Pay")
    >>> [sorted(contrary_changes(pay, parse_sentence(f"wages {did} by 3 percent"))) for did in ("rose", "fell")]
    [[3], []]
    """
    clauses = list(chain.from_iterable(fact.clauses for fact in facts_of_text(chunk)))
    found = set()
    for number in sentence.told:
        ways = _change_directions(sentence.words_around(number.place))
        sources = [_change_directions(clause.words) for clause in having(clauses, number.value)]
        if len(ways) == 1 and sources and all(sources) and ways.isdisjoint(chain.from_iterable(sources)):
            found.add(number.place)
    return frozenset(found)


def denied_by_source(chunk: Chunk, sentence: ParsedSentence) -> frozenset[int]:
    """Return the places of the numbers for which a chunk denies what a sentence says.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> ward = Chunk("1", "Ogres of 90 pounds or more are not affected.", "Ward")
    >>> said = [parse_sentence(f"ogres of 90 pounds or more are {be}affected") for be in ("", "not ")]
    >>> [sorted(denied_by_source(ward, each)) for each in said]
    [[1], []]
    """
    found = set()
    for number in sentence.told:
        own = sentence.words_around(number.place)
        sources = [tokens for tokens, numbers in _sentences_of(chunk) if (number.value, number.bound) in numbers]
        if sources and all(_is_denial(tokens, own) for tokens in sources):
            found.add(number.place)
    return frozenset(found)


def _is_denial(tokens: Sequence[str], other: Collection[str]) -> bool:
    """True if a negation in `tokens` precedes a word of `other`, and `other` has no negation."""
    negations = english().negations
    denied = [word for before, word in pairwise(tokens) if before in negations and word.isalpha()]
    return negations.isdisjoint(other) and share_akin(filter(is_content_word, denied), other)


@lru_cache(maxsize=512)
def _sentences_of(chunk: Chunk) -> tuple[tuple[Sequence[str], frozenset[tuple[str, str]]], ...]:
    """Return the tokens of the sentences of a text, with the numbers of each and the bound that each number is."""
    found = []
    lines = (line for line in text_of(chunk).split("\n") if " | " not in line)
    for whole in chain.from_iterable(map(sentences_of, lines)):
        for part in map(plain, whole.split("; ")):
            found.append((normal(part), frozenset((each.value, each.bound) for each in numbers_of_plain(part))))
    return tuple(found)


def reversed_comparisons(sentence: ParsedSentence) -> frozenset[int]:
    """Return the places of two numbers that a sentence compares the wrong way round.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> sorted(reversed_comparisons(parse_sentence("the elk has more beds than the fox, 2 to 3")))
    [8, 10]
    """
    told = _of_one_unit([each for each in sentence.told if not is_dice(each.value)])
    if any(_is_further(sentence.tokens, each) for each in told):
        return frozenset()
    against = [pair for pair in pairwise(told) if _are_set_against(sentence.tokens, *pair)]
    pair = tuple(told) if _THAN in sentence.tokens and len(told) == _TWO else against[0] if len(against) == 1 else ()
    years = [each for each in told if may_be_year(each.value) and not each.unit]
    if len(years) == _TWO and _are_out_of_order(sentence, *years):
        return frozenset(each.place for each in years)
    return frozenset(each.place for each in pair if _is_turned(sentence.tokens, *pair))


def _of_one_unit(numbers: Sequence[Number]) -> Sequence[Number]:
    """Return the only two numbers that share a unit, or else all: of *for 1 weekend it costs 24 euro, the other 17
    euro*, both amounts.
    """
    units = Counter(each.unit for each in numbers if each.unit)
    shared = {unit: many for unit, many in units.items() if many > 1}
    return [each for each in numbers if each.unit in shared] if list(shared.values()) == [_TWO] else numbers


def _is_turned(tokens: Sequence[str], one: Number, other: Number) -> bool:
    """True if the first of two numbers is less and the words before it say more, or it is more and they say less."""
    pair = (one, other)
    if one.bound != other.bound or any(each.measure or not is_plain(each) for each in pair):
        return False
    units = {each.place: unit_written(tokens, each) for each in pair}
    known = set(units.values()) - {""}
    worth = worths(known) if known else {}
    if worth is None or _is_of_compared_entity(tokens, one.place):
        return False
    are_years = not known and all(may_be_year(each.value) for each in pair)
    way = _compared(tokens, {_CALENDAR} if are_years else known, one.place)
    first, second = (float(each.value) * worth.get(units[each.place], 1.0) for each in pair)
    return (way > 0 and first < second) or (way < 0 and first > second)


def _are_set_against(tokens: Sequence[str], one: Number, other: Number) -> bool:
    """True if words between two numbers set them against each other: *9 knots against 4*."""
    between = tokens[one.place + 1 : other.place]
    return any(is_in(each, between) for each in english().set_against)


def _are_out_of_order(sentence: ParsedSentence, one: Number, other: Number) -> bool:
    """True if a sentence puts an earlier year *after* a later one, or a later year *before* an earlier one."""
    between = sentence.tokens[one.place + 1 : other.place]
    words = [word for word in between if word in english().before_years]
    place = one.place + 1 + between.index(words[0]) if len(words) == 1 else other.place
    is_one = not any(place < each <= other.place for each in sentence.clauses) and english().kinds.isdisjoint(between)
    if not is_one or place > other.place - _TWO or not english().joining.isdisjoint(between):
        return False
    is_after = english().before_years[words[0]].startswith(">")
    return words[0] != "since" and (one.value < other.value) == is_after


def _is_further(tokens: Sequence[str], number: Number) -> bool:
    """True if a number is a percentage or factor of a comparative: *50 percent more than*."""
    behind = "".join(tokens[number.place + 2 : number.place + 3])
    return number.unit in (PERCENT, TIMES) and english().degree_of(behind) == "comparative"


def _is_of_compared_entity(tokens: Sequence[str], place: int) -> bool:
    """True if the first number belongs to the entity behind *than*: *longer than the fox with its 9 m*."""
    behind = tokens[tokens.index(_THAN) + 1 : place] if _THAN in tokens[:place] else ()
    return not english().pronouns.union(english().kinds, _WITH).isdisjoint(behind)


def _compared(tokens: Sequence[str], units: Collection[str], start: int) -> int:
    """Return 1 if the words before two numbers say that the first is more, -1 if the second is more, 0 if they say
    neither.

    >>> _compared("the elk is faster than the fox".split(), {"km/h"}, 7), _compared("it is faster".split(), {"hour"}, 3)
    (1, -1)
    """
    place = tokens.index(_THAN) if _THAN in tokens else start
    behind = tokens[place + 1 : place + 3] if _THAN in tokens else ()
    if any(tokens[place : place + len(each)] == each for each in english().of_all):
        return 0
    if is_number("".join(behind[:1])) or not _parts().isdisjoint(behind):
        return 0
    besides = english().statement_words("places") | english().beside
    ways = {_word_direction(tokens, i, units) for i in range(place) if besides.isdisjoint(tokens[max(0, i - 2) : i])}
    ways.discard(0)
    return ways.pop() if len(ways) == 1 else 0


def _word_direction(tokens: Sequence[str], place: int, units: Collection[str]) -> int:
    """Return 1 if a word says that there is more of a quantity in these units, -1 if less, 0 if it says neither."""
    end, own = english().ends.get(tokens[place]), english().adjectives.get(tokens[place])
    graded = english().adjectives.get(tokens[place + 1]) if tokens[place] in _GRADING else None
    if own is None and units == {PERCENT} and english().low_is_better.isdisjoint(tokens):
        end = end or english().worth.get(tokens[place])
    if end is not None and end.degree == "comparative":
        up = 1 if end.high else -1
        return up * _sign(graded, units) if graded is not None and graded.degree == "positive" else up
    return _sign(own, units) if own is not None and own.degree == "comparative" else 0


def _sign(adjective: Adjective, units: Collection[str]) -> int:
    """Return 1 if an adjective means more in these units, -1 if it means less: a *faster* one needs less time."""
    measures = frozenset(units)
    if units != {_CALENDAR}:
        measures = frozenset(chain.from_iterable(map(english().measures_of, units)))
    is_low = not measures.isdisjoint(adjective.scale.low) and measures.isdisjoint(adjective.scale.high)
    return -1 if adjective.up == is_low else 1


@cache
def _parts() -> frozenset[str]:
    """Return the words for parts of a whole: *less than half* compares with no other number."""
    return frozenset().union(*(each.units for each in english().dimensions if PERCENT in each.units))


def _change_directions(words: frozenset[str]) -> frozenset[str]:
    return frozenset(way for way, own in english().changes.items() if not own.isdisjoint(words))
