"""Distance and relevance, and the space that converts one into the other.

A collection's space is read, not assumed: the same vectors have twice the distance in `l2` (squared, on unit vectors)
as in `cosine`. All are converted to cosine distance at the border, so a threshold means the same everywhere.
"""

from __future__ import annotations

from typing import Literal

Space = Literal["cosine", "l2", "ip"]


def cosine_distance(distance: float, space: Space) -> float:
    """Return 1 - cosine similarity for a distance in `space` between unit vectors; 0 is identical, 2 opposite.

    >>> cosine_distance(0.5, "l2")
    0.25
    """
    return distance / 2 if space == "l2" else distance


def relevance(distance: float, space: Space) -> float:
    """Return the cosine similarity clipped to 0..1 for a distance in `space`; larger is better.

    >>> relevance(0.25, "cosine"), relevance(0.5, "l2"), relevance(1.5, "ip")
    (0.75, 0.75, 0.0)
    """
    return min(1.0, max(0.0, 1.0 - cosine_distance(distance, space)))
