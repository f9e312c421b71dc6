"""Progress where there is no terminal: a line now and then, by a clock that is passed in."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

from rich.console import Console

from agent.cli.progress import progress


def lines(times: list[float]) -> list[str]:
    """What is printed when the clock shows these times: at the beginning, then at each of a hundred steps."""
    file, clock = StringIO(), iter(times)
    with progress(Console(file=file, width=20), lambda: next(clock)) as on_progress:
        for step in range(1, len(times)):
            on_progress("embedding", step, 100)
    return file.getvalue().splitlines()


def every(seconds: float, begin: float = 1000.0) -> Iterator[float]:
    return (begin + seconds * step for step in range(101))


def test_a_line_is_printed_every_ten_seconds_however_often_there_is_news() -> None:
    assert [f"embedding: {n} of 100 ({n}%), {n} s" for n in range(10, 101, 10)] == lines(list(every(1)))
    assert 100 == len(lines(list(every(60))))


def test_what_is_done_in_ten_seconds_prints_nothing() -> None:
    assert [] == lines(list(every(0.099)))


def test_large_numbers_are_on_one_line_however_narrow_the_console() -> None:
    file, clock = StringIO(), iter([0.0, 3600.0])
    with progress(Console(file=file, width=20), lambda: next(clock)) as on_progress:
        on_progress("indexing", 50_000, 1_000_000)

    assert "indexing: 50,000 of 1,000,000 (5%), 3600 s\n" == file.getvalue()


def test_on_a_terminal_there_are_bars_and_no_lines() -> None:
    file = StringIO()
    with progress(Console(file=file, force_terminal=True), lambda: 0.0) as on_progress:
        on_progress("embedding", 1, 2)

    assert "embedding" in file.getvalue()
    assert "1/2" in file.getvalue()
    assert " of 2 (" not in file.getvalue()


def test_the_last_of_it_is_remembered() -> None:
    with progress(Console(file=StringIO()), lambda: 0.0) as on_progress:
        assert None is on_progress.last
        on_progress("embedding", 1, 2)

    assert ("embedding", 1, 2) == on_progress.last
