"""Similar titles in one line: *{Ranger | Thief | 8 more} Saving Throw Table - Level {1-2 | 3-4 | 9 more}*.

A book of many near-identical tables has hundreds of titles that differ in one place. The reader of a list needs their
common form, and a few of the words that stand in that place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from retrieval.tables.names import without_part

MOST_MEMBERS = 4
"""Most words that are shown for one place."""
_FEWEST = 3
"""Least number of titles in a family."""
_LONGEST_PLACE = 4
"""Most words in which the titles of a family may differ."""
_PLACE = "{}"
"""Marks the place where the titles of a family differ."""
_Words = tuple[str, ...]
_Frame = tuple[_Words, _Words]
"""The words before and behind the place where titles differ."""


@dataclass(frozen=True, slots=True)
class Family:
    """Titles of one form, nearest first: their common words, and the variants for each place where they differ. A title
    without similar ones is a family of its own.
    """

    words: _Words
    titles: tuple[str, ...]
    members: tuple[tuple[str, ...], ...] = ()

    @property
    def form(self) -> str:
        """The family in one line."""
        members = iter(self.members)
        return " ".join(braced(next(members)) if word == _PLACE else word for word in self.words)


def families(titles: Iterable[str]) -> list[Family]:
    """Return the families of these titles, each at the place of its first title.

    Part numbers, as in *Costs (2 of 3)*, are left out.

    >>> titles = ["Attack matrix: fighter", "Odds", "Attack matrix: monk", "Attack matrix: bard"]
    >>> [family.form for family in families(titles)]
    ['Attack matrix: {fighter | monk | bard}', 'Odds']
    """
    bare = dict.fromkeys(without_part(title) for title in titles)
    single = [Family(tuple(title.split()), (title,)) for title in bare if title.strip() and _PLACE not in title]
    return _grouped(_grouped(single))  # a family may have families: first by level, then by class


def braced(members: Sequence[str]) -> str:
    """Return the variants for one place, and how many more there are.

    >>> braced(["Reed", "Rush"]), braced("abcdef")
    ('{Reed | Rush}', '{a | b | c | d | 2 more}')
    """
    more = [f"{len(members) - MOST_MEMBERS} more"] if len(members) > MOST_MEMBERS else []
    return f"{{{' | '.join([*members[:MOST_MEMBERS], *more])}}}"


def _grouped(families: Sequence[Family]) -> list[Family]:
    """Merge the families that differ in one more place."""
    alike: dict[_Frame, list[Family]] = {}
    for family in families:
        for frame in _frames(family.words):
            alike.setdefault(frame, []).append(family)
    found: list[Family] = []
    taken: set[_Words] = set()
    for family in families:
        if family.words not in taken:
            joined = _with_others(family, alike, taken)
            taken.update(each.words for each in joined)
            found.append(_joined(joined))
    return found


@lru_cache(maxsize=4096)
def _frames(words: _Words) -> Sequence[_Frame]:
    """Return the possible frames of a title: no shorter than the place, which has no other place in it."""
    found = []
    for length in range(1, min(_LONGEST_PLACE, len(words) // 2) + 1):
        for start in range(len(words) - length + 1):
            if _PLACE not in words[start : start + length]:
                found.append((words[:start], words[start + length :]))
    return found


def _with_others(family: Family, alike: Mapping[_Frame, Sequence[Family]], taken: set[_Words]) -> list[Family]:
    """Return a family with those not yet taken that share most words around one place; alone if these are too few."""
    best, most = [family], (0, 0)
    for frame in _frames(family.words):
        before, behind = frame
        if len(alike[frame]) < _FEWEST:
            continue
        others = [each for each in alike[frame] if each.words not in taken]
        size = (len(before) + len(behind), len(others))
        if len(others) >= _FEWEST and size > most:
            best, most = others, size
    return best


def _joined(families: Sequence[Family]) -> Family:
    """Merge families that differ in one place."""
    first = families[0]
    if len(families) == 1:
        return first
    every = [each.words for each in families]
    start = _shared(every)
    behind = min(_shared([words[::-1] for words in every]), min(map(len, every)) - start)
    end = len(first.words) - behind
    places = first.words[:start].count(_PLACE)
    own = tuple(" ".join(words[start : len(words) - behind]) for words in every)
    others = [_united(members) for members in zip(*(each.members for each in families), strict=True)]
    titles = tuple(title for each in families for title in each.titles)
    words = (*first.words[:start], _PLACE, *first.words[end:])
    return Family(words, titles, (*others[:places], own, *others[places:]))


def _shared(every: Sequence[_Words]) -> int:
    """Return how many words all of them begin with."""
    return next((n for n, words in enumerate(zip(*every, strict=False)) if len(set(words)) > 1), min(map(len, every)))


def _united(members: Iterable[Iterable[str]]) -> _Words:
    return tuple(dict.fromkeys(word for each in members for word in each))
