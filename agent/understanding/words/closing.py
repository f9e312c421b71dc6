"""Adverbs at the end of a clause that rank: *which ship came out first* asks for the earliest."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from agent.languages.language import Language
from agent.understanding.words.clauses import COMMA
from retrieval.text.normal import is_number

_FIRST = re.compile(r"\bfirst\b(?:\s+(?P<behind>\w+))?", re.IGNORECASE)


def with_closing_superlatives(tokens: Sequence[str], question: str, language: Language) -> tuple[str, ...]:
    """Return the tokens with a superlative for a closing adverb: *which came out first* asks for the earliest.

    In *how long does it last*, *last* is a verb and stays.
    """
    ends = {COMMA, *language.joining}
    asks_how = not language.before_adjectives.isdisjoint(tokens)
    verbs = frozenset().union(*(each.verbs for each in language.dimensions)) if asks_how else frozenset[str]()
    out = list(tokens)
    for i, token in enumerate(tokens):
        meant = None if token in verbs else language.adverbs.get(token)
        if not meant:
            continue
        before = tokens[i - 1] if i else ""
        is_named = before in language.articles | language.levels or is_number(before)
        is_behind = i > 0 and not is_named and language.degree_of(before) is None  # *heaviest first* is an order
        if is_behind and tokens[i + 1] in ends and (not is_number(token) or _ends_in_first(question, ends)):
            out[i] = meant
    return tuple(out)


def _ends_in_first(question: str, ends: Collection[str]) -> bool:
    """True if some *first* ends a clause: *after the first start* is *start 1* in normal form."""
    behind = (found["behind"] for found in _FIRST.finditer(question))
    return any(word is None or word.casefold() in ends for word in behind)
