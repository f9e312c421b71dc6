"""Follow-ups on a fight or a look-up of combat: *if the druid had plate mail?*, *and against a troll?*"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from agent.domains.combat.question.described import combatant_values
from agent.domains.combat.question.facts import TERMS
from agent.domains.combat.question.gear import weapon_of
from agent.domains.combat.question.lookups import lookup_in
from agent.domains.combat.question.recognise import fight_in
from agent.domains.combat.question.said import FIRST, SECOND, CombatQuestion
from agent.domains.combat.question.uncounted import with_unused_numbers
from agent.domains.combat.question.wording import words
from agent.domains.combat.types import Combatant, Duel, Lookup, bare_target, combatant_name
from agent.understanding.question.follow_ups import HIS, FollowUp
from agent.understanding.question.tagged import Tagged, tagged
from agent.understanding.words.clauses import COMMA
from agent.understanding.words.lexicon import Lexicon, Mention
from retrieval.text.normal import phrase, title_key


@dataclass(frozen=True, slots=True)
class _Change:
    """A new question's values without an owner, and the names in it: new ones, and those of the previous question."""

    tokens: list[str]
    values: Combatant
    new: list[Mention]
    old: list[str]

    @classmethod
    def of(cls, said: CombatQuestion, before: Sequence[Combatant]) -> _Change:
        tokens, lexicon = said.tokens, said.lexicon
        known = [mention for mention in lexicon.mentions(tokens) if not lexicon.is_thing(mention)]
        there = {title_key(who.subject) for who in before}
        new = [mention for mention in known if title_key(mention.name) not in there]
        old = [title_key(mention.name) for mention in known if mention not in new]
        return cls(tokens, combatant_values(tokens, weapon_of(tokens, said), said), new, old)

    @property
    def newcomer(self) -> Combatant:
        """The combatant that the question newly names, with the new values."""
        mention = self.new[0]
        subject = " ".join(token for token in self.tokens[mention.start : mention.end] if token != COMMA)
        return replace(self.values, name=combatant_name(subject, self.values.level), subject=subject)


def continued_fight(previous: Duel, asked: Tagged, lexicon: Lexicon) -> Duel | None:
    """Return the fight with the changes of the new question, or None if the question stands alone."""
    follow_up = FollowUp.of(asked.question)
    if follow_up.asks_why:
        return previous
    said = CombatQuestion.normalise(tagged(follow_up.rest), lexicon)
    if not follow_up.may_follow_up(lexicon) or fight_in(said) is not None:
        return None
    fight = _changed_fight(previous, _Change.of(said, previous.combatants), lexicon)
    return None if fight is None else with_unused_numbers(fight, said)


def _changed_fight(previous: Duel, change: _Change, lexicon: Lexicon) -> Duel | None:
    """Return the fight with one or both combatants changed, or with a newly named opponent."""
    if ("instead", "of") in pairwise(change.tokens):
        return _substituted(previous, change, lexicon)
    whom = _affected_combatants(previous.combatants, change.tokens)
    changed = tuple(_changed(who, change.values) if i in whom else who for i, who in enumerate(previous.combatants))
    if changed != previous.combatants:
        return replace(previous, combatants=changed)
    return _against_another(previous, change)


def _affected_combatants(combatants: Sequence[Combatant], tokens: Sequence[str]) -> set[int]:
    """Return the indexes of the combatants that a change affects: those named, the first or the second, else all."""
    text = f" {' '.join(t for t in tokens if t != COMMA)} "
    named = {i for i, who in enumerate(combatants) if f" {' '.join(phrase(who.subject))} " in text}
    named |= {i for i, word in enumerate((FIRST, SECOND)[: len(combatants)]) if word in tokens}
    kinds = {who.subject for who in combatants}
    is_of_all = not words("everybody").isdisjoint(tokens)
    if named and not (len(named) > 1 == len(kinds) and not is_of_all):
        return named
    can_be_all = len(kinds) == len(combatants) or is_of_all or HIS.isdisjoint(tokens)
    return set(range(len(combatants))) if can_be_all else set()


def _changed(who: Combatant, told: Combatant) -> Combatant:
    """Return a combatant with new values, renamed if its level or armor class changed."""
    changed = who.with_overrides(told)
    is_named_anew = changed.level != who.level or told.armor_class not in (None, who.armor_class)
    return _at_level(changed, changed.level) if is_named_anew else changed


def _against_another(previous: Duel, change: _Change) -> Duel | None:
    """Read *and against an owlbear?*: replace the last combatant, or the whole second side."""
    if len(change.new) != 1 or change.old:
        return None
    if not previous.sides:
        return replace(previous, combatants=(*previous.combatants[:-1], change.newcomer))
    stay = previous.sides[0]
    combatants = (*(previous.combatants[place] for place in stay), change.newcomer)
    return replace(previous, combatants=combatants, sides=(tuple(range(len(stay))), (len(stay),)))


def _substituted(previous: Duel, change: _Change, lexicon: Lexicon) -> Duel | None:
    """Read *and a cleric instead of the druid?*: keep level and gear, unless the newcomer is a creature."""
    places = [i for i, who in enumerate(previous.combatants) if {title_key(who.subject)} == set(change.old)]
    if len(change.new) != 1 or len(places) != 1:
        return None
    who, other = previous.combatants[places[0]], change.newcomer
    if who.level is not None and not lexicon.is_described(other.subject.split()):
        other = _at_level(
            _changed(replace(who, subject=other.subject, left_out=()), change.values), other.level or who.level
        )
    combatants = [other if i == places[0] else each for i, each in enumerate(previous.combatants)]
    return replace(previous, combatants=tuple(combatants))


def continued_lookup(previous: Lookup, asked: Tagged, lexicon: Lexicon) -> Lookup | None:
    """Return the look-up with the level, armor class, target or subject of the new question."""
    follow_up = FollowUp.of(asked.question)
    if follow_up.asks_why:
        return previous
    said = CombatQuestion.normalise(tagged(follow_up.rest), lexicon)
    goes_on = follow_up.may_follow_up(lexicon) or follow_up.has_no_verb
    if not goes_on or lookup_in(said) is not None:
        return None
    change = _Change.of(said, ())
    told, of, against = change.values, previous.of, previous.against
    is_told = bool(change.new or told.level) or told.armor_class is not None
    if len(change.new) > 1 or _asks_more(change) or not is_told:
        return None
    if told.armor_class is not None:
        against = (bare_target(told.armor_class),)
    if change.new and _is_target(change):
        against = (change.newcomer,)
    elif change.new:
        newcomer = replace(change.newcomer, abilities=of[0].abilities)
        of = (_at_level(newcomer, told.level or of[0].level),)
    elif told.level is not None:
        of = tuple(_at_level(who, told.level) for who in of)
    return replace(previous, of=of, against=against, left_out=())


def _at_level(who: Combatant, level: int | None) -> Combatant:
    return who if level is None else replace(who, level=level, name=combatant_name(who.subject, level))


def _asks_more(change: _Change) -> bool:
    """Return True if the question asks for another measure: *and its hit dice?*"""
    named = {place for mention in change.new for place in range(mention.start, mention.end)}
    measures = TERMS - {"armor class"}
    return any(token in measures and i not in named for i, token in enumerate(change.tokens))


def _is_target(change: _Change) -> bool:
    """Return True if the new name is a target: *and against a troll?*"""
    return not (words("versus") | {"hit", "strike"}).isdisjoint(change.tokens[: change.new[0].start])
