"""Two questions in one: *what does it weigh, and how long must one rest?*

A binding that leaves a word of the second of them untold has answered the first alone.
"""

from __future__ import annotations

from agent.understanding.clauses import tokens_of
from agent.understanding.program import Bound, Reading
from agent.understanding.singles import singles
from agent.understanding.tagged import tagged
from retrieval.text.normal import phrase


def answers_half(bound: Bound, text: str) -> bool:
    """True where a question is made of several, and those behind the first have words that no cell tells."""
    parts = singles(text)
    if not parts:
        return False
    question = tagged(text, heeding_all=True)
    start = len(tokens_of(parts[0])) - 1
    told = {word for reading in bound.readings for word in _told(reading)}
    end = () if question.end is None else (question.end,)
    return any(word not in told for i, word in question.words() if i >= start and i not in end)


def _told(reading: Reading) -> set[str]:
    """The words that a reading tells, or that name it."""
    subject = reading.subject
    told = {word for binding in reading.found for word in binding.fit.heeded}
    return told | {*phrase(subject.text), *subject.key.split()} | {word for key in subject.keys for word in key.words}
