"""The progress of a batch: a bar on stderr for people, JSON Lines on stdout for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from agent.batch.tally import Tally
from agent.cli.context import CommandContext
from agent.cli.views.batch import progress_data, progress_line

Screen = Callable[[], None]


@contextmanager
def screen(context: CommandContext, tally: Tally) -> Iterator[Screen]:
    """Yield a function that shows the tally as it is now; without a terminal or `--json` it shows nothing."""
    if context.json:
        yield lambda: context.show_json(progress_data(tally))
    else:
        with _bar(context.notes, tally) as refresh:
            yield refresh


@contextmanager
def _bar(console: Console, tally: Tally) -> Iterator[Screen]:
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[line]}", markup=False))
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bars:
        task = bars.add_task("", total=None, line="opening")

        def refresh() -> None:
            line = "opening" if tally.started is None else progress_line(tally)
            bars.update(task, completed=tally.done, total=tally.total, line=line)

        yield refresh
