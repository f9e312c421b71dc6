"""The cells of several collections as one; `retrieval.stores.naming` names their chunks and sources."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from retrieval.stores.naming import Naming
from retrieval.tables.cells import Grid
from retrieval.tables.heads import Heads
from retrieval.tables.index import Cells, Place
from retrieval.tables.match import NamesByWord
from retrieval.tables.writing import Kind


class UnionCells:
    """The open cells of several collections; closing it closes them all. See `Cells`."""

    def __init__(self, members: Sequence[tuple[Naming, Cells]]) -> None:
        self._members = list(members)
        self._read_grid = lru_cache(maxsize=4096)(self._grid)

    def places(self, keys: Collection[str], kinds: Collection[Kind] = tuple(Kind)) -> list[Place]:
        """Return the places of these names; for each name the most specific kinds first."""
        found = [
            self._own(place, member)
            for member, (_, cells) in enumerate(self._members)
            for place in cells.places(keys, kinds)
        ]
        order = {key: n for n, key in enumerate(keys)}
        return sorted(found, key=lambda place: (order[place.key], place.kind, place.depth))

    def known_names(self, keys: Sequence[str], kinds: Collection[Kind] = tuple(Kind)) -> set[str]:
        """Return the keys that are names of these kinds."""
        return set[str]().union(*(cells.known_names(keys, kinds) for _, cells in self._members))

    def measures(self, keys: Sequence[str]) -> set[str]:
        """Return the keys that are the whole head of a column or the whole label of a record."""
        return set[str]().union(*(cells.measures(keys) for _, cells in self._members))

    def names_with_words(self, words: Collection[str]) -> list[str]:
        """Return the keys of the names that have all these words; heads and labels are left out."""
        return list(dict.fromkeys(key for _, cells in self._members for key in cells.names_with_words(words)))

    def of_kind(self, word: str) -> frozenset[int]:
        """Return the numbers of the tables whose names, groups or folders have a word."""
        return frozenset(
            self._number(own, member) for member, (_, cells) in enumerate(self._members) for own in cells.of_kind(word)
        )

    def holding(self, word: str) -> frozenset[int]:
        """Return the numbers of the tables that have a word in a brief value."""
        return frozenset(
            self._number(own, member) for member, (_, cells) in enumerate(self._members) for own in cells.holding(word)
        )

    @cached_property
    def heads(self) -> Heads[Place]:
        """Every head and label of the members, with its places."""
        return Heads(dict.fromkeys(name for _, cells in self._members for name in cells.heads), self._places_headed)

    def _places_headed(self, name: str) -> tuple[Place, ...]:
        members = [(at, cells) for at, (_, cells) in enumerate(self._members) if name in cells.heads]
        return tuple(self._own(place, member) for member, cells in members for place in cells.heads[name])

    @cached_property
    def measure_words(self) -> frozenset[str]:
        """The words of all heads and labels."""
        return frozenset[str]().union(*(cells.measure_words for _, cells in self._members))

    def heads_with(self, words: Collection[str]) -> list[str]:
        """Return the heads and labels, as in `heads` and in its order, with any of the words."""
        return self._heads_by_word.having(words)

    @cached_property
    def _heads_by_word(self) -> NamesByWord:
        return NamesByWord(self.heads)

    def measure_forms(self, word: str) -> frozenset[str]:
        """Return the words of heads and labels that a word is a form of."""
        return frozenset[str]().union(*(cells.measure_forms(word) for _, cells in self._members))

    def measures_by_initials(self, initials: str) -> frozenset[str]:
        """Return the measures with these initials."""
        return frozenset[str]().union(*(cells.measures_by_initials(initials) for _, cells in self._members))

    @cached_property
    def short_heads(self) -> frozenset[str]:
        """The heads and labels that are nothing but initials."""
        return frozenset[str]().union(*(cells.short_heads for _, cells in self._members))

    @cached_property
    def explained_initials(self) -> Mapping[str, frozenset[str]]:
        """For initials that are heads or labels: what the texts say they stand for."""
        found: dict[str, frozenset[str]] = {}
        for _, cells in self._members:
            for letters, said in cells.explained_initials.items():
                found[letters] = found.get(letters, frozenset()) | said
        return found

    def grid(self, number: int) -> Grid:
        """Return the table with this number."""
        return self._read_grid(number)

    def _grid(self, number: int) -> Grid:
        own, member = divmod(number, len(self._members))
        naming, cells = self._members[member]
        grid = cells.grid(own)
        return replace(grid, chunk_id=naming.id(grid.chunk_id), source=naming.source(grid.source))

    def close(self) -> None:
        """Close all members."""
        for _, cells in self._members:
            cells.close()

    def _own(self, place: Place, member: int) -> Place:
        """Return the place with its number in the union: the members' table numbers are interleaved."""
        number = None if place.grid is None else self._number(place.grid, member)
        return replace(place, chunk_id=self._members[member][0].id(place.chunk_id), grid=number)

    def _number(self, own: int, member: int) -> int:
        return own * len(self._members) + member
