"""Two questions in one: *what does it weigh, and how long must one rest?*

A binding that leaves a word of the second of them untold has answered the first alone.
"""

from __future__ import annotations

from agent.understanding.clauses import COMMA
from agent.understanding.program import Bound, Reading
from agent.understanding.tagged import Tagged
from retrieval.text.normal import phrase


def answers_half(bound: Bound) -> bool:
    """True where the second of two questions has words that no cell tells."""
    question = bound.linked.question
    start = _second(question)
    if start is None:
        return False
    told = {word for reading in bound.readings for word in _told(reading)}
    end = () if question.end is None else (question.end,)
    return any(word not in told for i, word in question.words() if i >= start and i not in end)


def _second(question: Tagged) -> int | None:
    """The place of the word by which a second question asks: the *how* of *and how long*."""
    asking = question.language.kinds | question.language.before_adjectives
    joining = {COMMA, *question.language.between[1:]}
    places = (i for i, token in enumerate(question.tokens) if token in asking and i > 1)
    first = next((i for i, token in enumerate(question.tokens) if token in asking), 0)
    return next((i for i in places if i > first and question.tokens[i - 1] in joining), None)


def _told(reading: Reading) -> set[str]:
    """The words that a reading tells, or that name it."""
    subject = reading.subject
    told = {word for binding in reading.found for word in binding.fit.heeded}
    return told | {*phrase(subject.text), *subject.key.split()} | {word for key in subject.keys for word in key.words}
