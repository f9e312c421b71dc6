"""How well the words of a question fit the labels of a cell: equal, abbreviated, or with one slip of a letter.

Words of one form are one (`retrieval.text`), so nothing here knows a synonym. A word may be told by the label itself,
by what names the table, or by the value beside its number (*5 (1,800 XP)*).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from retrieval.text import STOP_WORDS, is_number, phrase

_NONE = frozenset[str]()
_PREFIX = 3
"""Letters of an abbreviation; fewer could be anything."""
_SLIP = 5
"""Letters of a word in which one may be wrong."""


@lru_cache(maxsize=65536)
def same_word(asked: str, said: str) -> bool:
    """True for two forms of one word: the same, its beginning, or one slip of a letter in a long one.

    >>> same_word("max", "maximum"), same_word("weigth", "weight"), same_word("t3.micro", "t3a.micro")
    (True, True, False)
    """
    if asked == said:
        return True
    if not (asked.isalpha() and said.isalpha()):
        return False
    short, long = sorted((asked, said), key=len)
    return (len(short) >= _PREFIX and long.startswith(short)) or _has_slipped(short, long)


def _has_slipped(short: str, long: str) -> bool:
    """One letter more, less or other, or two that changed places; the first is right."""
    if len(short) < _SLIP or len(long) - len(short) > 1 or short[0] != long[0]:
        return False
    same = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[same:] == long[same + 1 :]
    swapped = short[same + 1 : same + 2] + short[same : same + 1] + short[same + 2 :]
    return short[same + 1 :] == long[same + 1 :] or swapped == long[same:]


@lru_cache(maxsize=65536)
def said_words(text: str) -> tuple[str, ...]:
    """The words of a label that say something."""
    return tuple(word for word in phrase(text) if word not in STOP_WORDS)


def initials(label: Sequence[str]) -> str:
    """The *ac* of *armor class*; a term of two words is one token, so its parts count. One word has none.

    >>> initials(("damage", "per", "round")), initials(("damage",))
    ('dpr', '')
    """
    words = " ".join(label).split()
    return "".join(word[0] for word in words) if len(words) > 1 else ""


@dataclass(frozen=True, slots=True)
class Fit:
    """How a cell fits what is asked: the words that its label, its table's names and its value tell, and the share of
    the label that was asked for.
    """

    label: frozenset[str]
    context: frozenset[str]
    value: frozenset[str]
    share: float

    @property
    def heeded(self) -> frozenset[str]:
        """All words that something tells."""
        return self.label | self.context | self.value


class Wording:
    """The words of a question, compared once with each word and each label of the cells that may answer it.

    >>> wording = Wording(["max", "hp"])
    >>> sorted(wording.told_by(["maximum", "weight"])), wording.label("Hit Points")
    (['max'], (frozenset({'hp'}), 1.0))
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = frozenset(words)
        self._same: dict[str, frozenset[str]] = {}
        self._labels: dict[str, tuple[frozenset[str], float]] = {}

    def told_by(self, said: Iterable[str]) -> frozenset[str]:
        """The words of the question that some words tell."""
        return _NONE.union(*map(self._same_as, said))

    def is_told_by(self, said: str) -> bool:
        """True where a word tells one of the question."""
        return bool(self._same_as(said))

    def label(self, label: str) -> tuple[frozenset[str], float]:
        """The words of the question that a label tells, and the share of the label that was asked for."""
        known = self._labels.get(label)
        if known is None:
            known = self._labels[label] = self._compared(label)
        return known

    def value(self, value: str, told: frozenset[str]) -> frozenset[str]:
        """The words of the question, but for those that are told already, that are the unit of what a value tells."""
        units = units_of(value)
        return (self.words - told) & units if units else _NONE

    def _compared(self, label: str) -> tuple[frozenset[str], float]:
        said = said_words(label)
        told = {word for word in said if self.is_told_by(word)}
        own = self.told_by(told) | (self.words & {initials(said), initials(phrase(label))})
        if own and not told:
            return own, 1.0  # by its initials
        return own, len(told) / len(said) if said else 0.0

    def _same_as(self, said: str) -> frozenset[str]:
        known = self._same.get(said)
        if known is None:
            known = self._same[said] = frozenset(word for word in self.words if same_word(word, said))
        return known


@lru_cache(maxsize=65536)
def units_of(value: str) -> frozenset[str]:
    """The words of a value that stand beside one of its numbers.

    >>> sorted(units_of("5 (1,800 gp)")), sorted(units_of("heavy"))
    (['gp'], [])
    """
    tokens = phrase(value)
    places = [i for i, token in enumerate(tokens) if is_number(token)]
    near = {tokens[j] for i in places for j in range(max(0, i - 1), min(len(tokens), i + 3))}
    return frozenset(word for word in near if not is_number(word))
