"""Which of several values a named entity has: *is the Kite red or green* reads its colour."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from agent.languages.phrases import found
from agent.reasoning.kinds.member import Label
from agent.reasoning.kinds.members import kinds_of
from agent.reasoning.kinds.readings import readings_of
from agent.reasoning.values.comparing import asks_whether
from agent.understanding.linking.mentions import THINGS
from agent.understanding.linking.program import Bound, Linked
from agent.understanding.question.conditions import free_numbers
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.tables.index import Cells
from retrieval.tables.names import name_keys
from retrieval.text.normal import phrase


def one_of(question: Tagged, index: Cells) -> Bound | None:
    """Return the value of the named entity under the one label that has the alternatives; None for other questions."""
    language, tokens = question.language, question.tokens[:-1]
    apart = language.alternating
    joint = next((i for i in question.places(apart) if i < len(tokens)), None)
    named = (name for name in question.names if joint is not None and name.end < joint)
    name = next((name for name in named if index.places([name.key], THINGS)), None)
    if joint is None or name is None or question.negated or question.end is not None or free_numbers(question):
        return None
    start = max((i + 1 for i in range(name.end, joint) if tokens[i] == COMMA), default=name.end)
    is_asked = asks_whether(question) or start > name.end
    if not is_asked or question.operation is not None:
        return None
    sides = _content(tokens[start:joint], question), _content(tokens[joint + 1 :], question)
    told = dict(_told(question, name.key, sides, index))
    return next(iter(told.values())) if len(told) == 1 else None


def _content(words: Sequence[str], question: Tagged) -> Label:
    """Return the words of a side without function words."""
    language = question.language
    idle = language.function_words | language.helpers | language.statement_words("places") | language.beside | {COMMA}
    return tuple(word for word in words if word not in idle)


def _told(
    question: Tagged, key: str, sides: tuple[Label, Label], index: Cells
) -> Iterator[tuple[tuple[str, str], Bound]]:
    """Yield the entity's value under each label whose values have both alternatives, by the label and the value."""
    for members in kinds_of(question, index):
        one = [member for member in members if key in name_keys(member.name)]
        labels = list(dict.fromkeys(label for member in one for label in member.texts))
        for label in labels if len(one) == 1 and all(sides) else ():
            values = {phrase(member.texts.get(label, "")) for member in members}
            named = [_value_in(side, values) for side in sides]
            if all(named) and named[0] != named[1]:
                readings = readings_of(one, label)
                words = tuple(dict.fromkeys((*sides[0], *sides[1])))
                bound = Bound(Linked(question, (), words), readings, readings[0].best.label)
                yield (readings[0].best.label, readings[0].best.text), bound


def _value_in(side: Label, values: Collection[Label]) -> Label:
    """Return the only value that the words of a side have as a whole: the *quarry* of a *quarry lake*."""
    told = [words for words in values if words and found(side, words) is not None]
    longest = max(map(len, told), default=0)
    best = [words for words in told if len(words) == longest]
    return best[0] if len(best) == 1 else ()
