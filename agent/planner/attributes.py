"""Which attribute a question asks for, and which end of its scale: what is left without its entities and keys."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Literal

from agent.planner.clauses import ARTICLES, COMMA, NEGATIONS, in_own_words
from retrieval.text import STOP_WORDS, is_number, number, phrase

Preference = Literal["low", "high", "better", "worse"]
_LOW = frozenset("lower lowest fewer fewest less least smaller weaker weakest".split())
_HIGH = frozenset("more most higher highest greater greatest".split())
_VERBS = frozenset("explain describe require say tell carry earn pay apply burn list show inflict cause need".split())
ASKING = (
    STOP_WORDS - NEGATIONS
    | _LOW
    | _HIGH
    | _VERBS
    | {f"{verb.removesuffix('e')}ed" for verb in _VERBS}
    | {f"{verb[:-1]}ied" for verb in _VERBS if verb.endswith("y")}
    | frozenset(
        "among both each either one other between become reach reaching compared comparison contrast versus opponent "
        "enemy target character class creature monster against become gain him who whose "
        "please same like also just only there book rule many does "
        "do having member easily often take give respectively respective must all ever out of "
        "know let us deal dealt shown given so my our your want were them him".split()
    )
)  # fmt: skip
SCALES: dict[str, tuple[str, Preference]] = {
    "faster": ("move", "high"), "fastest": ("move", "high"), "slower": ("move", "low"), "slowest": ("move", "low"),
    "larger": ("size", "high"), "largest": ("size", "high"), "bigger": ("size", "high"), "biggest": ("size", "high"),
    "smaller": ("size", "low"), "smallest": ("size", "low"), "heavier": ("weight", "high"),
    "heaviest": ("weight", "high"), "lighter": ("weight", "low"), "lightest": ("weight", "low"),
    "cheaper": ("cost", "low"), "cheapest": ("cost", "low"), "dearer": ("cost", "high"), "dearest": ("cost", "high"),
    "expensive": ("cost", "high"), "costlier": ("cost", "high"), "costliest": ("cost", "high"),
    "costly": ("cost", "high"), "cheaply": ("cost", "low"), "smarter": ("intelligence", "high"),
    "smartest": ("intelligence", "high"), "tougher": ("hit dice", "high"), "toughest": ("hit dice", "high"),
    "stronger": ("strength", "high"), "strongest": ("strength", "high"), "longer": ("", "high"),
    "longest": ("", "high"), "shorter": ("", "low"), "shortest": ("", "low"), "easier": ("", "better"),
    "easiest": ("", "better"), "harder": ("", "worse"), "hardest": ("", "worse"), "worse": ("", "worse"),
    "worst": ("", "worse"), "better": ("", "better"), "best": ("", "better"),
    "likelier": ("", "better"), "likeliest": ("", "better"),
    "denser": ("density", "high"), "densest": ("density", "high"), "taller": ("height", "high"),
    "tallest": ("height", "high"), "farther": ("distance", "high"), "farthest": ("distance", "high"),
    "further": ("distance", "high"), "furthest": ("distance", "high"), "nearer": ("distance", "low"),
    "nearest": ("distance", "low"), "closer": ("distance", "low"), "closest": ("distance", "low"),
    "older": ("age", "high"), "oldest": ("age", "high"), "younger": ("age", "low"), "youngest": ("age", "low"),
    "deeper": ("depth", "high"), "deepest": ("depth", "high"), "wider": ("width", "high"),
    "widest": ("width", "high"), "warmer": ("temperature", "high"), "warmest": ("temperature", "high"),
    "colder": ("temperature", "low"), "coldest": ("temperature", "low"),
}  # fmt: skip
"""Comparatives: the attribute they name, if any, and the end of the scale they ask for."""
_ALONE = {"longer": "length", "longest": "length", "shorter": "length", "shortest": "length"}
"""What a comparative names where nothing else is asked: the longest road, but the longest range."""
_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth".split()
_RANK = re.compile(
    rf"\b({'|'.join(_ORDINALS)}|\d+(?:st|nd|rd|th))[ -](?:most|least|best|worst|[a-z]+est)\b", re.IGNORECASE
)
_HOW = {
    "fast": "move", "quick": "move", "heavy": "weight", "light": "weight", "expensive": "cost", "costly": "cost",
    "cheap": "cost", "large": "size", "big": "size", "tall": "height", "far": "distance",
    "old": "age", "deep": "depth", "wide": "width", "warm": "temperature", "cold": "temperature",
    "strong": "strength", "smart": "intelligence",
    "intelligent": "intelligence", "tough": "hit dice", "long": "", "easily": "", "often": "", "good": "", "well": "",
}  # fmt: skip
"""What *how* with an adjective asks for."""
_OPPOSITE: dict[Preference, Preference] = {"low": "high", "high": "low", "better": "worse", "worse": "better"}
_SCALED = _LOW | _HIGH | SCALES.keys()
_DEGREES = frozenset({"more", "most", "less", "least"})
_LISTING = frozenset({COMMA, "and", "&", "plus"})
_BETWEEN = ARTICLES | {"how", "many", "much", "what", "its", "their", "is", "are"}
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
        listed = set(between) <= _LISTING | _BETWEEN and set(between) & _LISTING
        if parts[-1] and (listed or any(pair[0] in _LISTING and pair[1] in _SECOND for pair in pairwise(between))):
            parts.append([])
        last = i
        for word in words:
            if word not in seen:
                seen.add(word)
                parts[-1].append(in_own_words((word,), question))
    named = [[word for word in part if not _is_mere_size(word, tokens)] for part in parts]
    return [part for part in (named if any(named) else parts) if part]


def _is_mere_size(word: str, tokens: Sequence[str]) -> bool:
    """The size that *largest* names: none where the question goes on to say the largest what."""
    return word == "size" and "size" not in tokens


def _words(tokens: Sequence[str], taken: Collection[int]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each token that says what is asked, with its place: neither taken, nor a number, nor a word of asking."""
    for i, token in enumerate(tokens):
        if i in taken or token == COMMA or is_number(token) or _is_throwing(tokens, i) or is_manner(tokens, i):
            continue
        if i and tokens[i - 1] == "how" and token in _HOW:
            yield from [(i, phrase(_HOW[token]))] if _HOW[token] else []
        elif implied := SCALES.get(token, ("",))[0]:
            yield i, phrase(implied)
        elif _is_graded(tokens, i) or token not in ASKING | SCALES.keys():
            yield i, (token,)


def is_manner(tokens: Sequence[str], i: int) -> bool:
    """The *likely* of *more likely*, which tells an end of a scale and not which; *how likely* asks for a chance."""
    return i > 0 and tokens[i].endswith("ly") and tokens[i - 1] in _DEGREES and tokens[i] not in SCALES


def _is_throwing(tokens: Sequence[str], i: int) -> bool:
    """The verb of *what must she roll to save* and *needs to roll*; in a *roll to hit* it is part of the name."""
    return tokens[i] == "roll" and "hit" not in tokens and "to" in (*tokens[i - 1 : i], *tokens[i + 1 : i + 2])


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
    token = tokens[i]
    if token in SCALES:
        return SCALES[token][0]
    return _HOW.get(token, token) if i and tokens[i - 1] == "how" else token


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
    for here, after in zip_longest(tokens, tokens[1:], fillvalue=""):
        manner = after.endswith("ly") or after in SCALES or after == "often"
        if here in ("more", "most") and manner:
            return SCALES.get(after, ("", "better"))[1]
        if here in ("less", "least") and manner:
            return _OPPOSITE[SCALES.get(after, ("", "better"))[1]]
        if here in SCALES:
            return SCALES[here][1]
        if here in _LOW | _HIGH:
            return "low" if here in _LOW else "high"
    return None


def measure_alone(tokens: Sequence[str]) -> str:
    """What the first comparative names that stands alone, else itself: *best* names no measure that a table could have.

    >>> measure_alone(("the", "longest", "road")), measure_alone(("the", "best", "road")), measure_alone(("road",))
    ('length', 'best', '')
    """
    return next((_ALONE.get(token, token) for token in tokens if token in SCALES), "")


def rank_asked(question: str) -> int:
    """Which from the end of the scale is asked for: 1 is the best, the last or whatever the question says.

    >>> rank_asked("the second most expensive weapon"), rank_asked("the 3rd cheapest"), rank_asked("the cheapest")
    (2, 3, 1)
    """
    match = _RANK.search(question)
    return int(number(phrase(match[1])[0])) if match else 1


def is_superlative(tokens: Sequence[str]) -> bool:
    """*Which alloy is the lightest?*: the best of all there are."""
    ends = ("most", "least", "best", "worst")
    return any(t in ends or (t.endswith("est") and t in _SCALED) for t in tokens)
