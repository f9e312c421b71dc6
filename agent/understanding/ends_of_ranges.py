"""Which end of ranges a question is about: *the lowest upper limit*, *whose fee starts lowest*, *at its fastest*."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from agent.languages.language import Language
from agent.languages.operations import End


class Side(NamedTuple):
    """The end that counts, whatever end of the scale is asked for; and the places of the words that say so.

    Where it `is_asked`, the end counts that is asked for.
    """

    end: End | None = None
    places: frozenset[int] = frozenset()
    is_asked: bool = False


def side_in(tokens: Sequence[str], language: Language, free: Collection[int], measures: Collection[str]) -> Side:
    """The end of ranges that a question is about; none where its words are the end of the scale that it asks for.

    *From least to most* is the whole range, and *at its fastest*, or *at the fast end*, the end that is asked for.

    >>> from agent.languages.language import english
    >>> asked = ["which", "boat", "has", "the", "lowest", "upper", "limit", "of", "load", ","]
    >>> side_in(asked, english(), range(len(asked)), {"load"})
    Side(end='high', places=frozenset({5, 6}), is_asked=False)
    """
    said = (*tokens, "", "")
    for i in sorted(free):
        if places := _at_its_end(said, i, language):
            return Side(None, places, is_asked=True)
        if places := _whole(said, i, language):
            return Side(None, places)
        end, places = _limit(said, i, language, measures)
        if end is not None and _has_end(tokens, {*free} - places, language):
            return Side(end, places)
    return Side()


def _limit(
    tokens: Sequence[str], place: int, language: Language, measures: Collection[str]
) -> tuple[End | None, frozenset[int]]:
    """The end and the places of *upper limit*, and of the *starts* of *starts lowest*; *top speed* is the highest."""
    token, behind = tokens[place : place + 2]
    end = None if token in measures else language.ranges.end_of(token)
    if behind not in language.ranges.limits:
        return (end if behind in language.ends else None), frozenset({place})
    return end or _way(token, language), frozenset({place, place + 1})


def _way(token: str, language: Language) -> End | None:
    """The end that a word for an end of any scale is for."""
    return None if token not in language.ends else "high" if language.ends[token].high else "low"


def _has_end(tokens: Sequence[str], free: Collection[int], language: Language) -> bool:
    """True where another word asks for an end of the scale."""
    return any(language.degree_of(tokens[i]) in ("comparative", "superlative") for i in free)


def _at_its_end(tokens: Sequence[str], place: int, language: Language) -> frozenset[int]:
    """The place of the *fastest* of *at its fastest*, and the two of *the fast end*."""
    before, pronoun = ("", "", *tokens)[place : place + 2]
    is_end = language.degree_of(tokens[place]) == "superlative"
    if is_end and pronoun in language.pronouns and before in language.telling("places"):
        return frozenset({place})
    is_scale = tokens[place] in language.adjectives and tokens[place] not in language.ends
    return frozenset({place, place + 1}) if is_scale and tokens[place + 1] in language.ranges.limits else frozenset()


def _whole(tokens: Sequence[str], place: int, language: Language) -> frozenset[int]:
    """The three places of *least to most*."""
    one, between, other = tokens[place : place + 3]
    is_both = one in language.ends and other in language.ends and between in language.beside
    is_both = is_both and language.ends[one].high != language.ends[other].high
    return frozenset({place, place + 1, place + 2}) if is_both else frozenset()
