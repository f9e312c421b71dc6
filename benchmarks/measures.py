"""The two measures of set retrieval, named as the literature names them.

Judged is a chunk's title against patterns, one pattern for each fact that is needed: a fact may stand in any of
several chunks, and finding one of them is enough.
"""

from __future__ import annotations

import re
from collections.abc import Sequence


def precision_at_k(titles: Sequence[str], gold: Sequence[str], k: int) -> float:
    """The part of the first k titles that are relevant; 0.0 when nothing was retrieved.

    Fewer than k retrieved are divided by their own number, since the cut is what is measured.
    Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval, 2008, section 8.4.

    >>> precision_at_k(["Strength", "Orc"], ["^Strength$"], k=10)
    0.5
    """
    top = titles[:k]
    return sum(_matches(title, gold) for title in top) / len(top) if top else 0.0


def recall_at_k(titles: Sequence[str], gold: Sequence[str], k: int) -> float:
    """The part of the needed facts that at least one of the first k titles brings.

    Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval, 2008, section 8.4; with the
    needed facts as the relevant set.

    >>> recall_at_k(["Strength", "Orc"], ["^Strength$", "^Wisdom$"], k=10)
    0.5
    """
    found = sum(any(_matches(title, [pattern]) for title in titles[:k]) for pattern in gold)
    return found / len(gold)


def _matches(title: str, patterns: Sequence[str]) -> bool:
    return any(re.search(pattern, title, re.IGNORECASE) for pattern in patterns)
