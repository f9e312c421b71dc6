"""Questions that go on from a fight or a look-up of combat: *if the druid had plate mail?*, *and against a troll?*"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from agent.domains.combat.combatants import scores_of, weapon_bonus_of
from agent.domains.combat.facts import TERMS, numbers_of
from agent.domains.combat.gear import armor_of, weapon_of
from agent.domains.combat.lookups import parse_lookup
from agent.domains.combat.recognise import parse_duel
from agent.domains.combat.said import FIRST, SECOND, Said, with_references
from agent.domains.combat.types import Combatant, Duel, Lookup
from agent.domains.combat.uncounted import counted
from agent.domains.combat.wording import words
from agent.understanding.clauses import COMMA, tokens_of
from agent.understanding.follow_ups import HIS, FollowUp
from agent.understanding.lexicon import Lexicon, Mention
from agent.understanding.unread import without_unread
from retrieval.ingest.rules import ordinal
from retrieval.text.normal import phrase, title_key


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
    told = _told(tokens, question, lexicon)
    if ("instead", "of") in pairwise(tokens):
        return _instead(previous, tokens, told, lexicon)
    whom = _whom(previous.combatants, tokens)
    changed = tuple(_changed(who, told) if i in whom else who for i, who in enumerate(previous.combatants))
    if changed == previous.combatants:
        return _against_another(previous, tokens, told, lexicon)
    return replace(previous, combatants=changed)


def _whom(combatants: Sequence[Combatant], tokens: Sequence[str]) -> set[int]:
    """Those whom a change is about: who is named, the first or the second, else all."""
    text = f" {' '.join(t for t in tokens if t != COMMA)} "
    named = {i for i, who in enumerate(combatants) if f" {' '.join(phrase(who.subject))} " in text}
    for word, place in ((FIRST, 0), (SECOND, 1)):
        if word in tokens and place < len(combatants):
            named.add(place)
    kinds = {who.subject for who in combatants}
    is_of_all = not words("everybody").isdisjoint(tokens)
    if named and not (len(named) > 1 == len(kinds) and not is_of_all):
        return named
    can_be_all = len(kinds) == len(combatants) or is_of_all or HIS.isdisjoint(tokens)
    return set(range(len(combatants))) if can_be_all else set()


def _told(tokens: Sequence[str], question: str, lexicon: Lexicon) -> Combatant:
    """What a question tells of nobody in particular; what it does not tell is None."""
    said = Said(question, lexicon, (), {})
    armor_class, weapon = _whole(tokens, "armor class"), weapon_of(tokens, said)
    return Combatant(
        "",
        "",
        level=_whole(tokens, "level"),
        armor_class=armor_class,
        abilities=scores_of(tokens),
        weapon=said.own(phrase(weapon)) if weapon else None,
        armor=armor_of(tokens, said) if armor_class is None else None,
        hit_points=_whole(tokens, "hit points"),
        weapon_bonus=weapon_bonus_of(weapon, tokens, question),
    )


def _whole(tokens: Sequence[str], measure: str) -> int | None:
    """The whole number of a measure, of several the last."""
    numbers = numbers_of(tokens, measure)
    return int(numbers[-1]) if numbers and numbers[-1].is_integer() else None


def _changed(who: Combatant, told: Combatant) -> Combatant:
    """A combatant with what is told; a creature has no level."""
    level = who.level if who.level is None or told.level is None else told.level
    armor_class = who.armor_class if told.armor_class is None else told.armor_class
    is_named_anew = (level, armor_class) != (who.level, who.armor_class) and level is not None
    armor = None if told.armor_class is not None else told.armor or who.armor
    return replace(
        who,
        name=f"{ordinal(level)} level {who.subject}" if is_named_anew and level is not None else who.name,
        level=level,
        armor_class=None if told.armor else armor_class,
        armor=armor,
        abilities={**who.abilities, **told.abilities},
        weapon=told.weapon or who.weapon,
        weapon_bonus=told.weapon_bonus if told.weapon else who.weapon_bonus,
        hit_points=who.hit_points if told.hit_points is None else told.hit_points,
    )


def _newcomer(mention: Mention, tokens: Sequence[str], told: Combatant) -> Combatant:
    """Who is named and did not fight, with what is told of it."""
    subject = " ".join(token for token in tokens[mention.start : mention.end] if token != COMMA)
    name = subject if told.level is None else f"{ordinal(told.level)} level {subject}"
    return replace(told, name=name, subject=subject)


def _against_another(previous: Duel, tokens: Sequence[str], told: Combatant, lexicon: Lexicon) -> Duel | None:
    """*And against an owlbear?*: the last of the combatants is replaced, or all of the side that was last."""
    new, old = _new_and_old(previous, tokens, lexicon)
    if len(new) != 1 or old:
        return None
    other = _newcomer(new[0], tokens, told)
    if not previous.sides:
        return replace(previous, combatants=(*previous.combatants[:-1], other))
    stay = previous.sides[0]
    combatants = (*(previous.combatants[place] for place in stay), other)
    return replace(previous, combatants=combatants, sides=(tuple(range(len(stay))), (len(stay),)))


def _instead(previous: Duel, tokens: Sequence[str], told: Combatant, lexicon: Lexicon) -> Duel | None:
    """*And a cleric instead of the druid?*: of the same level and gear, where the new one may have a level at all."""
    new, old = _new_and_old(previous, tokens, lexicon)
    places = [i for i, who in enumerate(previous.combatants) if {title_key(who.subject)} == set(old)]
    if len(new) != 1 or len(places) != 1:
        return None
    who, other = previous.combatants[places[0]], _newcomer(new[0], tokens, told)
    if who.level is not None and not lexicon.is_described(other.subject.split()):
        other = _of_level(_changed(replace(who, subject=other.subject, left_out=()), told), other.level or who.level)
    combatants = [other if i == places[0] else each for i, each in enumerate(previous.combatants)]
    return replace(previous, combatants=tuple(combatants))


def _new_and_old(previous: Duel, tokens: Sequence[str], lexicon: Lexicon) -> tuple[list[Mention], list[str]]:
    """Who is named and did not fight, and the names of those who did."""
    fought = {title_key(who.subject) for who in previous.combatants}
    known = [m for m in lexicon.mentions(tokens) if not lexicon.is_thing(m)]
    new = [m for m in known if title_key(m.name) not in fought]
    return new, [title_key(m.name) for m in known if m not in new]


def continued_lookup(previous: Lookup, question: str, lexicon: Lexicon) -> Lookup | None:
    """The look-up with the level, the armor class, the target or those asked about that the new question names."""
    follow_up = FollowUp.of(without_unread(question))
    if follow_up.asks_why:
        return previous
    if not follow_up.may_go_on(lexicon) or parse_lookup(follow_up.rest, lexicon) is not None:
        return None
    tokens = tokens_of(with_references(follow_up.rest))
    told = _told(tokens, question, lexicon)
    known = [mention for mention in lexicon.mentions(tokens) if not lexicon.is_thing(mention)]
    if len(known) > 1 or _asks_more(tokens, known) or not (known or told.level or told.armor_class is not None):
        return None
    of, against = previous.of, previous.against
    if told.armor_class is not None:
        against = (Combatant("the target", "the target", armor_class=told.armor_class),)
    if known and _is_target(tokens, known[0]):
        against = (_newcomer(known[0], tokens, told),)
    elif known:
        first = previous.of[0]
        newcomer = replace(_newcomer(known[0], tokens, told), abilities=first.abilities)
        of = (_of_level(newcomer, told.level or first.level),)
    elif told.level is not None:
        of = tuple(_of_level(who, told.level) for who in previous.of)
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
    return not (words("versus") | {"hit", "strike"}).isdisjoint(tokens[: mention.start])
