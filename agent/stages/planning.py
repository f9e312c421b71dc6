"""Plan a question: by rules, and by a language model, if there is one and the question is not simple or the rules bind
it to nothing.

The rules' reading decides whether a model is needed at all, and remains if the model fails.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from agent import events
from agent.errors import BudgetExceeded
from agent.llm.protocol import LLM
from agent.planning import llm as by_llm
from agent.planning.catalog_context import Offer, Offers, nearest_to
from agent.planning.programs import Program, with_parts
from agent.planning.rules import ByRules, unplanned
from agent.prose.named import stated_name
from agent.reasoning.binding.binder import Binder
from agent.reasoning.execution.execute import sub_queries_of
from agent.reasoning.kinds.readings import has_cells_of
from agent.settings.settings import Settings
from agent.stages.event_fields import plan_fields, received_fields
from agent.stages.session import Session
from agent.types import Plan, Reading, Turn
from agent.understanding.linking.background import ComputeQueue
from agent.understanding.linking.program import Bound
from agent.understanding.linking.titles import by_titles, lead_sub_queries, names_in_texts, nearest_rows
from agent.understanding.question.intent import Lookup, reads_cells
from agent.understanding.question.tagged import LONGEST_READ, tagged
from agent.understanding.rewording.singles import single_questions
from agent.understanding.words.lexicon import Lexicon
from agent.understanding.words.statements import is_passage, is_statement
from retrieval.embedding.protocol import Embedder
from retrieval.tables.index import Cells
from retrieval.types import Chunk, SubQuery

T = TypeVar("T")
_SHARE = 0.5
"""Share of the deadline that a model may use to plan; the rest is for the rules."""
GRACE = 0.5
"""Seconds beyond the deadline in which the results may still be read; then the answer is what there is."""
_SHORT_QUESTION = 500
"""Characters of a question that is analysed in a millisecond."""


@dataclass(frozen=True, slots=True)
class Planning:
    """Plans questions about one collection."""

    settings: Settings
    lexicon: Lexicon
    offers: Offers
    binder: Binder | None = None
    thinking: ComputeQueue = field(default_factory=ComputeQueue)

    async def plan(self, session: Session) -> None:
        """Plan the question and store the plan in the session."""
        events.emit("question.received", received_fields(session.question, self.settings))
        with session.timed("plan"):
            session.by_rules = ByRules(session.question, self.lexicon, self.settings.effort, session.after)
            plan = await self._made(session, session.by_rules)
            plan = await self._by_structure(plan, answers=session.answers)
            plan = session.planned(await self._unless_bound(session, session.by_rules, plan))
        for note in plan.notes:
            events.emit("planner.fallback" if plan.planner == "rules" else "plan.corrected", {"reason": note})
        events.emit("plan.created", plan_fields(plan))

    async def _by_structure(self, plan: Plan, *, answers: bool) -> Plan:
        """Bind the plan of a look-up to the cells that answer it, unless it is bound.

        If only passages are wanted, a statement is not bound to cells, because it asks nothing. A passage of the
        collection is searched for as it is.
        """
        if plan.bound is not None or plan.parts:
            return plan
        binder = self.binder if self._has_structure(plan) else None
        if plan.steps:
            return await self._by_steps(plan, binder)
        question = plan.understood or plan.question
        if binder is None:
            return plan
        if not answers and plan.is_open and plan.planner != "llm":
            if is_passage(question):
                return plan
            if is_statement(question):
                return await _with_titles(plan, question, binder)
        return await self._with_cells(plan, question, binder)

    async def _with_cells(self, plan: Plan, question: str, binder: Binder) -> Plan:
        """Return the plan with its cells, or with a sub-query for each title in the question; else unchanged.

        A model's split without steps is bound only if the question compares or counts, and if cells answer everything:
        a model may forget the step that computes, but a question that it only searches for is one for passages.
        """
        if plan.planner == "llm" and not _computes(question):
            return plan
        parts = await self._parts(question, binder) if plan.is_open and plan.planner != "llm" else ()
        if parts and not any(part.is_open for part in parts):
            return with_parts(plan, parts)
        bound = await binder.bind(question)
        if not all(part.is_open for part in parts) and (bound is None or _leaves_part(bound, parts)):
            return with_parts(plan, parts)
        if bound is not None and not (plan.planner == "llm" and bound.unmatched_question_words):
            return _bound_to(plan, bound)
        if plan.planner == "llm" or not plan.is_open:
            return plan
        return await _with_titles(plan, question, binder)

    def has_cells(self, plan: Plan) -> bool:
        """True for a domain's question that cells may answer too; a plan for cells was bound when it was made."""
        if plan.bound is not None or plan.parts or reads_cells(plan.intent):
            return False
        return self.binder is not None and self._has_structure(_as_lookup(plan))

    async def by_cells(self, plan: Plan) -> Plan | None:
        """Return the plan of a domain's question by cells alone, for a domain that lacks what it computes from. None if
        they do not answer everything.
        """
        if self.binder is None or not self.has_cells(plan):
            return None
        bound = await self.binder.bind(plan.understood or plan.question)
        return None if bound is None or bound.doubtful_word else _bound_to(_as_lookup(plan), bound)

    async def _parts(self, question: str, binder: Binder) -> tuple[Plan, ...]:
        """Return the plans of the single questions in one, each planned as a follow-up to the earlier ones."""
        parts: list[Plan] = []
        for text in single_questions(question):
            parts.append(await self._part(text, binder, parts))
        return tuple(parts)

    async def _part(self, text: str, binder: Binder | None, before: Sequence[Plan] = ()) -> Plan:
        """Return the plan of a single question, which may follow up on earlier ones."""
        part = ByRules(text, self.lexicon, self.settings.effort, tuple(map(Turn, before))).plan
        if binder is None or not reads_cells(part.intent):
            return part
        bound = await binder.bind(part.understood or text)
        return part if bound is None else _bound_to(part, bound)

    async def _by_steps(self, plan: Plan, binder: Binder | None) -> Plan:
        """Bind the steps of a plan; if not all of them bind, the rules' reading of the question may."""
        program = Program.of(plan, binder, partial(self._part, binder=binder))
        parts = await program.run()
        if binder is not None and not program.is_done:
            bound = await binder.bind(plan.understood or plan.question)
            if bound is not None and not bound.unmatched_question_words:
                return _bound_to(replace(plan, steps=()), bound)
        return _with_program(plan, program, parts)

    async def go_on(self, plan: Plan, found: Mapping[str, Sequence[str]]) -> Plan:
        """Bind the steps again, with the names that its search steps found."""
        binder = self.binder if self._has_structure(plan) else None
        program = Program.of(plan, binder, partial(self._part, binder=binder), found)
        return _with_program(plan, program, await program.run())

    def names_in(self, texts: Sequence[str], besides: str) -> tuple[str, ...]:
        """Return the names of the collection's cells in some texts, without those in another text."""
        return () if self.binder is None else names_in_texts(texts, besides, self.binder.index)

    def stated_name_for(self, reading: Reading, texts: Sequence[str]) -> str | None:
        """Return the name that sentences state for a reading: *the director* of a film *directed by Ann Reed*."""
        if self.binder is None:
            return None
        return stated_name(reading.attribute, reading.subject, texts, self.binder.index)

    @property
    def embedder(self) -> Embedder | None:
        """The embedding model for wordings; None if only words are compared."""
        return None if self.binder is None else self.binder.embedder

    @property
    def index(self) -> Cells | None:
        """The cells of the collection, if it has any."""
        return None if self.binder is None else self.binder.index

    def _has_structure(self, plan: Plan) -> bool:
        """True for a short look-up that was analysed in full."""
        is_wanted = self.settings.effort != "minimal" and not self.settings.no_filter
        is_read = not (plan.unread and not plan.steps) and len(plan.understood or plan.question) <= LONGEST_READ
        return is_wanted and is_read and reads_cells(plan.intent)

    async def leads(self, session: Session) -> list[SubQuery]:
        """Return sub-queries for the titles that the named passages lead to; none if cells answer the question."""
        plan = self.planned(session)
        named = {id_ for each in plan.sub_queries for id_ in each.chunk_ids}
        embedder = self.embedder
        if self.binder is None or embedder is None or plan.bound is not None or not named:
            return []
        passages = [chunk for chunk in session.runner.chunks() if chunk.id in named]
        return await lead_sub_queries(session.asked, passages, self.binder.index, embedder)

    def planned(self, session: Session) -> Plan:
        """Return the plan; if there is none, search for the question as it was asked."""
        return session.plan or session.planned(unplanned(session.question, self.settings.effort))

    async def settle(self, session: Session) -> None:
        """If time ran out before a session had a plan, use that of the rules, if they are quick."""
        by_rules = session.by_rules
        if session.plan is not None or by_rules is None:
            return
        with suppress(TimeoutError):
            session.planned(await self.think(session, lambda: self._by_rules(by_rules)))

    async def think(self, session: Session, work: Callable[[], T], *, brief: bool = False) -> T:
        """Compute off the event loop, one question at a time; `brief` work, of a millisecond, runs directly.

        Raise `TimeoutError` if it is not done soon after the session's deadline.
        """
        until = None if session.ends_at is None else session.ends_at + GRACE
        return await self.thinking.do(work, until=until, brief=brief and len(session.question) <= _SHORT_QUESTION)

    async def _made(self, session: Session, by_rules: ByRules) -> Plan:
        """Return the rules' plan, or the model's if it is needed."""
        model = session.model
        if model is None:
            return await self.think(session, lambda: self._by_rules(by_rules))
        begun = await self.think(session, lambda: self._plan_or_none(by_rules), brief=self.settings.planner == "llm")
        return begun or await self._surely_bound(session, by_rules) or await self._by_model(session, model, by_rules)

    async def _surely_bound(self, session: Session, by_rules: ByRules) -> Plan | None:
        """Return the rules' plan of a question that cells answer without a doubt; None if a model has to plan it.

        Comparisons and superlatives are among them, which are not simple and yet need no other plan. A follow-up is
        left to the model, for what it is about is a guess of the rules.
        """
        settings = self.settings
        if settings.planner != "auto" or settings.effort != "auto" or session.after:
            return None
        if not by_rules.plan.is_open:  # it was made to see whether the question is simple
            return None
        plan = await self._by_structure(by_rules.plan, answers=session.answers)
        return plan if is_surely_bound(plan) else None

    async def _unless_bound(self, session: Session, by_rules: ByRules, plan: Plan) -> Plan:
        """Return the plan, or that of a model for a simple question that the rules bind to no cell."""
        model = session.model
        if model is None or not (plan.is_open and self.binder is not None and self._has_structure(plan)):
            return plan
        if self.settings.effort == "minimal" or self._asks_model(by_rules):  # the model was asked already
            return plan
        made = await self._by_model(session, model, by_rules)
        if made.planner != "llm":
            return replace(plan, notes=tuple(dict.fromkeys((*plan.notes, *made.notes))))
        return await self._by_structure(made, answers=session.answers)

    async def _by_model(self, session: Session, model: LLM, by_rules: ByRules) -> Plan:
        """Return the model's plan, or the rules' if budget or time runs out."""
        patience = _SHARE * self.settings.deadline
        try:
            async with asyncio.timeout(patience):
                nearest = await nearest_to(by_rules.conversation, session.runner.retriever)
                offer = await self.think(session, lambda: self._offered(by_rules, nearest))
                offer = await offer.near_first(by_rules.conversation, self.embedder)
                return await by_llm.plan_with(model, by_rules, offer)
        except BudgetExceeded as error:
            session.over_budget(str(error))
            return await self.think(session, lambda: self._by_rules(by_rules))
        except TimeoutError:
            session.llm_ended = True
            note = f"planned and worded by rules, not by the language model: it had no plan after {patience:g} s"
            return replace(await self.think(session, lambda: self._by_rules(by_rules)), notes=(note,))

    def _offered(self, by_rules: ByRules, nearest: Sequence[Chunk]) -> Offer:
        """Return what the collection has for a question; its domain is determined, too, since the check of the model's
        plan needs it on the event loop.
        """
        _ = by_rules.of_domain
        return self.offers.offer(by_rules.conversation, nearest)

    def _plan_or_none(self, by_rules: ByRules) -> Plan | None:
        """Return the rules' plan; None if a model is to make it."""
        return None if self._asks_model(by_rules) else self._by_rules(by_rules)

    def _by_rules(self, by_rules: ByRules) -> Plan:
        if self.settings.effort != "minimal":
            return by_rules.plan
        whole = SubQuery("q1", by_rules.understood or by_rules.question, "the question as asked")
        return replace(by_rules.plan, sub_queries=(whole,))

    def _asks_model(self, by_rules: ByRules) -> bool:
        """True if a model is to plan: a simple question costs no call, unless the settings demand the model."""
        if self.settings.effort == "minimal":
            return False
        return self.settings.planner == "llm" or self.settings.effort != "auto" or not by_llm.is_simple(by_rules.plan)


async def _with_titles(plan: Plan, question: str, binder: Binder) -> Plan:
    """Return the plan with a sub-query for each title in the question, and for the rows nearest to it."""
    titled = await binder.thinking.do(partial(by_titles, question, binder.index))
    rows = None if binder.embedder is None else await nearest_rows(question, binder.index, binder.embedder)
    named = titled if rows is None else (*(titled or plan.sub_queries), rows)
    return replace(plan, sub_queries=named) if named else plan


def is_surely_bound(plan: Plan) -> bool:
    """True if cells answer a question, or each of its parts, and nothing in it is in doubt or was assumed."""
    if plan.parts:
        return all(map(is_surely_bound, plan.parts))
    return plan.bound is not None and plan.bound.is_sure


def _computes(question: str) -> bool:
    """True for a question that asks for an end of a scale or an operation, such as a count."""
    asked = tagged(question)
    return asked.compares or asked.operation == "count"


def _with_program(plan: Plan, program: Program, parts: Sequence[Plan]) -> Plan:
    """Return the plan with the parts of its program; it keeps its steps if some of them wait for a search."""
    steps = plan.steps if program.waiting else ()
    plan = replace(plan, steps=steps)
    if len(parts) == 1 and not steps and parts[0].bound is not None:
        return _bound_to(plan, parts[0].bound)
    return with_parts(plan, parts) if parts else plan


def _leaves_part(bound: Bound, parts: Sequence[Plan]) -> bool:
    """True for a binding that leaves words of several questions unmatched, or lacks cells that answer one of them."""
    own = [part.bound for part in parts if part.bound is not None]
    return bool(bound.unmatched_question_words) or not all(has_cells_of(bound, each) for each in own)


def _as_lookup(plan: Plan) -> Plan:
    """Return the plan as a look-up, whatever a domain would make of it."""
    return replace(plan, intent=Lookup(plan.understood or plan.question))


def _bound_to(plan: Plan, bound: Bound) -> Plan:
    """Return the plan with cells and their sub-queries, after a model's own ones."""
    if plan.planner != "llm":
        return replace(plan, bound=bound, sub_queries=sub_queries_of(bound))
    own = (replace(each, id=f"b{n}") for n, each in enumerate(sub_queries_of(bound), start=1))
    return replace(plan, bound=bound, sub_queries=(*plan.sub_queries, *own))
