"""The things that a question asks about side by side, all of them: *the Reed, the Kite or the Wren*.

Each is told by the place where it stands, with what may be no part of its name: which words are, only a table can tell.
None of a list is left out: where one of them is nowhere, there is nothing to compare.

>>> from agent.understanding.question.tagged import tagged
>>> question = tagged("Is the old Reed faster than the Kite?")
>>> [" ".join(question.tokens[side.start : side.stop]) for side in sides(question)]
['old reed', 'kite']
"""

from __future__ import annotations

from collections.abc import Iterator

from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA

_SEVERAL = 2


def sides(question: Tagged) -> list[range]:
    """The places of each thing; nothing where there are not several."""
    return next(joined(question), [])


def joined(question: Tagged) -> Iterator[list[range]]:
    """The places of each thing around each word that joins, the last first: *of the prizes and medals, has the Reed or
    the Kite more* joins twice.
    """
    for joint in reversed(_joints(question)):
        items = list(_around(question, joint))
        if len(items) >= _SEVERAL and all(items):
            yield items


def words_of_sides(question: Tagged) -> list[tuple[str, ...]]:
    """The words of each thing."""
    return [question.tokens[side.start : side.stop] for side in sides(question)]


def are_exclusive(question: Tagged) -> bool:
    """True where what is joined is asked about apart: *a or b*, and not *a and b*."""
    return any(question.tokens[i] not in question.language.between for i in _joints(question))


def _joints(question: Tagged) -> list[int]:
    """The places of the words that join; where those who are named are asked about, of none that is told beside."""
    is_named = any(each.start not in question.aside for each in question.names)
    told = question.aside if is_named else frozenset[int]()
    tokens = question.tokens[:-1]
    return [i for i, token in enumerate(tokens) if i and token in question.language.joining and i not in told]


def _around(question: Tagged, joint: int) -> list[range]:
    """The thing behind a word that joins, and all that are before it."""
    items = [_behind(question, joint)]
    end: int | None = joint
    while end is not None:
        item = _before(question, end)
        if not item:
            break
        items.insert(0, item)
        end = _joint_before(question, item)
    return items


def _before(question: Tagged, end: int) -> range:
    """The words before a place, up to one that is no part of a name; before *heavier than* all of the clause."""
    place = end
    while place and _ends_comparison(question, place - 1):
        place -= 1
    if place < end:
        return _trimmed(question, range(_clause_start(question, place), place))
    while end and (question.tokens[end - 1] == COMMA or question.tokens[end - 1] in question.language.articles):
        end -= 1
    start = end
    while start and _is_of_name(question, start - 1):
        start -= 1
    return _trimmed(question, range(start, end))


def _behind(question: Tagged, joint: int) -> range:
    """The words behind one that joins; what is said before the first thing may be said again."""
    start = joint + 1
    while start < len(question.tokens) and _is_repeated(question, start, joint):
        start += 1
    end = start
    while end < len(question.tokens) and _is_of_name(question, end):
        end += 1
    return range(start, end)


def _is_repeated(question: Tagged, place: int, joint: int) -> bool:
    """True for an article, and for a small word that stands before the joint too: *in Hull or in Goole*."""
    token, language = question.tokens[place], question.language
    if token in language.articles:
        return True
    is_small = token in language.small | language.ends.keys() and not _is_named(question, place)
    return is_small and token in question.tokens[:joint]


def _joint_before(question: Tagged, item: range) -> int | None:
    """The place of what joins an item to one before it; None where it is the first: the clause before a comma may say
    what is asked.
    """
    place = item.start - 1
    while place > 0 and _is_lead(question, place):
        place -= 1
    if place <= 0:
        return None
    if question.tokens[place] in question.language.joining:
        return place
    if question.tokens[place] != COMMA or question.end in range(_clause_start(question, place), place):
        return None
    return place


def _is_lead(question: Tagged, place: int) -> bool:
    """True for a small word that may stand before a thing of a list, *for my*: a verb begins what is asked of it."""
    language = question.language
    verbs = language.helpers | language.support | language.kinds | language.joining
    return question.tokens[place] in language.small - verbs


def _ends_comparison(question: Tagged, place: int) -> bool:
    """True for *heavier*, and for *more*, right before what joins."""
    return place == question.end or place in question.scales or question.tokens[place] in question.language.ends


def _clause_start(question: Tagged, end: int) -> int:
    """The first place behind the comma before a place."""
    return max((i + 1 for i in range(end) if question.tokens[i] == COMMA), default=0)


def _is_of_name(question: Tagged, place: int) -> bool:
    """True for a word, and for what is small but stands in a name of the collection."""
    token, language = question.tokens[place], question.language
    if token == COMMA:
        return False
    return _is_named(question, place) or token not in language.small | language.asking | language.ends.keys()


def _is_named(question: Tagged, place: int) -> bool:
    """True within a name of several words."""
    return any(each.start <= place < each.end and each.end - each.start > 1 for each in question.names)


def _trimmed(question: Tagged, places: range) -> range:
    """The places without small words at both ends."""
    inner = [i for i in places if _is_of_name(question, i)]
    return range(inner[0], inner[-1] + 1) if inner else range(0)
