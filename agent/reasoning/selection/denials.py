"""What the negation of a question denies of the members of a kind: a number, a flag, a label, or a word."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.reasoning.kinds.member import Member
from agent.reasoning.kinds.passing import Denied, with_word
from agent.reasoning.kinds.shape import Shape
from agent.reasoning.kinds.vocabulary import Vocabulary
from agent.reasoning.kinds.wanted import Wanted
from agent.understanding.question.conditions import denies_having
from agent.understanding.question.tagged import Tagged
from retrieval.tables.match import matches_any


def denied_in(
    wanted: Wanted, shape: Shape, members: Sequence[Member], vocabulary: Vocabulary, numbers: Collection[int]
) -> Denied | None:
    """Return the scope of a negation, the first that stands behind it; None if it is unclear. `numbers` are the places
    of the numbers that may be denied.
    """
    question = wanted.question
    start, label = len(question.tokens) if wanted.negation is None else wanted.negation, None
    for place in range(start + 1, len(question.tokens)):
        word = question.tokens[place]
        if place in numbers:
            return Denied(place)
        if (place, word) not in wanted.said or word in question.language.holding:
            continue
        if (flag := shape.flag(word)) is not None:
            return Denied(flag=flag)
        label = label or next((each for each in shape.labels if matches_any(word, each)), None)
        if label is not None and denies_having(question, start):
            return Denied(label=label)
        some, column = with_word(members, word, vocabulary)
        if (label is None or column == label) and 0 < len(some) < len(members):  # *not open all year*
            is_name = denies_having(question, start) and _is_in_names(word, members, vocabulary)
            return None if is_name else Denied(word=word)
    if label is None and _stands_last(start, question):
        before = (shape.flag(word) for place, word in wanted.said if place < start)
        flag = next((flag for flag in before if flag is not None), None)  # *which passes does the hut not have*
        return None if flag is None else Denied(flag=flag)
    return None if label is None else Denied(label=label)


def _stands_last(negation: int, question: Tagged) -> bool:
    """True if at most a verb for having stands behind the negation: *does it not have*, *with retry = no*."""
    behind, language = question.tokens[negation + 1 : -1], question.language
    return (language.helpers | language.holding).issuperset(behind)


def _is_in_names(word: str, members: Sequence[Member], vocabulary: Vocabulary) -> bool:
    """True for a word that is only in names, or in values that repeat the name: a member doesn't *have* its name."""
    some, column = with_word(members, word, vocabulary)
    return column is None or all(each.texts.get(column) == each.name for each in some)
