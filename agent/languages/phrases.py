"""Find the phrases of a language in a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Phrase = tuple[str, ...]


class Phrases:
    """Phrases in order, with an index by first word.

    >>> Phrases([("how", "many"), ("as", "much"), ("how",)]).candidates_in(("how", "much"))
    [0, 2]
    """

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        self._phrases = tuple(phrases)
        self._places: dict[str, list[int]] = {}
        for place, said in enumerate(self._phrases):
            self._places.setdefault(said[0], []).append(place)

    def candidates_in(self, tokens: Iterable[str]) -> list[int]:
        """Return the places of the phrases whose first word is in a text."""
        return sorted(place for first in self._places.keys() & tokens for place in self._places[first])

    def occur_in(self, tokens: Sequence[str]) -> bool:
        """True if one of the phrases is in a text."""
        return any(found(tokens, self._phrases[place]) is not None for place in self.candidates_in(tokens))


def phrase_places(tokens: Sequence[str], said: Phrase) -> range:
    """Return the places of a phrase in a text; empty if it is not there.

    >>> phrase_places(("more", "than", "any", "other"), ("than", "any"))
    range(1, 3)
    """
    start = found(tokens, said)
    return range(0) if start is None else range(start, start + len(said))


def found(tokens: Sequence[str], said: Phrase) -> int | None:
    """Return the start of a phrase in a text; None if it is not there.

    >>> found(("by", "how", "much"), ("how", "much")), found(["by", "how", "much"], ("much",))
    (1, 2)
    """
    if not said:
        return 0
    at = -1
    for _ in range(tokens.count(said[0])):
        at = tokens.index(said[0], at + 1)
        if tuple(tokens[at : at + len(said)]) == said:
            return at
    return None
