"""The response to a question: its answer, or an error that costs only its own record."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from agent import events
from agent.batch.records import Response, error_response
from agent.errors import AgentError, SettingsError
from agent.events.logfile import MASK, mask
from agent.render.data import answer_data
from agent.settings.settings import Settings
from agent.types import Answer
from retrieval.errors import RetrievalError

Ask = Callable[[str], Awaitable[Answer]]
Respond = Callable[[str], Awaitable[Response]]
"""Asks a question under the bound run; `SettingsError` if nothing more can be asked."""
Clean = Callable[[str], str]
"""Masks the secrets in a message."""


def secret_masker(settings: Settings) -> Clean:
    """Return a function that masks the secrets of these settings in a message, and whatever looks like a secret."""
    secrets = events.secrets_of(settings)

    def clean(message: str) -> str:
        for secret in secrets:
            message = message.replace(secret, MASK)
        return mask(message)

    return clean


def responder_for(ask: Ask, clean: Clean = str) -> Respond:
    """Return a function that asks a question and returns its answer or error."""

    async def respond(question: str) -> Response:
        def failed(kind: str, message: str) -> Response:
            return error_response(question, kind, clean(message), run_id)

        run_id = events.current_run_id()
        try:
            answer = await ask(question)
        except SettingsError:
            raise
        except (AgentError, RetrievalError) as error:
            return failed(type(error).__name__, str(error))
        except Exception as error:  # noqa: BLE001 - an unexpected error costs only its own record
            return failed(type(error).__name__, f"unexpected: {error}. This is a bug; please report it")
        failure, run_id = failure_of(answer), answer.run_id
        return dict(answer_data(answer)) if failure is None else failed(*failure)

    return respond


def failure_of(answer: Answer) -> tuple[str, str] | None:
    """Return type and message if an answer failed because no search succeeded, else None; a batch can retry those."""
    evidence = answer.evidence
    if not evidence.is_unsearched:
        return None
    if evidence.stop_reason == "deadline":
        return "TimeoutError", "the time was up before anything was found; is the store up? (or raise VERSUS_DEADLINE)"
    return "RetrievalError", f"no search succeeded: {evidence.failed[0].error}"
