"""The state of one question: what is known so far, so that neither a deadline nor a budget loses anything."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from agent import events
from agent.llm.metered import MeteredLLM
from agent.llm.protocol import OnText
from agent.planning.rules import ByRules
from agent.stages.runner import Runner
from agent.types import Evidence, Plan, Reasoned, StopReason, Turn, Usage
from agent.writing.wording.writer import Written

Tell = Callable[[str, Mapping[str, Any]], None]
"""Called with the name of what happened, and what there is to know of it."""


@dataclass(slots=True)
class Session:
    """A question, what was done about it, and what that took in milliseconds by stage.

    `after` are the turns of the conversation that it may go on from; `by_rules` is what the rules make of it.
    `tried` has the sub-queries that looked for each need, `absent` the words of the question that the collection does
    not have, once something was not found. `notes` are for the reader of the answer. `tell` hears what happens, and
    `on_text` the answer as a model writes it, for those who watch. `ends_at` is its deadline, a time of the event loop.
    Where nothing `answers` it, only its passages are wanted.
    """

    question: str
    run_id: str
    runner: Runner
    llm: MeteredLLM | None = None
    after: tuple[Turn, ...] = ()
    tell: Tell = lambda name, data: None
    on_text: OnText | None = None
    timings: dict[str, float] = field(default_factory=dict)
    by_rules: ByRules | None = None
    plan: Plan | None = None
    reasoned: Reasoned | None = None
    evidence: Evidence | None = None
    written: Written | None = None
    tried: dict[str, list[str]] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    stop: StopReason = "complete"
    ends_at: float | None = None
    llm_ended: bool = False
    answers: bool = True

    def listen(self, tell: Tell, on_text: OnText | None) -> None:
        """Report events to an observer from here on, and to `on_text` what a model writes."""
        self.tell, self.on_text = tell, on_text
        self.runner.tell = lambda retrieved: tell("subquery.retrieved", {"retrieved": retrieved})

    def planned(self, plan: Plan) -> Plan:
        """Use this plan from here on."""
        self.plan = plan
        self.tell("plan.created", {"plan": plan})
        return plan

    def bound(self) -> AbstractContextManager[None]:
        """A block whose events are those of this question."""
        return events.bind(run_id=self.run_id, question_id=self.run_id)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the time that the block takes to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.timings[stage] = self.timings.get(stage, 0.0) + (time.perf_counter() - start) * 1000

    @property
    def asked(self) -> str:
        """The question as it is understood: in a conversation, with what it takes from the one before."""
        understood = self.plan.understood if self.plan is not None else ""
        return f"{self.question}\n{understood}" if understood else self.question

    @property
    def usage(self) -> Usage:
        """What the question has spent on language models."""
        return self.llm.usage if self.llm is not None else Usage()

    def over_budget(self, reason: str) -> None:
        """Continue without the model, and note why."""
        self.stop, self.llm_ended = "budget", True
        self.notes.append(reason)

    @property
    def model(self) -> MeteredLLM | None:
        """The language model, as long as the question may ask it."""
        return None if self.llm_ended else self.llm
