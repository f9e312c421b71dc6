"""The heads and labels of a collection by name; the places of each are read on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


class Heads(Mapping[str, tuple[T, ...]]):
    """A mapping from names, in order, to their places.

    >>> heads = Heads(["Crew", "Weight"], lambda name: (f"where {name} stands",))
    >>> list(heads), heads["Crew"]
    (['Crew', 'Weight'], ('where Crew stands',))
    """

    def __init__(self, names: Iterable[str], read: Callable[[str], tuple[T, ...]]) -> None:
        self._places: dict[str, tuple[T, ...] | None] = dict.fromkeys(names)
        self._read = read

    def __getitem__(self, name: str) -> tuple[T, ...]:
        found = self._places[name]
        if found is None:
            found = self._places[name] = self._read(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
