"""Which from the end of a scale is asked for: *the second most expensive*, *the 3rd cheapest*."""

from __future__ import annotations

import re

from retrieval.text.english import ORDINALS
from retrieval.text.normal import number, phrase

_RANK = re.compile(
    rf"\b({'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th))[ -](?:most|least|best|worst|[a-z]+est)\b", re.IGNORECASE
)


def rank_asked(question: str) -> int:
    """Which from the end of the scale is asked for: 1 is the best, the last or whatever the question says.

    >>> rank_asked("the second most expensive weapon"), rank_asked("the 3rd cheapest"), rank_asked("the cheapest")
    (2, 3, 1)
    """
    match = _RANK.search(question)
    return int(number(phrase(match[1])[0])) if match else 1
