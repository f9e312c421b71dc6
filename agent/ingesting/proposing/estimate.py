"""An estimate of what the model's proposals would cost: requests, tokens and dollars. Nothing is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
from rich.text import Text

from agent.errors import LLMError
from agent.ingesting.proposing.factory import replies_path
from agent.ingesting.proposing.families import Member
from agent.ingesting.proposing.requests import Batch, request
from agent.llm.factory import base_url, is_priced, prices_of
from agent.llm.recorded import RecordedLLM
from agent.llm.scripted import ScriptedLLM
from agent.llm.tokens import estimated_tokens, prompt_tokens
from agent.settings.prices import cost_of
from agent.settings.settings import Settings
from retrieval.filters.rule import rule_to_json

_SENTENCE = "One sentence says which question this row of the table answers, in the words that its readers use."


@dataclass(frozen=True, slots=True)
class Estimate:
    """The requests that would be sent, without repairs: `requests` about `chunks` chunks. `kept` more are cached.

    `cost_usd` is None if the price of the model is unknown.
    """

    model: str
    chunks: int
    requests: int
    kept: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


async def estimated(asked: Sequence[Batch], settings: Settings) -> Estimate:
    """Return the estimate for these batches. Nothing is sent, and no key is needed."""
    new = await _not_kept(asked, settings)
    prompt, completion = await asyncio.to_thread(_tokens, new)
    known = is_priced(settings) or not new
    usd = cost_of(settings.model, prompt, completion, prices_of(settings)).usd if known else None
    chunks = sum(len(batch.members) for batch in new)
    return Estimate(settings.model, chunks, len(new), len(asked) - len(new), prompt, completion, usd)


async def _not_kept(asked: Sequence[Batch], settings: Settings) -> list[Batch]:
    path: Path = replies_path(settings)
    if not await asyncio.to_thread(path.is_file):
        return list(asked)
    record = RecordedLLM(ScriptedLLM([], model=settings.model), path, base_url=base_url(settings))
    try:
        return [batch for batch in asked if not await _is_kept(record, batch)]
    finally:
        await record.close()


async def _is_kept(record: RecordedLLM, batch: Batch) -> bool:
    try:
        await record.complete(request(batch))
    except LLMError:
        return False
    return True


def _tokens(asked: Sequence[Batch]) -> tuple[int, int]:
    prompt = sum(prompt_tokens(request(batch)) for batch in asked)
    members = (member for batch in asked for member in batch.members.values())
    return prompt, sum(map(_answer_tokens, members))


def _answer_tokens(member: Member) -> int:
    """Return roughly the tokens that repeat the generated title and rule, with a sentence."""
    likely = [member.chunk.title, _SENTENCE, rule_to_json(member.rule), "id", "title", "description", "query_must"]
    return estimated_tokens(orjson.dumps(likely).decode())


def estimate_data(estimate: Estimate, collection: str) -> dict[str, object]:
    """Return the estimate as JSON."""
    names = ("model", "chunks", "requests", "kept", "prompt_tokens", "completion_tokens", "cost_usd")
    return {"collection": collection, "dry_run": True, **{name: getattr(estimate, name) for name in names}}


def estimate_view(estimate: Estimate) -> Text:
    """Return the estimate in two lines.

    >>> print(estimate_view(Estimate("gpt-4o-mini", 523, 48, 0, 90000, 80000, 0.0615)))
    gpt-4o-mini would be asked about 523 chunks in 48 requests; 0 more have kept replies
    about 90,000 + 80,000 tokens, $0.0615, repairs aside; nothing was sent or written
    """
    price = "price unknown (set VERSUS_LLM_PRICES)" if estimate.cost_usd is None else f"${estimate.cost_usd:.4f}"
    return Text(
        f"{estimate.model} would be asked about {estimate.chunks:,} chunks in {estimate.requests:,} requests; "
        f"{estimate.kept:,} more have kept replies\n"
        f"about {estimate.prompt_tokens:,} + {estimate.completion_tokens:,} tokens, {price}, repairs aside; "
        "nothing was sent or written"
    )
