"""The most frequent of any number of different things, in a fixed amount of memory."""

from __future__ import annotations

from dataclasses import dataclass, field

CAPACITY = 10_000


@dataclass(slots=True)
class Frequent:
    """Counts things; exact until there are more than `capacity` different ones.

    Then the rarer half is forgotten, and a count can be too low by `error` at most. Source: Manku and Motwani,
    "Approximate frequency counts over data streams", VLDB 2002.

    >>> needs = Frequent()
    >>> for need in ("armor class", "hit dice", "armor class"):
    ...     needs.add(need)
    >>> needs.most(1), needs.error
    ([('armor class', 2)], 0)
    """

    capacity: int = CAPACITY
    error: int = 0
    _counts: dict[str, int] = field(default_factory=dict)

    def add(self, thing: str, times: int = 1) -> None:
        """Count a thing."""
        self._counts[thing] = self._counts.get(thing, 0) + times
        if len(self._counts) > self.capacity:
            ranked = sorted(self._counts.items(), key=lambda pair: -pair[1])
            middle = max(1, self.capacity // 2)
            self.error += ranked[middle][1]
            self._counts = dict(ranked[:middle])

    def most(self, number: int) -> list[tuple[str, int]]:
        """Return the most frequent things with their counts, the most frequent first."""
        return sorted(self._counts.items(), key=lambda pair: (-pair[1], pair[0]))[:number]
