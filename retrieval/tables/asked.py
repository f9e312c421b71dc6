"""What is asked of one name: words that choose a label, and numbers that choose a row or column."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Key:
    """A number that chooses a row or column: the words beside it, and its value as it was written.

    With `alone` nothing behind it says what it is one of, so that it may choose on the only axis of numbers that there
    is; one without words does.
    """

    words: tuple[str, ...]
    value: str
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of one name: the words that say which value, and the numbers that choose it.

    `implied` are the measures that a word may mean: those of *how heavy*. `idle` are words of the language itself,
    which are the initials of nothing: *go* is no *GPS on*. `stretches` are the words that stand side by side.
    """

    name: str
    words: tuple[str, ...]
    keys: tuple[Key, ...] = ()
    implied: Mapping[str, Collection[str]] = field(default_factory=dict)
    idle: frozenset[str] = frozenset()
    stretches: tuple[tuple[str, ...], ...] = ()

    @property
    def as_key(self) -> Hashable:
        """What stands for it where answers are remembered: all of it."""
        implied = tuple((word, tuple(means)) for word, means in self.implied.items())
        return self.name, self.words, self.keys, implied, self.idle, self.stretches
