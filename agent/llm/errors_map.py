"""Failed calls as errors: what happened, where, and what to do next, and never the key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.errors import LLMError, LLMRefused, RequestRefused
from agent.llm.responses import InvalidReply, Late, OutOfTime
from retrieval.embedding.retrying import out_of_quota, passes, retry_after
from retrieval.keys import cleaned, shown

if TYPE_CHECKING:
    from openai import APIStatusError

_OR = "or go on without it: --planner rules"
_KEY = f"does not take the key {{}}; set OPENAI_API_KEY, {_OR}"
_MOVED = "has moved {}; set OPENAI_BASE_URL to its new address"
_QUOTA = f"has no quota left {{}}; raise it, {_OR}"
LATER = f"try again later, {_OR}"
_ADVICE = {
    **dict.fromkeys((401, 403), _KEY),
    **dict.fromkeys((301, 302, 303, 307, 308), _MOVED),
    402: _QUOTA,
    404: "is not there {}; check the model (--model, VERSUS_MODEL) and OPENAI_BASE_URL, which often ends with /v1",
}
_SLOW = f"raise VERSUS_LLM_TIMEOUT, and VERSUS_DEADLINE with it, {_OR}"
_TOO_LONG = "it is too long; take a model with a longer context, or lower VERSUS_MAX_CHUNKS"
_LONGEST = 300
"""Most characters of a server's message that are repeated."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model and its address, as messages name them; `api_key` is known only to be masked in messages."""

    model: str
    base_url: str
    api_key: str | None

    def __repr__(self) -> str:
        return f"Endpoint({self.model!r}, {shown(self.base_url)!r})"

    def __str__(self) -> str:
        return f"the language model {self.model!r} at {shown(self.base_url)}"

    def failure(self, error: BaseException, sent: int) -> LLMError:
        """Return the error of a call after `sent` requests, the last of which failed with `error`."""
        from openai import APIStatusError

        times = "once" if sent == 1 else f"{sent} times"
        if isinstance(error, OutOfTime):
            return LLMError(
                f"{self} did not answer in the time that the question has (asked {times}); raise VERSUS_DEADLINE, {_OR}"
            )
        if isinstance(error, Late):
            return LLMError(f"{self} {self.complaint(error)} (asked {times}); {_SLOW}")
        if not isinstance(error, APIStatusError):
            return LLMError(f"{self} {self.complaint(error)} (asked {times}); check OPENAI_BASE_URL, or {LATER}")
        if _may_pass(error):
            return LLMError(f"{self} {self.complaint(error)}; {LATER}")
        said = self._said(error)
        advice = _QUOTA if out_of_quota(error) else _ADVICE.get(error.status_code)
        if advice is None:
            too_long = error.status_code == 413 or "context" in f"{said} {error.code}".lower()
            return RequestRefused(f"{self} refuses this request {said}{f'; {_TOO_LONG}' if too_long else ''}")
        return LLMRefused(f"{self} {advice.format(said)}")

    def complaint(self, error: BaseException) -> str:
        """Return what happened, in a few words."""
        from openai import APIStatusError

        if isinstance(error, APIStatusError):
            return f"failed {self._said(error)}"
        if isinstance(error, InvalidReply):
            return self._cleaned(str(error))
        cause = error.__cause__ or ""
        return f"can't be reached ({self._cleaned(f'{error} {cause}')})"

    def _said(self, error: APIStatusError) -> str:
        words, wait = self._cleaned(words_of(error)), round(retry_after(error.response.headers) or 0)
        pause = f"; it wants no request for {wait:g} s" if wait else ""
        return f"(HTTP {error.status_code}{f': {words}' if words else ''}{pause})"

    def _cleaned(self, text: str) -> str:
        return cleaned(text, self.api_key, self.base_url)[:_LONGEST]


def words_of(error: APIStatusError) -> str:
    """Return a server's message about its error, in whichever form; empty if it sent a page."""
    body = error.body
    said = (body.get("message") or body.get("detail") or body) if isinstance(body, Mapping) else body or ""
    return "" if str(said).startswith("<") else str(said)


def _may_pass(error: APIStatusError) -> bool:
    """Return True for an error of an overloaded server, which may pass; False if the server refuses."""
    return passes(error) or error.status_code >= 500 or (error.status_code == 429 and not out_of_quota(error))
