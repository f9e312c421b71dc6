from __future__ import annotations

import gzip
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import LogError, QuestionError
from agent.monitoring.live import Tail
from agent.monitoring.reading import LONGEST_LINE, Broken, LogEvent, events_of, log_files
from agent.monitoring.selecting import Selection, parse_since, selected
from tests.agent.logged import ids, line

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def numbers(events: list[LogEvent | Broken]) -> list[Any]:
    return [event.reason if isinstance(event, Broken) else event["n"] for event in events]


def test_folders_files_and_gzip_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "versus-20261121.jsonl").write_bytes(line("a", n=2))
    (tmp_path / "versus-20261120.jsonl.gz").write_bytes(gzip.compress(line("a", n=1)))
    (tmp_path / "README.md").write_text("no log")
    (other := tmp_path / "other.log").write_bytes(line("a", n=3))
    assert [1, 2, 3] == numbers(list(events_of(log_files([tmp_path, other, tmp_path]))))


def test_a_log_that_is_not_there_is_explained(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"there is no log at .*nowhere"):
        log_files([tmp_path / "nowhere"])


@pytest.mark.parametrize(
    "broken", [b"{", b"[]", b'"text"', b"\xff\xfe", b"\x00" * 9, b"{}", b'{"event": 7}', b"{" * 9999]
)
def test_a_broken_line_is_told_with_its_place_and_the_rest_is_read(broken: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(line("a", n=1) + b"\n" + broken + b"\n" + line("a", n=2))
    first, bad, second = events_of([file])
    assert [1, 2] == numbers([first, second])
    assert isinstance(bad, Broken)
    assert (str(file), 3) == (bad.file, bad.line)


def test_a_line_too_long_to_hold_is_skipped(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(line("a", n=1) + b"x" * (2 * LONGEST_LINE + 5) + b"\n" + line("a", n=3))
    assert [1, f"longer than {LONGEST_LINE:,} bytes", 3] == numbers(list(events_of([file])))


def test_a_gzip_file_that_was_cut_off_gives_what_it_has(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(line("a", n=n, noise=os.urandom(99).hex()) for n in range(1000)))
    (tmp_path / "a.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    found = list(events_of([tmp_path / "a.jsonl.gz"]))
    assert list(range(len(found) - 1)) == numbers(found[:-1])
    assert isinstance(found[-1], Broken)
    assert "damaged gzip" in found[-1].reason


@given(st.lists(st.integers(0, 99)), st.integers(0, 5000))
def test_a_log_cut_at_any_byte_loses_its_last_line_at_most(values: list[int], cut: int) -> None:
    whole = b"".join(line("a", n=n) for n in values)
    lines = whole[:cut].count(b"\n")
    with_rest = [e for e in events_of_bytes(whole[:cut]) if not isinstance(e, Broken)]
    assert values[:lines] == [event["n"] for event in with_rest][:lines]
    assert len(with_rest) <= lines + 1


def events_of_bytes(content: bytes) -> list[LogEvent | Broken]:
    reader, writer = os.pipe()
    os.write(writer, content)
    os.close(writer)
    try:
        return list(events_of([Path(f"/dev/fd/{reader}")]))
    finally:
        os.close(reader)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("90s", "2026-11-22T11:58:30+00:00"),
        ("2h", "2026-11-22T10:00:00+00:00"),
        ("1.5 d", "2026-11-21T00:00:00+00:00"),
        ("1w", "2026-11-15T12:00:00+00:00"),
        ("2026-11-20", "2026-11-20T00:00:00+00:00"),
        ("2026-11-20T15:00", "2026-11-20T15:00:00+00:00"),
        ("2026-11-20T15:00:00+02:00", "2026-11-20T13:00:00+00:00"),
        ("2026-11-20T15:00:00Z", "2026-11-20T15:00:00+00:00"),
    ],
)
def test_since_takes_a_span_a_day_or_a_time(text: str, expected: str) -> None:
    assert datetime.fromisoformat(expected) == parse_since(text, NOW)


@given(st.text())
def test_any_other_text_is_no_time_and_is_explained(text: str) -> None:
    try:
        parse_since(text, NOW)
    except QuestionError as error:
        assert "--since" in str(error)


def story(run: str, question: str, day: int) -> list[LogEvent | Broken]:
    when = {"timestamp": f"2026-11-{day}T12:00:00Z", **ids(run)}
    return [
        {"event": "question.received", "question": question, **when},
        {"event": "subquery.retrieved", **when},
        {"event": "answer.completed", **when},
    ]


@pytest.mark.parametrize(
    ("wanted", "runs"),
    [
        (Selection(), ["ab1", "ac2"]),
        (Selection(run="ab"), ["ab1"]),
        (Selection(run="a"), ["ab1", "ac2"]),
        (Selection(question="OWLBEAR"), ["ac2"]),
        (Selection(question="orc", run="ac"), []),
        (Selection(since=datetime(2026, 11, 21, tzinfo=UTC)), ["ac2"]),
        (Selection(since=NOW), ["ac2"]),
        (Selection(since=NOW.replace(microsecond=1)), []),
    ],
)
def test_interleaved_questions_are_told_apart(wanted: Selection, runs: list[str]) -> None:
    one, other = story("ab1", "an orc", 20), story("ac2", "an owlbear", 22)
    mixed = [event for pair in zip(one, other, strict=True) for event in pair]
    found = [event["run_id"] for event in selected(mixed, wanted) if not isinstance(event, Broken)]
    assert [run for run in ("ab1", "ac2") for _ in range(3) if run in runs] == sorted(found)


def test_a_batch_is_told_by_its_id_and_its_records_belong_to_their_questions() -> None:
    asked = {"batch_id": "ba7c", **ids("r1")}
    mine: list[LogEvent | Broken] = [
        {"event": "question.received", "question": "What is an orc?", **asked},
        {"event": "answer.completed", **asked},
        {"event": "batch.recorded", "line": 1, **asked},
        {"event": "batch.recorded", "line": 2, "same_as": 1, **asked},
    ]
    poison: LogEvent = {"event": "batch.recorded", "line": 3, "batch_id": "ba7c"}
    other: LogEvent = {"event": "batch.recorded", "line": 1, "batch_id": "f00d", **ids("r2")}
    assert [*mine, poison] == list(selected([*mine, other, poison], Selection(run="ba")))
    assert mine == list(selected([*mine, other, poison], Selection(question="orc")))


def test_an_id_that_is_used_again_is_another_question() -> None:
    events = [*story("r1", "an orc", 20), *story("r1", "an owlbear", 21)]
    assert events[:3] == list(selected(events, Selection(question="orc")))


def test_an_event_without_a_time_is_not_since_anything() -> None:
    assert [] == list(selected([{"event": "a"}, {"event": "a", "timestamp": "noon"}], Selection(since=NOW)))


def test_a_broken_line_is_never_filtered_out() -> None:
    broken = Broken("a.jsonl", 1, "not JSON")
    assert [broken] == list(selected([broken], Selection(run="x", question="y", since=NOW)))


def test_following_gives_each_line_once_when_it_is_whole(tmp_path: Path) -> None:
    file, tail = tmp_path / "a.jsonl", Tail([tmp_path])
    assert [] == list(tail.read())
    whole = line("a", n=1)
    file.write_bytes(whole[:20])
    assert [] == list(tail.read())
    with file.open("ab") as out:
        out.write(whole[20:] + line("a", n=2))
    assert [1, 2] == numbers(list(tail.read()))
    assert [] == list(tail.read())
    tail.close()


def test_following_goes_on_when_a_file_is_moved_away_truncated_or_deleted(tmp_path: Path) -> None:
    file, tail = tmp_path / "a.jsonl", Tail([tmp_path])
    file.write_bytes(line("a", n=1))
    assert [1] == numbers(list(tail.read()))

    with file.open("ab") as out:
        out.write(line("a", n=2))
    file.rename(tmp_path / "a.0001.jsonl")
    file.write_bytes(line("a", n=3))
    assert [2, 3] == numbers(list(tail.read()))

    file.write_bytes(b"")
    assert [] == list(tail.read())
    file.write_bytes(line("a", n=4))
    assert [4] == numbers(list(tail.read()))

    file.unlink()
    assert [] == list(tail.read())
    file.write_bytes(line("a", n=5))
    assert [5] == numbers(list(tail.read()))

    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(line("a", n=6)))
    assert [6] == numbers(list(tail.read()))
    assert [] == list(tail.read())
    tail.close()
