"""The state of one question: the results so far, so that neither a deadline nor a budget loses any."""

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
"""Called with the name and the data of each event."""


@dataclass(slots=True)
class Session:
    """A question with its results, and the milliseconds spent by stage.

    `after` are the turns of the conversation that it may follow up on; `by_rules` is the rules' reading of it. `tried`
    has the sub-queries for each need, `absent` the words of the question that the collection does not have, known once
    something was not found. `notes` are for the reader of the answer. `emit_event` receives each event, and `on_text`
    the answer as a model writes it. `ends_at` is the deadline, a time of the event loop. If `answers` is false, only
    passages are wanted.
    """

    question: str
    run_id: str
    runner: Runner
    llm: MeteredLLM | None = None
    after: tuple[Turn, ...] = ()
    emit_event: Tell = lambda name, data: None
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
        """Report events to an observer from here on, and the model's text to `on_text`."""
        self.emit_event, self.on_text = tell, on_text
        self.runner.on_result = lambda retrieved: tell("subquery.retrieved", {"retrieved": retrieved})

    def planned(self, plan: Plan) -> Plan:
        """Use this plan from here on."""
        self.plan = plan
        self.emit_event("plan.created", {"plan": plan})
        return plan

    def bound(self) -> AbstractContextManager[None]:
        """Return a context in which events carry the ids of this question."""
        return events.bind(run_id=self.run_id, question_id=self.run_id)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the duration of the block to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.timings[stage] = self.timings.get(stage, 0.0) + (time.perf_counter() - start) * 1000

    @property
    def asked(self) -> str:
        """The question as understood: a follow-up with the complete question that it means."""
        understood = self.plan.understood if self.plan is not None else ""
        return f"{self.question}\n{understood}" if understood else self.question

    @property
    def usage(self) -> Usage:
        """The question's use of language models."""
        return self.llm.usage if self.llm is not None else Usage()

    def over_budget(self, reason: str) -> None:
        """Continue without the model, and note why."""
        self.stop, self.llm_ended = "budget", True
        self.notes.append(reason)

    @property
    def model(self) -> MeteredLLM | None:
        """The language model, as long as the question may use it."""
        return None if self.llm_ended else self.llm
