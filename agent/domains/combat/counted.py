"""Numbers of a question that no odds count: *100 damage* has no place in them. With one there is no verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from agent.domains.combat.mentions import with_references
from agent.domains.combat.types import Combatant, Duel
from agent.planner.clauses import in_own_words
from agent.planner.unread import unread_numbers, without_unread
from retrieval.text import is_number, normal, number, phrase

_DICE = re.compile(r"\d+d\d+")


def counted(fight: Duel, question: str) -> Duel:
    """The fight with the numbers of the question that it has no place for."""
    return replace(fight, uncounted=tuple(dict.fromkeys((*fight.uncounted, *uncounted(fight, question)))))


def uncounted(duel: Duel, question: str) -> tuple[str, ...]:
    """The numbers and dice of the question that say nothing of the fight that is counted, in its own words."""
    counted = set(_counted(duel))
    tokens = normal(with_references(without_unread(question)))
    left = [token for token in tokens if _is_left(token, counted)]
    return (*unread_numbers(question), *dict.fromkeys(in_own_words((token,), question) for token in left))


def _is_left(token: str, counted: set[float | str]) -> bool:
    if is_number(token):
        return number(token) not in counted
    return _DICE.match(token) is not None and token not in counted


def _counted(duel: Duel) -> Iterator[float | str]:
    """All numbers that the fight is counted with, and those of names."""
    yield from (1.0, float(len(duel.combatants)))
    for who in duel.combatants:
        yield from _counted_of(who)


def _counted_of(who: Combatant) -> Iterator[float | str]:
    yield from (float(each) for each in (who.level, who.armor_class, who.weapon_bonus or None) if each is not None)
    yield from (float(each) for each in (who.count, who.hit_points) if each is not None and each > 0)
    for text in (who.subject, who.weapon, who.armor, *who.abilities.values()):
        for token in phrase(text or ""):
            yield number(token) if is_number(token) else token
