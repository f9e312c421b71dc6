"""The weapon and the armor of a combatant, as the question states them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from agent.domains.combat.question.facts import MEASURES
from agent.domains.combat.question.heads import ends_of_names
from agent.domains.combat.question.said import CombatQuestion
from agent.domains.combat.question.wording import words
from agent.understanding.words.clauses import ARTICLES, COMMA
from agent.understanding.words.lexicon import Lexicon, Mention
from retrieval.text.normal import is_number, phrase, title_key

_UNARMED = re.compile(
    r" (unarmed|weaponless|barehanded|(?:bare|open|empty) ?(?:handed|hand|fist)|(?:no|without(?: an?y?)?) weapon) "
)
_UNARMORED = re.compile(r" (?:unarmored|naked|(?:no|without(?: any)?) armor) ")
_MATCHED = frozenset({("fight", "for"), ("match", "for")})


def weapon_of(tokens: Sequence[str], said: CombatQuestion) -> str | None:
    """Return the weapon: a word for none, else what a verb of wielding or *with* brings, is listed, or has a bonus."""
    if match := _UNARMED.search(f" {' '.join(tokens)} "):
        return match[1]
    tokens = as_armor(tokens, said.lexicon)
    no_weapon = words("armor", "unequipped", "no_weapon")
    return next((" ".join(name) for name in _weapons(tokens, said) if name and no_weapon.isdisjoint(name)), None)


def _weapons(tokens: Sequence[str], said: CombatQuestion) -> Iterator[Sequence[str]]:
    """Yield possible weapons, the surest first."""
    for i, token in enumerate(tokens):
        if token in words("wielding") or (token == "fight" and tokens[i + 1 : i + 2] == ["with"]):
            yield _noun(tokens, i + 1)
    for i, token in enumerate(tokens):
        if token == "with" and not _is_measured(tokens, i + 1, len(_noun(tokens, i + 1))):
            yield _noun(tokens, i + 1)
    yield from listed(tokens, said.lexicon)
    yield from _enchanted(tokens, said)


def _is_measured(tokens: Sequence[str], start: int, size: int) -> bool:
    """Return True for a number or measure in place of a weapon: *with an armor class of 3*, *with 16 strength*."""
    near = list(takewhile(lambda token: token not in ("and", COMMA), tokens[start : start + size + 2]))
    return any(t in MEASURES or (is_number(t) and near[i + 1 : i + 2] != ["handed"]) for i, t in enumerate(near))


def _noun(tokens: Sequence[str], start: int) -> Sequence[str]:
    while start < len(tokens) and tokens[start] in ARTICLES | words("before_gear", "possessive"):
        start += 1
    end = start
    while end < len(tokens) and tokens[end] not in (ends_of_names() - words("of_names") | MEASURES | ARTICLES):
        if is_number(tokens[end]) and tokens[end + 1 : end + 2] != ["handed"]:
            break
        end += 1
    return tokens[start:end]


def listed(tokens: Sequence[str], lexicon: Lexicon) -> Iterator[Sequence[str]]:
    """Yield things of the book that are not worn, such as a maul without *wielding*; then sorts, such as *a mace*."""
    for each in lexicon.mentions(tokens):
        is_matched = tuple(tokens[each.end : each.end + 2]) in _MATCHED
        if lexicon.is_thing(each) and not is_matched and not _is_worn(tokens, each.start):
            yield [token for token in tokens[each.start : each.end] if token != COMMA]
    for i, token in enumerate(tokens):
        if token in lexicon.sorts and tokens[i - 1] in ARTICLES and "with" in tokens[:i]:
            yield [token]


def _enchanted(tokens: Sequence[str], said: CombatQuestion) -> Iterator[Sequence[str]]:
    """Yield the *great axe* of *AC 3 great axe +1*; skip *ring of protection +1* and *+7 hit points*."""
    ends = ends_of_names() | ARTICLES | MEASURES
    for i, token in enumerate(tokens):
        if is_bonus(token, said.question) and MEASURES.isdisjoint(tokens[i + 1 : i + 2]):
            name = list(takewhile(lambda word: word not in ends and not is_number(word), tokens[:i][::-1]))[::-1]
            if tokens[i - len(name) - 1 : i - len(name)] != ["of"]:
                yield name


def armor_of(tokens: Sequence[str], said: CombatQuestion) -> str | None:
    """Return the worn pieces, such as *plate mail and shield*: words for armor, and things of the book after *wearing*.

    Separate pieces are joined: *in plate mail, with a long sword and a shield*.
    """
    pieces = ["no armor"] if _UNARMORED.search(f" {' '.join(tokens)} ") else []
    tokens = _without_negated_gear(tokens)
    things = [each for each in said.lexicon.mentions(tokens) if said.lexicon.is_thing(each)]
    start, named = 0, as_armor(tokens, said.lexicon)
    while (span := armor_span(named, things, start)) is not None:
        own = said.original_spelling([token for token in tokens[slice(*span)] if token != COMMA])
        near = (*tokens[span[1] : span[1] + 1], *tokens[max(0, span[0] - 1) : span[0]])
        pieces.append(" ".join([own, *(f"+{token}" for token in near if is_bonus(token, said.question))]))
        start = span[1]
    return " and ".join(dict.fromkeys(pieces)) or None


def is_bonus(token: str, question: str) -> bool:
    """Return True if the question writes this number with a plus, which tokens lose."""
    return token.isdigit() and re.search(rf"\+\s?{token}\b", question) is not None


def _within_armor() -> frozenset[str]:
    return ARTICLES | words("together", "possessive") | {"with", "of"}


def _without_negated_gear(tokens: Sequence[str]) -> list[str]:
    """Replace *no shield* and *without armor* with commas."""
    out: list[str] = []
    is_lacking = False
    for token in tokens:
        goes_on = is_lacking and token in _within_armor() | words("armor") | {"or"}
        is_lacking = token in words("lacking") or goes_on
        out.append(COMMA if is_lacking else token)
    return out


def armor_span(tokens: Sequence[str], things: Sequence[Mention], start: int) -> tuple[int, int] | None:
    """Return the token range that names armor: *plate mail and a shield*, without other words in between."""
    listed = {i for thing in things for i in range(thing.start, thing.end)}
    worn = (
        i for i in range(start, len(tokens)) if tokens[i] in words("armor") or (i in listed and _is_worn(tokens, i))
    )
    first = last = next(worn, -1)
    if first < 0:
        return None
    first = max(start, min((thing.start for thing in things if thing.start <= first < thing.end), default=first))
    for i in range(last + 1, len(tokens)):
        if tokens[i] in words("armor") or (i in listed and last == i - 1):
            last = i
        elif tokens[i] not in _within_armor():
            break
    return first, last + 1


def as_armor(tokens: Sequence[str], lexicon: Lexicon) -> list[str]:
    """Replace each row of a table that lists only armor with *armor*: nobody wields an oilskin."""
    out = list(tokens)
    plain = words("armor") | _within_armor() | {"type"}
    for thing in lexicon.mentions(tokens):
        titles = lexicon.holders.get(title_key(thing.name), ())
        if any(plain.issuperset(phrase(title)) for title in titles):
            out[thing.start : thing.end] = ["armor"] * (thing.end - thing.start)
    return out


def _is_worn(tokens: Sequence[str], start: int) -> bool:
    before = [token for token in tokens[max(0, start - 2) : start] if token not in ARTICLES]
    return bool(before) and before[-1] in words("wearing")
