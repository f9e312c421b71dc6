"""What a question asks of one name: the words that choose a label and the numbers that choose a row or column."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Key:
    """A number that chooses a row or column: the words beside it and its value as written.

    `is_unqualified` marks a number that no word behind it qualifies. Such a number may choose on the table's only
    axis of numbers; so may a number without words.
    """

    words: tuple[str, ...]
    value: str
    is_unqualified: bool = False


@dataclass(frozen=True, slots=True)
class NameRequest:
    """What a question asks of one name: the words that choose a value, and the numbers that choose a row or column.

    `implied_measures` maps a word to the measures that it may mean, such as *heavy* to *weight*. `function_words` of a
    language never count as initials: *go* is not *GPS on*. `stretches` are runs of adjacent words. `counting` are
    phrases that only count what follows them in a label: *Number of wicks* is *how many wicks*.
    """

    name: str
    words: tuple[str, ...]
    keys: tuple[Key, ...] = ()
    implied_measures: Mapping[str, Collection[str]] = field(default_factory=dict)
    function_words: frozenset[str] = frozenset()
    stretches: tuple[tuple[str, ...], ...] = ()
    counting: tuple[tuple[str, ...], ...] = ()

    @property
    def cache_key(self) -> Hashable:
        """A hashable key of all fields, for caches."""
        implied = tuple((word, tuple(means)) for word, means in self.implied_measures.items())
        return self.name, self.words, self.keys, implied, self.function_words, self.stretches, self.counting
