"""`versus batch`: a file of questions into a file of answers, with progress, signals and a summary."""

from __future__ import annotations

import asyncio
import faulthandler
import os
import signal
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, aclosing, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from agent import events
from agent.ask import Agent
from agent.batch.budget import BudgetedLLM, questions_for
from agent.batch.event_fields import completed_fields, progress_fields
from agent.batch.journal import journal_of, journal_usage
from agent.batch.manifest import contents, fingerprint
from agent.batch.output import real_path
from agent.batch.pool import Pool
from agent.batch.responding import Respond, responder_for, secret_masker
from agent.batch.run import Batch, Job
from agent.batch.source import Source
from agent.batch.stop_policy import StopPolicy
from agent.batch.tally import Tally
from agent.cli.batch_process import THREADS, batch_process
from agent.cli.batch_screen import Screen, screen
from agent.cli.context import FAILED, IN_PART, OK, CommandContext
from agent.cli.paths import require_file, require_output
from agent.cli.responsive import responsive
from agent.cli.views.batch import summary_data, summary_view
from agent.errors import AgentError, SettingsError
from agent.llm.factory import has_price, is_openai, prices_of
from agent.llm.protocol import LLM
from agent.llm.recorded import RecordedLLM
from agent.settings.prices import PriceTable
from agent.settings.settings import Settings
from agent.types import Usage
from retrieval.errors import RetrievalError
from retrieval.processes.threads import background, processors

_TICK = 1.0
_ROOM = 16_000_000
"""Free bytes that the journal needs, so that running questions can still be kept when the disk is full."""
_NOTE = 10
"""Ticks between two progress events in the log."""
_LAST_RESORT = 1.7
"""Seconds after an interruption until the process is forced to end; everything that counts is on disk by then."""
_PROCESS_BREAK_EVEN = 200
"""Number of questions from which another process pays off: it opens the collection, and starts with cold caches."""
_CALLS = 4
"""Approximate model calls per question, and tokens per call."""
_TOKENS = 4000


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """The options of `versus batch` that are not settings."""

    questions: str
    output: Path
    resume: bool = True
    retry_failed: bool = False
    shuffle: int | None = None


def run_batch(context: CommandContext, options: BatchOptions) -> int:
    """Answer a file of questions; return 0 if all are answered, 3 if some are, 1 if none is or the batch had to stop.

    An interrupted batch returns 1, and `stderr` explains how to resume.
    """
    with events.bind(batch_id=uuid.uuid4().hex):
        try:
            if options.questions != "-":
                require_file(Path(options.questions))
            require_output(options.output)
            return _batch(context, options)
        except (AgentError, RetrievalError) as error:
            return context.complain(error)  # here, so that the log has the id of the batch


def _batch(context: CommandContext, options: BatchOptions) -> int:
    tally = Tally()
    stop_policy = asyncio.run(_run(context, options, tally))
    if context.json:
        context.show_json(summary_data(tally, stop_policy.ending, options.output))
    else:
        context.show(summary_view(tally, stop_policy.ending, options.output))
    if stop_policy.error is not None:
        return context.complain(stop_policy.error)
    if stop_policy.ending == "interrupted":
        return FAILED
    if tally.answered == tally.done and stop_policy.ending == "complete":
        return OK
    return IN_PART if tally.answered or tally.in_part else FAILED


async def _run(context: CommandContext, options: BatchOptions, tally: Tally) -> StopPolicy:
    stop_policy = StopPolicy()
    asyncio.get_running_loop().set_default_executor(background(THREADS, "versus"))
    try:
        await _answered(context, options, tally, stop_policy)
    except BaseException:
        stop_policy.ending = "failed"
        raise
    finally:
        events.emit("batch.completed", completed_fields(tally, stop_policy.ending, options.output))
    return stop_policy


async def _answered(context: CommandContext, options: BatchOptions, tally: Tally, stop_policy: StopPolicy) -> None:
    before = await asyncio.to_thread(journal_usage, journal_of(real_path(options.output)))
    tally.spent = lambda: before
    work = _Work(context.settings, options, tally, stop_policy)
    with _signals(context, stop_policy), screen(context, tally) as refresh:
        watching = asyncio.create_task(_watch(refresh, tally))
        try:
            work.contents = await asyncio.to_thread(contents, context.settings)
            await Batch(work.job(), tally, stop_policy).run(work.asking)
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)


class _Work:
    """The agent of a batch; its language model is wrapped by the journal and the budget."""

    def __init__(self, settings: Settings, options: BatchOptions, tally: Tally, stop_policy: StopPolicy) -> None:
        self._settings, self._options, self._tally, self._stop_policy = settings, options, tally, stop_policy
        self._journal: RecordedLLM | None = None
        self.contents = ""
        """Fingerprint of the collections' contents."""

    def job(self) -> Job:
        """Return the job of this batch."""
        settings, options = self._settings, self._options
        return Job(
            Source(options.questions, settings.max_question_chars),
            options.output,
            fingerprint(settings),
            concurrency_within_limits(settings)
            if settings.planner == "rules"
            else questions_for(concurrency_within_limits(settings)),
            options.resume,
            options.retry_failed,
            options.shuffle,
            settings.batch_max_questions,
            self.contents,
        )

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[Respond]:
        """Yield the function that asks the agent, with all its models loaded, and the other processes beside it."""
        before = self._tally.spent()
        async with Agent.open(self._settings) as agent:
            paying = agent.with_llm(lambda llm: self._paid(llm, before))
            with responsive():
                try:
                    async with aclosing(self._pool(paying)) as pool:
                        yield pool.respond
                finally:
                    if self._journal is not None:
                        await self._journal.close()

    def _pool(self, agent: Agent) -> Pool:
        """Return the pool of processes; only one with a language model: journal and limits are for the whole batch."""
        settings, tally = self._settings, self._tally
        wanted, by_rules = settings.batch_processes, self._journal is None
        if not by_rules and wanted is not None and wanted > 1:
            tally.notes.append("a batch with a language model is answered by one process")
        return Pool(
            responder_for(agent.ask, secret_masker(settings)),
            lambda: batch_process(settings, self.contents),
            processes_for(settings) - 1 if by_rules else 0,
            process_start_question(settings, tally),
            tally.notes.append,
        )

    def _paid(self, llm: LLM, before: Usage) -> LLM:
        settings = self._settings
        paid = BudgetedLLM(
            llm,
            self._stop_policy.limit,
            max_cost=settings.batch_max_cost,
            before=before.cost_usd,
            prices=prices_for(settings),
            at_once=concurrency_within_limits(settings),
        )
        self._tally.spent = lambda: before + paid.usage
        path = journal_of(real_path(self._options.output))
        address = settings.openai_base_url or "" if is_openai(settings) else settings.llm_provider
        self._journal = RecordedLLM(paid, path, base_url=address, room=_ROOM)
        return self._journal


def concurrency_within_limits(settings: Settings) -> int:
    """Return how many questions run at once: as set, but no more than the rate limits allow within a deadline.

    >>> concurrency_within_limits(Settings(planner="llm", requests_per_minute=30, deadline=60, batch_concurrency=16))
    7
    """
    most = [settings.batch_concurrency]
    if settings.planner != "rules":
        minutes = settings.deadline / 60
        if settings.requests_per_minute is not None:
            most.append(int(settings.requests_per_minute * minutes / _CALLS))
        if settings.tokens_per_minute is not None:
            most.append(int(settings.tokens_per_minute * minutes / _CALLS / _TOKENS))
    return max(1, min(most))


def processes_for(settings: Settings) -> int:
    """Return how many processes answer by rules: as set, or one per core; never more than concurrent questions.

    >>> processes_for(Settings(batch_processes=4, batch_concurrency=2))
    2
    """
    return min(settings.batch_processes or processors(), settings.batch_concurrency)


def process_start_question(settings: Settings, tally: Tally) -> int:
    """Return the question at which other processes start: the first if many are known to come or `--processes` is set.

    >>> tally = Tally(total=1000)
    >>> process_start_question(Settings(), tally), process_start_question(Settings(batch_max_questions=9), tally)
    (1, 200)
    """
    most = settings.batch_max_questions
    known = tally.left if most is None else min(tally.left, most - tally.done)
    return 1 if settings.batch_processes is not None or known >= _PROCESS_BREAK_EVEN else _PROCESS_BREAK_EVEN


def prices_for(settings: Settings) -> PriceTable:
    """Return the prices of the model; `SettingsError` if a budget is set and the price is unknown."""
    if settings.batch_max_cost is not None and not has_price(settings):
        raise SettingsError(
            f"--max-cost needs to know what the model {settings.model!r} costs: set VERSUS_LLM_PRICES to "
            f'{{"{settings.model}": [0.5, 1.5]}}, dollars per million tokens of prompt and completion'
        )
    return prices_of(settings)


async def _watch(refresh: Screen, tally: Tally) -> None:
    ticks = 0
    while True:
        await asyncio.sleep(_TICK)
        ticks += 1
        refresh()
        if ticks % _NOTE == 0:
            _note(tally)


def _note(tally: Tally) -> None:
    if tally.started is not None:
        events.emit("batch.progress", progress_fields(tally))


@contextmanager
def _signals(context: CommandContext, stop_policy: StopPolicy) -> Iterator[None]:
    """Stop the batch cleanly on Ctrl-C and SIGTERM, or at once when that takes too long."""
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        if stop_policy.ending != "interrupted":
            # Its thread needs no interpreter, so it works even during interpreter shutdown; it exits with 1.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            faulthandler.dump_traceback_later(_LAST_RESORT, exit=True, file=nowhere)
            context.notes.print(Text("stopping; give the same command again to go on where it stops"))
        stop_policy.interrupt()

    caught = (signal.SIGINT, signal.SIGTERM)
    with ExitStack() as stack:
        for number in caught:
            with suppress(NotImplementedError):  # Windows has no such handlers; there Ctrl-C ends the batch at once
                loop.add_signal_handler(number, interrupt)
                stack.callback(loop.remove_signal_handler, number)
        yield
