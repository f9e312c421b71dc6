"""One who is named beside a kind, and is set apart from it: *longer than the Reed*, *except the Reed*."""

from __future__ import annotations

from typing import NamedTuple

from agent.understanding.question.tagged import Tagged
from retrieval.tables.names import Mention, name_keys


class Apart(NamedTuple):
    """The question about all of the kind, and the key of the one who is set apart."""

    text: str
    key: str

    def is_called(self, name: str) -> bool:
        """True for a name of the one who is set apart."""
        return self.key in name_keys(name)


def name_at(question: Tagged, place: int) -> Mention | None:
    """The name that begins at a place, or behind an article that stands there.

    >>> from agent.understanding.question.tagged import tagged
    >>> name_at(tagged("Is it longer than the Reed?", [Mention(5, 6, "reed")]), 4)
    Mention(start=5, end=6, key='reed')
    """
    first = place + any(token in question.language.articles for token in question.tokens[place : place + 1])
    return next((each for each in question.names if each.start == first), None)
