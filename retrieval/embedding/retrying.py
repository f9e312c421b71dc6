"""Decide which failures of an OpenAI-compatible endpoint are temporary, and how long to wait.

Retrying happens here and not in the client: a permanent failure, such as a wrong key or a used-up quota, costs one
request. The server's retry-after is respected; without it the pauses grow, with jitter to spread out many clients
(https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter).
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from openai import APIError
    from tenacity import AsyncRetrying, RetryCallState

ATTEMPTS = 5
LONGEST_WAIT = 60.0
"""The longest wait, in seconds, that a server may ask for; beyond it the request fails."""
LONGEST_PAUSE = 8.0
"""The longest pause, in seconds, between attempts if the server does not specify one."""

_PASSING = (408, 409, 429)
_NO_QUOTA = "insufficient_quota"
Sleep = Callable[[float], Awaitable[None]]
Passes = Callable[[BaseException], bool]
OnRetry = Callable[[int, BaseException], None]
"""Called before each pause with the number of the failed attempt, from 1, and its error."""


def passes(error: BaseException) -> bool:
    """Return True if the same request may succeed shortly."""
    from openai import APIConnectionError, APIStatusError

    if isinstance(error, APIStatusError):
        temporary = error.status_code in _PASSING or error.status_code >= 500
        wait = retry_after(error.response.headers)
        return temporary and not out_of_quota(error) and (wait or 0.0) <= LONGEST_WAIT
    return isinstance(error, APIConnectionError)


def retrying(
    sleep: Sleep = asyncio.sleep,
    *,
    attempts: int = ATTEMPTS,
    passing: Passes = passes,
    give_up_at: float | None = None,
    on_retry: OnRetry | None = None,
) -> AsyncRetrying:
    """Return a retry loop for one call; its state belongs to that call, so it is never shared.

    With `give_up_at`, a time of the running event loop, no pause begins that would end after it: our own pauses get
    shorter towards it, and a longer one that the server asks for is not begun.

    >>> answer = await retrying()(client.models.list)  # doctest: +SKIP
    """
    from tenacity import AsyncRetrying, retry_if_exception

    def left() -> float:
        return math.inf if give_up_at is None else give_up_at - asyncio.get_running_loop().time()

    def over(state: RetryCallState) -> bool:
        return state.upcoming_sleep >= left() or state.attempt_number >= attempts

    def tell(state: RetryCallState) -> None:
        error = _error(state)
        if on_retry is not None and error is not None:
            on_retry(state.attempt_number, error)

    return AsyncRetrying(
        retry=retry_if_exception(passing),
        wait=lambda state: _pause(state, left()),
        stop=over,
        sleep=sleep,
        before_sleep=tell,
        reraise=True,
    )


def out_of_quota(error: APIError) -> bool:
    """Return True if an account's quota is used up, which servers report like a rate limit."""
    return _NO_QUOTA in (error.code, error.type)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds a server asks to wait, from a number or a date; `None` if unspecified.

    OpenAI also gives milliseconds, which are more precise.

    >>> retry_after({"retry-after": "2"}), retry_after({"retry-after": "2", "retry-after-ms": "1250"})
    (2.0, 1.25)
    """
    said, exact = headers.get("retry-after", ""), headers.get("retry-after-ms", "")
    try:
        seconds = float(exact) / 1000 if exact else float(said)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(said).timestamp() - time.time()
        except (ValueError, OverflowError, OSError):  # the year 10^20, or a time zone as large
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _error(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None


def _pause(state: RetryCallState, left: float) -> float:
    from openai import APIStatusError

    error = _error(state)
    asked = retry_after(error.response.headers) if isinstance(error, APIStatusError) else None
    if asked is not None:
        return asked + random.uniform(0, 0.25)
    return random.uniform(0, min(LONGEST_PAUSE, 0.5 * 2**state.attempt_number, max(0.0, left / 2)))
