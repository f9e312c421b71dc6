"""`versus logs`: sum up a log, watch it live, print it for Prometheus, or show one question's story."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.live import Live

from agent.cli.context import OK, CommandContext
from agent.cli.paths import require_readable
from agent.cli.views.logs import live_view, summary_data, summary_view
from agent.cli.views.trace import trace_data, trace_view
from agent.errors import QuestionError
from agent.monitoring.checks import Check, judged, worst
from agent.monitoring.live import Tail
from agent.monitoring.prometheus import exposition
from agent.monitoring.reading import Broken, LogEvent, events_of, log_files
from agent.monitoring.selecting import Selection, Selector, parse_since, selected
from agent.monitoring.summary import Summary
from agent.monitoring.trace import Trace, trace_of

CRITICAL = 2
"""The exit code if a check is critical."""
_PAUSE = 0.5
"""Seconds between two reads of the files."""


def read_logs(
    context: CommandContext,
    words: Sequence[str],
    since: str | None,
    run: str | None,
    question: str | None,
    follow: bool,
    prometheus: bool,
) -> int:
    """Run `versus logs WORDS…`: the words are files and folders, after an optional `show ID` for one question."""
    selection = Selection(parse_since(since, datetime.now(UTC)) if since else None, run, question)
    if follow + prometheus + (words[:1] == ["show"]) > 1:
        raise QuestionError("choose one of: show ID, --follow, --prometheus")
    if words[:1] == ["show"]:
        return show_question(context, [Path(word) for word in words[2:]], selection, "".join(words[1:2]))
    paths = [Path(word) for word in words]
    if follow:
        return _followed(context, _places(context, paths), selection)
    return summarize(context, paths, selection, prometheus)


def summarize(context: CommandContext, paths: Sequence[Path], selection: Selection, prometheus: bool = False) -> int:
    """Sum up the log; return 2 if a check is critical."""
    files, older = _files(context, paths, selection)
    summary = Summary(older_files=older)
    _add(summary, Selector(selection), events_of(files))
    checks = judged(summary, context.settings)
    if prometheus:
        sys.stdout.write(exposition(summary, checks))
        sys.stdout.flush()
    elif context.json:
        context.show_json(summary_data(summary, checks))
    else:
        context.show(summary_view(summary, checks))
    return _code(checks)


def show_question(context: CommandContext, paths: Sequence[Path], selection: Selection, id_: str) -> int:
    """Show the story of the one question whose id has this prefix."""
    trace = find(context, paths, selection, id_)
    if context.json:
        context.show_json(trace_data(trace))
    else:
        context.show(trace_view(trace))
    return OK


def find(context: CommandContext, paths: Sequence[Path], selection: Selection, id_: str) -> Trace:
    """Return the one question whose id or run id has this prefix; `LogError` if there is none or several."""
    if not id_:
        raise QuestionError("say which question by the beginning of its id; versus logs lists the latest")
    return trace_of(_events(context, paths, selection), id_)


def _events(context: CommandContext, paths: Sequence[Path], selection: Selection) -> Iterator[LogEvent | Broken]:
    return selected(events_of(_files(context, paths, selection)[0]), selection)


def _files(context: CommandContext, paths: Sequence[Path], selection: Selection) -> tuple[list[Path], int]:
    """Return the files to read, and the number of other files that are older than the selection."""
    files = log_files(_places(context, paths))
    since = selection.since.timestamp() if selection.since is not None else 0
    recent = [file for file in files if file.stat().st_mtime >= since]
    return recent, len(files) - len(recent)


def _places(context: CommandContext, paths: Sequence[Path]) -> Sequence[Path]:
    for path in paths:
        require_readable(path)
    return paths or (context.settings.log_dir,)


def _followed(context: CommandContext, paths: Sequence[Path], selection: Selection) -> int:
    """Show the summary while the log grows, until Ctrl-C; with `--json`, an object after each addition."""
    summary, selector = Summary(), Selector(selection)
    try:
        with closing(Tail(paths)) as tail, _screen(context) as show:
            _add(summary, selector, tail.read())
            show(summary)
            while True:
                if _add(summary, selector, tail.read()):
                    show(summary)
                time.sleep(_PAUSE)
    except KeyboardInterrupt:
        checks = judged(summary, context.settings)
        if not context.json and Console().is_terminal:
            context.show(live_view(summary, checks))  # the live screen has disappeared
        return _code(checks)


def _add(summary: Summary, selector: Selector, news: Iterable[LogEvent | Broken]) -> bool:
    before = summary.lines
    for event in news:
        if selector.has(event):
            summary.add(event)
        else:
            summary.not_wanted += 1
    return summary.lines > before


@contextmanager
def _screen(context: CommandContext) -> Iterator[Callable[[Summary], None]]:
    """Yield a function that shows a summary: on a live screen in a terminal, else one below the other."""
    console = Console()
    if context.json:
        yield lambda summary: context.show_json(summary_data(summary, judged(summary, context.settings)))
    elif console.is_terminal:
        with Live(console=console, screen=True, auto_refresh=False) as live:
            yield lambda summary: live.update(live_view(summary, judged(summary, context.settings)), refresh=True)
    else:
        yield lambda summary: context.show(live_view(summary, judged(summary, context.settings)))


def _code(checks: tuple[Check, ...]) -> int:
    return CRITICAL if worst(checks) == "critical" else OK
