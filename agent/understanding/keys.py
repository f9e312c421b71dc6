"""The numbers of a question that select a row or a column, each under its name: *level 7*, *AC 3*, *4+1 hit dice*."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from agent.languages.language import english
from agent.understanding.clauses import ARTICLES, COMMA
from agent.understanding.lexicon import Lexicon, Mention
from agent.understanding.measures import selecting
from retrieval.text.normal import is_number, normal, phrase

Key = tuple[str, str]
_FILLERS = frozenset({"score", "total", "a", "an", "the", "both"})
_LISTING = frozenset({"and", "or", "&", COMMA})
_UP_TO = frozenset({"to", "through"})
ENDS = frozenset({"lowest", "smallest", "minimum", "least"})
_PEOPLE = frozenset("adventurer hero npc human humanoid person man woman warrior player party member opponent".split())
"""Who may have a level though the book does not name them."""
_BEFORE_A_LEVEL = frozenset({"a", "the", "for", "at", "of"})
_ROMAN = {word: n for n, word in enumerate("II III IV V VI VII VIII IX X XI XII".split(), start=2)}
_ROMAN_LEVEL = re.compile(rf"\b([Ll]e?ve?ls?\.? )({'|'.join(_ROMAN)})\b")
_UNITS = [[unit] for unit in "foot ft inch yard mile lb pound gp minute hour day round turn year time".split()]
_WIDEST = 12
"""A range of more levels than this is not spelled out."""


def keys_of(tokens: Sequence[str], called: Mapping[int, str] | None = None) -> list[Key]:
    """Every key with its value, in the order of the text; *levels 3 and 5* are two.

    `called` gives keys at some places another name (see `levels_of_things`).

    >>> keys_of(("thief", "at", "level", "3", "and", "5", "with", "16", "strength"))
    [('level', '3'), ('level', '5'), ('strength', '16')]
    """
    return [(name, value) for name, values in _runs(tokens, called or {}) for value in values]


def with_levels(tokens: Sequence[str], lexicon: Lexicon) -> list[str]:
    """The tokens with the level that a number is behind a name whose tables are keyed by it: *cleric 5*."""
    out = list(tokens)
    for mention in reversed([m for m in lexicon.mentions(tokens) if "level" in lexicon.axes_of(m)]):
        numbered = tokens[mention.end : mention.end + 1] and tokens[mention.end].isdigit()
        numbered = numbered and tokens[mention.end + 1 : mention.end + 2] not in _UNITS
        if numbered and "level" not in tokens[max(0, mention.start - 2) : mention.end + 2]:
            out.insert(mention.end, "level")
    return out


def in_digits(question: str, lexicon: Lexicon) -> str:
    """The question with roman numerals of levels as numbers, beside a name whose tables are keyed by level."""
    if _ROMAN_LEVEL.search(question) is None or not any(
        "level" in lexicon.axes_of(m) for m in lexicon.mentions(normal(question))
    ):
        return question
    return _ROMAN_LEVEL.sub(lambda match: f"{match[1]}{_ROMAN[match[2]]}", question)


def levels_of_things(tokens: Sequence[str], mentions: Sequence[Mention]) -> dict[int, str]:
    """Where a level is not that of the one who is named: the 3 of *3rd level spells* is a *spell level*.

    >>> levels_of_things(("level", "3", "spell", "of", "cleric", "level", "9"), [Mention(4, 5, "Cleric")])
    {0: 'spell level'}
    """
    starts, ends = {m.start for m in mentions}, {m.end for m in mentions}
    places = [i for i, token in enumerate(tokens[:-2]) if starts and token == "level" and is_number(tokens[i + 1])]
    called = {
        i: f"{tokens[i + 2]} level"
        for i in places
        if _is_noun(tokens[i + 2]) and i + 2 not in starts and not _is_behind(tokens, i, ends)
    }
    for i in places if len(places) > 1 else ():
        end = _head_of(tokens, i)
        if end < i and i + 2 not in starts and end not in ends and _is_noun(tokens[end - 1]):
            called[i] = f"{tokens[end - 1]} level"
    return called


def _head_of(tokens: Sequence[str], place: int) -> int:
    """Where the noun ends that a level belongs to: *spells of the 3rd level*; `place` itself where there is none."""
    i = place
    while i and tokens[i - 1] in ARTICLES | {"of"}:
        i -= 1
    return i if i and "of" in tokens[i:place] else place


def _is_noun(token: str) -> bool:
    return token not in english().asking | _PEOPLE | selecting() and token.isalpha()


def _is_behind(tokens: Sequence[str], place: int, ends: Collection[int]) -> bool:
    """True for *a thief of level 3* and for *at level 3*, which tell no thing behind them."""
    i = place
    while i and tokens[i - 1] in ARTICLES | {"of"}:
        i -= 1
    return i in ends or tokens[place - 1 : place] in (["at"], ["to"], ["from"], ["with"])


def is_crossed(tokens: Sequence[str]) -> bool:
    """True when one key has several values that count for everybody: *at levels 3 and 5*, but not *respectively*."""
    return "respectively" not in tokens and any(len(values) > 1 for _, values in _runs(tokens, {}))


def _runs(tokens: Sequence[str], called: Mapping[int, str]) -> Iterator[tuple[str, list[str]]]:
    for i, token in enumerate(tokens):
        if token not in selecting():
            continue
        start = i + 1
        while start < len(tokens) and tokens[start] in _FILLERS:
            start += 1
        values = [*_listed_before(tokens, i), *_values(tokens, start)]
        if not values and token != "level" and i and is_number(tokens[i - 1]) and tokens[i - 2 : i - 1] != ["level"]:
            values = [tokens[i - 1]]
        if values:
            yield called.get(i, token), values


def _values(tokens: Sequence[str], start: int) -> Iterator[str]:
    """The run of numbers that begins here; one that a measure follows belongs to that measure."""
    i, last = start, ""
    while (
        i < len(tokens)
        and is_number(tokens[i])
        and not (last and tokens[i + 1 : i + 2] and tokens[i + 1] in selecting())
    ):
        yield tokens[i]
        last, i = tokens[i], i + 1
        joins = [t for t in tokens[i : i + 2] if t in _LISTING]
        if tokens[i : i + 1] and tokens[i] in _UP_TO and i + 1 < len(tokens):
            after = i + 2 if tokens[start - 1] == tokens[i + 1] else i + 1
            yield from () if _is_way(tokens, start) else _between(last, *tokens[after : after + 1])
            i += 1
        elif joins and tokens[i] in _LISTING:
            i += len(joins)


def _listed_before(tokens: Sequence[str], at: int) -> Iterator[str]:
    """The 3 of *for the 3rd and for the 7th level* and of *a 3rd and a 7th level thief*."""
    i = at
    while i and tokens[i - 1] in _BEFORE_A_LEVEL:
        i -= 1
    if tokens[at] == "level" and i > 2 and tokens[i - 1] in ("and", "or") and tokens[i - 3] in _BEFORE_A_LEVEL:
        yield from filter(is_number, tokens[i - 2 : i - 1])


def _is_way(tokens: Sequence[str], start: int) -> bool:
    """True for *to get from 3rd to 5th level*, of which only the ends are asked."""
    return tokens[start - 4 : start - 1 : 2] == ["to", "from"] if start > 3 else False


def _between(low: str, high: str = "") -> Iterator[str]:
    if low.isdigit() and high.isdigit() and 0 < int(high) - int(low) <= _WIDEST:
        yield from map(str, range(int(low) + 1, int(high)))


def axis_keys(
    tokens: Sequence[str], mentions: Sequence[Mention], keys: Sequence[Key], lexicon: Lexicon
) -> Iterator[Key]:
    """A number under the axis of the entity's own tables, *350 t* of a lane keyed by mass; of *rank 8* the 8 alone."""
    owned = {value for _, value in keys}
    inside = {i for m in mentions for i in range(m.start, m.end)}
    axes = dict.fromkeys(axis for m in mentions for axis in lexicon.axes_of(m) if phrase(axis)[0] not in selecting())
    said = [axis for axis in axes if set(phrase(axis)) & set(tokens)] or list(axes)
    place = key_asked(tokens)
    if len(said) != 1 or (place is not None and tokens[place] == said[0]):
        return
    free = [i for i, token in enumerate(tokens) if is_number(token) and token not in owned and i not in inside]
    beside = [i for i in free if _is_beside(tokens, i, phrase(said[0]))]
    yield from ((said[0], tokens[i]) for i in beside or free)


def key_asked(tokens: Sequence[str]) -> int | None:
    """Where the key stands that is asked for: behind *what*, *how many*, *lowest*, and without a number of its own."""
    for i, (token, after) in enumerate(pairwise(tokens)):
        if token in ENDS | {"what", "which", "many"} and (after.isalpha() or after in selecting()):
            return None if is_number(tokens[i + 2]) else i + 1
    return None


def _is_beside(tokens: Sequence[str], place: int, name: Sequence[str]) -> bool:
    """True for the 8 of *rank 8* and *8th rank*, and in a list for that of *ranks 3 and 8*."""
    i = place
    while i and (is_number(tokens[i - 1]) or tokens[i - 1] in _LISTING):
        i -= 1
    return tokens[place + 1 : place + 2] == list(name[:1]) or tokens[i - 1 : i] == list(name[-1:])
