"""The words of heads and of what is asked: which of them mean one thing, and which say nothing."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from retrieval.text import STOP_WORDS, phrase

_WEAK = STOP_WORDS | frozenset(
    "type table score base e g such required need number no against value cell amount".split()
)
SYNONYMS = {
    word: group[0]
    for group in (
        ("cost", "price", "fee", "premium", "fare", "wage"),
        ("weight", "mass", "weigh", "encumbrance"),
        ("armor class", "armored", "armor"),
        ("experience points", "experience"),
        ("bonus", "mod", "modifier", "adjustment"),
        ("saving", "save"),
        ("move", "movement", "speed", "pace"),
        ("large", "l"),
        ("medium", "m"),
        ("small", "s"),
        ("distance", "range"),
        ("temperature", "temp"),
        ("kcal", "calory"),
        ("petrification", "petrifaction"),
        ("paralysis", "paralyzation"),
        ("kg", "kilogram", "kilo"),
        ("lb", "lbs", "pound"),
        ("maximum", "max"),
        ("total", "together", "altogether", "combined", "plus"),
        ("km", "kilometer", "kilometre"),
        ("cm", "centimeter", "centimetre"),
        ("mm", "millimeter", "millimetre"),
        ("min", "minute"),
        ("permitted", "allowed"),
        ("chance", "odd", "probability", "likelihood", "likely", "percentage", "percent"),
    )
    for word in group
}
"""Words that heads use for one thing, each with the one that stands for all."""


@lru_cache(maxsize=65536)
def want_words(text: str) -> frozenset[str]:
    """The words of a head or of a wording that say what is meant, each as the one that stands for its like."""
    words = frozenset(SYNONYMS.get(t, t) for t in phrase(text) if t not in _WEAK)
    return words - idle_words(words)


def idle_words(words: frozenset[str]) -> frozenset[str]:
    """The words that say nothing beside others: a *movement rate* is a movement.

    >>> sorted(idle_words(frozenset({"move", "rate"}))), sorted(idle_words(frozenset({"daily", "rate"})))
    (['rate'], [])
    """
    return words & {"rate"} if "move" in words else frozenset()


def joined(wording: str, head: frozenset[str]) -> frozenset[str]:
    """The words of a wording, of which two may be one in the head: *start up* and *Startup*."""
    words = phrase(wording)
    pairs = {one + two: {one, two} for one, two in pairwise(words) if one + two in head}
    apart = frozenset().union(*pairs.values()) if pairs else frozenset()
    return (want_words(wording) - apart) | pairs.keys()


def canonical(word: str) -> str:
    """The word that stands for all that heads use for one thing.

    >>> canonical("price"), canonical("berth")
    ('cost', 'berth')
    """
    return SYNONYMS.get(word, word)
