"""Proposals of the model for every family, requested concurrently; those that pass the checks replace generated rules.

Nothing is stored here. A rejected proposal is repaired once, with its error shown; after that the generated rule stays,
and a warning says where and why. When the budget is spent, the remaining rows keep their generated rules. A model that
refuses every request (a wrong key) ends the run after one request; one refused request (a content filter) does not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agent.errors import BudgetExceeded, LLMError, LLMRefused, RequestRefused
from agent.ingesting.proposing.checks import checked
from agent.ingesting.proposing.drafts import ProposalsDraft
from agent.ingesting.proposing.requests import Batch, repair, request
from agent.llm.json_extraction import parsed
from agent.llm.protocol import LLM
from retrieval.errors import RuleError
from retrieval.types import Chunk

ATTEMPTS = 2
OnDone = Callable[[int, int], None]
"""Called with the number of rows done, and the total."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """All chunks, with the accepted proposals, and a warning for each row that keeps its generated rule."""

    chunks: tuple[Chunk, ...]
    warnings: tuple[str, ...]


@dataclass(slots=True)
class _Outcome:
    """The result of one or of all batches, by chunk id: the new chunks, and the reasons for rejections."""

    taken: dict[str, Chunk] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


async def propose(
    llm: LLM,
    chunks: Sequence[Chunk],
    asked: Sequence[Batch],
    *,
    concurrency: int = 8,
    on_done: OnDone | None = None,
) -> Proposed:
    """Return the chunks with the model's proposals, at most `concurrency` requests at a time.

    Raises `LLMRefused` if the model refuses every request.
    """
    outcome, total = _Outcome(), sum(len(batch.members) for batch in asked)
    waiting = iter(asked)

    async def work(batches: Iterator[Batch]) -> None:
        for batch in batches:
            found = await _proposals(llm, batch)
            outcome.taken |= found.taken
            outcome.refused |= found.refused
            if on_done is not None:
                on_done(len(outcome.taken) + len(outcome.refused), total)

    # One request alone first: it detects a wrong key before as many as may run at once are sent.
    await work(iter([batch] if (batch := next(waiting, None)) else []))
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(work(waiting))
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    kept = [
        f"{_place(c)}: {outcome.refused[c.id]}; its generated rule stays" for c in chunks if c.id in outcome.refused
    ]
    return Proposed(tuple(outcome.taken.get(chunk.id, chunk) for chunk in chunks), tuple(kept))


def _place(chunk: Chunk) -> str:
    return f"{chunk.source}:{chunk.line}: chunk {chunk.id}"


async def _proposals(llm: LLM, batch: Batch) -> _Outcome:
    """Ask about a batch, and once more about the rows whose proposals were rejected."""
    outcome, reasons = _Outcome(), dict.fromkeys(batch.members, "")
    asked = request(batch)
    for attempt in range(ATTEMPTS):
        try:
            reply = await llm.complete(asked)
        except LLMError as error:
            if isinstance(error, LLMRefused) and not isinstance(error, RequestRefused):
                raise
            reasons = {id_: reasons[id_] or _unasked(error) for id_ in reasons}
            break
        good, reasons = await asyncio.to_thread(_judged, reply.text, batch, tuple(reasons))
        outcome.taken |= good
        if not reasons:
            break
        if attempt + 1 < ATTEMPTS:
            asked = repair(asked, reply.text, reasons)
    outcome.refused = {batch.members[id_].chunk.id: reason for id_, reason in reasons.items()}
    return outcome


def _unasked(error: LLMError) -> str:
    if isinstance(error, BudgetExceeded):
        return "the language model was not asked, max_cost is spent; raise it and ingest again"
    return f"the language model gave no proposal: {error}"


def _judged(text: str, batch: Batch, wanted: Sequence[str]) -> tuple[dict[str, Chunk], dict[str, str]]:
    """Return the chunks with accepted proposals, by chunk id, and the reasons for rejections, by request id."""
    try:
        drafts = parsed(text, ProposalsDraft).proposals
    except ValueError as error:
        return {}, dict.fromkeys(wanted, f"the proposal can't be read: {error}")
    by_id = {draft.id: draft for draft in drafts}
    strange = next((id_[:40] for id_ in by_id if id_ not in batch.members), None)
    good: dict[str, Chunk] = {}
    reasons: Mapping[str, str] = {}
    for id_ in wanted:
        member = batch.members[id_]
        try:
            if id_ not in by_id:
                raise ValueError("there is no proposal" + (f", but one for {strange!r}" if strange is not None else ""))
            good[member.chunk.id] = checked(by_id[id_], member, batch.family)
        except (ValueError, RuleError) as error:
            reasons = {**reasons, id_: f"the proposal is rejected: {error}"}
    return good, dict(reasons)
