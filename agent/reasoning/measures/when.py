"""Questions for a time: *when*, *on which day*, *in what year*."""

from __future__ import annotations

from agent.languages.language import Language
from agent.languages.phrases import found
from agent.understanding.question.tagged import Tagged


def asks_when(question: Tagged) -> bool:
    """True for a question that begins by asking for a time: *when*, *in what year*.

    >>> from agent.understanding.question.tagged import tagged
    >>> [asks_when(tagged(text)) for text in ("On which day did it sail?", "What does it do when it sails?")]
    [True, False]
    """
    starts = (found(question.tokens, said) for said in question.language.answers.get("time", ()))
    return any(at == 0 or (at == 1 and question.tokens[0] in question.language.small) for at in starts)


def words_for_time(language: Language) -> frozenset[str]:
    """The words by which a time is asked for: the *day* of *which day*."""
    return frozenset(word for said in language.answers.get("time", ()) for word in said)
