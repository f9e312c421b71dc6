"""Numbers of a question that nobody can count with: *10^3* can't be read, *100 damage* has no place in odds.

Half of such a number is worse than none: it is taken out before the question is read, and the answer tells it first. A
fight in which a number is left over has no verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.domains.combat.mentions import with_references
from agent.planner.clauses import in_own_words
from agent.types import Combatant, Duel
from retrieval.text import is_number, normal, number, phrase

_UNREAD = re.compile(
    r"""(?<![\w.,^*/])(?:
    [-+−]?\d[\d,]*(?:\.\d+)?
    (?:(?:\s?\^\s?|\*{1,2}|_|e(?=[-+−]?\d)|/(?=[-+−])|(?=[⁰¹²³⁴-⁹⁻]))[-+−⁻]?[\d⁰¹²³⁴-⁹]+(?:\.\d+)?)+
    |\d{25,}
    |[-−]\d+(?:st|nd|rd|th)\b
    |\d+\.\d+(?:st|nd|rd|th)\b
    )(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
"""Powers, exponents, underscores, a sign within a fraction, more digits than a quantity has, and ordinals that are no
whole number above zero."""
_SHOWN = 30
"""Characters of a number that are told."""
_DICE = re.compile(r"\d+d\d+")


def unread_numbers(question: str) -> tuple[str, ...]:
    """The numbers that can't be read as they stand, each once. Linear.

    >>> unread_numbers("a -4th level orc with 10^3 hit points and a strength of 18/-1, or 1st-3rd level ones?")
    ('-4th', '10^3', '18/-1')
    """
    return tuple(dict.fromkeys(_shortened(match[0]) for match in _UNREAD.finditer(question)))


def _shortened(number: str) -> str:
    return number if len(number) <= _SHOWN else f"{number[:_SHOWN]}…"


def without_unread(question: str) -> str:
    """The question without them."""
    return _UNREAD.sub(" ", question) if _UNREAD.search(question) else question


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
