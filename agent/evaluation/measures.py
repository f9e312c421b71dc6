"""The measures of set retrieval, named as the literature names them.

Judged are chunks, by id. What is needed is a list of facts, each as the chunks that bring it: a fact may stand in any
of several chunks, and finding one of them is enough. `agent.evaluation.matching` tells which chunks these are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def precision_at_k(found: Sequence[str], relevant: Collection[str], k: int | None = None) -> float:
    """The part of the first k chunks (None: of all) that are relevant; 0.0 when nothing was retrieved.

    Fewer than k retrieved are divided by their own number, since the cut is what is measured.
    Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval, 2008, section 8.4.

    >>> precision_at_k(["strength", "orc"], {"strength"}, k=10)
    0.5
    """
    top = found[:k]
    return sum(id_ in relevant for id_ in top) / len(top) if top else 0.0


def recall_at_k(found: Sequence[str], needed: Sequence[Collection[str]], k: int | None = None) -> float:
    """The part of the needed facts, at least one, that some chunk of the first k (None: of all) brings.

    Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval, 2008, section 8.4; with the
    needed facts as the relevant set.

    >>> recall_at_k(["strength", "orc"], [{"strength", "strength-2"}, {"wisdom"}], k=10)
    0.5
    """
    top = found[:k]
    return sum(any(id_ in fact for id_ in top) for fact in needed) / len(needed)


def f1(precision: float, recall: float) -> float:
    """The harmonic mean of both; 0.0 when both are 0.

    Source: van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7 (1 - E with equal weights); seed
    document 2, "F1 Score".

    >>> f1(0.5, 1.0)
    0.6666666666666666
    """
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
