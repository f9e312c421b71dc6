"""How well the head of a column, or the label of a record, fits the wanted measure.

Synonyms come from a vocabulary (*fare* is a cost) or from the language (*max* is the maximum). They count only if the
wording and the label each have a word of the group, so they add nothing for other tables. A label with the very word
that is asked ranks before one with a synonym.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from retrieval.text.english import SAID_BY_PERCENT, SAME, WEAK
from retrieval.text.normal import Tokens, phrase
from retrieval.text.vocabulary import vocabulary

_STAND_IN = 0.0005
"""The penalty for a synonym, less than any other difference."""
_LATER = 0.01
"""The penalty of a wording for each one before it."""
_MOST_OF_WORDING = 0.6
_HALF_OF_LABEL = 0.49
_PART_OF_LABEL = 0.3
_LONGER = 0.001
"""The bonus for each shared word, to separate labels with equal coverage: *Class B Berth*."""


def want_score(want: Sequence[str], label: str, told: frozenset[str] | None = None) -> float:
    """Score how well a label fits the wanted measure: 1 for the same words, 0 for none shared.

    Earlier wordings count more. A wording fits if the label has all its words, or most of a long one. If `told`, the
    words of the table's names, is given, most of the wording must be in the label or there: *unique abilities* do not
    fit *ability score*.

    >>> want_score(("armor class",), "AC"), want_score(("armor class",), "Hit Dice")
    (1.0, 0.0)
    """
    best = 0.0
    for rank, wording in enumerate(want):
        score = _agreement(wording, label, told)
        if score:
            best = max(best, score - _LATER * rank - _STAND_IN * synonym_count(wording, label))
    return best


def _agreement(wording: str, label: str, told: frozenset[str] | None) -> float:
    """Return the share of words common to a wording and a label; 0 if they are too few."""
    words = _wording_words(wording, label)
    head = want_words(label) - (_qualifiers() - words)
    shared = words & head
    if not shared or (told is not None and len(shared) < _MOST_OF_WORDING * len(words - (told - head))):
        return 0.0
    is_whole = shared == words or shared == words - (told or frozenset())
    if not is_whole and len(shared) < len(head) / 2:
        return 0.0
    return 2 * len(shared) / (len(words) + len(head))


def share_of_label(want: Sequence[str], label: str, told: frozenset[str]) -> float:
    """Score how much of a label the wanted words cover, for a row that subject and keys have chosen already.

    A long label needs less coverage if the table's names have `told` the rest: *saving throw against poison*.
    """
    best = 0.0
    head = want_words(label)
    for rank, wording in enumerate(want):
        words = _without_chance_word(wording, label)
        shared, rest = words & head, words - head
        if not shared or (not head <= words and len(shared) < _PART_OF_LABEL * len(words)):
            continue
        share = len(shared) / len(head)
        is_told = rest and rest <= told and len(shared) >= len(words) / 2
        if share >= _HALF_OF_LABEL or (is_told and share >= _PART_OF_LABEL):
            score = share + _LONGER * len(shared) - _LATER * rank - _STAND_IN * synonym_count(wording, label)
            best = max(best, score)
    return best


@cache
def _qualifiers() -> frozenset[str]:
    """The words of a label that count only if the question has them."""
    return frozenset(word for each in vocabulary().qualifiers for word in phrase(each))


def _without_chance_word(wording: str, label: str) -> frozenset[str]:
    """Return the words of a wording without that for a chance, if the label says so by its *%*."""
    words = want_words(wording)
    return words - {SAID_BY_PERCENT} if "%" in label and len(words) > 1 else words


@lru_cache(maxsize=65536)
def _wording_words(wording: str, label: str) -> frozenset[str]:
    """Return the words of a wording as a label may have them, two joined into one: *start up* and *Startup*."""
    head, words = want_words(label), _without_chance_word(wording, label)
    if words <= head:
        return words
    pairs = {one + two: {one, two} for one, two in pairwise(phrase(wording)) if one + two in head}
    apart = frozenset(word for pair in pairs.values() for word in pair)
    return (want_words(wording) - apart) | pairs.keys()


@lru_cache(maxsize=65536)
def want_words(text: str) -> frozenset[str]:
    """Return the content words of a label or wording, each as the representative of its synonyms."""
    words = frozenset(map(canonical, _own_words(text)))
    return words - redundant_words(words)


@lru_cache(maxsize=65536)
def _own_words(text: str) -> frozenset[str]:
    """Return the content words of a label or wording, as written."""
    return frozenset(word for word in phrase(text) if word not in WEAK)


def redundant_words(words: frozenset[str]) -> frozenset[str]:
    """Return the words that add nothing beside others: a *movement rate* is a movement.

    >>> sorted(redundant_words(frozenset({"move", "rate"}))), sorted(redundant_words(frozenset({"daily", "rate"})))
    (['rate'], [])
    """
    known = _idle()
    return words & {idle for word in words & known.keys() for idle in known[word]}


@cache
def _idle() -> Mapping[str, Tokens]:
    return {word: tuple(map(canonical, idle)) for word, idle in vocabulary().idle.items()}


def canonical(word: str) -> str:
    """Return the word that represents all synonyms of a word.

    >>> canonical("price"), canonical("berth")
    ('cost', 'berth')
    """
    return _synonyms().get(word, word)


@cache
def _synonyms() -> Mapping[str, str]:
    """Map each synonym to its representative; groups that share a word are one group."""
    found: dict[str, str] = {}
    for group in (*SAME, *vocabulary().synonyms):
        words = [word for each in group for word in phrase(each)]
        known = next((found[word] for word in words if word in found), None)
        found.update((word, known or words[0]) for word in words)
    return found


@lru_cache(maxsize=65536)
def synonym_count(wording: str, label: str) -> int:
    """Count the words that a wording and a label share only as synonyms.

    >>> synonym_count("fare", "Price"), synonym_count("price", "Price"), synonym_count("price", "Berth")
    (1, 0, 0)
    """
    asked, said = _own_words(wording), _own_words(label)
    alike = set(map(canonical, asked)) & set(map(canonical, said))
    return len(alike - set(map(canonical, asked & said)))
