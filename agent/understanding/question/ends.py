"""Which end of a scale or range a question asks for, if an adjective alone does not say it.

*The lowest upper limit*, *whose fee starts lowest* and *at its fastest* select an end of ranges. *The largest number of
masts* is the highest: before a count, an adjective of size asks for an end, not for a size.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from agent.languages.language import Language
from agent.languages.operations import End
from agent.languages.scales import Adjective
from agent.understanding.words.clauses import COMMA


def graded(
    tokens: Sequence[str], places: Collection[int], named: Collection[int], language: Language
) -> dict[int, Adjective]:
    """Return the adjectives at some places, each with the measures first that it grades there; names stand at the
    places `named`.

    >>> from agent.languages.language import english
    >>> asked = ["how", "long", "doe", "it", "burn", ","], ["which", "is", "the", "longest", ","]
    >>> [graded(tokens, [place], (), english())[place].scale.high[0] for tokens, place in zip(asked, (1, 3))]
    ['duration', 'length']
    """
    found = {i: language.adjectives[tokens[i]] for i in places}
    return {i: each.of_deed if _is_of_deed(tokens, i, named, language) else each for i, each in found.items()}


def _is_spoken_of(tokens: Sequence[str], measures: Collection[str], language: Language) -> bool | None:
    """True if a verb speaks of all these measures, *take*; False if one speaks of others, *reach*; else None."""
    spoken = [each.measures for each in language.dimensions if not each.verbs.isdisjoint(tokens)]
    return any(each.issuperset(measures) for each in spoken) if spoken else None


def _is_of_deed(tokens: Sequence[str], place: int, named: Collection[int], language: Language) -> bool:
    """True for an adjective before an auxiliary, *how long does*, or behind a verb that says what is done, *burns the
    longest*: no copula, no helper, and nothing behind the adjective that it could belong to.
    """
    spoken = _is_spoken_of(tokens, language.adjectives[tokens[place]].scale.doing, language)
    if spoken is not None:
        return spoken
    after = tokens[place + 1]
    if after in language.support | language.possible:
        return True
    before = [i for i in range(place) if tokens[i] not in language.articles | language.ends.keys()]
    small = language.function_words | language.helpers | language.copulas
    if not before or before[-1] in named or tokens[0] in language.copulas or after not in small | {COMMA}:
        return False
    return tokens[before[-1]].isalpha() and tokens[before[-1]] not in small


class RangeEnd(NamedTuple):
    """The end of the ranges that counts, whatever end of the scale is asked for, and the places of the words that say
    so. If `is_asked`, it is the end of the scale that is asked for.
    """

    end: End | None = None
    places: frozenset[int] = frozenset()
    is_asked: bool = False


def range_end_in(
    tokens: Sequence[str],
    language: Language,
    free: Collection[int],
    measures: Collection[str],
    named: Collection[int] = (),
) -> RangeEnd:
    """Return the end of ranges that a question selects; empty if its words are the end of the scale that it asks for.

    *From least to most* is the whole range, and *at its fastest* or *at the fast end* is the end that is asked for.

    >>> from agent.languages.language import english
    >>> asked = ["which", "boat", "has", "the", "lowest", "upper", "limit", "of", "load", ","]
    >>> range_end_in(asked, english(), range(len(asked)), {"load"})
    RangeEnd(end='high', places=frozenset({5, 6}), is_asked=False)
    """
    said, is_of_kind = (*tokens, "", "", ""), {*measures}.issuperset(map(tokens.__getitem__, named))
    for i in sorted(free):
        if places := _at_its_end(said, i, language, measures):
            return RangeEnd(None, places, is_asked=True)
        if places := _whole(said, i, language):
            return RangeEnd(None, places)
        end, places = _limit(said, i, language, measures, is_of_kind=is_of_kind)
        if end is not None and _has_end(tokens, {*free} - places, language):
            return RangeEnd(end, places)
    return RangeEnd()


def _limit(
    tokens: Sequence[str], place: int, language: Language, measures: Collection[str], *, is_of_kind: bool
) -> tuple[End | None, frozenset[int]]:
    """Return the end and the places of *upper limit*, of *starts* in *starts lowest*, and of *minimum* in *the highest
    minimum* if the question names nothing but measures. *Top speed* is the highest.
    """
    before, token, behind = ("", *tokens)[place : place + 3]
    if (end := _of_times(token, behind, language, measures)) is not None:
        return end, frozenset({place})
    is_label = any(map(token.startswith, language.ranges.words & {*measures}))
    end = None if is_label else language.ranges.end_of(token)
    if behind not in language.ranges.limits:
        is_end = behind in language.ends or (is_of_kind and before in language.ends)
        return (end if is_end else None), frozenset({place})
    return end or end_of_word(token, language), frozenset({place, place + 1})


def _of_times(token: str, behind: str, language: Language, measures: Collection[str]) -> End | None:
    """Return the end of spans of times that a verb speaks of, *closes latest*; None if a label has it, *Closes*."""
    adjective = language.adjectives.get(behind)
    if adjective is None or token in measures or not adjective.scale.asks_high_of(language.dates):
        return None
    return language.spans.end_of(token)


def end_of_word(token: str, language: Language) -> End | None:
    """Return the end that a word for an end of any scale stands for."""
    return None if token not in language.ends else "high" if language.ends[token].high else "low"


def _has_end(tokens: Sequence[str], free: Collection[int], language: Language) -> bool:
    """True if another word asks for an end of the scale."""
    return any(language.degree_of(tokens[i]) in ("comparative", "superlative") for i in free)


def _at_its_end(tokens: Sequence[str], place: int, language: Language, measures: Collection[str]) -> frozenset[int]:
    """Return the place of *fastest* in *at its fastest* or *most* in *at the most*, or both of *the fast end*, unless
    that is a label, *End of support*.
    """
    before, own, token, behind = ("", "", *tokens)[place : place + 4]
    is_own = own in language.pronouns or (own in language.articles and behind == COMMA)
    if is_own and language.degree_of(token) == "superlative" and before in language.statement_words("places"):
        return frozenset({place})
    is_scale = tokens[place] in language.adjectives and tokens[place] not in language.ends
    is_end = tokens[place + 1] in language.ranges.limits and tokens[place + 1] not in measures
    return frozenset({place, place + 1}) if is_scale and is_end else frozenset()


def _whole(tokens: Sequence[str], place: int, language: Language) -> frozenset[int]:
    """Return the places of *least to most*."""
    last = place + 2 + (tokens[place + 2] in language.articles) if tokens[place + 1] in language.beside else place
    one, other = (language.ends.get(tokens[i]) for i in (place, last))
    is_both = one is not None and other is not None and one.high != other.high
    return frozenset(range(place, last + 1)) if is_both else frozenset()


def with_ends_of_counts(tokens: Sequence[str], language: Language) -> list[str]:
    """Return the tokens, with an adjective before a count replaced by a word for an end of any scale.

    >>> from agent.languages.language import english
    >>> with_ends_of_counts(["the", "smallest", "how", "many", "mast"], english())
    ['the', 'least', 'how', 'many', 'mast']
    """
    out = list(tokens)
    counting = [said for said in language.amounts if ("count", said) in language.operations]
    for i, token in enumerate(tokens):
        if any(tuple(tokens[i + 1 : i + 1 + len(said)]) == said for said in counting):
            out[i] = _end_like(token, language)
    return out


def _end_like(token: str, language: Language) -> str:
    """Return the first word for an end of any scale with an adjective's end and degree; other words unchanged."""
    adjective = language.adjectives.get(token)
    if adjective is None or adjective.degree == "positive":
        return token
    same = (w for w, each in language.ends.items() if (each.high, each.degree) == (adjective.up, adjective.degree))
    return next(same, token)
