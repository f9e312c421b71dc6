"""The planner that needs no model: it reads the question, and asks the reasoner what it would need to know.

A reasoner on no evidence lacks everything, and says so as sub-queries with their roles bound: that is the plan.
Every fact is looked for by its own sub-query, so that a chunk's query_must is judged on one class and one armor class.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from agent.planner.comparisons import parse_comparison
from agent.planner.duels import parse_duel
from agent.planner.follow_ups import continued, described
from agent.planner.lexicon import Lexicon
from agent.reasoners import first_needs
from agent.reasoners.case_values import asks_to_hit
from agent.types import Comparison, Duel, Intent, Plan
from retrieval.text import ABILITIES, Words, phrase, title_key
from retrieval.types import SubQuery

MAX_SUB_QUERIES = 24
MOST_HOLDERS = 2


@dataclass(frozen=True)
class ByRules:
    """What the rules make of a question, each part worked out when it is first wanted.

    A plan that a model wrote needs to know only whether the question is about a fight; a model that fails leaves the
    whole plan to the rules. `after` is the plan of the question before it: one that goes on from there is planned as
    what it then means.

    >>> [s.text for s in ByRules("How does initiative work?", Lexicon()).plan.sub_queries]
    ['How does initiative work?']
    """

    question: str
    lexicon: Lexicon
    effort: str = "auto"
    after: Plan | None = None

    @cached_property
    def understood(self) -> str:
        """The whole question, where this one only goes on from the one before it; else empty."""
        return described(self._going_on) if self._going_on is not None else ""

    def with_before(self, before: str) -> str:
        """What was asked, and the question before it: all that a plan may take words and numbers from."""
        asked = self.understood or self.question
        return f"{asked} {before}" if before else asked

    @cached_property
    def fight(self) -> Duel | None:
        """The fight that is asked about."""
        if self._going_on is not None:
            return self._going_on if isinstance(self._going_on, Duel) else None
        return parse_duel(self.question, self.lexicon)

    @cached_property
    def plan(self) -> Plan:
        """The sub-queries, one for each fact; a single question passes through as it was asked."""
        intent = self._going_on or self.fight or parse_comparison(self.question, self.lexicon)
        text = self.understood or self.question
        sub_queries = _whole(text, intent) if _is_single(intent) and _says(text, intent) else _split(intent)
        sub_queries = (*sub_queries, *_adjustments(intent, len(sub_queries)))
        held = tuple(replace(each, entities=_with_holders(each.entities, self.lexicon)) for each in sub_queries)
        return Plan(self.question, held, intent, "rules", self.effort, understood=self.understood)

    @cached_property
    def _going_on(self) -> Intent | None:
        return continued(self.after.intent, self.question, self.lexicon) if self.after is not None else None


def _with_holders(entities: tuple[str, ...], lexicon: Lexicon) -> tuple[str, ...]:
    """The entities with the tables that have them in a row: a name without a chunk of its own is found there."""
    titles = (title for name in entities for title in lexicon.holders.get(title_key(name), ())[:MOST_HOLDERS])
    return tuple(dict.fromkeys((*entities, *titles)))


def _is_single(intent: Intent) -> bool:
    if isinstance(intent, Duel):
        return False
    values = [name for name, _ in intent.keys]
    return (
        len(intent.entities) < 2
        and intent.target is None
        and not (intent.worn or intent.among)
        and len(set(values)) == len(values)
    )


def _says(question: str, intent: Intent) -> bool:
    """True when the question has its entities by the names that the book's rules look for."""
    words = Words(question)
    return all(words.has(phrase(entity)) for entity in (intent.entities if isinstance(intent, Comparison) else ()))


def _whole(question: str, intent: Intent) -> tuple[SubQuery, ...]:
    entities = intent.entities if isinstance(intent, Comparison) else ()
    return (SubQuery("q1", question, "the question as asked", entities=entities),)


def _adjustments(intent: Intent, before: int) -> Iterator[SubQuery]:
    """The tables of the ability scores that change a roll to hit: they do not select its row, and are found apart."""
    if isinstance(intent, Duel) or not asks_to_hit(intent.attribute):
        return
    scores = [(ability, score) for ability, score in intent.keys if ability in ABILITIES]
    for number, (ability, score) in enumerate(scores, start=before + 1):
        yield SubQuery(f"q{number}", f"{ability} {score} bonus to hit ability score table", ability)


def _split(intent: Intent) -> tuple[SubQuery, ...]:
    return tuple(need.sub_query for need in first_needs(intent))[:MAX_SUB_QUERIES]
