"""The progress of a batch: exact counts, a rate, and an estimate of the time left."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from agent.batch.records import LineState, Record, status_of
from agent.types import Usage

Ending = Literal["complete", "interrupted", "questions", "budget", "refused", "failed"]
"""`questions` and `budget` are limits of the batch; `refused` comes from the language model; `failed` means that an
error ended it."""


@dataclass(slots=True)
class Tally:
    """Counts of all records in the output; `errors` counts the failed ones by type.

    `total` is None while the number of lines is unknown. `earlier` records come from earlier runs; `copied` are answers
    to repeated questions. `spent` returns the usage of the whole batch so far, `notes` are for the reader of the
    summary.
    """

    total: int | None = None
    answered: int = 0
    in_part: int = 0
    failed: int = 0
    copied: int = 0
    earlier: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    spent: Callable[[], Usage] = Usage
    clock: Callable[[], float] = time.monotonic
    started: float | None = None

    @property
    def done(self) -> int:
        """The number of lines with a record."""
        return self.answered + self.in_part + self.failed

    @property
    def left(self) -> int:
        """The number of lines known to be left."""
        return 0 if self.total is None else self.total - self.done

    @property
    def cost_usd(self) -> float:
        """The cost in dollars."""
        return self.spent().cost_usd

    @property
    def seconds(self) -> float:
        """The duration of this run."""
        return 0.0 if self.started is None else self.clock() - self.started

    @property
    def rate(self) -> float:
        """Records per second in this run."""
        return (self.done - self.earlier) / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        """The estimated duration of the rest at this rate; None if it is unknown."""
        return self.left / self.rate if self.total is not None and self.rate else None

    def start(self) -> None:
        """Start the clock of this run."""
        self.started = self.clock()

    def add_earlier(self, state: LineState) -> None:
        """Count a record of an earlier run."""
        self.earlier += 1
        self._count(state.status, state.error, state.copied)

    def add(self, record: Record) -> None:
        """Count a record that was written."""
        error = record["error"]["type"] if "error" in record else None
        self._count(status_of(record), error, "same_as" in record)

    def _count(self, status: str, error: str | None, copied: bool) -> None:
        self.answered += status == "answered"
        self.in_part += status == "in_part"
        self.failed += status == "failed"
        self.copied += copied
        if error is not None:
            self.errors[error] += 1
