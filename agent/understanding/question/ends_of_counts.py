"""*The largest number of masts* is the highest: of a count, an adjective of size asks for an end and for no size."""

from __future__ import annotations

from collections.abc import Sequence

from agent.languages.language import Language


def with_ends_of_counts(tokens: Sequence[str], language: Language) -> list[str]:
    """The tokens, with the word for an end of any scale for an adjective before a count.

    >>> from agent.languages.language import english
    >>> with_ends_of_counts(["the", "smallest", "how", "many", "mast"], english())
    ['the', 'least', 'how', 'many', 'mast']
    """
    out = list(tokens)
    counting = [said for said in language.amounts if ("count", said) in language.operations]
    for i, token in enumerate(tokens):
        if any(tuple(tokens[i + 1 : i + 1 + len(said)]) == said for said in counting):
            out[i] = _end_like(token, language)
    return out


def _end_like(token: str, language: Language) -> str:
    """The first word for an end of any scale that has the end and the degree of an adjective; any other word itself."""
    adjective = language.adjectives.get(token)
    if adjective is None or adjective.degree == "positive":
        return token
    same = (w for w, each in language.ends.items() if (each.high, each.degree) == (adjective.up, adjective.degree))
    return next(same, token)
