"""Read a superlative that is part of a label as what is asked for: *which drug has the longest course*, of a column
*Longest course (days)*.

As a name, *longest course* only asks for its value. Behind the word for a kind, it asks which of them has the highest.
"""

from __future__ import annotations

from agent.languages.phrases import Phrase
from agent.understanding.question.tagged import Tagged, tagged


def ranked_by_label(question: Tagged) -> Tagged | None:
    """Return the question without the names that begin with a superlative; None if there are none, or if it asks for no
    kind.
    """
    language = question.language
    named = [each for each in question.names if language.degree_of(_words(each.start, question)[0]) == "superlative"]
    if question.best or not named or question.tokens[0] not in language.kinds:
        return None
    names = [each for each in question.names if each not in named]
    measures = {word for each in named for word in question.tokens[each.start : each.end]}
    return tagged(question.question, names, measures)


def _words(start: int, question: Tagged) -> Phrase:
    return question.tokens[start : start + 1]
