"""The model that proposes: its replies are kept beside the store, and the money it may cost is for all of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from agent.errors import LLMError, SettingsError
from agent.llm.connection import OPENAI
from agent.llm.metered import MeteredLLM
from agent.llm.opening import llm_of, prices_of
from agent.llm.prices import cost_of, is_local
from agent.llm.protocol import LLM, LLMRequest, OnText, Reply
from agent.llm.recorded import RecordedLLM
from agent.llm.told import ToldLLM
from agent.settings import Settings
from retrieval.chroma.location import server_of


def replies_path(settings: Settings) -> Path:
    """Return the file in which the replies are kept: beside the store, or where `llm_cache` says.

    >>> replies_path(Settings(chroma="kept/chroma", llm_cache=None)).as_posix()
    'kept/chroma-proposals.sqlite'
    """
    if settings.llm_cache is not None:
        return settings.llm_cache
    folder = ".versus/chroma" if server_of(settings.chroma) is not None else settings.chroma.rstrip("/\\")
    return Path(f"{folder}-proposals.sqlite")


_PATIENCE = 4
"""An answer about sixteen rows is several times as long as a plan, which `llm_timeout` is meant for; no one waits."""


@asynccontextmanager
async def proposer(settings: Settings) -> AsyncIterator[LLM]:
    """Open the model of the settings for one ingestion, and close it.

    A reply that is kept costs nothing and counts nowhere; of the others `max_cost` is the limit for the whole
    ingestion. `SettingsError` when no model is set, or no price for the limit.
    """
    if settings.openai_api_key is None and settings.openai_base_url is None:
        raise SettingsError(
            "--rules llm needs a language model: set OPENAI_API_KEY, or OPENAI_BASE_URL for one of your own, "
            "or use --rules generated"
        )
    _require_price(settings)
    patient = {"llm_timeout": settings.llm_timeout * _PATIENCE}
    llm = llm_of(settings.model_copy(update={"llm_cache": None, "planner": "llm", **patient}))
    assert llm is not None
    metered = MeteredLLM(llm, max_cost=settings.max_cost, prices=prices_of(settings))
    recorded = RecordedLLM(ToldLLM(metered), replies_path(settings), base_url=base_url(settings))
    try:
        await recorded.open()
        yield recorded
    finally:
        await recorded.close()
        await llm.close()


def _require_price(settings: Settings) -> None:
    """A limit in dollars is no limit where the price is not known."""
    known = cost_of(settings.model, 0, 0, settings.price_table()).known or is_local(base_url(settings))
    if settings.max_cost is not None and not known:
        raise SettingsError(
            f"max_cost can't be kept: no price is known for model {settings.model!r}; set llm_prices "
            f"(VERSUS_LLM_PRICES='{{\"{settings.model}\": [0.5, 1.5]}}', dollars for a million tokens), or no max_cost"
        )


def base_url(settings: Settings) -> str:
    """The address that is asked."""
    return settings.openai_base_url or OPENAI


class Unasked:
    """A model that is never sent anything: every request is an `LLMError`. Behind a record it tells what is kept."""

    def __init__(self, model: str) -> None:
        self.model = model

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        """Refuse to answer."""
        raise LLMError("this model is not asked")

    async def close(self) -> None:
        """Nothing is open."""
