"""Initials: the measures that go by their first letters, such as *CR* for *Challenge Rating*, and the abbreviations
that a book itself explains, such as *gross register tons (GRT)*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from retrieval.tables.match import label_words
from retrieval.text.normal import STOP_WORDS

_FEWEST, _MOST = 2, 5
"""The fewest and most words that initials abbreviate."""
_LETTERS = re.compile(r"[A-Z]{2,5}s?")
_EXPLAINED = re.compile(r"(?P<before>(?:[^\W\d_]+[ -]){1,12})\((?P<letters>[A-Z]{2,5})s?\)")
EXPLAINS = "="
"""The prefix of keys for explained abbreviations, so that they never equal the key of a name."""


def by_initials(names: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """Return the runs of words in names by their initials; runs that are whole names win over parts of others.

    >>> sorted(by_initials(["Experience by Challenge Rating", "Data rate"])["cr"])
    ['challenge rating']
    >>> sorted(by_initials(["Data rate", "Device role (default)"])["dr"])
    ['data rate']
    """
    whole: dict[str, set[str]] = {}
    parts: dict[str, set[str]] = {}
    for name in names:
        words = [word for word in label_words(name) if word.isalpha()]
        for start in range(len(words)):
            for end in range(start + _FEWEST, min(len(words), start + _MOST) + 1):
                found = whole if end - start == len(words) else parts
                found.setdefault("".join(word[0] for word in words[start:end]), set()).add(" ".join(words[start:end]))
    return {key: frozenset(said) for key, said in (parts | whole).items()}


def written_as_initials(names: Iterable[str]) -> frozenset[str]:
    """Return the names that are nothing but initials, without a plural *s*.

    >>> sorted(written_as_initials(["CP", "HPs", "Crew places"]))
    ['CP', 'HP']
    """
    return frozenset(name.rstrip("s") for name in names if _LETTERS.fullmatch(name))


def explained_initials_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the initials that a text explains, each with the words that it abbreviates.

    >>> list(explained_initials_in("Told in gross register tons (GRT) and Load-by-Volume (LBV); see Hull (OLD)."))
    [('GRT', 'gross register tons'), ('LBV', 'Load-by-Volume')]
    """
    for match in _EXPLAINED.finditer(text):
        words = list(re.finditer(r"[^\W\d_]+", match["before"]))
        for start in range(len(words) - _FEWEST, max(-1, len(words) - 2 * _MOST), -1):
            said = [word[0] for word in words[start:]]
            spoken = [word for word in said if word.casefold() not in STOP_WORDS]
            ways = {"".join(word[0] for word in each).upper() for each in (said, spoken)}
            if match["letters"] in ways and said[0].casefold() not in STOP_WORDS:
                yield match["letters"], match["before"][words[start].start() :].strip(" -")
                break
