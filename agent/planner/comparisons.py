"""Every question that is not a fight: which entities, which attribute, which keys, and which end of the scale.

Entities are names that the book knows, and alternatives that stand where such names would (*an orc or a flumph*), so
that an unknown one is missed aloud. What remains of the question is the attribute.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Literal

from agent.planner.clauses import ARTICLES, COMMA, in_own_words, sentences
from agent.planner.lexicon import Lexicon, Mention
from agent.types import Comparison
from retrieval.text import ABILITIES, STOP_WORDS, TERMS, is_number, phrase, title_key

Preference = Literal["low", "high", "better", "worse"]
_LOW = frozenset("lower lowest fewer fewest less least smaller weaker weakest".split())
_HIGH = frozenset("more most higher highest greater greatest".split())
_ASKING = (
    STOP_WORDS
    | _LOW
    | _HIGH
    | frozenset(
        "among both each either one other between become reach reaching compared comparison contrast versus opponent "
        "enemy target character class classe creature monster worse worst by against become gain him who whose "
        "please explain describe same like also just only require required there say book rule tell many does "
        "do having member easily carry earn pay apply take burn give".split()
    )
)  # fmt: skip
_SCALES: dict[str, tuple[str, Preference]] = {
    "faster": ("move", "high"), "fastest": ("move", "high"), "slower": ("move", "low"), "slowest": ("move", "low"),
    "larger": ("size", "high"), "largest": ("size", "high"), "bigger": ("size", "high"), "biggest": ("size", "high"),
    "smaller": ("size", "low"), "smallest": ("size", "low"), "heavier": ("weight", "high"),
    "heaviest": ("weight", "high"), "lighter": ("weight", "low"), "lightest": ("weight", "low"),
    "cheaper": ("cost", "low"), "cheapest": ("cost", "low"), "dearer": ("cost", "high"), "dearest": ("cost", "high"),
    "expensive": ("cost", "high"), "cheaply": ("cost", "low"), "smarter": ("intelligence", "high"),
    "smartest": ("intelligence", "high"), "tougher": ("hit dice", "high"), "toughest": ("hit dice", "high"),
    "stronger": ("strength", "high"), "strongest": ("strength", "high"), "longer": ("", "high"),
    "longest": ("", "high"), "shorter": ("", "low"), "shortest": ("", "low"), "easier": ("", "better"),
    "easiest": ("", "better"), "harder": ("", "worse"), "hardest": ("", "worse"), "worse": ("", "worse"),
    "worst": ("", "worse"), "better": ("", "better"), "best": ("", "better"),
}  # fmt: skip
"""Comparatives: the attribute they name, if any, and the end of the scale they ask for."""
_KEYS = ("level", "armor class", *ABILITIES, "hit dice")
_KEY_PHRASES = [(key,) for key in _KEYS]
_BETWEEN = frozenset({"or", "and", "versus", "vs", "v", COMMA, "between", "than", "among", "&"})
_NO_NAME = _BETWEEN | _ASKING | frozenset(_KEYS) | frozenset(TERMS.values())


def parse_comparison(question: str, lexicon: Lexicon) -> Comparison:
    """Return what a question asks: of a lookup one entity, of a comparison several, of an open question none."""
    tokens = [token for sentence in sentences(question) for token in [*sentence, COMMA]]
    if {"roll", "need"} & set(tokens):
        tokens = ["hit" if token in ("strike", "striking") else token for token in tokens]
    mentions = _entities(tokens, lexicon)
    keys = tuple(_keys(tokens))
    keys += tuple(_axis_keys(tokens, mentions, keys, lexicon))
    target = _target(tokens, mentions, keys)
    if target is not None:
        mentions = [m for m in mentions if m is not target]
    names = tuple(dict.fromkeys(_called(m, tokens, question) for m in mentions))
    attribute = " ".join(_attribute(tokens, mentions, target, keys, question))
    if not attribute and not names:
        attribute = question.strip().rstrip("?!. ")
    return Comparison(
        names,
        attribute,
        keys,
        _prefer(tokens),
        _called(target, tokens, question) if target else None,
        not keys and _is_superlative(tokens, names),
    )


def _called(mention: Mention, tokens: Sequence[str], question: str) -> str:
    """A name in the asker's words, or in the book's where they differ in more than form (*cut-purse*)."""
    own = in_own_words(tokens[mention.start : mention.end], question)
    return own if title_key(own) == title_key(mention.name) else mention.name


def _entities(tokens: Sequence[str], lexicon: Lexicon) -> list[Mention]:
    known = [m for m in lexicon.mentions(tokens) if not _is_attribute(m, tokens)]
    if not all(map(lexicon.is_thing, known)):
        known = [m for m in known if not lexicon.is_thing(m)]
    return sorted([*known, *_alternatives(tokens, known)], key=lambda m: m.start)


def _is_attribute(mention: Mention, tokens: Sequence[str]) -> bool:
    """A known name that only says which attribute is meant, as in *saving throw against breath weapons*."""
    before = [t for t in tokens[max(0, mention.start - 3) : mention.start] if t not in ARTICLES]
    saved = "saving" in tokens and any(t in ("against", "versus", "vs") for t in before)
    return saved or (mention.end < len(tokens) and is_number(tokens[mention.end]))


def _alternatives(tokens: Sequence[str], known: Sequence[Mention]) -> Iterator[Mention]:
    """Unknown names in a list with known ones: *the orc or the flumph*."""
    if len(known) != 1:
        return
    (one,) = known
    before, after = _neighbour(tokens, one.start, -1), _neighbour(tokens, one.end, 1)
    if after and after + 1 < len(tokens) and tokens[after] in ("or", "versus", "vs", "than", "and"):
        yield from _unknown(tokens, after + 1 + int(tokens[after + 1] in ARTICLES))
    elif before is not None and tokens[before] in ("or", "versus", "vs", "than"):
        articles = [i for i in range(before) if tokens[i] in ARTICLES]
        if articles:
            yield from _unknown(tokens, articles[-1] + 1)


def _neighbour(tokens: Sequence[str], at: int, step: int) -> int | None:
    i = at if step > 0 else at - 1
    while 0 <= i < len(tokens) and tokens[i] in ARTICLES:
        i += step
    return i if 0 <= i < len(tokens) else None


def _unknown(tokens: Sequence[str], start: int) -> Iterator[Mention]:
    end = start
    while end < len(tokens) and end - start < 4 and not (tokens[end] in _NO_NAME or is_number(tokens[end])):
        end += 1
    if end > start:
        yield Mention(start, end, " ".join(tokens[start:end]))


def _keys(tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The numbers that select a row or a column, each under its name."""
    for i, token in enumerate(tokens):
        if token in _KEYS:
            after = next((t for t in tokens[i + 1 : i + 3] if t not in ("score", "total")), "")
            if after and is_number(after):
                yield token, after


def _axis_keys(
    tokens: Sequence[str], mentions: Sequence[Mention], keys: Sequence[tuple[str, str]], lexicon: Lexicon
) -> Iterator[tuple[str, str]]:
    """A number of no measure, under the axis of the entity's own tables: *350 t* of a lane keyed by mass."""
    owned = {value for _, value in keys}
    inside = {i for m in mentions for i in range(m.start, m.end)}
    axes = dict.fromkeys(axis for m in mentions for axis in lexicon.axes_of(m) if phrase(axis)[:1] not in _KEY_PHRASES)
    said = [axis for axis in axes if set(phrase(axis)) & set(tokens)] or list(axes)
    for i, token in enumerate(tokens):
        if len(said) == 1 and is_number(token) and token not in owned and i not in inside:
            yield said[0], token


def _target(tokens: Sequence[str], mentions: Sequence[Mention], keys: Sequence[tuple[str, str]]) -> Mention | None:
    """The creature whose armor class a to-hit question leaves to be looked up: *to hit a vampire*."""
    if "hit" not in tokens or "armor class" in dict(keys) or "level" not in dict(keys):
        return None
    hit = len(tokens) - 1 - list(reversed(tokens)).index("hit")
    return next((m for m in mentions if m.start > hit), None)


def _attribute(
    tokens: Sequence[str],
    mentions: Sequence[Mention],
    target: Mention | None,
    keys: Sequence[tuple[str, str]],
    question: str,
) -> Iterator[str]:
    """What is left of the question: neither an entity, nor a key, nor a word of asking."""
    taken = {i for m in (*mentions, *((target,) if target else ())) for i in range(m.start, m.end)}
    names = {name for name, _ in keys}
    seen: set[str] = set()
    for i, token in enumerate(tokens):
        key = token in names and i + 1 < len(tokens) and is_number(tokens[i + 1])
        if i not in taken and _SCALES.get(token, ("",))[0]:
            yield _SCALES[token][0]
        if (
            i in taken
            or key
            or token == COMMA
            or token in _ASKING | _SCALES.keys()
            or is_number(token)
            or token in seen
        ):
            continue
        seen.add(token)
        yield in_own_words((token,), question)


def _prefer(tokens: Sequence[str]) -> Preference | None:
    """Which end of the scale is asked for: *more hit dice* the high one, *more easily* the better one."""
    for here, after in zip_longest(tokens, tokens[1:], fillvalue=""):
        manner = after.endswith("ly") or after in _SCALES
        if here in ("more", "most") and manner:
            return _SCALES.get(after, ("", "better"))[1]
        if here in ("less", "least") and manner:
            return _OPPOSITE[_SCALES.get(after, ("", "better"))[1]]
        if here in _SCALES:
            return _SCALES[here][1]
        if here in _LOW | _HIGH:
            return "low" if here in _LOW else "high"
    return None


def _is_superlative(tokens: Sequence[str], names: Sequence[str]) -> bool:
    """*Which alloy is the lightest?*: the best of all, where fewer than two are named."""
    ends = ("most", "least", "best", "worst")
    return len(names) < 2 and any(t in ends or (t.endswith("est") and t in _SCALED) for t in tokens)


_SCALED = _LOW | _HIGH | _SCALES.keys()
_OPPOSITE: dict[Preference, Preference] = {"low": "high", "high": "low", "better": "worse", "worse": "better"}
