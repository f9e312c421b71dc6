"""Progress on stderr, fed by a plain callback: bars on a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

Show = Callable[[str, int, int], None]
Clock = Callable[[], float]
EVERY = 10.0
"""Seconds between two lines; a shorter stage has none."""


class ProgressReporter:
    """Shows progress when called as `(stage, done, total)`, and remembers the last call."""

    def __init__(self, show: Show) -> None:
        self._show = show
        self.last: tuple[str, int, int] | None = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show and remember the progress of a stage."""
        self.last = (stage, done, total)
        self._show(stage, done, total)


@contextmanager
def progress(console: Console, clock: Clock = time.monotonic) -> Iterator[ProgressReporter]:
    """Show one bar per stage on a terminal; elsewhere print a line every `EVERY` seconds of `clock`."""
    if not console.is_terminal:
        yield ProgressReporter(_lines(console, clock))
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bars:
        yield ProgressReporter(_bars(bars))


def _bars(bars: Progress) -> Show:
    stages: dict[str, TaskID] = {}

    def show(stage: str, done: int, total: int) -> None:
        if stage not in stages:
            stages[stage] = bars.add_task(stage, total=total)
        bars.update(stages[stage], completed=done, total=total)

    return show


def _lines(console: Console, clock: Clock) -> Show:
    began = printed = clock()

    def show(stage: str, done: int, total: int) -> None:
        nonlocal printed
        now = clock()
        if now - printed >= EVERY:
            printed = now
            share = done / total if total else 1.0
            line = f"{stage}: {done:,} of {total:,} ({share:.0%}), {now - began:.0f} s"
            console.print(Text(line), soft_wrap=True)

    return show
