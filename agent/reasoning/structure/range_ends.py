"""A measure that two labels tell, one for each end of its range: *height_min* and *height_max*.

Ranges count by their upper ends where they are held against each other, unless the question says which end it asks for.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.languages.scales import Ranges
from agent.understanding.tagged import Tagged
from retrieval.tables.bind import Binding
from retrieval.tables.match import said_words

_SEVERAL = 2


def upper_ends(found: list[list[Binding]], question: Tagged) -> list[list[Binding]]:
    """The candidates of several subjects, without the lower ends of which the upper ones are among them."""
    ranges = question.language.ranges
    if len(found) < _SEVERAL or not ranges.words.isdisjoint(question.tokens):
        return found
    return [[each for each in some if not _is_lower(each, some, ranges)] for some in found]


def _is_lower(binding: Binding, others: Sequence[Binding], ranges: Ranges) -> bool:
    """True for a label that differs from another of its table by the word for its end alone."""
    said = said_words(binding.label)
    if ranges.low.isdisjoint(said):
        return False
    whole = [word for word in said if word not in ranges.low]
    same_table = (said_words(each.label) for each in others if each.grid.whole == binding.grid.whole)
    upper = (words for words in same_table if not ranges.high.isdisjoint(words))
    return any([word for word in words if word not in ranges.high] == whole for words in upper)
