"""The language model that the settings name, or none.

`llm_provider` selects the provider: "openai" is built in, others are plug-ins of the group `versus.llms`. A plug-in is
a function that takes the settings and returns an `LLM`; it reads its own key, raises `SettingsError` if that is
missing, and keeps `llm_timeout`, `requests_per_minute` and `tokens_per_minute` (`agent.llm.limits.RateLimiter`) itself.
"""

from __future__ import annotations

from collections.abc import Callable

from agent import events
from agent.errors import AgentError, SettingsError
from agent.llm.connection import OPENAI
from agent.llm.protocol import LLM, HasBaseURL
from agent.settings.folder_trust import OPENAI as OPENAI_PROVIDER
from agent.settings.folder_trust import not_taken_note
from agent.settings.prices import PRICES, PriceTable, cost_of, is_local
from agent.settings.settings import Settings
from retrieval.registry import Registry

PROVIDERS = Registry[Callable[[Settings], LLM]](
    "versus.llms", "language model provider", {OPENAI_PROVIDER: "agent.llm.factory:openai_llm"}, (AgentError,)
)


async def opened_llm(settings: Settings) -> LLM | None:
    """Return the model of `llm_of` with its cache open; `SettingsError` if that file is damaged."""
    llm = llm_of(settings)
    if settings.llm_cache is not None and llm is not None:
        from agent.llm.recorded import RecordedLLM

        assert isinstance(llm, RecordedLLM)
        await llm.open()
    return llm


def llm_of(settings: Settings) -> LLM | None:
    """Return the model to plan and write with; `None` with `--planner rules`, or if none is set up.

    `SettingsError` if the settings demand a model and none is set up, or a limit in dollars without a known price;
    `UnknownPlugin` or `BrokenPlugin` for an unusable provider. Nothing is sent.
    """
    if settings.planner == "rules":
        return None
    if not is_set_up(settings):
        if settings.planner == "llm":
            require_trusted_endpoint(settings)
            raise SettingsError(
                "planner 'llm' needs a language model: set OPENAI_API_KEY, or OPENAI_BASE_URL for one of your own, "
                "or use --planner rules"
            )
        return None
    require_price(settings)
    opens = PROVIDERS.get(settings.llm_provider)
    with PROVIDERS.telling(settings.llm_provider):
        llm = opens(settings)
    if settings.llm_cache is None:
        return llm
    from agent.llm.recorded import RecordedLLM

    address = None if isinstance(llm, HasBaseURL) else base_url(settings)
    return RecordedLLM(llm, settings.llm_cache, base_url=address)


def is_set_up(settings: Settings) -> bool:
    """Return True if a model is set up: a key or an address is set, or another provider is named."""
    return not is_openai(settings) or settings.openai_api_key is not None or settings.openai_base_url is not None


def is_openai(settings: Settings) -> bool:
    """Return True if the model is behind an OpenAI-compatible endpoint."""
    return settings.llm_provider == OPENAI_PROVIDER


def openai_llm(settings: Settings) -> LLM:
    """Return the client of an OpenAI-compatible endpoint."""
    # Most questions need no model, and should not wait for the import of its client.
    from agent.llm.client import OpenAILLM
    from agent.llm.limits import RateLimiter

    key = settings.openai_api_key

    def on_retry(attempt: int, error: str) -> None:
        events.emit("llm.retried", {"model": settings.model, "attempt": attempt, "error": error})

    return OpenAILLM(
        settings.model,
        base_url=settings.openai_base_url,
        api_key=key.get_secret_value() if key else None,
        timeout=settings.llm_timeout,
        limiter=RateLimiter(settings.requests_per_minute, settings.tokens_per_minute),
        prices=prices_of(settings),
        on_retry=on_retry,
    )


def require_trusted_endpoint(settings: Settings) -> None:
    """Raise `SettingsError` if the working folder names a model, and that setting is rejected."""
    refused = tuple(each for each in settings.not_taken if each.name in ("openai_api_key", "openai_base_url"))
    if refused:
        raise SettingsError(f"the language model can't be asked; {not_taken_note(refused)}")


def prices_of(settings: Settings) -> PriceTable:
    """Return the prices of models: those of the settings, and OpenAI's list if OpenAI itself is asked."""
    return settings.price_table(PRICES if is_openai(settings) and not _is_local_endpoint(settings) else {})


def is_priced(settings: Settings) -> bool:
    """Return True if the model's price is known; on the own network it is nothing unless the settings set one."""
    return has_price(settings) or _is_local_endpoint(settings)


def has_price(settings: Settings) -> bool:
    """Return True if a limit in dollars can be enforced: a proxy on the own network may have unknown costs."""
    return cost_of(settings.model, 0, 0, prices_of(settings)).known


def require_price(settings: Settings) -> None:
    """Raise `SettingsError` for a limit in dollars without a known price."""
    if settings.max_cost is not None and not has_price(settings):
        raise SettingsError(
            f"max_cost can't be kept: no price is known for model {settings.model!r}; set llm_prices "
            f"(VERSUS_LLM_PRICES='{{\"{settings.model}\": [0.5, 1.5]}}', dollars for a million tokens), or no max_cost"
        )


def base_url(settings: Settings) -> str:
    """Return the address of the endpoint; for another provider's model, the provider."""
    return settings.openai_base_url or OPENAI if is_openai(settings) else settings.llm_provider


def _is_local_endpoint(settings: Settings) -> bool:
    """Return True if the endpoint is on the own network."""
    return is_openai(settings) and is_local(base_url(settings))
