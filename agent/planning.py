"""A question becomes a plan: by rules, and where there is a language model and the question is not simple, by that.

The rules always plan first. It takes a millisecond, tells whether a model is needed at all, and is what is left when
the model fails.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from agent import events
from agent.errors import BudgetExceeded
from agent.event_fields import plan_fields
from agent.planner import llm as by_llm
from agent.planner import rules
from agent.planner.lexicon import Lexicon
from agent.planner.offers import Offer, Offers
from agent.session import Session
from agent.settings import Settings
from agent.types import Plan
from retrieval.types import SubQuery


@dataclass(frozen=True, slots=True)
class Planning:
    """Plans questions about one collection. `thinking` is held while Python computes: one question at a time does."""

    settings: Settings
    lexicon: Lexicon
    offers: Offers
    thinking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def plan(self, session: Session) -> None:
        """Give the session its plan."""
        events.emit("question.received", {"question": session.question, "chars": len(session.question)})
        with session.timed("plan"):
            before = session.after.understood or session.after.question if session.after else ""
            async with self.thinking:
                by_rules, offered = await asyncio.to_thread(self._begun, session, before)
            session.plan = by_rules
            if offered is not None and (model := session.model) is not None:
                try:
                    session.plan = await by_llm.plan_with(model, by_rules, offered, before)
                except BudgetExceeded as error:
                    session.over_budget(str(error))
        for note in session.plan.notes:
            events.emit("planner.fallback", {"reason": note})
        events.emit("plan.created", plan_fields(session.plan))

    def planned(self, session: Session) -> Plan:
        """The plan; when time ran out before there was one, that of an empty lexicon."""
        if session.plan is None:
            session.plan = rules.plan(session.question, Lexicon(), self.settings.effort)
        return session.plan

    def _begun(self, session: Session, before: str) -> tuple[Plan, Offer | None]:
        """The rules' plan, and what a model is offered, if it is to be asked."""
        plan = self._by_rules(session)
        if session.model is None or not self._asks_model(plan):
            return plan, None
        return plan, self.offers.offer(f"{plan.understood or plan.question} {before}")

    def _by_rules(self, session: Session) -> Plan:
        plan = rules.plan(session.question, self.lexicon, self.settings.effort, session.after)
        if self.settings.effort != "minimal":
            return plan
        whole = SubQuery("q1", plan.understood or session.question, "the question as asked")
        return replace(plan, sub_queries=(whole,))

    def _asks_model(self, plan: Plan) -> bool:
        """A simple question costs no call, unless the model was asked for by name."""
        if self.settings.effort == "minimal":
            return False
        return self.settings.planner == "llm" or self.settings.effort != "auto" or not by_llm.is_simple(plan)
