"""How well the words of a question fit the labels of a cell: equal, abbreviated, or with one slip of a letter.

Inflected forms of a word are equal (`retrieval.text.normal`); synonyms are unknown here. A word may match the label
itself, a name of the table, the value beside its number (*5 (1,800 XP)*), or another cell of the row.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from retrieval.text.calendar import days_of, words_and_days
from retrieval.text.identifiers import is_identifier
from retrieval.text.normal import STOP_WORDS, is_number, phrase
from retrieval.text.spelling import singular

_PREFIX = 3
"""The fewest letters of an abbreviation; fewer are ambiguous."""
_SLIP = 5
"""The fewest letters of a word that may have one wrong."""
_PAST_OF_Y = "ied"
"""What *retried* has for the y of *retry*."""
_VOWELS = frozenset("aeiou")
_BRIEF = 6
"""The most words of a cell that may choose its row; longer cells are prose."""
_CODE = re.compile(r"([a-z]{2,})\d+")
"""A word joined to its number: *gpio63*."""


@lru_cache(maxsize=65536)
def same_word(asked: str, said: str) -> bool:
    """True for two forms of one word: equal, its beginning, its consonants, or, in a long word, one slip of a letter.

    >>> same_word("max", "maximum"), same_word("weigth", "weight"), same_word("t3.micro", "t3a.micro")
    (True, True, False)
    """
    return begins(asked, said) or has_consonants(asked, said) or is_slip(asked, said)


def has_consonants(asked: str, said: str) -> bool:
    """True for a long word and some of its consonants, its first letter and last consonant included.

    >>> has_consonants("level", "lvl"), has_consonants("qty", "quantity"), has_consonants("hit", "ht")
    (True, True, False)
    """
    short, word = sorted((asked, said), key=len)
    if len(word) < _SLIP or not (short.isalpha() and word.isalpha()) or not _VOWELS.isdisjoint(short[:-1]):
        return False
    left = [letter for letter in word if letter not in _VOWELS]
    if len(short) < 2 or short[:1] != word[:1] or left[-1:] != [short[-1]] or short[-1] in _VOWELS:
        return False
    rest = iter(left)
    return all(letter in rest for letter in short)


@lru_cache(maxsize=65536)
def begins(asked: str, said: str) -> bool:
    """True for equal words and for the beginning of a longer word: the forms of a name without a slip.

    >>> begins("owl", "owlbear"), begins("hrnet", "hornet"), begins("leave", "leaf")
    (True, False, True)
    """
    if asked == said:
        return True
    short, long = sorted((asked, said), key=len)
    if not (asked.isalpha() and said.isalpha() and len(short) >= _PREFIX):
        return False
    is_past = long.endswith(_PAST_OF_Y) and short == f"{long[: -len(_PAST_OF_Y)]}y"
    return long.startswith(short) or is_past or _is_verb_of_plural(asked, said) or _is_verb_of_plural(said, asked)


def _is_verb_of_plural(verb: str, noun: str) -> bool:
    """True if the plural of the noun is also a form of the verb: what *leaves* has the normal form of the *leaf*."""
    return verb.endswith("ve") and verb[:2] == noun[:2] and singular(f"{verb}s") == noun


def measure_forms(measures: Iterable[str], words: Iterable[str]) -> set[str]:
    """Return the words that are forms of a measure; a measure of three letters has none but itself: the *fee* is no
    *feeding*, the *age* no *agency*.

    >>> sorted(measure_forms(["fee", "weight"], ["feeding", "weights", "fee"]))
    ['fee', 'weights']
    """
    exact, said = frozenset(measures), frozenset(words)
    long = [measure for measure in exact if len(measure) > _PREFIX]
    return set(exact & said) | {word for word in said if any(same_word(measure, word) for measure in long)}


class WordForms:
    """A set of words, each found by any of its forms without a full scan: forms share their first letter.

    >>> sorted(WordForms(["maximum", "weight", "max", "owl"]).of("max"))
    ['max', 'maximum']
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(words)
        self._of_letters = sorted(filter(str.isalpha, self._words))

    def of(self, asked: str) -> list[str]:
        """Return the words of which `asked` is a form; a token with non-letters matches only itself."""
        if not asked.isalpha():
            return [asked] if asked in self._words else []
        first, some = asked[:1], self._of_letters
        start = bisect_left(some, first)
        end = bisect_left(some, chr(ord(first) + 1), start)
        return [word for word in some[start:end] if same_word(asked, word)]


class NamesByWord:
    """A list of names, each found by any of its words without a full scan.

    >>> NamesByWord(["Armor Weight", "Cost", "Level"]).having(["level", "weight"])
    ['Armor Weight', 'Level']
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = list(names)
        self._places: dict[str, list[int]] = {}
        for place, name in enumerate(self._names):
            for word in dict.fromkeys(words_and_days(name)):
                self._places.setdefault(word, []).append(place)

    def having(self, words: Iterable[str]) -> list[str]:
        """Return the names with any of the words, in order."""
        places = {place for word in words for place in self._places.get(word, ())}
        return [self._names[place] for place in sorted(places)]


def is_slip(asked: str, said: str) -> bool:
    """True for two long words that differ by one letter added, dropped or changed, or by two letters swapped.

    The first letter must be the same, and neither word may be the beginning of the other.

    >>> is_slip("clerik", "cleric"), is_slip("owlbaer", "owlbear"), is_slip("max", "maximum")
    (True, True, False)
    """
    short, long = sorted((asked, said), key=len)
    if begins(asked, said) or not (asked.isalpha() and said.isalpha()):
        return False
    if len(short) < _SLIP or len(long) - len(short) > 1 or short[0] != long[0]:
        return False
    same = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[same:] == long[same + 1 :]
    swapped = short[same + 1 : same + 2] + short[same : same + 1] + short[same + 2 :]
    return short[same + 1 :] == long[same + 1 :] or swapped == long[same:]


@lru_cache(maxsize=65536)
def label_words(text: str) -> tuple[str, ...]:
    """Return the words of a label without function words."""
    return tuple(word for word in phrase(text) if word not in STOP_WORDS)


def matches_any(word: str, said: Collection[str]) -> bool:
    """True if the word is a form of one of the others."""
    if word in said:
        return True
    first = word[:1]
    begun = [other for other in said if other[:1] == first]  # all forms of a word share it
    return bool(begun) and any(same_word(word, other) for other in begun)


def any_matches(words: Iterable[str], said: Collection[str]) -> bool:
    """True if any of the words is a form of one of the others."""
    return any(matches_any(word, said) for word in words)


def first_matching(words: Iterable[str], said: Collection[str]) -> int:
    """Return how many of the words come before the first that is a form of one of the others; their number if none is.

    >>> first_matching(("length", "time"), ("burn", "time")), first_matching(("length", "time"), ("price",))
    (1, 2)
    """
    passed = 0
    for word in words:
        if matches_any(word, said):
            break
        passed += 1
    return passed


def matches_by_slip(word: str, said: Collection[str]) -> bool:
    """True if the word is a slip of one of the others and a regular form of none.

    >>> matches_by_slip("castle", ("cattle",)), matches_by_slip("cattle", ("castle", "cattle"))
    (True, False)
    """
    return any(is_slip(word, other) for other in said) and not any(begins(word, other) for other in said)


@dataclass(frozen=True)
class Fit:
    """How a cell fits what is asked: the question's words that match its label, the names of its table, its value and
    the other cells of its row, and the share of the label that was asked for. `indirect` are words of the label's match
    that it only implies.
    """

    label: frozenset[str]
    context: frozenset[str]
    value: frozenset[str]
    share: float
    row: frozenset[str] = frozenset()
    indirect: frozenset[str] = frozenset()

    @cached_property
    def matched_words(self) -> frozenset[str]:
        """All matched words."""
        return self.label | self.context | self.value | self.row

    @cached_property
    def quality(self) -> tuple[float, ...]:
        """The sort key, larger is better: matched words, then how directly and how much of the label was asked for."""
        direct = len(self.label - self.indirect)
        told = len(self.label) + len(self.value)
        return (len(self.matched_words), float(told > 0), direct, told, self.share)


@lru_cache(maxsize=65536)
def beside_numbers(value: str) -> frozenset[str]:
    """Return the words of a value beside one of its numbers, such as its unit, and the letters of codes.

    >>> sorted(beside_numbers("30 ft., swim 40 ft. in water")), sorted(beside_numbers("GPIO63"))
    (['ft', 'in', 'swim'], ['gpio'])
    """
    tokens = phrase(value)
    places = [i for i, token in enumerate(tokens) if is_number(token)]
    near = {tokens[j] for i in places for j in range(max(0, i - 1), min(len(tokens), i + 3))}
    return frozenset(word for word in (*near, *letters_of_codes(tokens)) if not is_number(word))


def letters_of_codes(tokens: Iterable[str]) -> list[str]:
    """Return the letters of each token that joins a word and its number.

    >>> letters_of_codes(("pin", "gpio63", "m.2"))
    ['gpio']
    """
    return [code[1] for code in map(_CODE.fullmatch, tokens) if code]


def matches_by_cell(words: Collection[str], cells: Sequence[tuple[str, str]]) -> list[frozenset[str]]:
    """Return for each cell, `(label, text)`, the words that it matches, with those of its label: *coco dataset* for
    *COCO*.

    An identifier matches only a cell that is nothing else.

    >>> [sorted(told) for told in matches_by_cell(["coco", "data"], [("Dataset", "COCO"), ("Speed", "37")])]
    [['coco', 'data'], []]
    """
    wanted = frozenset(word for word in words if not is_number(word))
    return [_cell_matches(words, wanted, label, text) for label, text in cells]


def _cell_matches(words: Collection[str], wanted: frozenset[str], label: str, text: str) -> frozenset[str]:
    """Return the words that one cell matches; it must match a `wanted` one for its label to count."""
    said, days = label_words(text), days_of(text)
    if len(said) > _BRIEF or wanted.isdisjoint((*said, *days)):
        return frozenset()
    told = {word for word in wanted.intersection(said) if not is_identifier(word) or said == (word,)}
    told |= wanted.intersection(days)
    heads = {word for word in words if matches_any(word, label_words(label))} if told else set()
    return frozenset(told | heads)
