"""The confidence of each kept hit, in three levels: by its distance, and by the gaps before it.

The founding document gives two signs, the distance and the gap before it, and only the combinations where both agree.
Here the worse of the two decides, so every hit has exactly one level, and a farther hit never a better one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import inf

from retrieval.filters.protocol import TOLERANCE
from retrieval.types import Confidence, Hit, Policy

SMALL_GAP = 0.5
"""A gap below this share of `gap_threshold` does not count: not even seed 2's "more aggressive" 0.05 would cut
there.
"""

_ANSWERS: tuple[Confidence, ...] = ("high", "medium", "low")


def with_confidence(hits: Sequence[Hit], policy: Policy) -> tuple[Hit, ...]:
    """Return the hits, nearest first as given, each with its confidence: the worse of two bands.

    | | distance | largest gap before it |
    |---|---|---|
    | high | at most `high_confidence` | none: below half of `gap_threshold` |
    | medium | at most `medium_confidence` | small: below `gap_threshold` |
    | low | beyond | `gap_threshold` or more |

    A gap lies between neighbors among these hits; the first hit has none before it. What is behind a large gap stays
    behind it, so all gaps up to a hit count, not only the last. Source: seed document 2, "Confidence Scores".

    >>> from retrieval.types import Chunk
    >>> hits = [Hit(Chunk("c", "", ""), distance, 1 - distance) for distance in (0.12, 0.14, 0.22, 0.35)]
    >>> [hit.confidence for hit in with_confidence(hits, Policy())]
    ['high', 'high', 'medium', 'low']
    """
    steps = (far.distance - near.distance for near, far in pairwise(hits))
    before = zip(hits, accumulate(steps, max, initial=-inf), strict=False)  # without hits the initial value remains
    return tuple(
        Hit(hit.chunk, hit.distance, hit.relevance, _confidence(hit.distance, gap, policy)) for hit, gap in before
    )


def _confidence(distance: float, gap: float, policy: Policy) -> Confidence:
    passed = sum(distance > limit + TOLERANCE for limit in (policy.high_confidence, policy.medium_confidence))
    jumped = sum(gap >= share * policy.gap_threshold - TOLERANCE for share in (SMALL_GAP, 1.0))
    return _ANSWERS[max(passed, jumped)]
