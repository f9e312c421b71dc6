"""Cut at the largest gap between neighboring distances (seed document 2).

The first gap never cuts, so an exceptional first match does not remove the second. If no gap is large enough, hits much
farther than the best match are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from retrieval.filters.protocol import TOLERANCE, Sifted, drop
from retrieval.types import Gap, Hit, Policy, SubQuery


def largest_gap(distances: Sequence[float], gap_threshold: float) -> int | None:
    """Return how many distances precede the largest gap of at least `gap_threshold`; `None` if there is none.

    `distances` ascend. The first gap is skipped; of equal gaps the first is taken. Source: seed document 2, "High-Level
    Overview", steps 2 to 5.

    >>> largest_gap([0.12, 0.18, 0.22, 0.35, 0.50], 0.1)
    4
    """
    position, largest = None, gap_threshold - 2 * TOLERANCE
    for index, (near, far) in enumerate(pairwise(distances)):
        if index > 0 and far - near > largest + TOLERANCE:
            position, largest = index + 1, far - near
    return position


def within_offset(distances: Sequence[float], distance_offset: float) -> int:
    """Return how many of the ascending distances are at most `best + distance_offset`."""
    if not distances:
        return 0
    limit = distances[0] + distance_offset + TOLERANCE
    return sum(distance <= limit for distance in distances)


def gap(sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
    """Drop the hits behind the largest gap (rule `gap`), or else beyond the offset (rule `distance`).

    At least `gap_min_chunks` stay, if there are that many.
    """
    distances = [hit.distance for hit in hits]
    position = largest_gap(distances, policy.gap_threshold)
    if position is None:
        rule, size = "distance", within_offset(distances, policy.distance_offset)
    else:
        rule, size = "gap", position
    reason = _reason(distances, position, policy)
    size = max(size, policy.gap_min_chunks)
    dropped = tuple(drop(hit, rule, reason) for hit in hits[size:])
    return Sifted(tuple(hits[:size]), dropped, gaps_of(distances, policy))


def gaps_of(distances: Sequence[float], policy: Policy) -> tuple[Gap, ...]:
    """Return each gap between neighbors, nearest first, with the reason why it cuts or does not.

    >>> for each in gaps_of([0.12, 0.32, 0.34, 0.50], Policy()):
    ...     print(f"{each.size:.2f} after {each.after}: {each.reason}")
    0.20 after 1: the first gap never cuts
    0.02 after 2: below the gap threshold 0.1
    0.16 after 3: the largest gap, it cuts
    """
    position = largest_gap(distances, policy.gap_threshold)
    return tuple(
        Gap(
            after,
            near,
            far,
            after == position and after >= policy.gap_min_chunks,
            _why(far - near, after, position, policy),
        )
        for after, (near, far) in enumerate(pairwise(distances), start=1)
    )


def _why(size: float, after: int, position: int | None, policy: Policy) -> str:
    if after == 1:
        return "the first gap never cuts"
    if position is None or size < policy.gap_threshold - 2 * TOLERANCE:
        return f"below the gap threshold {policy.gap_threshold:g}"
    if after != position:
        return f"the gap after {position} is taken: it is larger, or as large and comes first"
    if after < policy.gap_min_chunks:
        return f"the largest gap, but the first {policy.gap_min_chunks} chunks stay"
    return "the largest gap, it cuts"


def _reason(distances: Sequence[float], position: int | None, policy: Policy) -> str:
    if position is None:
        return f"farther than the best distance {distances[0]:.3f} + {policy.distance_offset:g}" if distances else ""
    near, far = distances[position - 1], distances[position]
    return f"behind a gap of {far - near:.3f} between distances {near:.3f} and {far:.3f}"
