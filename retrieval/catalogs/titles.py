"""The titles of a collection by their normal form: as many as chunks, of which a question needs a few.

They are stored as columns, each a list of texts, which load at once; a `Title` is built when it is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Title:
    """A title as written, and the ids of its chunks."""

    text: str
    ids: tuple[str, ...]


class Titles(Mapping[str, Title]):
    """Titles by `title_key`, in the order given.

    >>> titles = Titles.of({"owl": Title("Owls", ("c1", "c2")), "bear": Title("Bear", ("c3",))})
    >>> titles["owl"], list(titles), titles == Titles.from_columns(titles.columns())
    (Title(text='Owls', ids=('c1', 'c2')), ['owl', 'bear'], True)
    """

    def __init__(self, keys: list[str], texts: list[str], counts: list[int], ids: list[str]) -> None:
        """`counts` has the number of ids of each title, in order."""
        if not len(keys) == len(texts) == len(counts) or sum(counts) != len(ids):
            raise ValueError("columns of titles differ in length")
        self._keys, self._texts, self._counts, self._ids = keys, texts, counts, ids

    @classmethod
    def of(cls, titles: Mapping[str, Title]) -> Titles:
        """Return the same titles as columns."""
        if isinstance(titles, Titles):
            return titles
        found: Iterable[Title] = titles.values()
        return cls(
            list(titles),
            [title.text for title in found],
            [len(title.ids) for title in found],
            [id_ for title in found for id_ in title.ids],
        )

    @classmethod
    def from_columns(cls, columns: Mapping[str, Any]) -> Self:
        """Return what `columns` wrote; `ValueError`, `TypeError` or `KeyError` if it is something else."""
        return cls(columns["keys"], columns["texts"], columns["counts"], columns["ids"])

    def columns(self) -> dict[str, list[str] | list[int]]:
        """Return all columns, to be written as JSON."""
        return {"keys": self._keys, "texts": self._texts, "counts": self._counts, "ids": self._ids}

    def __getitem__(self, key: str) -> Title:
        place = self._place_of[key]
        start = self._starts[place]
        return Title(self._texts[place], tuple(self._ids[start : start + self._counts[place]]))

    def __contains__(self, key: object) -> bool:
        return key in self._place_of

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return repr(dict(self))

    @cached_property
    def _place_of(self) -> dict[str, int]:
        return dict(zip(self._keys, range(len(self._keys)), strict=True))

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate(self._counts, initial=0))
