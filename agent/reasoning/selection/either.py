"""Members with one of two properties: *boats that carry coal or grain* are all coal boats and all grain boats."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from agent.reasoning.kinds.asked import kind_asked, place_behind
from agent.reasoning.selection.both import lead_of, text_of
from agent.understanding.linking.program import Bound
from agent.understanding.question.conditions import numbers_of
from agent.understanding.question.sides import are_exclusive
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.tables.index import Cells
from retrieval.text.normal import is_number, phrase

_MOST = 4
"""The most words of a value."""
_MOST_TABLES = 40
"""The most tables that are searched for a value."""


def halves(question: Tagged, index: Cells | None = None) -> tuple[str, ...]:
    """Return the two questions that an *or* between two words stands for, or between two values of the collection;
    empty without such an *or*.

    >>> from agent.understanding.question.tagged import tagged
    >>> halves(tagged("Which boats carry coal or grain?")), halves(tagged("Which boats carry coal and grain?"))
    (('which boat carry coal', 'which boat carry grain'), ())
    """
    tokens, language = question.tokens[:-1], question.language
    apart = language.alternating
    joints = [i for i in range(1, len(tokens) - 1) if tokens[i] in apart]
    if len(joints) != 1 or not are_exclusive(question) or question.compares or question.negated:
        return ()
    (joint,) = joints
    words = dict(question.words())
    if joint > 1 and tokens[joint - 1 : joint] == tokens[joint + 2 : joint + 3] and is_number(tokens[joint + 1]):
        return " ".join((*tokens[:joint], *tokens[joint + 3 :])), " ".join((*tokens[: joint - 2], *tokens[joint + 1 :]))
    if index is not None and (sides := _values_around(joint, question, index)):
        left, right = sides
        before, behind = tokens[: left.start], tokens[right.stop :]
        sides_ = (tokens[left.start : joint], tokens[joint + 1 : right.stop])
        return tuple(" ".join((*before, *side, *behind)) for side in sides_)
    values = {number.place for number in question.numbers if number.limit is None}  # *3 or 4*
    if not ({joint - 1, joint + 1} <= values or {joint - 1, joint + 1} <= words.keys() - values):
        return ()
    return " ".join((*tokens[:joint], *tokens[joint + 2 :])), " ".join((*tokens[: joint - 1], *tokens[joint + 1 :]))


def _values_around(joint: int, question: Tagged, index: Cells) -> tuple[range, range] | None:
    """Return the places of two values of several words around an *or*: *in the attic or on the upper floor*; None if
    both have one word, or one has none.
    """
    tokens, language = question.tokens[:-1], question.language
    small = language.articles | language.statement_words("places") | language.beside
    first = joint + 1
    while first < len(tokens) and tokens[first] in small:
        first += 1
    ends = range(min(len(tokens), first + _MOST), first, -1)
    right = next((range(first, end) for end in ends if _is_value(tokens[first:end], index)), None)
    starts = range(max(1, joint - _MOST), joint)
    left = next((range(start, joint) for start in starts if _is_value(tokens[start:joint], index)), None)
    if left is None or right is None or (len(left) == len(right) == 1 and first == joint + 1):
        return None
    start = left.start
    while first > joint + 1 and start > 1 and tokens[start - 1] in small:
        start -= 1
    return range(start, joint), right


def _is_value(words: Sequence[str], index: Cells) -> bool:
    """True for words that are a whole brief value."""
    if len(words) == 1 and not words[0].isalpha():
        return False
    held = [index.holding(word) for word in words if not is_number(word)]
    tables = sorted(frozenset.intersection(*held))[:_MOST_TABLES] if held else []
    return any(
        phrase(text) == tuple(words) for number in tables for row in index.grid(number).table.rows for text in row
    )


def either_condition(question: Tagged, index: Cells) -> tuple[str, ...]:
    """Return the two questions of an *or* with a condition of its own behind it; empty without one.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.index import CellIndex
    >>> either_condition(tagged("Which boats have over 4 crew or no engine?"), CellIndex.build([]))
    ('Which boats have over 4 crew', 'Which boats have no engine')
    """
    tokens, language = question.tokens[:-1], question.language
    apart = language.alternating
    kind = kind_asked(question, index)
    start = place_behind(kind, tokens)
    joints = [i for i in range(start + 1, len(tokens) - 1) if tokens[i] in apart]
    if len(joints) != 1 or not kind or COMMA in tokens:
        return ()
    (joint,) = joints
    first = joint - 2 - (tokens[joint - 1] in language.adjectives)  # *14 m long or red*
    is_limit = any(first <= each.place != joint + 1 for each in numbers_of(question) if each.limit is not None)
    behind, then = (*tokens[joint + 1 : joint + 3], "")[:2]
    closes = language.degree_of(behind) == "comparative" and then not in language.comparing
    if (question.compares and not is_limit) or is_number(behind) or closes:  # *18 euro or less*
        return ()
    begins = language.negations | language.helpers | language.copulas | language.beside | language.articles
    if behind not in begins and not is_limit:
        return ()
    one, other = tokens[:joint], tokens[joint + 1 :]
    first, place = _first_limit(question, joint, begins)
    if first < place and behind not in begins and joint + 1 not in dict(question.words()):  # *under 3 or over 7*
        thing = one[place + 1 :] if is_number(other[-1]) else ()
        return text_of(question, one), text_of(question, one[:first], other, thing)
    return text_of(question, one), text_of(question, lead_of(tokens, start, behind, question), other)


def _first_limit(question: Tagged, joint: int, begins: Collection[str]) -> tuple[int, int]:
    """Return the places of the first limit's words and of its number: *a crew of [at most] 3*; equal without any."""
    place = next((each.place for each in question.numbers if each.place < joint), 0)
    others = dict(question.words())
    first = place
    while first and first - 1 not in others and question.tokens[first - 1] not in begins:
        first -= 1
    return first, place


def united(bounds: Sequence[Bound | None], question: Tagged, *, is_of_conditions: bool = False) -> Bound | None:
    """Return the members of either list; None if one is uncertain, or if their measures differ, unless each has its own
    condition.
    """
    found = [each for each in bounds if each is not None and each.operation in ("list", "count")]
    if len(found) < len(bounds) or any(each.is_open for each in found):
        return None
    if len({each.measure for each in found}) > 1 and not is_of_conditions:
        return None
    readings = {reading.name: reading for each in found for reading in each.readings}
    without = {
        reading.name: reading for each in found for reading in each.without_value if reading.name not in readings
    }
    linked = replace(found[0].linked, question=question)
    return replace(found[0], linked=linked, readings=tuple(readings.values()), without_value=tuple(without.values()))
