"""What the negation of a question denies of the members of a kind: a number, a flag, a label, or a word."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.reasoning.kinds.member import Member
from agent.reasoning.kinds.passing import Denied, with_word
from agent.reasoning.kinds.shape import Shape
from agent.reasoning.kinds.vocabulary import Vocabulary
from agent.reasoning.kinds.wanted import Wanted
from agent.understanding.question.conditions import denies_having
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
        if label is None and 0 < len(with_word(members, word, vocabulary)[0]) < len(members):
            is_name = denies_having(question, start) and _is_in_names(word, members, vocabulary)
            return None if is_name else Denied(word=word)
    return None if label is None else Denied(label=label)


def _is_in_names(word: str, members: Sequence[Member], vocabulary: Vocabulary) -> bool:
    """True for a word that is only in names, or in values that repeat the name: a member doesn't *have* its name."""
    some, column = with_word(members, word, vocabulary)
    return column is None or all(each.texts.get(column) == each.name for each in some)
