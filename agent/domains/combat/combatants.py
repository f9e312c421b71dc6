"""A combatant as its description tells it: level, armor class, scores, gear, and what no odds count."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from agent.domains.combat.described import Description, Descriptions
from agent.domains.combat.facts import ABILITIES, MEASURES, numbers_of, values_of
from agent.domains.combat.gear import armor_of, is_bonus, weapon_of
from agent.domains.combat.said import Said
from agent.domains.combat.types import Combatant, called
from agent.domains.combat.uncounted import qualities, unused
from agent.domains.combat.wording import words
from retrieval.text.normal import phrase


def told_in(tokens: Sequence[str], weapon: str | None, said: Said) -> Combatant:
    """What a text tells of somebody, who is named elsewhere and wields this weapon; what it does not tell is None."""
    return Combatant(
        "",
        "",
        level=_first(tokens, "level"),
        armor_class=_first(tokens, "armor class"),
        abilities=scores_of(tokens),
        weapon=said.own(phrase(weapon)).strip("()") if weapon else None,
        armor=armor_of(tokens, said),
        hit_points=_first(tokens, "hit points"),
        weapon_bonus=_weapon_bonus(weapon, tokens, said.question),
    )


def _first(tokens: Sequence[str], measure: str) -> int | None:
    return next((int(value) for value in numbers_of(tokens, measure)), None)


def combatant_of(n: int, told: Descriptions, said: Said) -> Combatant:
    """The combatant of a place, with what is told of it alone; else what is told of all, as far as that is of it."""
    one, shared = told.of_each[n], [] if _is_beside_two(told.of_each[n], told) else told.of_all
    common = shared[next((i for i, token in enumerate(shared) if token in words("everybody")), len(shared)) :]
    own = told_in(one.tokens, _weapon(one, told.of_all, said), said)
    is_creature = said.lexicon.is_described(one.subject)
    level = one.level if one.level is not None else own.level
    if level is None and not is_creature:
        level = _first(told.of_all, "level")
    armor_class = own.armor_class if own.armor_class is not None else _first(shared, "armor class")
    armor = own.armor or (armor_of(common, said) if level is not None else None)
    points = own.hit_points
    if points is None and all(each.count == 1 for each in told.of_each):
        points = _first(common, "hit points")
    gear = phrase(f"{own.weapon or ''} {armor or ''} {own.weapon_bonus or ''}")
    names = {word for each in told.of_each for word in each.subject}
    subject = said.own(one.subject).lower()
    return replace(
        own,
        name=_name(one, told.of_each, subject, level, armor_class),
        subject=subject,
        level=level,
        armor_class=armor_class,
        abilities=scores_of([*one.tokens, *shared]),
        armor=armor if armor_class is None else None,
        hit_points=points,
        count=one.count,
        left_out=_left_out(one, {*gear, *names}, said.question),
    )


def _is_beside_two(one: Description, told: Descriptions) -> bool:
    """The ogre of *a knight and a priest, both AC 5, against an ogre*."""
    is_other = one.level is None and len(told.of_each) > 2 and "both" in told.of_all
    return is_other and any(each.level is not None for each in told.of_each)


def scores_of(tokens: Sequence[str]) -> dict[str, str]:
    """The ability scores that a text tells, of several of one ability the first."""
    told = {ability: values_of(tokens, ability) for ability in ABILITIES}
    return {ability: values[0] for ability, values in told.items() if values}


def left_out_of_all(told: Descriptions, who: Sequence[Combatant], question: str) -> tuple[str, ...]:
    """What is said of the fight, or of nobody in particular, and was not read."""
    used = {word for each in who for text in (each.subject, each.weapon, each.armor) if text for word in phrase(text)}
    left = [text for text, _ in unused(told.of_all, used, question)]
    for part in (part for one in told.of_each for part in one.closing):
        left += [text for text, own in unused(part, used, question, of_one=True) if not own]
    return tuple(dict.fromkeys(left))


def _left_out(one: Description, used: AbstractSet[str], question: str) -> tuple[str, ...]:
    """What is said of this one alone and was not read."""
    left = [text for part in one.before for text in qualities(part, used, question)]
    for part in one.parts:
        is_closing = any(part is last for last in one.closing)
        left += [text for text, own in unused(part, used, question, of_one=True) if own or not is_closing]
    return tuple(dict.fromkeys(left))


def _weapon(one: Description, shared: Sequence[str], said: Said) -> str | None:
    """What is wielded, as far as it is told of one alone, else of all; words behind a known weapon are not its name.

    Before a name only what has a measure or a word of gear tells of gear: nobody wields the *elf* of *an elf fighter*.
    """
    telling = words("wielding", "unequipped") | MEASURES | {"with"}
    ahead = [part for part in one.before if not telling.isdisjoint(part)]
    own = [token for part in (*one.parts, *ahead) for token in part]
    found = weapon_of(own, said) or weapon_of(shared, said)
    name = found.split() if found else []
    known = said.lexicon.at(name, 0) if name else None
    is_creature = said.lexicon.is_described(one.subject)
    if name and known is None and is_creature and words("wielding").isdisjoint(own):
        return None  # *an orc with surprise*: what it fights with is its own
    return " ".join(name[: known.end]) if known and said.lexicon.is_thing(known) else found


def _weapon_bonus(weapon: str | None, own: Sequence[str], question: str) -> int:
    """The 2 of *a sword +2* and *a +2 sword*."""
    name = list(phrase(weapon)) if weapon else []
    for i in range(len(own) if name else 0):
        if own[i : i + len(name)] == name:
            after = own[i + len(name) : i + len(name) + 2]
            near = [*(after[:1] if MEASURES.isdisjoint(after) else ()), *own[max(0, i - 1) : i]]
            if bonus := next((token for token in near if is_bonus(token, question)), None):
                return int(bonus)
    return 0


def _name(
    one: Description, all_told: Sequence[Description], subject: str, level: int | None, armor_class: int | None
) -> str:
    name = called(subject, level)
    twins = [each for each in all_told if (each.level, each.subject) == (one.level, one.subject)]
    if len(twins) == 1:
        return name if one.count == 1 else f"{one.count} {name}"
    classes = [next(iter(numbers_of(each.tokens, "armor class")), None) for each in twins]
    if armor_class is not None and len(set(classes)) == len(twins):
        return f"{name} with armor class {armor_class}"
    return f"{name} ({'first' if one is twins[0] else 'second'})"
