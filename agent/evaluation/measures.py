"""The measures of set retrieval, named as in the literature.

Chunks are judged by id. The needed facts are a list, each fact the set of chunks that contain it: finding one of them
is enough. `agent.evaluation.matching` determines these chunks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def precision_at_k(found: Sequence[str], relevant: Collection[str], k: int | None = None) -> float:
    """Return the share of the first k chunks (None: of all) that are relevant; 0.0 if nothing was retrieved.

    If fewer than k are retrieved, their own number is the denominator, since the cut is what is measured.
    Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval, 2008, section 8.4.

    >>> precision_at_k(["strength", "orc"], {"strength"}, k=10)
    0.5
    """
    top = found[:k]
    return sum(id_ in relevant for id_ in top) / len(top) if top else 0.0


def recall_at_k(found: Sequence[str], needed: Sequence[Collection[str]], k: int | None = None) -> float:
    """Return the share of the needed facts, at least one, that some chunk of the first k (None: of all) contains.

    Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval, 2008, section 8.4; with the
    needed facts as the relevant set.

    >>> recall_at_k(["strength", "orc"], [{"strength", "strength-2"}, {"wisdom"}], k=10)
    0.5
    """
    top = found[:k]
    return sum(any(id_ in fact for id_ in top) for fact in needed) / len(needed)


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean of both; 0.0 if both are 0.

    Source: van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7 (1 - E with equal weights); seed
    document 2, "F1 Score".

    >>> f1(0.5, 1.0)
    0.6666666666666666
    """
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
