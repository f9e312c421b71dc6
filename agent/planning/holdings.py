"""The content of an offered title: a table with its columns and rows, a record with its labels, or a list.

A model that has never seen a book writes a step with the names that it is shown. So headers and rows are shown whole,
those near the question first, with the number of the others. Shared words tell which are near, and an embedder if there
is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from retrieval.embedding.protocol import Embedder
from retrieval.errors import EmbeddingError
from retrieval.tables.cells import Grid
from retrieval.tables.listing import MOST_COMPARED, brief, heads_of, kind_of, rows_of
from retrieval.text.normal import content_words, phrase

HEADS_ROOM, ROWS_ROOM = 140, 100
"""Characters for the headers, and for the rows, of one table."""
_MOST_TOLD = 12
"""Most headers, or rows, of one table that are listed: a few short ones, numbers or letters, show what all are."""


@dataclass(frozen=True, slots=True)
class TitleContent:
    """The headers and rows of a title's tables, the labels of its records, or the items of its list.

    >>> TitleContent("table", ("Stop", "Fare"), ("North pier", "Mill bridge")).text
    '[columns: Stop; Fare / rows: North pier; Mill bridge]'
    """

    kind: str = ""
    heads: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()

    @classmethod
    def of(cls, grids: Iterable[Grid], like: Sequence[Grid] = ()) -> TitleContent:
        """Combine the content of a title's tables of one kind: the kind of a given table, else of the first."""
        heads, rows, kind = dict[str, None](), dict[str, None](), "".join(map(kind_of, like))
        for grid in grids:
            kind = kind or kind_of(grid)
            if kind_of(grid) == kind:
                heads |= dict.fromkeys(heads_of(grid))
                rows |= dict.fromkeys(rows_of(grid))
        return cls(kind, tuple(map(brief, heads)), tuple(map(brief, rows)))

    @property
    def text(self) -> str:
        """The content, as far as there is room."""
        if self.kind == "list":
            return f"[list: {_within(self.rows, HEADS_ROOM)}]"
        if self.kind == "record":
            return f"[labels: {_within(self.heads, HEADS_ROOM)}]"
        rows = f" / rows: {_within(self.rows, ROWS_ROOM)}" if self.rows else ""
        return f"[columns: {_within(self.heads, HEADS_ROOM)}{rows}]"

    @property
    def words(self) -> frozenset[str]:
        """The words of its headers and rows."""
        return frozenset(chain.from_iterable(map(phrase, (*self.heads, *self.rows))))

    def crowded(self) -> Iterator[Sequence[str]]:
        """Yield the headers, or the rows, if there is no room for all of them."""
        for names, room in ((self.heads, HEADS_ROOM), (self.rows, ROWS_ROOM)):
            if len(names) > len(_fitting(names, room)):
                yield names

    def ordered(self, near: Nearness) -> TitleContent:
        """Return the content with the nearest headers or rows first, if there is no room for all."""
        crowded = list(self.crowded())
        heads = near.order(self.heads) if self.heads in crowded else self.heads
        rows = near.order(self.rows) if self.rows in crowded else self.rows
        return replace(self, heads=heads, rows=rows)


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near names are to a question: the number of shared words, and the embedding similarity."""

    shared: Mapping[str, int]
    alike: Mapping[str, float]

    @classmethod
    async def of(cls, holdings: Iterable[TitleContent], question: str, embedder: Embedder | None) -> Nearness:
        """Compute the nearness of the names that do not all have room."""
        wanted = frozenset(content_words(question))
        shared, some = dict[str, int](), dict[str, None]()
        for names in chain.from_iterable(holding.crowded() for holding in holdings):
            shared |= {name: len(wanted.intersection(phrase(name))) for name in names}
            some |= dict.fromkeys(names[:MOST_COMPARED])
        if embedder is None or not some:
            return cls(shared, {})
        try:
            vectors = await embedder.embed([question, *some])
        except EmbeddingError:  # the search for passages reports it
            return cls(shared, {})
        return cls(shared, dict(zip(some, (vectors[1:] @ vectors[0]).tolist(), strict=True)))

    def order(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names: first those that share words with the question, then alternately the most similar and the
        next of the table, whose first rows are typical.
        """
        touched = sorted((name for name in names if self.shared.get(name)), key=lambda name: -self.shared[name])
        alike = sorted(names, key=lambda name: -self.alike.get(name, -1.0)) if self.alike else names
        return tuple(dict.fromkeys((*touched, *chain.from_iterable(zip(alike, names, strict=True)))))


def _fitting(names: Sequence[str], room: int) -> Sequence[str]:
    """Return as many names as there is room for, at least one."""
    for count, name in enumerate(names):
        room -= len(name) + 2
        if room < 0 or count == _MOST_TOLD:
            return names[: max(1, count)]
    return names


def _within(names: Sequence[str], room: int) -> str:
    shown = _fitting(names, room)
    more = [f"… {len(names) - len(shown)} more"] if len(shown) < len(names) else []
    return "; ".join([*shown, *more])
