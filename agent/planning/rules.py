"""The planner without a model: it tags the question, and asks the reasoner for the facts it would need.

A reasoner without evidence lacks every fact, and names them as sub-queries with their roles bound: that is the plan.
Each fact has its own sub-query, so that a chunk's query_must is checked against one class and one armor class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agent.plugins.domains import installed
from agent.reasoning import first_needs
from agent.types import Plan, Turn
from agent.understanding.question.follow_ups import continued
from agent.understanding.question.intent import Intent, Lookup
from agent.understanding.question.tagged import tagged
from agent.understanding.words.clauses import tokens_of
from agent.understanding.words.lexicon import Lexicon
from agent.understanding.words.unread import unparsed_numbers, without_unread
from retrieval.text.normal import normal, title_key
from retrieval.types import SubQuery

MAX_SUB_QUERIES = 24
MOST_WORDS, MOST_CHARS = 500, 10_000
"""A longer question is searched whole: analysing it for names and numbers takes disproportionate time."""
MOST_HOLDERS = 2
_TOO_LONG = f"the question is longer than the {MOST_WORDS} words that are read; it was searched for as it stands"


@dataclass(frozen=True)
class ByRules:
    """The rules' reading of a question, each part computed when it is first needed.

    With a model's plan, only the domain's intent is needed; if the model fails, the rules' plan is used. `after` are
    the turns of the conversation, latest last: a follow-up is planned as the question that it then means. `meaning` is
    the question as a model understands it, in words that stand alone.

    >>> [s.text for s in ByRules("How does initiative work?", Lexicon()).plan.sub_queries]
    ['How does initiative work?']
    """

    question: str
    lexicon: Lexicon
    effort: str = "auto"
    after: tuple[Turn, ...] = ()
    meaning: str = ""

    @cached_property
    def understood(self) -> str:
        """The complete question that a follow-up means; empty if the question stands alone."""
        return self._going_on.described if self._going_on is not None else ""

    @property
    def conversation(self) -> str:
        """The question and the earlier ones: all that a plan may take words and numbers from."""
        return " ".join([self.understood or self.question, *(turn.question for turn in self.after)])

    @cached_property
    def is_long(self) -> bool:
        """True for a question with more words than are analysed."""
        is_brief = len(self.question) <= MOST_WORDS  # no more words than characters
        return not is_brief and (len(self.question) > MOST_CHARS or len(normal(self.question)) > MOST_WORDS)

    @cached_property
    def of_domain(self) -> Intent | None:
        """The intent that a domain computes; None for a look-up."""
        intent = None if self.is_long else self._intent
        return None if isinstance(intent, Lookup) else intent

    @cached_property
    def plan(self) -> Plan:
        """The sub-queries, one for each fact; a look-up is searched for as it was asked."""
        if self.is_long:
            return replace(unplanned(self.question, self.effort), unread=(_TOO_LONG,))
        intent = self._intent
        sub_queries = _whole(intent) if isinstance(intent, Lookup) else _split(intent)
        sub_queries = (*sub_queries, *_numbered(additional_sub_queries(intent), len(sub_queries)))
        held = tuple(replace(each, entities=_with_holders(each.entities, self.lexicon)) for each in sub_queries)
        unread = self.unread(intent)
        return Plan(self.question, held, intent, "rules", self.effort, understood=self.understood, unread=unread)

    def unread(self, intent: Intent) -> tuple[str, ...]:
        """Return what the answer has to say first; a domain itself reports what it does not count."""
        if self.is_long:
            return (_TOO_LONG,)
        numbers = unparsed_numbers(self.question) if isinstance(intent, Lookup) else ()
        return tuple(f"{number!r} is no number that can be read as it stands; it was left out" for number in numbers)

    @cached_property
    def _going_on(self) -> Intent | None:
        if self.is_long:
            return None
        if self.meaning:
            return recognised(self.meaning, self.lexicon)
        meant = (next_intent(turn.plan.intent, self.question, self.lexicon) for turn in reversed(self.after))
        return next((intent for intent in meant if intent is not None), None)

    @cached_property
    def _intent(self) -> Intent:
        return self._going_on or recognised(self.question, self.lexicon)


def recognised(question: str, lexicon: Lexicon) -> Intent:
    """Return the intent of the first domain that recognises the question, else a look-up."""
    tokens = tokens_of(question)
    concerned = (domain for domain in installed() if domain.concerns(tokens, lexicon))
    found = (domain.recognise(tagged(question), lexicon) for domain in concerned)
    intent = next((intent for intent in found if intent is not None), None)
    if intent is not None:
        return intent
    read = without_unread(question)
    return Lookup(read, tuple(dict.fromkeys(mention.name for mention in lexicon.mentions(tokens_of(read)))))


def additional_sub_queries(intent: Intent) -> tuple[SubQuery, ...]:
    """Return what the domains search for in addition to the question."""
    return tuple(sub_query for domain in installed() for sub_query in domain.besides(intent))


def next_intent(previous: Intent, question: str, lexicon: Lexicon) -> Intent | None:
    """Return what a follow-up to another question means, by the first domain that knows it, else by the core."""
    asked = tagged(question)
    found = (domain.continued(previous, asked, lexicon) for domain in installed())
    intent = next((intent for intent in found if intent is not None), None)
    if intent is not None or not isinstance(previous, Lookup):
        return intent
    together = continued(previous.question, without_unread(question), lexicon)
    return None if together is None else recognised(together, lexicon)


def unplanned(question: str, effort: str) -> Plan:
    """Return the plan of a question that is not analysed: it is searched for as it was asked."""
    intent = Lookup(question)
    return Plan(question, _whole(intent), intent, "rules", effort)


def _with_holders(entities: tuple[str, ...], lexicon: Lexicon) -> tuple[str, ...]:
    """Add the tables with a row for an entity: an entity without a chunk of its own is found there."""
    titles = (title for name in entities for title in lexicon.holders.get(title_key(name), ())[:MOST_HOLDERS])
    return tuple(dict.fromkeys((*entities, *titles)))


def _whole(lookup: Lookup) -> tuple[SubQuery, ...]:
    """Return the question as one sub-query."""
    return (SubQuery("q1", lookup.question, "the question as asked", entities=lookup.names),)


def _numbered(sub_queries: Sequence[SubQuery], before: int) -> Iterator[SubQuery]:
    """Yield the sub-queries with ids after those before them."""
    for number, sub_query in enumerate(sub_queries, start=before + 1):
        yield replace(sub_query, id=f"q{number}")


def _split(intent: Intent) -> tuple[SubQuery, ...]:
    return tuple(need.sub_query for need in first_needs(intent))[:MAX_SUB_QUERIES]
