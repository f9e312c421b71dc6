"""Settings of language models: how long they may take, how often they may be asked, what a question may cost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from agent.settings.prices import PRICES, Price, PriceTable

Count = Annotated[int, Field(ge=1)]
Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class LLMSettings(BaseModel):
    """The limits are for one question, but for those by the minute, which all questions share; None is no limit.

    `llm_provider` is whose model it is: "openai", which is any OpenAI-compatible endpoint, or a plug-in's name.
    `llm_prices` are dollars per million tokens, `{"my-model": [0.5, 1.5]}` for prompt and completion, by models' names;
    they add to those that are known, and are all that counts where the endpoint is on the own network, or a plug-in.
    `max_llm_calls` counts what the agent asks for; how often a call had to be tried does not count, but what the failed
    attempts cost does, where the server says it, for `max_tokens` and `max_cost`.
    """

    llm_provider: Annotated[str, Field(min_length=1)] = "openai"
    llm_timeout: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] = 30.0
    llm_cache: Path | None = None
    llm_prices: dict[str, tuple[Dollars, Dollars]] = Field(default_factory=dict)
    requests_per_minute: Count | None = None
    tokens_per_minute: Count | None = None
    max_llm_calls: Annotated[int, Field(ge=0)] | None = 16
    max_tokens: Annotated[int, Field(ge=0)] | None = None
    max_cost: Dollars | None = None

    def price_table(self, known: PriceTable = PRICES) -> PriceTable:
        """The prices that are known, with those that were set on top.

        >>> LLMSettings(llm_prices={"mine": (1, 2)}).price_table()["mine"]
        Price(prompt=1.0, completion=2.0)
        """
        return {**known, **{name: Price(*pair) for name, pair in self.llm_prices.items()}}
