"""Another process for the questions of a batch: it opens the agent with the same settings, and answers by rules.

It writes to the same log, under the same ids. Only the process that started it reads the questions and writes the
records.
"""

from __future__ import annotations

import asyncio
import base64
import gc
import logging
import pickle
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

from agent import events
from agent.ask import Agent
from agent.batch.manifest import contents
from agent.batch.records import Response, error_response
from agent.batch.responding import responder_for, secret_masker
from agent.cli.garbage import short_lived
from agent.cli.responsive import responsive
from agent.errors import AgentError, SettingsError
from agent.render.data import as_object
from agent.settings.settings import Settings
from retrieval.errors import ProcessEnded, RetrievalError, StoreError
from retrieval.processes.responder import Respond, Responder, respond, responder
from retrieval.processes.threads import background
from retrieval.processes.worker import News, Tell

THREADS = 64
"""Threads for blocking work, in this process and in the others."""


class BatchProcess:
    """Another process that answers questions (`agent.batch.pool`)."""

    def __init__(self, process: Responder) -> None:
        self._process = process

    @property
    def number(self) -> int:
        """The process id."""
        return self._process.number

    async def respond(self, question: str) -> Response:
        """Return the process's response to a question; an error if the process ends meanwhile."""
        try:
            said = await self._process.ask({"question": question, "bound": events.bound_ids()})
        except ProcessEnded as ended:
            again = f"{ended}; --retry-failed asks it again"
            return error_response(question, type(ended).__name__, again, events.current_run_id())
        if "stop" in said:
            raise SettingsError(said["stop"])
        return said

    async def ended(self) -> ProcessEnded:
        """Wait until the process has ended, and return how."""
        return await self._process.ended()


@asynccontextmanager
async def batch_process(settings: Settings, contents: str) -> AsyncIterator[BatchProcess]:
    """Start a process, and end it after the block; `ProcessEnded` if it can't open collections with these contents."""
    pickled = base64.b64encode(pickle.dumps(settings)).decode()
    opening = {"settings": pickled, "contents": contents, "bound": events.bound_ids()}
    async with responder(__name__, opening) as process:
        yield BatchProcess(process)


def main(tell: Tell) -> int:
    """Run the process; return its exit code."""
    try:
        with short_lived():
            asyncio.run(_respond(tell))
    except (AgentError, RetrievalError) as error:
        tell({"error": str(error)})
    except Exception as error:  # noqa: BLE001 - unexpected; its traceback is in the log
        tell({"error": f"unexpected {type(error).__name__}: {error}"})
    else:
        return 0
    return 1


async def _respond(tell: Tell) -> None:
    asyncio.get_running_loop().set_default_executor(background(THREADS, "versus"))
    await respond(_opened, tell)


@asynccontextmanager
async def _opened(opening: News) -> AsyncIterator[Respond]:
    settings: Settings = pickle.loads(base64.b64decode(opening["settings"]))
    with events.configure_logging(settings), events.bind(**opening["bound"]):
        try:
            async with AsyncExitStack() as opened:
                with _without_warnings():
                    agent = await opened.enter_async_context(Agent.open(settings))
                if await asyncio.to_thread(contents, settings) != opening["contents"]:
                    raise StoreError("the collection has changed since the batch began")
                gc.enable()
                with responsive():
                    yield _answering(agent, settings)
        except Exception as error:
            events.emit_failure(error)
            raise


def _answering(agent: Agent, settings: Settings) -> Respond:
    answered = responder_for(agent.ask, secret_masker(settings))

    async def answer(request: News) -> News:
        with events.bind(**request["bound"]):
            try:
                return as_object(await answered(request["question"]))
            except SettingsError as error:
                return {"stop": str(error)}

    return answer


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Silence warnings inside the block: the process that started this one has shown the same ones."""
    logging.disable(logging.CRITICAL)
    try:
        with events.silent():
            yield
    finally:
        logging.disable(logging.NOTSET)
