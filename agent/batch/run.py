"""Run a batch from its source to its output: n lines in, n records out, whatever happens in between.

A question is asked once, however often it occurs: a repetition waits for the running one, or copies its record. If the
batch ends early, the remaining lines have no record; no line is ever half answered.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, aclosing
from contextvars import copy_context
from dataclasses import dataclass, replace
from pathlib import Path

from agent import events
from agent.batch.driver import as_finished
from agent.batch.errors import BatchError, Halted
from agent.batch.event_fields import recorded_fields
from agent.batch.index import Index
from agent.batch.intake import Intake
from agent.batch.manifest import Manifest, check_match, read_manifest, write_manifest
from agent.batch.output import Output, real_path
from agent.batch.questions import Item
from agent.batch.records import Record, copied_record, error_response, record_of
from agent.batch.responding import Respond
from agent.batch.source import Source
from agent.batch.stop_policy import StopPolicy
from agent.batch.tally import Tally
from agent.errors import SettingsError
from agent.render.words import counted

Asking = Callable[[], AbstractAsyncContextManager[Respond]]
"""Opens and closes the function that answers questions."""


@dataclass(frozen=True, slots=True)
class Job:
    """The task of a batch: the questions of `source` into `output`, `concurrency` at a time.

    `made_with` has the settings that a resume must share, `contents` a fingerprint of the collections. `most_records`
    ends the batch when the output has that many. `seed` shuffles.
    """

    source: Source
    output: Path
    made_with: dict[str, str]
    concurrency: int = 16
    resume: bool = True
    retry_failed: bool = False
    seed: int | None = None
    most_records: int | None = None
    contents: str = ""


class Batch:
    """One run of a job: earlier records stay, the other lines are asked until all are done or `stop_policy` ends it."""

    def __init__(self, job: Job, tally: Tally, stop_policy: StopPolicy) -> None:
        self._job, self._tally, self._stop_policy = job, tally, stop_policy
        self._output = Output(real_path(job.output), self._recorded)
        self._context = copy_context()
        self._index = Index()
        self._intake = Intake(job.source, self._index, stop_policy, job.seed)
        self._asking: dict[str, asyncio.Future[Record | None]] = {}

    async def run(self, asking: Asking) -> None:
        """Run the batch; `asking` is opened only when the output is locked and a question is left.

        `SettingsError` if the output was begun with other settings or questions, `BatchError` if it can't be used or
        written. Earlier records stay in any case, and a failed start leaves no other files.
        """
        try:
            await self._output.open()
            begun = await self._begin()
            if self._tally.done == self._tally.total:
                await self._take_over(begun)
            else:
                async with self._stop_policy.patience(), asking() as respond:
                    await self._take_over(begun)
                    await self._work(respond)
        except BaseException:
            await self._output.withdraw()
            raise
        finally:
            self._intake.close()
            await self._output.close()
            self._index.close()
        if self._tally.done == self._tally.total:
            self._stop_policy.ending = "complete"

    async def _work(self, respond: Respond) -> None:
        self._tally.start()
        most = self._job.most_records
        items = self._intake.items(None if most is None else most - self._tally.done)
        async with aclosing(as_finished(items, lambda item: self._done(item, respond), self._job.concurrency)) as done:
            async for _ in done:
                pass
        if self._job.source.is_stream and (missing := self._intake.missing):
            self._tally.notes.append(_shrunk(missing))

    async def _begin(self) -> Manifest | None:
        """Compare the existing output with the input; return the manifest to write, or None if it is unchanged."""
        job = self._job
        if job.source.is_at(self._output.path):
            raise SettingsError(f"{self._output.path} has the questions; name another --output")
        then = read_manifest(self._output.path) if job.resume else None
        made_with = {**job.made_with, "input": job.source.format, "shuffle": str(job.seed)}
        now = Manifest(made_with, job.contents)
        if job.resume and then is None and self._output.path.stat().st_size:
            raise SettingsError(
                f"{self._output.path} is there and no batch that can be gone on with: it has no manifest. Name another "
                "--output, or overwrite it with --no-resume"
            )
        if job.resume:
            await self._output.recover(
                self._index,
                self._tally.add_earlier,
                drop_failed=job.retry_failed,
                has_checksums=then is not None and then.has_checksums,
            )
        if then is not None and self._tally.done:
            now = replace(now, format=then.format)
            check_match(self._output.path, then.made_with, now.made_with)
            if then.contents and now.contents and then.contents != now.contents:
                self._tally.notes.append(_changed(self._tally.done))
        self._tally.total = await self._intake.survey()
        return None if then == now else now

    async def _take_over(self, manifest: Manifest | None) -> None:
        """Empty the output if it is overwritten, and write the manifest; called when the questions can be asked."""
        if not self._job.resume:
            await self._output.empty()
        if manifest is not None:
            write_manifest(self._output.path, manifest)

    async def _done(self, item: Item, respond: Respond) -> Record | None:
        """Return the record of a line once it is written, or None if the line gets none."""
        try:
            if item.problem is not None or item.question is None:
                problem = item.problem or "there is no question"
                return await self._write(record_of(item, error_response(item.question, "QuestionError", problem)))
            return await self._answered(item, item.question, respond)
        except Halted:
            return None

    async def _answered(self, item: Item, question: str, respond: Respond) -> Record | None:
        under_way = self._asking.get(question)
        if under_way is not None:
            first = await asyncio.shield(under_way)
            return None if first is None else await self._write(copied_record(item, first))
        self._asking[question] = promise = asyncio.get_running_loop().create_future()
        record: Record | None = None
        try:
            then = await self._output.find(question, self._index) if item.repeated else None
            if then is not None:
                record = await self._write(copied_record(item, then))
            else:
                record = await self._write(await self._ask_one(item, question, respond))
            return record
        finally:
            del self._asking[question]
            promise.set_result(record)

    async def _ask_one(self, item: Item, question: str, respond: Respond) -> Record:
        try:
            with events.bind(run_id=uuid.uuid4().hex):
                return record_of(item, await respond(question))
        except SettingsError as error:
            # Most likely the journal failed: no further reply can be paid for, but running questions can be kept.
            again = "Then give the same command again: it goes on where it stopped"
            self._stop_policy.limit("failed", BatchError(f"{error}. {again}"))
            raise Halted from error

    def _recorded(self, record: Record) -> None:
        """Count and log a record once it is on disk. Runs in the writing thread, so a cancellation cannot skip it."""
        self._tally.add(record)
        self._context.run(_emit_recorded, record)

    async def _write(self, record: Record) -> Record:
        await self._output.append(record, self._index)
        return record


def _changed(done: int) -> str:
    return (
        f"the collection has changed since the first {counted(done, 'record')}, which rest on what it held before; "
        "--no-resume asks all of them again"
    )


def _shrunk(missing: int) -> str:
    return f"the input has shrunk: {counted(missing, 'record')} of the output have no line in it any more, and stay"


def _emit_recorded(record: Record) -> None:
    with events.bind(run_id=record.get("run_id"), question_id=record.get("run_id")):
        events.emit("batch.recorded", recorded_fields(record))
