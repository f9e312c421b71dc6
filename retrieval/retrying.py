"""Which failures of an OpenAI-compatible endpoint pass, and how long to wait for that.

One loop decides, not the client's own: what can't pass, a wrong key or a used-up quota, costs one request. The server's
word on when to come again counts; without it the pauses grow, and chance keeps many clients from coming back at once
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

    from tenacity import AsyncRetrying, RetryCallState

ATTEMPTS = 5
LONGEST_WAIT = 60.0
"""Seconds. A server that wants us to wait longer is not waited for."""
LONGEST_PAUSE = 8.0
"""Seconds between attempts when the server does not say."""

_PASSING = (408, 409, 429)
Sleep = Callable[[float], Awaitable[None]]


def retrying(sleep: Sleep = asyncio.sleep) -> AsyncRetrying:
    """Return a loop for one call; its state belongs to that call, so it is never shared.

    >>> answer = await retrying()(client.models.list)  # doctest: +SKIP
    """
    from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt

    return AsyncRetrying(
        retry=retry_if_exception(passes), wait=_pause, stop=stop_after_attempt(ATTEMPTS), sleep=sleep, reraise=True
    )


def passes(error: BaseException) -> bool:
    """Say whether the same request may succeed in a moment."""
    from openai import APIConnectionError, APIStatusError

    if isinstance(error, APIStatusError):
        temporary = error.status_code in _PASSING or error.status_code >= 500
        wait = retry_after(error.response.headers)
        return temporary and error.code != "insufficient_quota" and (wait or 0.0) <= LONGEST_WAIT
    return isinstance(error, APIConnectionError)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds a server wants us to wait, given as a number or a date; `None` when it does not say.

    >>> retry_after({"retry-after": "2"})
    2.0
    """
    said = headers.get("retry-after", "")
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(said).timestamp() - time.time()
        except ValueError:
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _pause(state: RetryCallState) -> float:
    from openai import APIStatusError

    error = state.outcome.exception() if state.outcome else None
    asked = retry_after(error.response.headers) if isinstance(error, APIStatusError) else None
    if asked is not None:
        return asked + random.uniform(0, 0.25)
    return random.uniform(0, min(LONGEST_PAUSE, 0.5 * 2**state.attempt_number))
