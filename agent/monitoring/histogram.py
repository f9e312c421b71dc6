"""Percentiles of any number of durations in a fixed amount of memory, within one percent of the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

ERROR = 0.01
"""The relative error of a percentile."""
_GAMMA = (1 + ERROR) / (1 - ERROR)
_LOG = math.log(_GAMMA)
_SMALLEST, _LARGEST = 1e-3, 1e9
"""Bounds in milliseconds; values outside are counted at the edge. That makes at most 1,400 buckets."""


@dataclass(slots=True)
class Histogram:
    """Counts durations in buckets that grow by the same factor.

    `percentile` is the middle of the bucket in which the nearest-rank percentile lies, so it is within `ERROR` of it
    for durations from a microsecond to eleven days. Source: Masson, Rim, Lee, "DDSketch", VLDB 2019.

    >>> durations = Histogram()
    >>> for ms in range(1, 101):
    ...     durations.add(ms)
    >>> durations.count, durations.largest, round(durations.percentile(50) or 0)
    (100, 100, 50)
    """

    count: int = 0
    total: float = 0.0
    largest: float = 0.0
    _buckets: dict[int, int] = field(default_factory=dict)

    def add(self, ms: float) -> None:
        """Count a duration."""
        bucket = math.ceil(math.log(min(max(ms, _SMALLEST), _LARGEST)) / _LOG)
        self._buckets[bucket] = self._buckets.get(bucket, 0) + 1
        self.count += 1
        self.total += ms
        self.largest = max(self.largest, ms)

    def percentile(self, percent: float) -> float | None:
        """Return the duration that `percent` of all do not exceed; None without durations."""
        rank, cumulated = max(1, math.ceil(self.count * percent / 100)), 0
        for bucket in sorted(self._buckets):
            cumulated += self._buckets[bucket]
            if cumulated >= rank:
                return float(min(2 * _GAMMA**bucket / (_GAMMA + 1), self.largest))
        return None
