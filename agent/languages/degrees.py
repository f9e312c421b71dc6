"""The comparison of a language's adjectives: by endings on a stem, or by a list of irregular forms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from agent.languages.scales import Degree
from retrieval.text.normal import phrase


def forms(adjective: str, rules: Mapping[str, Any]) -> Iterator[tuple[str, Degree]]:
    """Yield the normal forms of an adjective, each with its degree; `rules` is the section of the language's file.

    >>> list(forms("good", {"irregular": {"good": ["better", "best"]}}))
    [('good', 'positive'), ('better', 'comparative'), ('best', 'superlative')]
    """
    yield phrase(adjective)[0], "positive"
    yield from ((phrase(adverb)[0], "positive") for adverb in adverbs(adjective, rules))
    irregular = rules.get("irregular", {}).get(adjective)
    comparatives, superlatives = (irregular[::2], irregular[1::2]) if irregular else regular(adjective, rules)
    yield from ((phrase(form)[0], "comparative") for form in comparatives)
    yield from ((phrase(form)[0], "superlative") for form in superlatives)


def adverbs(adjective: str, rules: Mapping[str, Any]) -> list[str]:
    """Return the adverb of an adjective; empty if the language forms none by an ending.

    >>> adverbs("heavy", {"adverb": [["y$", "ily"], ["$", "ly"]]}), adverbs("heavy", {})
    (['heavily'], [])
    """
    made = (re.sub(end, ending, adjective) for end, ending in rules.get("adverb", ()) if re.search(end, adjective))
    return [*made][:1]


def regular(adjective: str, rules: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the comparatives and the superlatives of a regular adjective.

    >>> regular("heavy", {"stems": [["y$", "i"]], "comparative": ["er"], "superlative": ["est"]})
    (['heavier'], ['heaviest'])
    """
    stem = stem_of(adjective, rules)
    comparative, superlative = rules.get("comparative", ()), rules.get("superlative", ())
    return [stem + ending for ending in comparative], [stem + ending for ending in superlative]


def stem_of(word: str, rules: Mapping[str, Any]) -> str:
    """Return the stem of a word, before its endings.

    >>> [stem_of(word, {"stems": [["e$", ""]]}) for word in ("charge", "weigh")]
    ['charg', 'weigh']
    """
    stems = (re.sub(end, stem, word) for end, stem in rules.get("stems", ()) if re.search(end, word))
    return next(stems, word)
