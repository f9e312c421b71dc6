"""An index of the words of some members and their tables, to find the members that a word may match.

Most words of a question match no member of most kinds; the index shows that in one look-up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from agent.reasoning.kinds.member import Member
from retrieval.tables.cells import Grid
from retrieval.tables.match import WordForms
from retrieval.text.identifiers import is_identifier

_KNOWN = 64
"""The number of kinds whose words are cached."""


class Vocabulary:
    """All words in the names or tables of some members."""

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
        """Return the members that a word may match, among those given. An identifier may be a part of another word."""
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
    """Return the index of some members; cached, since the same kinds recur."""
    return Vocabulary(members)
