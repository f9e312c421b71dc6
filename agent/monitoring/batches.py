"""The output of `versus batch` as its events describe it: records by status, for each batch and in total.

A batch that was stopped and resumed counts as two batches here, each with the records that it wrote itself.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

from agent.monitoring.frequent import Frequent
from agent.monitoring.reading import LogEvent
from agent.monitoring.selecting import text_of

MOST_BATCHES = 100
"""Number of batches counted separately: the latest."""
_OF_THE_WHOLE = ("batch.progress", "batch.completed")
_NUMBERS = ("done", "total", "answered", "in_part", "failed", "copies", "rate", "seconds", "cost_usd")
_KIND_CHARS = 100


@dataclass(slots=True)
class Records:
    """Counts of written records: `errors` has the failed ones by type, `copies` counts repeated questions."""

    answered: int = 0
    in_part: int = 0
    failed: int = 0
    copies: int = 0
    errors: Frequent = field(default_factory=lambda: Frequent(100))

    @property
    def total(self) -> int:
        """The number of all records, copies included."""
        return self.answered + self.in_part + self.failed

    def add(self, event: LogEvent) -> None:
        """Count the event `batch.recorded`."""
        status = event.get("status")
        self.answered += status == "answered"
        self.in_part += status == "in_part"
        self.copies += event.get("same_as") is not None
        if status == "failed":
            self.failed += 1
            self.errors.add(text_of(event, "error")[:_KIND_CHARS] or "?")


@dataclass(slots=True)
class BatchRun:
    """One `versus batch`: `whole` has its latest counts for its whole output, `ending` is empty while it runs.

    It stays empty if the batch was killed.
    """

    batch_id: str
    first: str
    last: str = ""
    output: str = ""
    ending: str = ""
    records: Records = field(default_factory=Records)
    whole: Mapping[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Batches:
    """The latest batches, and the records of all.

    >>> batches = Batches()
    >>> batches.add({"event": "batch.recorded", "batch_id": "b1", "status": "answered"})
    >>> batches.records.total, batches.latest["b1"].records.answered
    (1, 1)
    """

    records: Records = field(default_factory=Records)
    latest: OrderedDict[str, BatchRun] = field(default_factory=OrderedDict)
    forgotten: int = 0

    def add(self, event: LogEvent) -> None:
        """Count an event of a batch for its batch; one without a batch id counts only in total."""
        recorded, batch_id = event["event"] == "batch.recorded", text_of(event, "batch_id")
        if recorded:
            self.records.add(event)
        if not batch_id:
            return
        batch = self._batch(batch_id, text_of(event, "timestamp"))
        if recorded:
            batch.records.add(event)
        elif event["event"] in _OF_THE_WHOLE:
            batch.whole = {name: event[name] for name in _NUMBERS if isinstance(event.get(name), int | float)}
            batch.output = text_of(event, "output") or batch.output
            batch.ending = text_of(event, "ending")

    def _batch(self, batch_id: str, when: str) -> BatchRun:
        batch = self.latest.setdefault(batch_id, BatchRun(batch_id, when))
        batch.last = max(batch.last, when)
        self.latest.move_to_end(batch_id)
        if len(self.latest) > MOST_BATCHES:
            self.latest.popitem(last=False)
            self.forgotten += 1
        return batch
