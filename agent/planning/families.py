"""Titles that look alike in one line: *{Ranger | Thief | 8 more} Saving Throw Table - Level {1-2 | 3-4 | 9 more}*.

A book of many near-identical tables has hundreds of titles that differ in one place. A reader of a list needs the form
that they share, and a few of the words that stand in that place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from retrieval.tables.names import without_part

MOST_MEMBERS = 4
"""Words that are shown of those that stand in one place."""
_FEWEST = 3
"""Titles that make a family."""
_LONGEST_PLACE = 4
"""Words in which titles of a family may differ."""
_PLACE = "{}"
"""Stands where the titles of a family differ."""
_Words = tuple[str, ...]
_Frame = tuple[_Words, _Words]
"""What stands before and behind the place in which titles differ."""


@dataclass(frozen=True, slots=True)
class Family:
    """Titles of one form, the nearest first: the words that they share, and for each place in which they differ what
    stands there. One that is like no other is a family of its own.
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
    """Return the families of these titles, each where the first of its titles stands.

    What only tells pieces of one text apart, as in *Costs (2 of 3)*, is left out.

    >>> titles = ["Attack matrix: fighter", "Odds", "Attack matrix: monk", "Attack matrix: bard"]
    >>> [family.form for family in families(titles)]
    ['Attack matrix: {fighter | monk | bard}', 'Odds']
    """
    bare = dict.fromkeys(without_part(title) for title in titles)
    single = [Family(tuple(title.split()), (title,)) for title in bare if title.strip() and _PLACE not in title]
    return _grouped(_grouped(single))  # a family may have families: first by level, then by class


def braced(members: Sequence[str]) -> str:
    """Return what may stand in one place, and how much more may.

    >>> braced(["Reed", "Rush"]), braced("abcdef")
    ('{Reed | Rush}', '{a | b | c | d | 2 more}')
    """
    more = [f"{len(members) - MOST_MEMBERS} more"] if len(members) > MOST_MEMBERS else []
    return f"{{{' | '.join([*members[:MOST_MEMBERS], *more])}}}"


def _grouped(families: Sequence[Family]) -> list[Family]:
    """The families; those that differ in one place more are one."""
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
    """What may stand around a place in which titles differ: no less than in it, and no other such place is in it."""
    found = []
    for length in range(1, min(_LONGEST_PLACE, len(words) // 2) + 1):
        for start in range(len(words) - length + 1):
            if _PLACE not in words[start : start + length]:
                found.append((words[:start], words[start + length :]))
    return found


def _with_others(family: Family, alike: Mapping[_Frame, Sequence[Family]], taken: set[_Words]) -> list[Family]:
    """A family with those that are not taken and share most words around one place; alone where they are too few."""
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
    """Families that differ in one place as one."""
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
    """How many words all of them begin with."""
    return next((n for n, words in enumerate(zip(*every, strict=False)) if len(set(words)) > 1), min(map(len, every)))


def _united(members: Iterable[Iterable[str]]) -> _Words:
    return tuple(dict.fromkeys(word for each in members for word in each))
