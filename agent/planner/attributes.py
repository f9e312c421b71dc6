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
ENDS = _LOW | _HIGH
"""Words that ask for an end of a scale, whichever it is."""
_VERBS = frozenset("explain describe require say carry earn pay apply burn list show inflict cause need cast".split())
ASKING = (
    STOP_WORDS - NEGATIONS
    | _LOW
    | _HIGH
    | _VERBS
    | {f"{verb.removesuffix('e')}ed" for verb in _VERBS}
    | {f"{verb[:-1]}ied" for verb in _VERBS if verb.endswith("y")}
    | frozenset(
        "among both each either one other become reach reaching compared comparison contrast opponent enemy target "
        "character class creature monster against gain him please same like also just only book rule does having "
        "member easily often take respectively respective must all ever out know let us deal dealt shown given so my "
        "our your want were them".split()
    )
)  # fmt: skip
_ADJECTIVES: tuple[tuple[str, Preference, str], ...] = (
    ("move", "high", "fast quick"), ("move", "low", "slow"), ("size", "high", "large big"), ("size", "low", "small"),
    ("weight", "high", "heavy"), ("weight", "low", "light"), ("cost", "high", "dear costly"), ("cost", "low", "cheap"),
    ("intelligence", "high", "smart"), ("hit dice", "high", "tough"), ("strength", "high", "strong"),
    ("density", "high", "dense"), ("height", "high", "tall"), ("distance", "low", "near close"), ("age", "high", "old"),
    ("age", "low", "young"), ("depth", "high", "deep"), ("depth", "low", "shallow"), ("width", "high", "wide"),
    ("temperature", "high", "warm hot"), ("temperature", "low", "cold cool"), ("", "high", "long"),
    ("", "low", "short"), ("", "better", "easy likely"), ("", "worse", "hard"),
)  # fmt: skip
"""Adjectives with the measure that they name, if any, and the end of its scale that their comparative asks for."""


def degrees(adjective: str) -> tuple[str, str]:
    """The comparative and the superlative.

    >>> degrees("heavy"), degrees("big"), degrees("wide"), degrees("deep")
    (('heavier', 'heaviest'), ('bigger', 'biggest'), ('wider', 'widest'), ('deeper', 'deepest'))
    """
    double = re.sub(r"(?<=[^aeiou][aeiou])([^aeiouwxy])$", r"\1\1", adjective)
    base = f"{adjective[:-1]}i" if adjective.endswith("y") else adjective.removesuffix("e")
    base = double if double != adjective else base
    return f"{base}er", f"{base}est"


SCALES: dict[str, tuple[str, Preference]] = {
    form: (measure, end) for measure, end, group in _ADJECTIVES for word in group.split() for form in degrees(word)
} | {
    "expensive": ("cost", "high"), "costly": ("cost", "high"), "cheaply": ("cost", "low"), "worse": ("", "worse"),
    "worst": ("", "worse"), "better": ("", "better"), "best": ("", "better"), "farther": ("distance", "high"),
    "farthest": ("distance", "high"), "further": ("distance", "high"), "furthest": ("distance", "high"),
}  # fmt: skip
"""Comparatives: the attribute they name, if any, and the end of the scale they ask for."""
_ALONE = {form: "length" for word in ("long", "short") for form in degrees(word)}
"""What a comparative names where nothing else is asked: the longest road, but the longest range."""
_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth".split()
_RANK = re.compile(
    rf"\b({'|'.join(_ORDINALS)}|\d+(?:st|nd|rd|th))[ -](?:most|least|best|worst|[a-z]+est)\b", re.IGNORECASE
)
_HOW = {word: measure for measure, end, group in _ADJECTIVES for word in group.split() if word != "likely"} | {
    "expensive": "cost", "far": "distance", "intelligent": "intelligence", "easily": "", "often": "", "good": "",
    "well": "",
}  # fmt: skip
"""What *how* with an adjective asks for."""
_HOW_LONG = (["how", "long", "is"], ["how", "long", "are"])
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
        elif _is_graded(tokens, i) or token not in ASKING:
            yield i, (token,)


def is_manner(tokens: Sequence[str], i: int) -> bool:
    """The *likely* of *more likely*, which tells an end of a scale and not which; *how likely* asks for a chance."""
    return i > 0 and tokens[i].endswith("ly") and tokens[i - 1] in _DEGREES and tokens[i] not in SCALES


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
    token = tokens[i]
    if token in SCALES:
        return SCALES[token][0]
    if i and tokens[i - 1] == "how" and tokens[i + 1 : i + 2] and tokens[i + 1] in ARTICLES:
        return ""  # *how high a rank*, *how heavy a load*: the noun is asked for
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
