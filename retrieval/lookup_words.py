"""The words of heads and of what is asked: which of them mean one thing, and which say nothing.

That a *fare* is a cost is data of a vocabulary; that *max* is the maximum is English. Either counts only between a
wording and a label that have two words of one group, so a table without such a label knows nothing of it; and a label
that has the very word that is asked comes before one that has another of the group.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import pairwise

from retrieval.english import SAME, WEAK
from retrieval.text import Tokens, phrase
from retrieval.vocabulary import vocabulary


@cache
def _synonyms() -> Mapping[str, str]:
    """Words that heads use for one thing, each with the one that stands for all; groups that share a word are one."""
    found: dict[str, str] = {}
    for group in (*SAME, *vocabulary().synonyms):
        words = [word for each in group for word in phrase(each)]
        known = next((found[word] for word in words if word in found), None)
        found.update((word, known or words[0]) for word in words)
    return found


@cache
def _idle() -> Mapping[str, Tokens]:
    return {word: tuple(map(canonical, idle)) for word, idle in vocabulary().idle.items()}


@lru_cache(maxsize=65536)
def want_words(text: str) -> frozenset[str]:
    """The words of a head or of a wording that say what is meant, each as the one that stands for its like."""
    words = frozenset(map(canonical, own_words(text)))
    return words - idle_words(words)


@lru_cache(maxsize=65536)
def own_words(text: str) -> frozenset[str]:
    """The words of a head or of a wording that say what is meant, as they stand."""
    return frozenset(word for word in phrase(text) if word not in WEAK)


def idle_words(words: frozenset[str]) -> frozenset[str]:
    """The words that say nothing beside others: a *movement rate* is a movement.

    >>> sorted(idle_words(frozenset({"move", "rate"}))), sorted(idle_words(frozenset({"daily", "rate"})))
    (['rate'], [])
    """
    known = _idle()
    return words & {idle for word in words & known.keys() for idle in known[word]}


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
    return _synonyms().get(word, word)


@lru_cache(maxsize=65536)
def stand_ins(wording: str, label: str) -> int:
    """How many words of a wording a label has only in another of their group.

    >>> stand_ins("fare", "Price"), stand_ins("price", "Price"), stand_ins("price", "Berth")
    (1, 0, 0)
    """
    asked, said = own_words(wording), own_words(label)
    alike = set(map(canonical, asked)) & set(map(canonical, said))
    return len(alike - set(map(canonical, asked & said)))
