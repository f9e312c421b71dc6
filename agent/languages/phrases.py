"""Phrases of a language, and where they stand in a text."""

from __future__ import annotations

from collections.abc import Sequence

Phrase = tuple[str, ...]


def places_of(tokens: Sequence[str], said: Phrase) -> range:
    """The places of a phrase in a text; none where it does not stand there.

    >>> places_of(("more", "than", "any", "other"), ("than", "any"))
    range(1, 3)
    """
    start = found(tokens, said)
    return range(0) if start is None else range(start, start + len(said))


def found(tokens: Sequence[str], said: Phrase) -> int | None:
    """Where a phrase stands in a text; None where it does not.

    >>> found(("by", "how", "much"), ("how", "much"))
    1
    """
    if said and said[0] not in tokens:
        return None  # as nearly every phrase of a language
    places = (i for i in range(len(tokens) - len(said) + 1) if tuple(tokens[i : i + len(said)]) == said)
    return next(places, None)
