"""How well the words of a head or of a name say what is wanted.

Words of one meaning are one (`lookup_words`); the order of words never counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from retrieval.english import SAID_BY_PERCENT
from retrieval.lookup_words import joined, stand_ins, want_words
from retrieval.text import phrase
from retrieval.vocabulary import vocabulary

_STAND_IN = 0.0005
"""What another word of the same meaning costs: less than any other difference."""
_COVERED, _TOUCHED = 0.6, 0.3
_SHORTEST = 4


@lru_cache(maxsize=65536)
def bag(text: str) -> frozenset[str]:
    """The words of a name."""
    return frozenset(t for t in phrase(text) if t not in ("the", "a", "an", "&", "of"))


def want_score(want: Sequence[str], label: str, told: frozenset[str] | None = None) -> float:
    """How well a column's head says what is wanted: 1 for the same words, 0 for none shared.

    Earlier wordings count more. A wording fits when the head has all its words, or most of a long one. With `told`,
    the words of the table's names, most of the wording has to be in the head or there: *unique abilities* are not
    an *ability score*.
    """
    whole = want_words(label)
    best = 0.0
    for rank, wording in enumerate(want):
        words = _named(wording, label)
        words = joined(wording, whole) if not words <= whole else words
        head = whole - (_qualifiers() - words)
        shared = words & head
        covered = told is None or len(shared) >= _COVERED * len(words - (told - head))
        whole_of_it = shared == words - (told or frozenset())  # the rest of the wording stands in the names
        if shared and covered and (whole_of_it or len(shared) == len(words) or len(shared) >= 0.5 * len(head)):
            score = 2 * len(shared) / (len(words) + len(head)) - 0.01 * rank
            best = max(best, score - _STAND_IN * stand_ins(wording, label))
    return best


@cache
def _qualifiers() -> frozenset[str]:
    """The words of a head that count only where they are asked for."""
    return frozenset(word for each in vocabulary().qualifiers for word in phrase(each))


def _named(wording: str, label: str) -> frozenset[str]:
    """The words of a wording that a head may say; that it is a chance is said by its *%*."""
    words = want_words(wording)
    return words - {SAID_BY_PERCENT} if "%" in label and len(words) > 1 else words


def share_of_head(want: Sequence[str], label: str, told: frozenset[str]) -> float:
    """How much of a head the wanted words cover: enough where subject and keys have found the row already.

    Of a long head less will do, where the table's names have `told` the rest: *saving throw against poison*.
    """
    head, best = want_words(label), 0.0
    for rank, wording in enumerate(want):
        words = _named(wording, label)
        if head and words and (head <= words or len(words & head) >= _TOUCHED * len(words)):
            share = len(words & head) / len(head)
            if share >= 0.49 or (
                share >= 0.3 and len(words & head) >= 0.5 * len(words) and words - head and words - head <= told
            ):
                # Of two heads that are covered the one with more words says more: *Class B Berth*, not *Class A Berth*.
                score = share + 0.001 * len(words & head) - 0.01 * rank
                best = max(best, score - _STAND_IN * stand_ins(wording, label))
    return best


@lru_cache(maxsize=65536)
def same_name(a: str, b: str) -> bool:
    """True for two spellings of one thing: *long sword*, *Sword, long* and *longswords*."""
    one, two = bag(a.replace("*", "")), bag(b.replace("*", ""))
    return one == two or bool(one & _compounds(two)) or bool(two & _compounds(one))


def _compounds(words: frozenset[str]) -> frozenset[str]:
    if len(words) != 2:
        return frozenset()
    a, b = sorted(words)
    return frozenset((a + b, b + a))


def is_form_of(word: str, other: str) -> bool:
    """*Turn* and *turning*."""
    return word == other or (
        min(len(word), len(other)) >= _SHORTEST and (word + "ing" == other or other + "ing" == word)
    )
