"""The planner that needs no model: it reads the question, and asks the reasoner what it would need to know.

A reasoner on no evidence lacks everything, and says so as sub-queries with their roles bound: that is the plan.
Every fact is looked for by its own sub-query, so that a chunk's query_must is judged on one class and one armor class.
"""

from __future__ import annotations

from dataclasses import replace

from agent.planner.comparisons import parse_comparison
from agent.planner.duels import parse_duel
from agent.planner.follow_ups import continued, described
from agent.planner.lexicon import Lexicon
from agent.reasoners import first_needs
from agent.types import Comparison, Duel, Intent, Plan
from retrieval.text import Words, phrase, title_key
from retrieval.types import SubQuery

MAX_SUB_QUERIES = 24
MOST_HOLDERS = 2


def plan(question: str, lexicon: Lexicon, effort: str = "auto", after: Plan | None = None) -> Plan:
    """Return the plan of a question. A single question passes through as it was asked.

    `after` is the plan of the question before it: one that goes on from there is planned as what it then means.

    >>> [s.text for s in plan("How does initiative work?", Lexicon()).sub_queries]
    ['How does initiative work?']
    """
    going_on = continued(after.intent, question, lexicon) if after is not None else None
    if going_on is not None:
        return _planned(described(going_on), going_on, lexicon, effort, question)
    return _planned(question, parse_duel(question, lexicon) or parse_comparison(question, lexicon), lexicon, effort)


def _planned(text: str, intent: Intent, lexicon: Lexicon, effort: str, asked: str = "") -> Plan:
    """The plan of `text`, which is the question itself or what it means after the one before it."""
    sub_queries = _whole(text, intent) if _is_single(intent) and _says(text, intent) else _split(intent)
    held = tuple(replace(each, entities=_with_holders(each.entities, lexicon)) for each in sub_queries)
    return Plan(asked or text, held, intent, "rules", effort, understood=text if asked else "")


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


def _split(intent: Intent) -> tuple[SubQuery, ...]:
    return tuple(need.sub_query for need in first_needs(intent))[:MAX_SUB_QUERIES]
