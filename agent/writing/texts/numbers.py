"""The numbers of a text as a reader understands them: in digits or words, with their measures and units.

Number words, ranges, dice and signs are those of `retrieval.text.normal.normal`. Roman numerals from II on and raised
and circled digits are numbers, too. The *one* of *one of them*, an enumerating *first*, the number of a list item, and
the d20 of attack rolls are no numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import chain

from agent.languages.language import english
from agent.understanding.words.measures import dice_terms, possessive_terms, selecting_terms
from agent.understanding.words.measures import measures as known_measures
from agent.writing.texts.bounds import bound_of, bounding, end_of
from agent.writing.texts.plain import plain
from agent.writing.texts.units import TIMES, is_unit, known_units, unit_of_word
from retrieval.text.normal import STOP_WORDS, is_number, normal, number
from retrieval.text.vocabulary import vocabulary

OF_ANOTHER = " of another"
"""Ends a measure whose number is another's: *to hit armor class 5*."""
_MULTIPLIED = frozenset({"as", "her", "his", "its", "more", "of", "our", "that", "the", "their", "your"})
"""Words behind *10 times* that make it a factor, not a frequency."""
_JOINS = ("to", "and", "or")
_COMMA = re.compile(r",(?= )")
_PART = re.compile(r"-?\d+(?:\.\d+)?")
_DICE = re.compile(r"(\d+)d(\d+)([+-]\d+)?$")
_LONGEST_RANGE, _LONGEST_DICE = 30, 24
_NEAR = 5
"""Most tokens between a number and a word near it, on each side."""
_JOINING = ("of", "is", "are", "was", "the", "a", "an")
_BEFORE_YEARS = (*_JOINING, "in", "of", "since", "by")
_YEARS = range(1500, 2101)


@dataclass(frozen=True, slots=True)
class Number:
    """A number in its normal form (*7*, *-3*, *5+2*, *2d6*), with its measure, its unit, and the words beside it.

    One that is `implied` is not in the text: the 8 of *level 7-9*. One that `is_end` begins or ends a range. `place` is
    that of its token. `near` are up to two words on each side, except its unit; `adjoining` are the words next to it.
    `bound` is *least* or *most* for a lower or upper bound, and `end` the same by its name: *the maximum size is 9*.
    `is_about` is True behind *about* or the like.
    """

    value: str
    measure: str = ""
    unit: str = ""
    beside: frozenset[str] = frozenset()
    implied: bool = False
    is_end: bool = False
    place: int = field(default=-1, compare=False)
    near: frozenset[str] = field(default=frozenset(), compare=False)
    adjoining: frozenset[str] = field(default=frozenset(), compare=False)
    bound: str = field(default="", compare=False)
    end: str = field(default="", compare=False)
    is_about: bool = field(default=False, compare=False)


@lru_cache(maxsize=4096)
def numbers_of_plain(text: str) -> tuple[Number, ...]:
    """Return the numbers of a text that is `plain`, in the order of its normal form.

    >>> [(n.value, n.measure, n.unit) for n in numbers_of_plain("a level 7 cleric with ac five has 7 gp")]
    [('7', 'level', ''), ('5', 'armor class', ''), ('7', '', 'gp')]
    """
    return tuple(_numbers(normal(text), frozenset(starts(_COMMA, text)) if ", " in text else frozenset()))


def starts(division: re.Pattern[str], text: str) -> Iterator[int]:
    """Yield the places of the tokens behind each division of a text."""
    place = end = 0
    yield place
    for match in division.finditer(text):
        place, end = place + len(normal(text[end : match.start()])), match.start()
        yield place


def _numbers(tokens: Sequence[str], breaks: frozenset[int]) -> Iterator[Number]:
    around = ("", "", *tokens, "", "")
    measures: dict[int, str] = {}
    for i, token in enumerate(around):
        dice = _DICE.match(token)
        if not dice and not is_number(token):
            continue
        earlier, before, after, later = around[i - 2], around[i - 1], around[i + 1], around[i + 2]
        is_last, is_first = before == "to" and is_number(earlier), after == "to" and is_number(later)
        is_joined = before in _JOINS and not unit_of_word(after) and not dice
        joined = measures.get(i - 2, "") if is_joined else ""
        behind = "" if is_number(later) and i not in breaks else after
        beside = ("" if i - 2 in breaks else before, behind, joined)
        measures[i] = next((each for each in beside if each in known_measures()), "")
        if earlier in possessive_terms().get(measures[i], ()):
            measures[i] += OF_ANOTHER
        words = frozenset(each for each in (before, after) if each.isalpha() and each not in STOP_WORDS)
        is_small = after in STOP_WORDS and later != ""
        is_factor = after == TIMES and (later in _MULTIPLIED or is_number(later))
        unit = TIMES if is_factor else "" if is_small else unit_of_word(after)
        yield Number(
            token,
            measures[i],
            unit,
            words,
            is_end=is_first or is_last,
            place=i - 2,
            near=frozenset(
                _words_before(tokens, i - 4 if is_last else i - 2) + _words_behind(tokens, i if is_first else i - 2)
            ),
            adjoining=frozenset(_adjoining(tokens, i - 2)),
            bound=bound_of(tokens, i - 2),
            is_about=before in english().about,
            end=end_of(tokens, i - 2) or _end_of_range(token, *_ends_beside(around, i)),
        )
        if dice:
            yield from (Number(dice[1], measure, implied=True) for measure in dice_terms())
        if is_last and measures[i].removesuffix(OF_ANOTHER) in selecting_terms() and (earlier + token).isdecimal():
            inside = range(int(earlier) + 1, min(int(token), int(earlier) + _LONGEST_RANGE))
            yield from (Number(str(each), measures[i], implied=True) for each in inside)


def _ends_beside(tokens: Sequence[str], place: int) -> tuple[str, str]:
    """Return the upper end of a range behind a number and the lower end before it; units may stand between."""
    behind = place + 1 + ("".join(tokens[place + 1 : place + 2]) in known_units())
    before = place - 2 - ("".join(tokens[place - 2 : place - 1]) in known_units())
    last = "".join(tokens[behind + 1 : behind + 2]) if "".join(tokens[behind : behind + 1]) == "to" else ""
    first = tokens[before] if tokens[place - 1] == "to" else ""
    return (last, first) if is_number(tokens[place]) else ("", "")


def _end_of_range(value: str, last: str, first: str) -> str:
    """Return *least* or *most* for a number at the lower or upper end of a range, else an empty string."""
    if is_number(last) and number(value) < number(last):
        return "least"
    return "most" if is_number(first) and number(first) < number(value) else ""


def _words_before(tokens: Sequence[str], place: int) -> list[str]:
    """Return the words before a number, the nearest first, back to another number."""
    found: list[str] = []
    for token in reversed(tokens[max(0, place - _NEAR) : place]):
        if is_numeric(token):
            break
        found += [token] if _is_word(token) else []
    return found[:2]


def _words_behind(tokens: Sequence[str], place: int) -> list[str]:
    """Return the words behind a number, up to another; behind a unit they belong to that, else the last of several
    does.

    The words of an average stand behind its dice: *14 (2d8+5) slashing*.

    >>> _words_behind(("60", "passive", "perception", "13"), 0)
    ['passive']
    """
    place = _behind_dice(tokens, place)
    found: list[str] = []
    for i, token in enumerate(tokens[place + 1 : place + 1 + _NEAR], start=place + 1):
        if is_numeric(token) and unit_of_word(tokens[place + 1]):
            return []
        if is_numeric(token):
            return found[:-1] if len(found) > 1 and tokens[i - 1] == found[-1] else found
        found += [token] if _is_word(token) else []
    return found[:2]


def _behind_dice(tokens: Sequence[str], place: int) -> int:
    """Return the place of a number, or of the dice behind it whose average it is."""
    has_dice = place + 1 < len(tokens) and is_dice(tokens[place + 1]) and is_numeric(tokens[place + 1])
    return place + 1 if has_dice and not is_dice(tokens[place]) else place


def _adjoining(tokens: Sequence[str], place: int) -> Iterator[str]:
    """Yield the words next to a number, across its unit and small joining words: *a range of 20 feet*.

    >>> list(_adjoining(("range", "of", "20", "foot", "in", "all"), 2))
    ['range']
    """
    behind = tokens[_behind_dice(tokens, place) + 1 :] if _words_behind(tokens, place) else ()
    for side in (reversed(tokens[:place]), behind):
        joining = _JOINING if not may_be_year(tokens[place]) else _BEFORE_YEARS
        between = {*joining, *(known_units() if joining is _BEFORE_YEARS else ())}
        first = next((token for token in side if token not in between and not is_unit(token)), "")
        if first and _is_word(first):
            yield first


def counted(tokens: Sequence[str], place: int) -> str:
    """Return the word that a number counts: the first behind it that is no bound and no joining word.

    >>> counted(("49", "or", "more", "desk"), 0)
    'desk'
    """
    behind = tokens[place + 1 : place + 1 + _NEAR]
    return next((token for token in behind if token not in bounding() and token not in _JOINS), "")


def may_be_year(value: str) -> bool:
    """True for a number that may be a year between 1500 and 2100."""
    return value.isdecimal() and len(value) == 4 and int(value) in _YEARS


def is_numeric(token: str) -> bool:
    """True for a number and for dice."""
    return is_number(token) or _DICE.match(token) is not None


def _is_word(token: str) -> bool:
    if not token.isalpha() or token in STOP_WORDS or is_unit(token) or token == TIMES:
        return False
    return token not in bounding() and token not in rolling_words() and token not in known_measures()


def is_rolled(tokens: Sequence[str], place: int) -> bool:
    """True for a number behind a word for drawing or rolling: *a roll of 13*.

    >>> is_rolled(("a", "roll", "of", "13"), 3), is_rolled(("a", "row", "of", "13"), 3)
    (True, False)
    """
    if place > 1 and tokens[place - 1] in _JOINS and is_number(tokens[place - 2]):
        return is_rolled(tokens, place - 2)
    before = [token for token in tokens[max(0, place - 3) : place] if token not in _JOINING]
    return bool(before) and before[-1] in rolling_words()


@cache
def rolling_words() -> frozenset[str]:
    """Return the words for drawing and rolling: they say how a number comes about, not what it measures."""
    return frozenset(word for each in vocabulary().drawn for word in normal(each))


def readings(text: str) -> list[list[Number]]:
    """Return each number of a plain text in all its readings: with any measure that the text names without a number,
    and with that of the number right before it: the 16 of *armor class 11 (16 with a shield)*.

    >>> [sorted(each.measure for each in one) for one in readings("a level 7 orc: armor class, if you ask, is 6")]
    [['level'], ['', 'armor class']]
    """
    numbers = numbers_of_plain(text)
    named = Counter(token for token in normal(text) if token in known_measures())
    named.subtract(each.measure.removesuffix(OF_ANOTHER) for each in numbers)
    free = [measure for measure, times in named.items() if times > 0]
    measured = {each.place + 1: each.measure for each in numbers if each.measure and not each.unit}
    found = []
    for each in numbers:
        beside = [measured[each.place]] if each.place in measured and not (each.unit or is_dice(each.value)) else []
        more = [] if each.measure else dict.fromkeys([*free, *beside])
        found.append([each, *(replace(each, measure=measure) for measure in more)])
    return found


def every_reading(text: str) -> list[Number]:
    """Return the numbers of a plain text, each in all its readings, one after the other."""
    return list(chain.from_iterable(readings(text)))


def values_in(text: str) -> Iterator[str]:
    """Yield the values of a text's numbers, and the parts of compound ones."""
    for each in numbers_of_plain(plain(text)):
        yield from dict.fromkeys((each.value, *parts(each.value)))


def parts(value: str) -> list[str]:
    """Return the numbers that a compound is made of: 2, 6 and 1 of *2d6+1*.

    >>> parts("2d6+1"), parts("3/2"), parts("-3")
    (['2', '6', '1'], ['3', '2'], ['-3'])
    """
    return _PART.findall(value)


def is_dice(value: str) -> bool:
    """True for *2d6*."""
    return "d" in value


def is_plain(each: Number) -> bool:
    """True for a single amount: no dice, and nothing of several parts as *1/2*.

    >>> [is_plain(Number(value)) for value in ("-3", "2.5", "1/2", "2d6")]
    [True, True, False, False]
    """
    return each.value.lstrip("-").replace(".", "", 1).isdecimal()


def extremes(value: str) -> list[str]:
    """Return the least and the greatest roll of dice: older books write *2-12* for *2d6*.

    >>> extremes("2d6"), extremes("7")
    (['2', '12'], [])
    """
    dice = _DICE.match(value)
    if dice is None or len(value) > _LONGEST_DICE:
        return []
    count, plus = int(dice[1]), int(dice[3] or 0)
    return [str(count + plus), str(count * int(dice[2]) + plus)]
