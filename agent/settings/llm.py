"""Settings of language models: time limits, rate limits, and the budget of a question."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from agent.settings.prices import PRICES, Price, PriceTable

Count = Annotated[int, Field(ge=1)]
Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class LLMSettings(BaseModel):
    """The limits apply to one question, except those per minute, which all questions share; None is no limit.

    `llm_provider` is "openai", for any OpenAI-compatible endpoint, or the name of a plug-in. `llm_prices` are dollars
    per million tokens by model name, `{"my-model": [0.5, 1.5]}` for prompt and completion; they extend the known
    prices, or replace them if the endpoint is on the own network or a plug-in. `max_llm_calls` counts calls of the
    agent, not their retries; `max_tokens` and `max_cost` also count the usage of failed attempts that the server
    reports.
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
        """Return the known prices, with those of the settings on top.

        >>> LLMSettings(llm_prices={"mine": (1, 2)}).price_table()["mine"]
        Price(prompt=1.0, completion=2.0)
        """
        return {**known, **{name: Price(*pair) for name, pair in self.llm_prices.items()}}
