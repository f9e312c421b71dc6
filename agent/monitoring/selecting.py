"""Selection of events in a log: by time, by run and by question."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from agent.errors import QuestionError
from agent.monitoring.reading import Broken, LogEvent

ENDS = ("answer.completed", "question.failed", "search.completed")
MOST_OPEN = 100_000
"""Running questions that are remembered; beyond that the oldest is forgotten."""
Ids = tuple[str, str]
"""The ids of a run and a question. Questions of a batch share the batch's run; their ids are unique only within it."""
_AGO = re.compile(r"(\d+(?:\.\d+)?)\s*([smhdw])", re.IGNORECASE)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True, slots=True)
class Selection:
    """What to select; None selects everything. `run` is the beginning of an id, `question` a part of the text.

    The id may be a batch's.
    """

    since: datetime | None = None
    run: str | None = None
    question: str | None = None


def parse_since(text: str, now: datetime) -> datetime:
    """Return `2h`, `30m`, `7d`, a day or an ISO time as a moment; without a zone it is UTC, as the log is.

    `QuestionError` (wrong usage) for anything else.

    >>> now = datetime(2026, 11, 22, 12, tzinfo=UTC)
    >>> parse_since("2h", now).hour, parse_since("2026-11-20", now).day
    (10, 20)
    """
    if ago := _AGO.fullmatch(text.strip()):
        try:
            return now - timedelta(**{_UNITS[ago[2].lower()]: float(ago[1])})
        except OverflowError:
            return datetime.min.replace(tzinfo=UTC)
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise QuestionError(f"--since {text!r} is no time; say 2h, 7d, 2026-11-20 or 2026-11-20T15:00") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def ids_of(event: LogEvent) -> Ids:
    """Return the run and question ids of an event; the run id stands in for a missing question id.

    >>> ids_of({"run_id": "r1"})
    ('r1', 'r1')
    """
    run = text_of(event, "run_id")
    return run, text_of(event, "question_id") or run


def text_of(event: LogEvent, name: str) -> str:
    """Return a text field; "" if it is missing or not text."""
    value = event.get(name)
    return value if isinstance(value, str) else ""


def moment_of(event: LogEvent) -> datetime | None:
    """Return the time of an event, or None if it has none."""
    try:
        moment = datetime.fromisoformat(text_of(event, "timestamp"))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class Selector:
    """Decides which events of a stream are selected; it remembers the running questions."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._part = selection.question.casefold() if selection.question else ""
        self._open: OrderedDict[Ids, None] = OrderedDict()

    def has(self, event: LogEvent | Broken) -> bool:
        """Return True if an event is selected. A broken line always is, as its question is unknown."""
        if isinstance(event, Broken):
            return True
        ids = (*ids_of(event), text_of(event, "batch_id"))
        if self._selection.run and not any(id_.startswith(self._selection.run) for id_ in ids):
            return False
        return self._about(event) and self._recent(event)

    def _recent(self, event: LogEvent) -> bool:
        if self._selection.since is None:
            return True
        moment = moment_of(event)
        return moment is not None and moment >= self._selection.since

    def _about(self, event: LogEvent) -> bool:
        if not self._part:
            return True
        ids = ids_of(event)
        if event["event"] == "question.received" and self._part in text_of(event, "question").casefold():
            self._open[ids] = None
            if len(self._open) > MOST_OPEN:
                self._open.popitem(last=False)
        known = ids in self._open
        if known and event["event"] in ENDS and not text_of(event, "batch_id"):  # a batch writes records after the end
            del self._open[ids]
        return known


def selected(events: Iterable[LogEvent | Broken], selection: Selection) -> Iterator[LogEvent | Broken]:
    """Yield the selected events."""
    return filter(Selector(selection).has, events)
