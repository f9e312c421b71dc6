"""Look-ups that need what a domain knows: a roll against somebody's armor class, a weapon's damage to somebody."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Literal

from agent.domains.combat.lookups import is_of_combat
from agent.domains.combat.roles import ROLL, CombatReader, CombatRoles
from agent.domains.combat.types import CombatLookup
from agent.domains.combat.words import ABILITIES
from agent.understanding.clauses import in_own_words
from agent.understanding.comparisons import Parsed, called, parsed
from agent.understanding.intent import Comparison
from agent.understanding.lexicon import Lexicon
from retrieval.text.normal import phrase

_HARDNESS: dict[str | None, Literal["better", "worse"]] = {"worse": "better", "better": "worse"}
"""Who is harder to hit has the better armor class."""


def parse_lookup(question: str, lexicon: Lexicon) -> CombatLookup | None:
    """Return a look-up that leads through somebody else or asks for a measure of fights; None for any other."""
    read = parsed(question, lexicon, CombatReader())
    lookup = _worded(_with_others(read, question), read)
    return lookup if lookup.others or is_of_combat(lookup) else None


def as_lookup(comparison: Comparison, **others: str | None) -> CombatLookup:
    """A comparison with a target or with armor."""
    known: dict[str, Any] = {each.name: getattr(comparison, each.name) for each in fields(comparison)}
    return CombatLookup(**{**known, **others})


def _with_others(read: Parsed, question: str) -> CombatLookup:
    """The comparison with the target and the armor that the roles tell."""
    roles, tokens = read.roles, read.tokens
    if not isinstance(roles, CombatRoles):
        return _of_scores(as_lookup(read.comparison))
    target = called(roles.target, tokens, question) if roles.target else None
    worn = in_own_words(tokens[slice(*roles.worn)], question) if roles.worn else None
    lookup = as_lookup(read.comparison, target=target, worn=worn)
    return replace(lookup, entities=(worn,)) if worn and not lookup.entities else lookup


def _of_scores(lookup: CombatLookup) -> CombatLookup:
    """Two scores of one ability are compared under its name: *is strength 18 or strength 16 better for damage?*"""
    names = {name for name, _ in lookup.keys}
    is_pair = not lookup.entities and len(names) == 1 < len(set(lookup.keys))
    return replace(lookup, entities=tuple(names)) if is_pair and names <= set(ABILITIES) else lookup


def _worded(lookup: CombatLookup, read: Parsed) -> CombatLookup:
    """The look-up with what is asked in the words that books have for it."""
    if lookup.prefer in _HARDNESS and phrase(lookup.attribute) == ("hit",) and not (lookup.keys or lookup.target):
        return replace(lookup, attribute="armor class", prefer=_HARDNESS[lookup.prefer])
    is_needed = "need" in read.tokens and "armor class" in dict(lookup.keys)
    if is_needed and set(phrase(lookup.attribute)) <= {"number", "roll", "score"}:
        return replace(lookup, attribute=ROLL)  # *what number does a bard of 6th level need against AC 2*
    return lookup
