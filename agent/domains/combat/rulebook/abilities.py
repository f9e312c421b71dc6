"""Bonuses of abilities and classes to rolls, damage and hit points, from a table or a sentence."""

from __future__ import annotations

import re

from agent.domains.combat.rulebook.profile import Labels, Rulebook
from agent.domains.combat.rulebook.sayings import rule_sentences
from agent.reasoning.notebook import Fact
from retrieval.tables.reading import CellQuery
from retrieval.text.normal import phrase

HIT, DAMAGE, HIT_POINTS = "hit", "damage", "hit points"
_OF_ATTACKS = frozenset({"hit", "attack", "attacking"})
"""Words in the header of an adjustment to rolls to hit; *Defensive Adjustment* is another column."""


def _bonuses(kind: str, known: Labels) -> tuple[str, ...]:
    """Return the headers of a bonus to hit, to damage or to hit points."""
    return known[f"bonus_to_{kind.replace(' ', '_')}"]


def ability_bonus(ability: str, score: str, kind: str, notebook: Rulebook) -> Fact | None:
    """Return an ability's bonus to hit, to damage or to hit points, from a table or a sentence."""
    fact = ability_score_value(ability, score, _bonuses(kind, notebook.labels), notebook)
    if kind == HIT and fact and fact.cell and _OF_ATTACKS.isdisjoint(phrase(fact.cell.column)):
        fact = None
    return fact or _ability_in_prose(ability, score, kind, notebook)


def ability_score_value(ability: str, score: str, want: tuple[str, ...], notebook: Rulebook) -> Fact | None:
    """Return a table's value for an ability score, from its own or a shared table: *Score | Strength: to hit | …*."""
    by_name = CellQuery("", ((ability, score),), want)
    if own := notebook.read(by_name) or notebook.read(CellQuery(ability, (("score", score),), want)):
        return own
    beside = CellQuery("", (("score", score),), tuple(f"{ability} {wording}" for wording in want))
    cell = notebook.peek(beside)
    return notebook.read(beside) if cell and ability in phrase(cell.column) else None


def _ability_in_prose(ability: str, score: str, kind: str, notebook: Rulebook) -> Fact | None:
    """Return the bonus of *a strength of 16 or more adds …*: the highest threshold that is reached counts."""
    bounds = list(rule_sentences(f"ability_and_{kind.replace(' ', '_')}", notebook, ability))
    if not bounds or not score.isdigit():
        return None
    reached = [each for each in bounds if int(each.match[1]) <= int(score)]
    highest = max(reached or bounds, key=lambda each: int(each.match[1]))
    return highest.fact(highest.match[2] if reached else "0", notebook)


def unconditional_bonus(subject: str, kind: str, notebook: Rulebook) -> Fact | None:
    """Return the unconditional bonus of a class: *hunters add 1 to the damage of every blow*."""
    added = rule_sentences(f"class_and_{kind}", notebook, _words(subject))
    return next((each.fact(each.match[1], notebook) for each in added), None)


def _words(name: str) -> str:
    return re.escape(" ".join(phrase(name)))
