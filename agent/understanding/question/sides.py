"""All entities in a list of the question: *the Reed, the Kite or the Wren*.

Each is given by its places, which may include words that are no part of its name: only a table can tell. No item of a
list is left out, because if one of them is unknown, there is nothing to compare.

>>> from agent.understanding.question.tagged import tagged
>>> question = tagged("Is the old Reed faster than the Kite?")
>>> [" ".join(question.tokens[side.start : side.stop]) for side in listed_entities(question)]
['old reed', 'kite']
"""

from __future__ import annotations

from collections.abc import Iterator

from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA

_SEVERAL = 2


def listed_entities(question: Tagged) -> list[range]:
    """Return the places of each entity in a list; empty if there are not several."""
    return next(joined(question), [])


def joined(question: Tagged) -> Iterator[list[range]]:
    """Yield the places of each entity around each conjunction, the last one first: *of the prizes and medals, has the
    Reed or the Kite more* has two.
    """
    for joint in reversed(_joints(question)):
        items = list(_around(question, joint))
        if len(items) >= _SEVERAL and all(items):
            yield items


def words_of_sides(question: Tagged) -> list[tuple[str, ...]]:
    """Return the words of each entity in a list."""
    return [question.tokens[side.start : side.stop] for side in listed_entities(question)]


def are_exclusive(question: Tagged) -> bool:
    """True if a conjunction separates alternatives: *a or b*, not *a and b*."""
    return any(question.tokens[i] not in question.language.between for i in _joints(question))


def _joints(question: Tagged) -> list[int]:
    """Return the places of the conjunctions, without those in the context if a name stands outside it."""
    is_named = any(each.start not in question.context_places for each in question.names)
    told = question.context_places if is_named else frozenset[int]()
    tokens = question.tokens[:-1]
    return [i for i, token in enumerate(tokens) if i and token in question.language.joining and i not in told]


def _around(question: Tagged, joint: int) -> list[range]:
    """Return the entity behind a conjunction, and all before it."""
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
    """Return the words before a place, up to one that is no part of a name; before *heavier than*, the whole clause."""
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
    """Return the words behind a conjunction, without words that are repeated from before it."""
    start = joint + 1
    while start < len(question.tokens) and _is_repeated(question, start, joint):
        start += 1
    end = start
    while end < len(question.tokens) and _is_of_name(question, end):
        end += 1
    return range(start, end)


def _is_repeated(question: Tagged, place: int, joint: int) -> bool:
    """True for an article, and for a function word that also stands before the conjunction: *in Hull or in Goole*."""
    token, language = question.tokens[place], question.language
    if token in language.articles:
        return True
    is_small = token in language.function_words | language.ends.keys() and not _is_named(question, place)
    return is_small and token in question.tokens[:joint]


def _joint_before(question: Tagged, item: range) -> int | None:
    """Return the place that joins an item to the previous one; None if it is the first. A comma does not join if the
    clause before it has the word for an end.
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
    """True for a function word that may stand before a list item, *for my*, unless it is a verb or question word."""
    language = question.language
    verbs = language.helpers | language.support | language.kinds | language.joining
    return question.tokens[place] in language.function_words - verbs


def _ends_comparison(question: Tagged, place: int) -> bool:
    """True for *heavier*, and for *more*, directly before a conjunction."""
    return place == question.end or place in question.scales or question.tokens[place] in question.language.ends


def _clause_start(question: Tagged, end: int) -> int:
    """Return the first place behind the comma before a place."""
    return max((i + 1 for i in range(end) if question.tokens[i] == COMMA), default=0)


def _is_of_name(question: Tagged, place: int) -> bool:
    """True for a content word, and for a function word within a name of the collection."""
    token, language = question.tokens[place], question.language
    if token == COMMA:
        return False
    return _is_named(question, place) or token not in language.function_words | language.asking | language.ends.keys()


def _is_named(question: Tagged, place: int) -> bool:
    """True within a name of several words."""
    return any(each.start <= place < each.end and each.end - each.start > 1 for each in question.names)


def _trimmed(question: Tagged, places: range) -> range:
    """Return the places without function words at both ends."""
    inner = [i for i in places if _is_of_name(question, i)]
    return range(inner[0], inner[-1] + 1) if inner else range(0)
