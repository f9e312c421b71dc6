"""Reword a question about all members of a kind as one for the best of them: the same values answer both."""

from __future__ import annotations

from collections.abc import Sequence

from agent.languages.language import Language
from agent.languages.operations import SUMS
from agent.languages.phrases import found, phrase_places
from agent.languages.scales import extreme
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA

_YEAR = 4
"""The digits of a year, which chooses a table or members."""


def for_highest(question: Tagged) -> str:
    """Return the question for the highest value, for one that asks for a total or an average; else empty.

    >>> from agent.understanding.question.tagged import tagged
    >>> for_highest(tagged("What is the average fee of all ports?")), for_highest(tagged("How high is the fee?"))
    ('what is the greatest fee of all port', '')
    """
    language, operation = question.language, question.operation
    numbers = numbers_of_all(question).keys()
    others = [n for n in question.numbers if n.place not in numbers]
    are_years = all(n.limit is None and len(n.value) == _YEAR and n.value.isdigit() for n in others)
    if operation not in SUMS or question.end is not None or not are_years:
        return ""
    tokens = [token for place, token in enumerate(question.tokens) if token != COMMA and place not in numbers]
    told = [said for name, said in language.operations if name == operation and found(tokens, said) is not None]
    at = phrase_places(tokens, max(told, key=len, default=()))
    behind = tokens[at.stop :]
    if not at or sum(tokens.count(said[0]) for said in told if len(said) == 1) > 1:
        return ""
    if not behind and (by_verb := _measured_by_verb(tokens[: at[0]], language)):
        return by_verb
    if not behind and (counted := _counted(question)):
        return " ".join([extreme(language.ends, high=True), *tokens[counted : at[0]]])
    if not behind or behind[0] in language.function_words:
        return ""  # *altogether at sea* names no measure
    return " ".join([*tokens[: at[0]], extreme(language.ends, high=True), *behind])


def _measured_by_verb(tokens: Sequence[str], language: Language) -> str:
    """Return the question for the highest value of what a verb measures, for *what do the boats weigh*; else empty."""
    verbs = frozenset[str]().union(*(each.verbs for each in language.dimensions))
    place = next((i for i, token in enumerate(tokens) if token in verbs), 0)
    is_asked = place > 1 and tokens[0] in language.kinds and tokens[1] in language.support
    if not is_asked:
        return ""
    kind = [token for token in tokens[2:place] if token not in language.articles]
    return " ".join([tokens[0], *kind, extreme(language.ends, high=True), tokens[place], *tokens[place + 1 :]])


def numbers_of_all(question: Tagged) -> dict[int, int]:
    """Return how many members the question says there are, by the places of the numbers: *of the three boats*.

    >>> from agent.understanding.question.tagged import tagged
    >>> numbers_of_all(tagged("What is the average fee of the three ports?")), numbers_of_all(tagged("3 ports"))
    ({7: 3}, {})
    """
    before, tokens = question.language.articles | question.language.every, question.tokens
    found = (n for n in question.numbers if n.limit is None and n.place and tokens[n.place - 1] in before)
    return {n.place: int(n.value) for n in found if n.value.isdigit()}


def is_counted(question: Tagged) -> bool:
    """True for a question that asks for a count: of the members of a kind, or of what they have together."""
    return bool(_counted(question))


def _counted(question: Tagged) -> int:
    """Return the end of the words that ask for a count; 0 if the question does not begin with them."""
    asking = (said for name, said in question.language.operations if name == "count")
    return max((len(said) for said in asking if question.tokens[: len(said)] == said), default=0)


def for_first(question: Tagged) -> str:
    """Return the question for the first of a kind, for one that ranks it by a measure or asks for its top; else empty.

    >>> from agent.understanding.question.tagged import tagged
    >>> for_first(tagged("Rank the ports by fee")), for_first(tagged("Top 3 ports by fee"))
    ('which port greatest fee', 'which port 3 greatest fee')
    """
    language, tokens = question.language, question.tokens[: question.tokens.index(COMMA)]
    by = max((place for place, token in enumerate(tokens) if token in language.ranking), default=0)
    ends = language.ranges.high | language.ranges.low
    top = [n for n in question.numbers if 0 < n.place < by and tokens[n.place - 1] in ends]
    is_long = len(tokens) + 1 < len(question.tokens)
    if is_long or not tokens[by + 1 :] or question.end is not None or (question.operation != "order" and not top):
        return ""
    taken = question.operation_places | {place for n in top for place in (n.place - 1, n.place)}
    kind = [
        token for place, token in enumerate(tokens[:by]) if place not in taken and token not in language.function_words
    ]
    is_high = not any(tokens[n.place - 1] in language.ranges.low for n in top)
    highest = extreme(language.ends, high=is_high)
    return " ".join([max(language.kinds), *kind, *(n.value for n in top), highest, *tokens[by + 1 :]])
