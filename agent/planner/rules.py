"""The planner that needs no model: it reads the question, and asks the reasoner what it would need to know.

A reasoner on no evidence lacks everything, and says so as sub-queries with their roles bound: that is the plan.
Every fact is looked for by its own sub-query, so that a chunk's query_must is judged on one class and one armor class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from agent.domains.combat.recognise import parse_duel
from agent.planner.comparisons import parse_comparison
from agent.planner.follow_ups import continued, described
from agent.planner.lexicon import Lexicon
from agent.planner.unread import uncounted, unread_numbers, without_unread
from agent.reasoners import first_needs
from agent.reasoners.case_values import asks_to_hit
from agent.types import Comparison, Duel, Intent, Plan
from retrieval.text import ABILITIES, Words, normal, phrase, title_key
from retrieval.types import SubQuery

MAX_SUB_QUERIES = 24
MOST_WORDS, MOST_CHARS = 500, 10_000
"""A longer question is not read for names and numbers, which takes time beyond proportion; it is searched for whole."""
MOST_HOLDERS = 2
_TOO_LONG = f"the question is longer than the {MOST_WORDS} words that are read; it was searched for as it stands"
_NOBODY = Comparison((), "")


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
    def is_long(self) -> bool:
        """True for a question of more words than are read."""
        return len(self.question) > MOST_CHARS or len(normal(self.question)) > MOST_WORDS

    @cached_property
    def fight(self) -> Duel | None:
        """The fight that is asked about."""
        if self.is_long:
            return None
        fight = parse_duel(self.question, self.lexicon) if self._going_on is None else self._going_on
        return self.counted(fight) if isinstance(fight, Duel) else None

    @cached_property
    def plan(self) -> Plan:
        """The sub-queries, one for each fact; a single question passes through as it was asked."""
        if self.is_long:
            return replace(unplanned(self.question, self.effort), unread=self.unread(_NOBODY))
        intent = self.fight or self._going_on or parse_comparison(self._readable, self.lexicon)
        text = self.understood or self.question
        sub_queries = _whole(text, intent) if _is_single(intent) and _says(text, intent) else _split(intent)
        sub_queries = (*sub_queries, *_adjustments(intent, len(sub_queries)))
        held = tuple(replace(each, entities=_with_holders(each.entities, self.lexicon)) for each in sub_queries)
        unread = self.unread(intent)
        return Plan(self.question, held, intent, "rules", self.effort, understood=self.understood, unread=unread)

    def counted(self, fight: Duel) -> Duel:
        """The fight with the numbers of the question that it has no place for."""
        return replace(fight, uncounted=_each_once(fight.uncounted, uncounted(fight, self.question)))

    def unread(self, intent: Intent) -> tuple[str, ...]:
        """What the answer has to tell first; of a fight, the odds themselves say what they do not count."""
        if self.is_long:
            return (_TOO_LONG,)
        numbers = () if isinstance(intent, Duel) else unread_numbers(self.question)
        return tuple(f"{number!r} is no number that can be read as it stands; it was left out" for number in numbers)

    @cached_property
    def _readable(self) -> str:
        return without_unread(self.question)

    @cached_property
    def _going_on(self) -> Intent | None:
        if self.after is None or self.is_long:
            return None
        return continued(self.after.intent, self._readable, self.lexicon)


def _each_once(*texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(texts)))


def unplanned(question: str, effort: str) -> Plan:
    """The plan of a question that is not read: it is searched for as it was asked."""
    return Plan(question, _whole(question, _NOBODY), replace(_NOBODY, attribute=question), "rules", effort)


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
