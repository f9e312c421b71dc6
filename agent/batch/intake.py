"""The questions left to ask: the lines of the source that have no record in the output."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

from agent.batch.disk import Disk
from agent.batch.index import Index, digest
from agent.batch.questions import Item
from agent.batch.source import Source
from agent.batch.stop_policy import StopPolicy
from agent.errors import SettingsError
from agent.render.words import counted


class Intake:
    """Reads `source`, in a random order if `seed` is given."""

    def __init__(self, source: Source, index: Index, stop_policy: StopPolicy, seed: int | None = None) -> None:
        if seed is not None and source.is_stream:
            raise SettingsError("--shuffle needs a file: a stream can't be read in another order than its own")
        self._source, self._index, self._stop_policy, self._seed = source, index, stop_policy, seed
        self._disk, self._closed = Disk(), False
        self._met = 0

    @property
    def missing(self) -> int:
        """The number of records in the output without a line in the source, after everything is read."""
        return 0 if self._stop_policy.stopped.is_set() else self._index.count_done() - self._met

    async def survey(self) -> int | None:
        """Count the lines, and check that those with a record still ask the same question.

        Return None for a stream, whose end is unknown. `SettingsError` if the file has changed.
        """
        return None if self._source.is_stream else await self._disk.run(self._surveyed)

    async def items(self, most: int | None = None) -> AsyncIterator[Item]:
        """Yield the lines without a record. A line whose id another line has gets a problem instead of an answer.

        With more than `most` such lines, the batch ends after `most`.
        """
        count = 0
        lists = self._lists()
        try:
            while (items := await self._disk.run(lambda: self._items_left(next(lists, None)))) is not None:
                for item in items:
                    if most is not None and count >= most:
                        self._stop_policy.limit("questions")
                    if self._stopped():
                        return
                    yield item
                    count += 1
        finally:
            self.close()

    def close(self) -> None:
        """Stop reading."""
        self._closed = True
        self._disk.forget()

    def _stopped(self) -> bool:
        return self._closed or self._stop_policy.stopped.is_set()

    def _lists(self) -> Iterator[list[Item]]:
        return (
            self._source.items(self._stopped)
            if self._seed is None
            else self._source.shuffled(self._stopped, self._seed)
        )

    def _surveyed(self) -> int:
        total = met = 0
        for items in self._source.items(self._stopped):
            total += len(items)
            met += sum(self._is_done(item) for item in items)
        missing = self._index.count_done() - met
        if missing and not self._stopped():
            raise SettingsError(
                f"{self._source.place} has shrunk: {counted(missing, 'line')} with a record in the output "
                f"{'is' if missing == 1 else 'are'} no longer there. Put them back, name another --output, or begin "
                "anew with --no-resume; records of failed lines are dropped by --retry-failed"
            )
        return total

    def _items_left(self, items: list[Item] | None) -> list[Item] | None:
        # Lines with a record claim their ids too, so that every run gives an id to the same line.
        if items is None:
            return None
        left = [item for item in map(self._claimed, items) if not self._is_done(item)]
        self._met += len(items) - len(left)
        return [self._compared(item) for item in left]

    def _compared(self, item: Item) -> Item:
        new = item.question is None or item.problem is not None or self._index.is_new(item.question)
        return item if new else replace(item, repeated=True)

    def _claimed(self, item: Item) -> Item:
        if item.problem is not None or (owner := self._index.claim(item.id, item.line)) == item.line:
            return item
        return replace(item, problem=f"line {owner} has the id {item.id!r} already; give each line its own")

    def _is_done(self, item: Item) -> bool:
        found = self._index.done(item.line)
        if found is None:
            return False
        then = found[0]
        if then is not None and (item.question is None or digest(item.question) != then):
            raise SettingsError(
                f"line {item.line} of {self._source.place} is another question than the one in the output. A file may "
                "grow, and broken lines may be mended, but answered ones have to stay; name another --output, or begin "
                "anew with --no-resume"
            )
        return True
