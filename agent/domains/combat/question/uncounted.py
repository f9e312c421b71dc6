"""What a question says of a fight and the odds ignore: *a blind owlbear*, *underwater*, *100 damage*.

Whatever is not a combatant, a number, a measure, read gear, or a word of asking and fighting is reported as left out,
in the asker's words. It belongs to the combatant beside it, if any. Each number has one owner: the measure beside it,
or the name, the count or the gear that it is part of. A number without an owner prevents a verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from agent.domains.combat.question.facts import MEASURES, TERMS, measure_of
from agent.domains.combat.question.heads import ends_of_names
from agent.domains.combat.question.said import CombatQuestion
from agent.domains.combat.question.wording import words
from agent.domains.combat.types import Combatant, Duel
from agent.languages.language import english
from agent.understanding.words.clauses import ARTICLES, COMMA, in_own_words
from retrieval.text.normal import STOP_WORDS, is_number, number, phrase

_SMALL = STOP_WORDS | ARTICLES


def unread_stretches(
    tokens: Sequence[str], used: AbstractSet[str], question: str, *, of_one: bool = False
) -> Iterator[tuple[str, bool]]:
    """Yield each unread descriptive stretch, in the question's words; `used` are words of gear.

    A descriptive stretch stands behind a word of having or of place, or, in text about one combatant (`of_one`), ends a
    clause behind its name; other words only ask. The flag is True if the stretch describes the combatant before it,
    even at the end of a sentence: *who casts*, *with surprise*.

    >>> words = ("who", "cast", "a", "fireball", "with", "3")
    >>> list(unread_stretches(words, set(), "who casts a fireball", of_one=True))
    [('casts a fireball', True)]
    """
    small = ARTICLES | words("possessive") | {"not"}
    wielding = words("wielding") | {"with"}
    for start, end in _stretches(tokens, used):
        last = next((token for token in reversed(tokens[:start]) if token not in small), "")
        behind = set(tokens[end : end + 1])
        is_own = of_one and (last in _having() or tokens[start] in words("riding") or bool(behind & wielding))
        is_setting = last in words("place") and words("contest").isdisjoint(behind)
        is_setting = is_setting or (last in words("contest") and behind <= {COMMA})
        if is_own or is_setting or (of_one and _is_apart(tokens, start, end)):
            yield in_own_words(tokens[start:end], question), is_own


def _having() -> frozenset[str]:
    """Return the words before something that a combatant has or does."""
    return words("having", "wielding", "wearing") - {"in"} | {"with"}


def _is_apart(tokens: Sequence[str], start: int, end: int) -> bool:
    """Return True for a stretch that ends a clause behind a name, a number or a comma: *an ogre underwater*."""
    is_behind = start == 0 or tokens[start - 1] == COMMA or is_number(tokens[start - 1])
    return is_behind and set(tokens[end : end + 1]) <= words("versus") | {COMMA, "or"}


def qualities(tokens: Sequence[str], used: AbstractSet[str], question: str) -> Iterator[str]:
    """Yield the qualities before a name: *blind*, *hasted*."""
    return (in_own_words(tokens[start:end], question) for start, end in _stretches(tokens, used))


def is_known(token: str) -> bool:
    """Return True for a word of asking or of fighting."""
    language = english()
    of_fighting = ends_of_names() | words("armor", "wearing", "unequipped", "chance") | MEASURES | TERMS
    if token in of_fighting or token in _SMALL:
        return True
    return token in language.comparatives or (token in language.asking and token != "cast")


def _stretches(tokens: Sequence[str], used: AbstractSet[str]) -> Iterator[tuple[int, int]]:
    start = last = -1
    for i, token in enumerate((*tokens, COMMA)):
        counted = is_number(token) and i > 0 and tokens[i - 1] in words("wielding") | {"with"} and token not in used
        if (counted and not used.isdisjoint(tokens[i + 1 : i + 2])) or not (
            is_known(token) or token in used or is_number(token)
        ):
            start, last = (i if start < 0 else start), i
        elif start >= 0 and not (token in _SMALL - _having() and i < len(tokens)):
            yield start, last + 1
            start = -1


_DICE = re.compile(r"\d+d\d+")
_BEFORE_A_NAME = 4
"""Tokens from a count to the name that it counts: *three very drunk orcs*."""


def with_unused_numbers(fight: Duel, said: CombatQuestion) -> Duel:
    """Return the fight with the question's numbers and dice that it has no field for, in the question's words."""
    tokens = said.tokens
    left = [token for i, token in enumerate(tokens) if is_unowned_number(tokens, i, fight.combatants, said)]
    left += _changed_points(tokens, fight)
    own = [said.original_spelling((token,)) for token in left]
    return replace(fight, uncounted=tuple(dict.fromkeys((*fight.uncounted, *said.unparsed_numbers, *own))))


def _changed_points(tokens: Sequence[str], duel: Duel) -> Iterator[str]:
    """Yield the 10 of *who has lost 10 hit points* and the half of *at half hit points*: neither is a total."""
    unread = {word for text in _left_out(duel) for word in phrase(text)}
    for i, token in enumerate(tokens):
        if token != "hit points" or i == 0:
            continue
        place = i - 1 if is_number(tokens[i - 1]) else i
        before = tokens[place - 1] if place else ""
        if before in unread and tokens[max(0, place - 2)] not in ARTICLES:
            yield tokens[i - 1]


def _left_out(duel: Duel) -> Iterator[str]:
    yield from duel.left_out
    for who in duel.combatants:
        yield from who.left_out


def is_unowned_number(tokens: Sequence[str], place: int, who: Sequence[Combatant], said: CombatQuestion) -> bool:
    """Return True for a number or dice that belong to no combatant and do not count the combatants."""
    token = tokens[place]
    if not is_number(token):
        return _DICE.match(token) is not None and not any(token in _words_of(each) for each in who)
    measure = measure_of(tokens, place)
    if measure is not None:
        return not any(number(token) in _values(each, measure) for each in who)
    is_own = any(_is_own(tokens, place, each, said.question) for each in who)
    return not is_own and not _counts_combatants(tokens, place, len(who), said.question)


def _values(who: Combatant, measure: str) -> Iterator[float]:
    """Yield a combatant's value of a measure, if it has one."""
    known = {"level": who.level, "armor class": who.armor_class, "hit points": who.hit_points}
    value = known.get(measure)
    if value is not None and (measure != "hit points" or value > 0):
        yield float(value)
    if measure in who.abilities:
        yield number(who.abilities[measure])


def _is_own(tokens: Sequence[str], place: int, who: Combatant, question: str) -> bool:
    """Return True for the 3 of *three orcs*, the 4 of *Fighter 4*, the 2 of *a sword +2* and of *two-handed*."""
    value, near = number(tokens[place]), tokens[place + 1 : place + 1 + _BEFORE_A_NAME]
    names = set(phrase(who.subject))
    if value == who.count and not names.isdisjoint(near):
        return True
    beside = tokens[max(0, place - 3 if tokens[place - 2 : place] == ["of", "the"] else place - 1) : place + 2]
    if value == who.level and not names.isdisjoint(beside):
        return True
    if value == who.weapon_bonus and f"+{tokens[place]}" in question.replace("+ ", "+"):
        return True
    return tokens[place] in _words_of(who)


def _counts_combatants(tokens: Sequence[str], place: int, count: int, question: str) -> bool:
    """Return True for a number word that counts the combatants: *one on one*, *two heroes*."""
    token = tokens[place]
    in_digits = re.findall(rf"(?<![\w.]){token}(?![\w.])", question)
    return number(token) in (1, count) and len(in_digits) < tokens.count(token)


def _words_of(who: Combatant) -> tuple[str, ...]:
    """Return the words of the name and the gear."""
    return phrase(f"{who.subject} {who.weapon or ''} {who.armor or ''}")
