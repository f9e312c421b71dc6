"""How far a batch is: counts that are exact, a rate, and what they say about the time that is left."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from agent.batch.records import LineState, Record, status_of
from agent.types import Usage

Ending = Literal["complete", "interrupted", "questions", "budget", "refused", "failed"]
"""`questions` and `budget` are the limits of the batch; `refused` is the language model's doing; with `failed` an error
ended it."""


@dataclass(slots=True)
class Tally:
    """Counts of records: all those of the output, and in `errors` the failed ones by type.

    `total` is None as long as nobody knows how many lines there are. `earlier` were there when this run began; `copied`
    are answers to questions that are there more than once. `spent` tells what the whole batch has used so far, `notes`
    what its reader should know.
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
        """How many lines have their record."""
        return self.answered + self.in_part + self.failed

    @property
    def left(self) -> int:
        """How many lines are known to be left."""
        return 0 if self.total is None else self.total - self.done

    @property
    def cost_usd(self) -> float:
        """Dollars."""
        return self.spent().cost_usd

    @property
    def seconds(self) -> float:
        """How long this run has worked."""
        return 0.0 if self.started is None else self.clock() - self.started

    @property
    def rate(self) -> float:
        """Records a second in this run."""
        return (self.done - self.earlier) / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take at this rate; None when that can't be told."""
        return self.left / self.rate if self.total is not None and self.rate else None

    def start(self) -> None:
        """Begin to measure what this run does."""
        self.started = self.clock()

    def keep(self, state: LineState) -> None:
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
