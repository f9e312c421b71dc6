"""The prices of tokens: a table of dollars per million tokens, by the model's name.

Prices change and discounts differ, so the table is data that can be replaced, and an unknown model is marked as such.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from types import MappingProxyType
from urllib.parse import urlsplit

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens."""

    prompt: float
    completion: float


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost in dollars; 0 if the model is not `known`."""

    usd: float
    known: bool


PriceTable = Mapping[str, Price]
_VERSION = re.compile(r"-(?:\d{4}-\d\d-\d\d|\d{8}|\d{4}|latest)$")

PRICES: PriceTable = MappingProxyType(
    {
        "gpt-3.5-turbo": Price(0.50, 1.50),
        "gpt-4": Price(30.00, 60.00),
        "gpt-4-turbo": Price(10.00, 30.00),
        "gpt-4.1": Price(2.00, 8.00),
        "gpt-4.1-mini": Price(0.40, 1.60),
        "gpt-4.1-nano": Price(0.10, 0.40),
        "gpt-4o": Price(2.50, 10.00),
        "gpt-4o-2024-05-13": Price(5.00, 15.00),
        "gpt-4o-mini": Price(0.15, 0.60),
        "gpt-5": Price(1.25, 10.00),
        "gpt-5-mini": Price(0.25, 2.00),
        "gpt-5-nano": Price(0.05, 0.40),
        "o1": Price(15.00, 60.00),
        "o3": Price(2.00, 8.00),
        "o3-mini": Price(1.10, 4.40),
        "o4-mini": Price(1.10, 4.40),
    }
)
"""OpenAI's list prices without discounts (https://platform.openai.com/docs/pricing), as of 2025."""


def cost_of(model: str, prompt: int, completion: int, table: PriceTable = PRICES) -> Cost:
    """Return the cost of prompt and completion tokens. A date or "latest" after a known name is the same model; any
    other suffix is another model (o1-pro costs ten times as much as o1).

    >>> cost_of("gpt-4o-mini-2024-07-18", 1_000_000, 1_000_000)
    Cost(usd=0.75, known=True)
    >>> cost_of("my-own-model", 1_000_000, 0)
    Cost(usd=0.0, known=False)
    """
    price = table.get(model) or table.get(_VERSION.sub("", model))
    if price is None:
        return Cost(0.0, known=False)
    return Cost((prompt * price.prompt + completion * price.completion) / _MILLION, known=True)


def is_local(base_url: str) -> bool:
    """Return True if an endpoint is on this machine or its own network, where tokens have no known price.

    >>> [is_local(url) for url in ("http://localhost:11434/v1", "http://10.0.0.7/v1", "https://api.openai.com/v1")]
    [True, True, False]
    """
    try:
        host = urlsplit(base_url).hostname or ""
    except ValueError:
        return False  # no address at all; the connection reports that
    try:
        return ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local"))
