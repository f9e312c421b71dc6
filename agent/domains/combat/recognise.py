"""Whether a question is about a fight, and about which.

Two who are described, of whom nothing else is asked that the book has a measure for, are a fight in any wording.
*Which has more hit points, …?* and *how many attacks …?* ask for something else; a word that nobody knows does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from agent.domains.combat.asked import Asked, asks_loser
from agent.domains.combat.cast import Cast, Head, cast_of
from agent.domains.combat.combatants import combatant_of, left_out_of_all
from agent.domains.combat.described import TOLD_MEASURES, Description, Descriptions, described
from agent.domains.combat.facts import numbers_of, values_of
from agent.domains.combat.gear import armor_of
from agent.domains.combat.said import Said
from agent.domains.combat.types import Duel
from agent.domains.combat.uncounted import counted
from agent.domains.combat.wording import words
from agent.understanding.clauses import ARTICLES, COMMA
from retrieval.text.normal import is_number, number
from retrieval.text.vocabulary import vocabulary


def fight_in(said: Said) -> Duel | None:
    """Return the fight that a question asks about, or None when it asks about something else."""
    cast = cast_of(said)
    subjects = [head.subject for head in cast.heads]
    if len(subjects) < 2 or any(vocabulary().asking and {*vocabulary().asking} >= {*subject} for subject in subjects):
        return None  # *which monster would she lose to*: nobody in particular
    told = described(said, cast)
    _level_all(told.of_each, said)
    asked = Asked(said, cast.first if len(subjects) > 1 else [], subjects)
    is_contest = not words("contest").isdisjoint(said.words)
    is_told = _are_described(told, said)
    if asked.more_of_a_fight if is_contest else not (is_told or asked.is_plain_versus) or asked.anything:
        return None
    combatants = tuple(combatant_of(n, told, said) for n in range(len(subjects)))
    left_out = left_out_of_all(told, combatants, said.question)
    if left_out and not (is_contest or is_told):
        return None  # *the pace of an elf against a dwarf*: something is asked that is no fight
    sides = sides_of(said.texts[0], cast.first) if len(cast.first) == len(subjects) else ()
    unclear = (*told.unclear, *_of_two_classes(cast))
    meant = tuple(said.meant.items())
    return counted(Duel(combatants, sides, left_out, asks_loser(said.asked), unclear, meant), said)


def _of_two_classes(cast: Cast) -> Iterator[str]:
    """The second level of *a fighter 4/thief 5*: nothing is known of those who have two."""
    for one, other in pairwise(cast.first):
        if one.end == other.start < other.end and one.level is not None and other.level is not None:
            yield str(other.level)


def _level_all(each: Sequence[Description], said: Said) -> None:
    """*Can a knight beat a hound at 3rd level?*: a creature has no level, so it is of those who have none."""
    texts = said.texts
    levels = [t[i + 2] for t in texts for i in range(len(t) - 2) if t[i : i + 2] == ["at", "level"]]
    creatures = [one for one in each if said.lexicon.is_described(one.subject)]
    for level in (int(number(token)) for token in levels if is_number(token)):
        if not any(one.level == level for one in creatures):
            continue
        for one in each:
            if one in creatures:
                one.level = None
            elif one.level is None:
                one.level = level


def _are_described(told: Descriptions, said: Said) -> bool:
    """True where each has a level and an armor class or armor, or is a creature of the book, and something is told.

    Who is told of so fights: nothing else is asked of two of whom the level and the armor are said.
    """
    creatures = [one for one in told.of_each if one.level is None and said.lexicon.is_described(one.subject)]
    others = [one for one in told.of_each if one not in creatures]
    is_told = bool(others) or any(values_of(one.tokens, measure) for one in creatures for measure in TOLD_MEASURES)
    return is_told and all(_is_described(one, told.of_all, said) for one in others)


def _is_described(one: Description, of_all: Sequence[str], said: Said) -> bool:
    if one.level is None and not numbers_of(one.tokens, "level"):
        return False
    texts = (of_all, *one.parts, *one.before)
    return any(numbers_of(text, "armor class") for text in texts) or armor_of(one.tokens, said) is not None


def sides_of(tokens: Sequence[str], heads: Sequence[Head]) -> tuple[tuple[int, ...], ...]:
    """The places of those who stand together, where one word sets all before it against all behind it.

    Empty where each fights for itself: *a knight, a priest or an ogre*, *which of a knight and a priest*.
    """
    links = [_link(tokens[one.end : other.start]) for one, other in pairwise(heads)]
    is_choice = "which" in tokens or tokens[0] in words("choice")
    if len(heads) < 3 or is_choice:
        return ()
    for separating in ("against", "or"):
        cuts = [i for i, link in enumerate(links, start=1) if link == separating]
        rest = {link for link in links if link != separating}
        if len(cuts) == 1 and rest and rest <= {"and", COMMA} and (separating == "against" or COMMA not in rest):
            return tuple(range(cuts[0])), tuple(range(cuts[0], len(heads)))
    return ()


def _link(between: Sequence[str]) -> str:
    """What stands between two combatants: *against* for all that sets them against each other, *or*, *and*, a comma."""
    if not words("versus", "contest").isdisjoint(between):
        return "against"
    last = next((token for token in reversed(between) if not (token in ARTICLES or is_number(token))), "")
    if last in words("together"):
        return "and"
    return last if last in ("or", COMMA) else "?"
