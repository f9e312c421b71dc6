"""Which attribute a question asks for, and which end of its scale: what is left without its entities and keys."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Literal

from agent.languages.language import english
from agent.understanding.clauses import ARTICLES, COMMA, NEGATIONS, in_own_words
from retrieval.text.english import ORDINALS
from retrieval.text.normal import is_number, number, phrase

Preference = Literal["low", "high", "better", "worse"]
_RANK = re.compile(
    rf"\b({'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th))[ -](?:most|least|best|worst|[a-z]+est)\b", re.IGNORECASE
)
_HOW_LONG = (["how", "long", "is"], ["how", "long", "are"])
_OPPOSITE: dict[Preference, Preference] = {"low": "high", "high": "low", "better": "worse", "worse": "better"}
_DEGREES = frozenset({"more", "most", "less", "least"})
_HOW_WELL = frozenset({"well", "good", "easily", "often", "easy", "hard"})
"""What *how* asks the degree of without naming a measure."""
_LISTING = frozenset({COMMA, "and", "&", "plus"})
_SECOND = frozenset({"what", "which", "how"})
_GRADES = frozenset({"class", "grade", "type", "category", "tier", "rank"})


def attribute_parts(tokens: Sequence[str], taken: Collection[int], question: str) -> list[list[str]]:
    """The words of what is asked, in the question's own form, as the list that they may be: *AC, HD and damage*.

    A new part begins where nothing but commas, *and* and articles stand between two words, or where a second question
    does: *…, and what …*.
    """
    parts: list[list[str]] = [[]]
    seen: set[str] = set()
    last = -1
    for i, words in _words(tokens, taken):
        between = tokens[last + 1 : i]
        listed = set(between) <= _LISTING | english().small and set(between) & _LISTING
        if parts[-1] and (listed or any(pair[0] in _LISTING and pair[1] in _SECOND for pair in pairwise(between))):
            parts.append([])
        last = i
        for word in words:
            if word not in seen:
                seen.add(word)
                parts[-1].append(in_own_words((word,), question))
    named = [[word for word in part if not _is_mere_size(word, tokens)] for part in parts]
    found = [part for part in (named if any(named) else parts) if part]
    return found or ([["length"]] if any(tokens[i : i + 3] in _HOW_LONG for i in range(len(tokens))) else [])


def _is_mere_size(word: str, tokens: Sequence[str]) -> bool:
    """The size that *largest* names: none where the question goes on to say the largest what."""
    return word == "size" and "size" not in tokens


def _words(tokens: Sequence[str], taken: Collection[int]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each token that says what is asked, with its place: neither taken, nor a number, nor a word of asking."""
    for i, token in enumerate(tokens):
        if i in taken or token == COMMA or is_number(token) or is_throwing(tokens, i) or is_manner(tokens, i):
            continue
        if (meant := implied(tokens, i)) != token:
            yield from [(i, phrase(meant))] if meant else []
        elif _is_graded(tokens, i) or token not in english().asking:
            yield i, (token,)


def is_manner(tokens: Sequence[str], i: int) -> bool:
    """The *likely* of *more likely*, which tells an end of a scale and not which; *how likely* asks for a chance."""
    return i > 0 and tokens[i].endswith("ly") and tokens[i - 1] in _DEGREES and scale_of(tokens, i) is None


def is_throwing(tokens: Sequence[str], i: int) -> bool:
    """The *roll* of *what must she roll to save*, *needs to roll* and *what roll*; in a *roll to hit* it is a name."""
    near = {*tokens[max(0, i - 1) : i + 2]}
    return tokens[i] == "roll" and "hit" not in tokens and ("to" in near or ("what" in near and "need" in tokens))


def _is_graded(tokens: Sequence[str], i: int) -> bool:
    """The *class* and the *b* of *a class B berth*."""
    after, before = tokens[i + 1 : i + 2], tokens[i - 1 : i] if i else ()
    first = tokens[i] in _GRADES and bool(after) and len(after[0]) == 1 and after[0].isalpha()
    return first or (len(tokens[i]) == 1 and tokens[i].isalpha() and bool(before) and before[0] in _GRADES)


def implied(tokens: Sequence[str], i: int) -> str:
    """The attribute that a comparative or *how* with an adjective names, nothing where it names none; else the token.

    >>> implied(("how", "heavy"), 1), implied(("cheaper",), 0), implied(("how", "much"), 1)
    ('weight', 'cost', 'much')
    """
    if (scale := scale_of(tokens, i)) is not None:
        return scale[0]
    if not i or tokens[i - 1] not in english().before_adjectives:
        return tokens[i]
    if tokens[i + 1 : i + 2] and tokens[i + 1] in ARTICLES:
        return ""  # *how high a rank*, *how heavy a load*: the noun is asked for
    adjective = english().adjectives.get(tokens[i])
    if adjective is None or tokens[i] in english().ends:
        return "" if tokens[i] in _HOW_WELL else tokens[i]
    return "" if adjective.scale.alone else adjective.scale.measures[0]


def scale_of(tokens: Sequence[str], i: int) -> tuple[str, Preference] | None:
    """The measure that the comparative or superlative at a place names, if any, and the end of its scale.

    >>> scale_of(("more", "expensive"), 1), scale_of(("better",), 0), scale_of(("expensive",), 0)
    (('cost', 'high'), ('', 'better'), None)
    """
    token, language = tokens[i], english()
    if token in language.worth:
        return "", "better" if language.worth[token].high else "worse"
    adjective = language.adjectives.get(token)
    if adjective is None or token in language.ends:
        return None
    before = next((token for token in reversed(tokens[:i]) if not is_number(token)), "")  # *most 2 expensive*
    if adjective.degree == "positive" and before not in _DEGREES:
        return None
    return "" if adjective.scale.alone else adjective.scale.measures[0], "high" if adjective.up else "low"


def asks_price(tokens: Sequence[str]) -> bool:
    """True for *how much is …* and *what do I pay for …*, which name no measure and mean a price.

    >>> asks_price(("how", "much", "is", "a", "rope")), asks_price(("how", "much", "doe", "it", "weigh"))
    (True, False)
    """
    amounts = (tokens[i + 2 : i + 3] for i, pair in enumerate(pairwise(tokens)) if pair == ("how", "much"))
    return ("pay", "for") in pairwise(tokens) or any(set(after) & {"is", "are", "for"} for after in amounts)


def is_negated(tokens: Sequence[str]) -> bool:
    """True where what is asked for is what is not so: *which of them does not have …*."""
    return not NEGATIONS.isdisjoint(tokens)


def preference(tokens: Sequence[str]) -> Preference | None:
    """Which end of the scale is asked for: *more hit dice* the high one, *more easily* the better one; not which not.

    >>> preference(("who", "has", "more")), preference(("who", "doe", "not", "have", "more"))
    ('high', None)
    """
    if is_negated(tokens):
        return None
    language = english()
    for i, (here, after) in enumerate(zip_longest(tokens, tokens[1:], fillvalue="")):
        end = scale_of(tokens, i + 1) if here in _DEGREES and after else None
        if here in _DEGREES and (end or after.endswith("ly") or after == "often"):
            asked = end[1] if end else "better"
            return asked if language.ends[here].high else _OPPOSITE[asked]
        if (scale := scale_of(tokens, i)) is not None:
            return scale[1]
        if here in language.ends and language.ends[here].degree != "positive":
            return "high" if language.ends[here].high else "low"
    return None


def measure_alone(tokens: Sequence[str]) -> str:
    """What the first comparative names that stands alone, else itself: *best* names no measure that a table could have.

    >>> measure_alone(("the", "longest", "road")), measure_alone(("the", "best", "road")), measure_alone(("road",))
    ('length', 'best', '')
    """
    place = next((i for i in range(len(tokens)) if scale_of(tokens, i) is not None), None)
    if place is None:
        return ""
    adjective = english().adjectives.get(tokens[place])
    return adjective.scale.measures[0] if adjective and adjective.scale.alone else tokens[place]


def rank_asked(question: str) -> int:
    """Which from the end of the scale is asked for: 1 is the best, the last or whatever the question says.

    >>> rank_asked("the second most expensive weapon"), rank_asked("the 3rd cheapest"), rank_asked("the cheapest")
    (2, 3, 1)
    """
    match = _RANK.search(question)
    return int(number(phrase(match[1])[0])) if match else 1


def is_superlative(tokens: Sequence[str]) -> bool:
    """*Which alloy is the lightest?*: the best of all there are."""
    return any(english().degree_of(token) == "superlative" for token in tokens)
