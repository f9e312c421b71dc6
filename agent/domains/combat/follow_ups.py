"""Questions that go on from a fight or a look-up of combat: *if the druid had plate mail?*, *and against a troll?*"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from agent.domains.combat.combatants import weapon_bonus_of
from agent.domains.combat.counted import counted
from agent.domains.combat.facts import values_of
from agent.domains.combat.gear import armor_of, thing_of, weapon_of
from agent.domains.combat.lookups import Lookup, parse_lookup
from agent.domains.combat.mentions import EVERYBODY, FIRST, SECOND, with_references
from agent.domains.combat.recognise import parse_duel
from agent.domains.combat.types import Combatant, Duel
from agent.domains.combat.words import ABILITIES, MEASURES, TERMS
from agent.understanding.clauses import COMMA, in_own_words, tokens_of
from agent.understanding.follow_ups import HIS, FollowUp
from agent.understanding.lexicon import Lexicon, Mention
from agent.understanding.unread import without_unread
from retrieval.ingest.rules import ordinal
from retrieval.text.normal import number, phrase, title_key


def continued_fight(previous: Duel, question: str, lexicon: Lexicon) -> Duel | None:
    """The fight with what the new question changes; None when the question stands alone."""
    follow_up = FollowUp.of(without_unread(question))
    if follow_up.asks_why:
        return counted(previous, question)
    if not follow_up.may_go_on(lexicon) or parse_duel(follow_up.rest, lexicon) is not None:
        return None
    tokens = tokens_of(with_references(follow_up.rest))
    fight = _changed_fight(previous, tokens, without_unread(question), lexicon)
    return None if fight is None else counted(fight, question)


def _changed_fight(previous: Duel, tokens: Sequence[str], question: str, lexicon: Lexicon) -> Duel | None:
    """The fight with what is changed of one, or of both; with a new opponent where one is named."""
    if ("instead", "of") in pairwise(tokens):
        return _instead(previous, tokens, question, lexicon)
    whom = _whom(previous.combatants, tokens)
    changed = [
        _changed(who, tokens, question, lexicon) if i in whom else who for i, who in enumerate(previous.combatants)
    ]
    if tuple(changed) == previous.combatants:
        return _against_another(previous, tokens, question, lexicon)
    return replace(previous, combatants=tuple(changed))


def _whom(combatants: Sequence[Combatant], tokens: Sequence[str]) -> set[int]:
    """Those whom a change is about: who is named, the first or the second, else all."""
    text = f" {' '.join(t for t in tokens if t != COMMA)} "
    named = {i for i, who in enumerate(combatants) if f" {' '.join(phrase(who.subject))} " in text}
    named |= {place for word, place in ((FIRST, 0), (SECOND, 1)) if word in tokens and place < len(combatants)}
    if named and not (len(named) > 1 and len({who.subject for who in combatants}) == 1 and not EVERYBODY & set(tokens)):
        return named
    alone = (
        len({who.subject for who in combatants}) == len(combatants) or EVERYBODY & set(tokens) or not HIS & set(tokens)
    )
    return set(range(len(combatants))) if alone else set()


def _changed(who: Combatant, tokens: Sequence[str], question: str, lexicon: Lexicon) -> Combatant:
    keys = _keys(tokens)
    level = int(keys["level"]) if keys.get("level", "").isdigit() and who.level is not None else who.level
    said = _whole(keys, "armor class")
    armor_class = who.armor_class if said is None else said
    armor = armor_of(tokens, question, lexicon) if "armor class" not in keys else None
    weapon = weapon_of(tokens) or thing_of(tokens, lexicon)
    points = re.search(r"(\d+)\s*(?:hit points|hp)\b", question, re.IGNORECASE)
    name = f"{ordinal(level)} level {who.subject}" if level is not None else who.name
    return replace(
        who,
        name=who.name if level == who.level and armor_class == who.armor_class else name,
        level=level,
        armor_class=None if armor else armor_class,
        armor=armor or (who.armor if "armor class" not in keys else None),
        abilities=dict(who.abilities) | _abilities(keys),
        weapon=in_own_words(phrase(weapon), question) if weapon else who.weapon,
        weapon_bonus=weapon_bonus_of(weapon, tokens, question) if weapon else who.weapon_bonus,
        hit_points=int(points[1]) if points else who.hit_points,
    )


def _keys(tokens: Sequence[str]) -> dict[str, str]:
    """Each measure that has a number, with the first of its numbers."""
    told = {measure: values_of(tokens, measure) for measure in MEASURES}
    return {measure: values[0] for measure, values in told.items() if values}


def _whole(keys: Mapping[str, str], measure: str) -> int | None:
    """The whole number of a measure."""
    found = re.fullmatch(r"-?\d+", keys.get(measure, ""))
    return int(found[0]) if found else None


def _abilities(keys: Mapping[str, str]) -> dict[str, str]:
    return {ability: keys[ability] for ability in ABILITIES if ability in keys}


def _against_another(previous: Duel, tokens: Sequence[str], question: str, lexicon: Lexicon) -> Duel | None:
    """*And against an owlbear?*: the last of the combatants is replaced, or all of the side that was last."""
    new, old = _new_and_old(previous, tokens, lexicon)
    if len(new) != 1 or old:
        return None
    other = _newcomer(new[0], tokens, question)
    if not previous.sides:
        return replace(previous, combatants=(*previous.combatants[:-1], other))
    stay = previous.sides[0]
    combatants = (*(previous.combatants[place] for place in stay), other)
    return replace(previous, combatants=combatants, sides=(tuple(range(len(stay))), (len(stay),)))


def _instead(previous: Duel, tokens: Sequence[str], question: str, lexicon: Lexicon) -> Duel | None:
    """*And a cleric instead of the druid?*: of the same level and gear, where the new one may have a level at all."""
    new, old = _new_and_old(previous, tokens, lexicon)
    places = [i for i, who in enumerate(previous.combatants) if {title_key(who.subject)} == set(old)]
    if len(new) != 1 or len(places) != 1:
        return None
    who, other = previous.combatants[places[0]], _newcomer(new[0], tokens, question)
    if who.level is not None and not lexicon.is_creature(other.subject.split()):
        level = other.level or who.level
        kept = replace(
            who, subject=other.subject, level=level, name=f"{ordinal(level)} level {other.subject}", left_out=()
        )
        other = replace(_changed(kept, tokens, question, lexicon), name=kept.name)
    combatants = [other if i == places[0] else each for i, each in enumerate(previous.combatants)]
    return replace(previous, combatants=tuple(combatants))


def _new_and_old(previous: Duel, tokens: Sequence[str], lexicon: Lexicon) -> tuple[list[Mention], list[str]]:
    """Who is named and did not fight, and the names of those who did."""
    fought = {title_key(who.subject) for who in previous.combatants}
    known = [m for m in lexicon.mentions(tokens) if not lexicon.is_thing(m)]
    new = [m for m in known if title_key(m.name) not in fought]
    return new, [title_key(m.name) for m in known if m not in new]


def _newcomer(mention: Mention, tokens: Sequence[str], question: str) -> Combatant:
    subject = in_own_words(tokens[mention.start : mention.end], question).lower()
    keys = _keys(tokens)
    level = int(keys["level"]) if keys.get("level", "").isdigit() else None
    armor_class = _whole(keys, "armor class")
    name = f"{ordinal(level)} level {subject}" if level is not None else subject
    weapon = weapon_of(tokens)
    bonus = weapon_bonus_of(weapon, tokens, question)
    return Combatant(name, subject, level, armor_class, _abilities(keys), weapon, weapon_bonus=bonus)


def continued_lookup(previous: Lookup, question: str, lexicon: Lexicon) -> Lookup | None:
    """The look-up with the level, the armor class, the target or those asked about that the new question names."""
    follow_up = FollowUp.of(without_unread(question))
    if follow_up.asks_why:
        return previous
    if not follow_up.may_go_on(lexicon) or parse_lookup(follow_up.rest, lexicon) is not None:
        return None
    tokens = tokens_of(with_references(follow_up.rest))
    levels, classes = values_of(tokens, "level"), values_of(tokens, "armor class")
    known = [mention for mention in lexicon.mentions(tokens) if not lexicon.is_thing(mention)]
    if len(known) > 1 or not (known or levels or classes) or _asks_more(tokens, known):
        return None
    against, of = previous.against, previous.of
    if classes:
        against = (Combatant("the target", "the target", armor_class=int(number(classes[0]))),)
    if known and _is_target(tokens, known[0]):
        against = (_newcomer(known[0], tokens, question),)
    elif known:
        newcomer = _newcomer(known[0], tokens, question)
        level = newcomer.level if newcomer.level is not None else previous.of[0].level
        of = (_of_level(replace(newcomer, abilities=previous.of[0].abilities), level),)
    elif levels:
        of = tuple(_of_level(who, int(number(levels[0]))) for who in previous.of)
    return replace(previous, of=of, against=against, left_out=())


def _of_level(who: Combatant, level: int | None) -> Combatant:
    return who if level is None else replace(who, level=level, name=f"{ordinal(level)} level {who.subject}")


def _asks_more(tokens: Sequence[str], known: Sequence[Mention]) -> bool:
    """True where another measure is asked for: *and its hit dice?*"""
    named = {place for mention in known for place in range(mention.start, mention.end)}
    measures = TERMS - {"armor class"}
    return any(token in measures and i not in named for i, token in enumerate(tokens))


def _is_target(tokens: Sequence[str], mention: Mention) -> bool:
    """*And against a troll?*: the new name is struck at."""
    return bool({"against", "hit", "versus", "vs", "strike"} & set(tokens[: mention.start]))
