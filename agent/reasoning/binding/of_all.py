"""What all of a kind have together, or on average: *the total crew of all boats*, *the average fee of the ports*.

Whoever has the highest of a kind was found among all of it, and so are the values: the question is read as one for the
highest, and its values are added up; or it is told from there on, all of it, or so many as are asked for.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agent.languages.phrases import found, places_of
from agent.languages.scales import extreme
from agent.reasoning.execution.execute import MOST_SHOWN
from agent.understanding.linking.program import Bound
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA
from retrieval.text.grouped import joined
from retrieval.text.normal import phrase

_AMOUNT = re.compile(r"\D*\d[\d.,]*\D*")
"""A text with one number."""


def for_highest(question: Tagged) -> str:
    """The question for the highest of what a question has the total or the average of; empty where it has neither.

    >>> from agent.understanding.question.tagged import tagged
    >>> for_highest(tagged("What is the average fee of all ports?")), for_highest(tagged("How high is the fee?"))
    ('what is the greatest fee of all port', '')
    """
    language, operation = question.language, question.operation
    if operation not in ("total", "average") or question.end is not None or question.numbers:
        return ""
    tokens = [token for token in question.tokens if token != COMMA]
    told = [said for name, said in language.operations if name == operation and found(tokens, said) is not None]
    at = places_of(tokens, max(told, key=len, default=()))
    behind = tokens[at.stop :]
    if not at or sum(tokens.count(said[0]) for said in told if len(said) == 1) > 1:
        return ""
    if not behind and (counted := _counted(question)):
        return " ".join([extreme(language.ends, high=True), *tokens[counted : at[0]]])
    if not behind or behind[0] in language.small:
        return ""  # *altogether at sea* names no measure
    return " ".join([*tokens[: at[0]], extreme(language.ends, high=True), *behind])


def is_counted(question: Tagged) -> bool:
    """True where it is asked how many of something there are: those of a kind, or what all of it have together."""
    return bool(_counted(question))


def _counted(question: Tagged) -> int:
    """Where the words end that ask how many there are; 0 where a question does not begin with such."""
    asking = (said for name, said in question.language.operations if name == "count")
    return max((len(said) for said in asking if question.tokens[: len(said)] == said), default=0)


def for_first(question: Tagged) -> str:
    """The question for the first of a kind, of one that ranks it by a measure or asks for the top of it; else empty.

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
    taken = question.doing | {place for n in top for place in (n.place - 1, n.place)}
    kind = [token for place, token in enumerate(tokens[:by]) if place not in taken and token not in language.small]
    is_high = not any(tokens[n.place - 1] in language.ranges.low for n in top)
    highest = extreme(language.ends, high=is_high)
    return " ".join([max(language.kinds), *kind, *(n.value for n in top), highest, *tokens[by + 1 :]])


def all_of(best: Bound | None, question: Tagged) -> Bound | None:
    """The whole kind in its order, where no number says how many of it are asked for."""
    if best is None or best.operation != "best" or question.operation != "order":
        return best
    return replace(best, top=len(best.readings)) if len(best.readings) <= MOST_SHOWN else None


def of_all(best: Bound | None, question: Tagged) -> Bound | None:
    """The values of all of a kind, to be added up; None where some have none, or they are too many to be shown."""
    if best is None or best.operation != "best" or best.without or best.unsure or best.uncalled:
        return None
    if any(phrase(reading.best.label) != phrase(best.measure) for reading in best.told):
        return None
    if len(best.readings) > MOST_SHOWN or any(len(reading.found) > 1 for reading in best.readings):
        return None
    if not all(_AMOUNT.fullmatch(joined(reading.best.text)) for reading in best.readings):
        return None
    linked = replace(best.linked, question=question)
    return Bound(linked, best.readings, best.measure, question.operation or "total", unheeded=best.unheeded)
