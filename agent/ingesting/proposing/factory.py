"""The model that proposes rules: its replies are cached beside the store, and one budget covers all its calls."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from agent.errors import SettingsError
from agent.llm.factory import base_url, is_set_up, llm_of, prices_of, require_trusted_endpoint
from agent.llm.logged import LoggedLLM
from agent.llm.metered import MeteredLLM
from agent.llm.protocol import LLM
from agent.llm.recorded import RecordedLLM
from agent.settings.settings import Settings
from retrieval.collections.places import is_folder


def replies_path(settings: Settings) -> Path:
    """Return the file of cached replies: beside the store, or at `llm_cache`.

    >>> replies_path(Settings(chroma="kept/chroma", llm_cache=None)).as_posix()
    'kept/chroma-proposals.sqlite'
    """
    if settings.llm_cache is not None:
        return settings.llm_cache
    folder = settings.chroma.rstrip("/\\") if is_folder(settings.chroma) else ".versus/chroma"
    return Path(f"{folder}-proposals.sqlite")


_PATIENCE = 4
"""Factor on `llm_timeout`, which is meant for a plan: an answer about sixteen rows is several times as long."""


@asynccontextmanager
async def proposer(settings: Settings) -> AsyncIterator[LLM]:
    """Open the model of the settings for one ingestion, and close it.

    A cached reply costs nothing and does not count; `max_cost` limits all other replies of the ingestion together.
    `SettingsError` if no model is set, or no price for the limit.
    """
    if not is_set_up(settings):
        require_trusted_endpoint(settings)
        raise SettingsError(
            "--rules llm needs a language model: set OPENAI_API_KEY, or OPENAI_BASE_URL for one of your own, "
            "or use --rules generated"
        )
    patient = {"llm_timeout": settings.llm_timeout * _PATIENCE}
    llm = llm_of(settings.model_copy(update={"llm_cache": None, "planner": "llm", **patient}))
    assert llm is not None
    metered = MeteredLLM(llm, max_cost=settings.max_cost, prices=prices_of(settings))
    recorded = RecordedLLM(LoggedLLM(metered), replies_path(settings), base_url=base_url(settings))
    try:
        await recorded.open()
        yield recorded
    finally:
        await recorded.close()
        await llm.close()
