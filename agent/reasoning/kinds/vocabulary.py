"""The words of some members and of their tables: whom a word may be said of is found without asking each of them.

Most words of a question are said of nobody in most kinds, and that is told by one look.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from agent.reasoning.kinds.member import Member
from retrieval.tables.cells import Grid
from retrieval.tables.match import WordForms
from retrieval.text.identifiers import is_identifier

_KNOWN = 64
"""Kinds whose words are remembered."""


class Vocabulary:
    """All words by which some members are called, or that stand in their tables."""

    def __init__(self, members: Sequence[Member]) -> None:
        self._members = members
        self._tables = {grid: None for member in members for _, grid in member.grids}
        self._forms = WordForms(self._words())
        self._may: dict[str, frozenset[Member]] = {}

    def _words(self) -> Iterator[str]:
        for grid in self._tables:
            yield from grid.facts.words
            yield from grid.kinds
        for member in self._members:
            yield from member.names

    def may_say(self, word: str, members: Sequence[Member]) -> Sequence[Member]:
        """Those of some of its members of whom a word may be said; an identifier may be a part of another word."""
        if is_identifier(word):
            return members
        if word not in self._may:
            self._may[word] = frozenset(self._saying(self._forms.of(word)))
        may = self._may[word]
        return [member for member in members if member in may] if may else []

    def _saying(self, forms: Collection[str]) -> Iterator[Member]:
        if not forms:
            return
        tables = {grid for grid in self._tables if _has(grid, forms)}
        for member in self._members:
            if not member.names.isdisjoint(forms) or any(grid in tables for _, grid in member.grids):
                yield member


def _has(grid: Grid, forms: Collection[str]) -> bool:
    return any(form in grid.facts.words or form in grid.kinds for form in forms)


@lru_cache(maxsize=_KNOWN)
def vocabulary_of(members: tuple[Member, ...]) -> Vocabulary:
    """The words of some members, which are members of one kind again and again."""
    return Vocabulary(members)
