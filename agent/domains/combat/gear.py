"""What a combatant wields and wears, as far as a question says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, takewhile

from agent.domains.combat.facts import MEASURES
from agent.domains.combat.mentions import ARMOR, STOP, WIELD
from agent.understanding.clauses import ARTICLES, COMMA, in_own_words
from agent.understanding.lexicon import Lexicon, Mention
from retrieval.text.normal import is_number, phrase, title_key

_NOT_WEAPONS = ARMOR | {
    "unarmored",
    "naked",
    "unarmed",
    "alone",
    "lone",
    "helmet",
    "bonus",
    "ring",
    "cloak",
    "total",
    "score",
}
WEARING = frozenset("in wearing wear clad worn wore".split())
_WITHIN_ARMOR = ARTICLES | {"and", "with", "&", "plus", "of", "his", "her", "its", "their"}
_LACKING = frozenset({"no", "without", "neither", "not"})
_MATCHED = frozenset({("fight", "for"), ("match", "for")})
_PARTS_OF_NAMES = frozenset({"battle", "duel", "combat"})
_BEFORE_A_NOUN = frozenset("with their his her its same of pair only".split())


_UNARMED = re.compile(
    r" (unarmed|weaponless|barehanded|(?:bare|open|empty) ?(?:handed|hand|fist)|(?:no|without(?: an?y?)?) weapon) "
)


def weapon_of(tokens: Sequence[str]) -> str | None:
    """What is wielded: after a verb of wielding, else after a *with* that brings no armor and no number.

    One who is said to be unarmed wields that, and no ordinary weapon.
    """
    if match := _UNARMED.search(f" {' '.join(tokens)} "):
        return match[1]
    for i, token in enumerate(tokens):
        if token in WIELD - {"with"} or (token == "fight" and "with" in tokens[i + 1 : i + 2]):
            words = _noun(tokens, i + 1)
            if words and not set(words) & _NOT_WEAPONS:
                return " ".join(words)
    for i, token in enumerate(tokens):
        if token == "with":
            words = _noun(tokens, i + 1)
            if words and not set(words) & _NOT_WEAPONS and not _measured(tokens, i + 1, len(words)):
                return " ".join(words)
    return None


def _measured(tokens: Sequence[str], start: int, size: int) -> bool:
    """*with an armor class of 3*, *with 16 strength*: a number or a measure stands where a weapon would."""
    near = list(takewhile(lambda token: token not in ("and", COMMA), tokens[start : start + size + 2]))
    return any(t in MEASURES or (is_number(t) and near[i + 1 : i + 2] != ["handed"]) for i, t in enumerate(near))


def enchanted_weapon(tokens: Sequence[str], question: str) -> str | None:
    """The *great axe* of *AC 3 great axe +1*; no *ring of protection +1*, and nobody's *+7 hit points*."""
    for i, token in enumerate(tokens):
        if is_bonus(token, question) and MEASURES.isdisjoint(tokens[i + 1 : i + 2]):
            words = list(
                takewhile(lambda t: t not in STOP | ARTICLES | MEASURES and not is_number(t), tokens[:i][::-1])
            )
            if words and not set(words) & _NOT_WEAPONS and tokens[i - len(words) - 1 : i - len(words)] != ["of"]:
                return " ".join(words[::-1])
    return None


def _noun(tokens: Sequence[str], start: int) -> list[str]:
    while start < len(tokens) and tokens[start] in ARTICLES | _BEFORE_A_NOUN:
        start += 1
    end = start
    while end < len(tokens) and tokens[end] not in (STOP - _PARTS_OF_NAMES | MEASURES | ARTICLES):
        if is_number(tokens[end]) and tokens[end + 1 : end + 2] != ["handed"]:
            break
        end += 1
    return list(tokens[start:end])


def armor_of(tokens: Sequence[str], question: str, lexicon: Lexicon) -> str | None:
    """The *plate mail and shield* of one whose armor class is not given, and what the book lists and somebody wears.

    Pieces that stand apart count together: *in plate mail, with a long sword and a shield*.
    """
    bare = re.search(r" (?:unarmored|naked|(?:no|without(?: any)?) armor) ", f" {' '.join(tokens)} ")
    tokens = _without_what_is_lacking(tokens)
    things = [m for m in lexicon.mentions(tokens) if lexicon.is_thing(m)]
    pieces = ["no armor"] if bare else []
    start, named = 0, as_armor(tokens, lexicon)
    while (span := armor_span(named, things, start)) is not None:
        words = in_own_words([t for t in tokens[slice(*span)] if t != COMMA], question)
        near = (*tokens[span[1] : span[1] + 1], *tokens[max(0, span[0] - 1) : span[0]])
        pieces.append(" ".join([words, *(f"+{t}" for t in near if is_bonus(t, question))]))
        start = span[1]
    return " and ".join(dict.fromkeys(pieces)) or None


def is_bonus(token: str, question: str) -> bool:
    """The 2 of a *+2*: tokens have lost the sign, which the question has."""
    return token.isdigit() and re.search(rf"\+\s?{token}\b", question) is not None


def _without_what_is_lacking(tokens: Sequence[str]) -> list[str]:
    """Leave out the *no shield* and *without armor* of a description."""
    out: list[str] = []
    lacking = False
    for token in tokens:
        lacking = token in _LACKING or (lacking and token in _WITHIN_ARMOR | ARMOR | {"or"})
        out.append(COMMA if lacking else token)
    return out


def armor_span(tokens: Sequence[str], things: Sequence[Mention], start: int) -> tuple[int, int] | None:
    """The stretch of tokens that names armor: *plate mail and a shield*, with nothing else in between."""
    places = [i for i in range(start, len(tokens)) if tokens[i] in ARMOR]
    listed = {i for thing in things for i in range(thing.start, thing.end)}
    places += [i for i in sorted(listed) if i >= start and _is_worn(tokens, i)]
    if not places:
        return None
    first = last = min(places)
    first = max(start, min((thing.start for thing in things if first in range(thing.start, thing.end)), default=first))
    for i in range(last + 1, len(tokens)):
        if tokens[i] in ARMOR or (i in listed and last == i - 1):
            last = i
        elif tokens[i] not in _WITHIN_ARMOR:
            break
    return first, last + 1


def as_armor(tokens: Sequence[str], lexicon: Lexicon) -> list[str]:
    """The tokens with each row of a table that lists nothing but armor as *armor*: nobody wields an oilskin."""
    out = list(tokens)
    for thing in lexicon.mentions(tokens):
        titles = lexicon.holders.get(title_key(thing.name), ())
        if any(set(phrase(title)) <= ARMOR | _WITHIN_ARMOR | {"type"} for title in titles):
            out[thing.start : thing.end] = ["armor"] * (thing.end - thing.start)
    return out


def _is_worn(tokens: Sequence[str], start: int) -> bool:
    before = [t for t in tokens[max(0, start - 2) : start] if t not in ARTICLES]
    return bool(before) and before[-1] in WEARING


def thing_of(tokens: Sequence[str], lexicon: Lexicon) -> str | None:
    """Anything that the book lists besides, and nobody wears: a maul said without *wielding*; no *fair fight*."""
    mentions = (m for m in lexicon.mentions(tokens) if lexicon.is_thing(m))
    things = (m for m in mentions if tuple(tokens[m.end : m.end + 2]) not in _MATCHED and not _is_worn(tokens, m.start))
    names = (" ".join(t for t in tokens[m.start : m.end] if t != COMMA) for m in things)
    articled = (i for i, token in enumerate(tokens) if token in lexicon.sorts and tokens[i - 1] in ARTICLES)
    sorts = (tokens[i] for i in articled if "with" in tokens[:i])
    return next((name for name in chain(names, sorts) if not set(name.split()) & _NOT_WEAPONS), None)
