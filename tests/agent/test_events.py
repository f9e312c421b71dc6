from __future__ import annotations

import json
import logging
import multiprocessing
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.events import CATALOGUE, bind, catalogue_page, configure_logging, emit, emit_failure, observed, silent
from agent.events.logfile import LONGEST, render_line
from agent.settings.settings import Settings, load
from tests.agent.logged import events_in as lines

REPOSITORY = Path(__file__).parents[2]


CANARY = "canary/0123456789+key"
NASTY = "two\nlines\r \x1b[31mred\x1b[0m \x85 \u2028\u2029 \u202e \x00 and \udce9 [bold]"


@pytest.fixture
def settings(empty_place: Path) -> Settings:
    return Settings(log_dir=empty_place / "logs")


@pytest.fixture
def log(settings: Settings) -> Iterator[Path]:
    with configure_logging(settings):
        yield settings.log_dir


def test_without_configuration_nothing_is_printed_or_written(
    empty_place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    emit("subquery.failed", {"error": "StoreError", "message": "gone"})
    assert ("", "") == capfd.readouterr()
    assert [] == list(empty_place.iterdir())


def test_an_event_is_one_line_with_its_data_as_fields(log: Path) -> None:
    with bind(run_id="r1", question_id="7", sub_query="q1"):
        emit("subquery.retrieved", {"kept": 3, "dropped": {"gap": 2}})
    (event,) = lines(log)
    expected = {"event": "subquery.retrieved", "level": "info", "run_id": "r1", "question_id": "7", "sub_query": "q1"}
    assert expected | {"kept": 3, "dropped": {"gap": 2}, "timestamp": event["timestamp"]} == event


def test_what_is_bound_ends_with_its_block(log: Path) -> None:
    with bind(run_id="r1"):
        pass
    emit("question.received", {})
    assert "run_id" not in lines(log)[0]


def test_data_can_not_pose_as_another_event(log: Path) -> None:
    emit("question.received", {"event": "answer.completed", "level": "debug", "timestamp": "never"})
    (event,) = lines(log)
    assert ("question.received", "info") == (event["event"], event["level"])
    assert "never" != event["timestamp"]


def test_a_name_outside_the_catalogue_is_refused() -> None:
    with pytest.raises(KeyError, match=r"question\.recieved"):
        emit("question.recieved", {})


@pytest.mark.parametrize(("level", "expected"), [("info", 0), ("debug", 1)])
def test_drops_are_logged_at_debug_only(level: str, expected: int, settings: Settings) -> None:
    with configure_logging(load({"log_dir": settings.log_dir, "log_level": level})):
        emit("chunk.dropped", {"chunk_id": "c1"})
    assert expected == len(lines(settings.log_dir))


def test_secrets_are_masked_by_name_and_by_pattern(settings: Settings) -> None:
    with configure_logging(load({"log_dir": settings.log_dir, "openai_api_key": "a-key-of-its-own-kind"})):
        data = {"headers": {"Authorization": "Basic zzz"}, "api_key": "k", "prompt_tokens": 5}
        emit("llm.called", data | {"note": "sk-abcdefghij, Bearer abc.def, http://u:pw@h, a-key-of-its-own-kind"})
    (event,) = lines(settings.log_dir)
    assert ({"Authorization": "***"}, "***", 5) == (event["headers"], event["api_key"], event["prompt_tokens"])
    assert "***, Bearer ***, http://***@h, ***" == event["note"]


@given(st.dictionaries(st.text(), st.text() | st.floats() | st.integers() | st.lists(st.text())))
def test_any_data_gives_one_line_of_json_without_control_characters(data: dict[str, Any]) -> None:
    line = render_line(None, "", {"event": "question.received", "data": data})
    assert "question.received" == json.loads(line)["event"]
    assert line.isprintable() or not any(ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u2028\u2029" for c in line)
    assert [line] == line.splitlines()
    line.encode()


def test_a_long_text_is_shortened(log: Path) -> None:
    emit("question.received", {"question": "x" * (LONGEST + 7)})
    assert lines(log)[0]["question"].endswith("… (7 more)")


def test_a_failure_has_its_traceback_without_the_values_of_variables(log: Path) -> None:
    password = "swordfish"
    try:
        raise ValueError("broken")
    except ValueError as error:
        emit_failure(error)
    (event,) = lines(log)
    assert ("ValueError", "broken") == (event["error"], event["message"])
    assert "test_events.py" in event["exception"][0]["frames"][-1]["filename"]
    assert password not in json.dumps(event)


def test_libraries_write_to_the_log_from_warning_on(log: Path) -> None:
    logging.getLogger("httpx").info("quiet")
    logging.getLogger("chromadb").warning("two\nlines %s", 1)
    warnings.warn("old", stacklevel=1)
    assert ["chromadb", "py.warnings"] == [event["logger"] for event in lines(log)]


def test_afterwards_logging_is_as_it_was(settings: Settings) -> None:
    root = logging.getLogger()
    before = (list(root.handlers), root.level)
    with configure_logging(settings):
        pass
    assert before == (list(root.handlers), root.level)


def test_a_folder_that_can_not_be_written_is_reported_once(
    empty_place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (empty_place / "file").write_text("")
    with configure_logging(Settings(log_dir=empty_place / "file")):
        emit("question.received", {})
        emit("question.received", {})
    assert 1 == capfd.readouterr().err.count("VERSUS_LOG_DIR")


def write_many(folder: Path, writer: int) -> None:
    with configure_logging(Settings(log_dir=folder)):
        for number in range(200):
            emit("question.received", {"question": f"{writer}:{number} " + "x" * 3000})


@pytest.mark.slow
def test_lines_of_several_processes_do_not_mix(settings: Settings) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_many, args=(settings.log_dir, n)) for n in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert 600 == len({event["question"] for event in lines(settings.log_dir)})


def test_a_file_that_was_moved_away_is_begun_anew(log: Path) -> None:
    emit("batch.progress", {"done": 1})
    (file,) = log.glob("*.jsonl")
    file.rename(log / "moved.jsonl")
    emit("batch.progress", {"done": 2})
    file.unlink()
    emit("batch.progress", {"done": 3})
    assert {"moved.jsonl": 1, file.name: 3} == {f.name: json.loads(f.read_bytes())["done"] for f in log.iterdir()}


def test_a_file_that_was_truncated_goes_on_from_its_beginning(log: Path) -> None:
    emit("batch.progress", {"done": 1})
    (file,) = log.glob("*.jsonl")
    file.write_bytes(b"")
    emit("batch.progress", {"done": 2})
    assert [2] == [event["done"] for event in lines(log)]


def test_a_folder_that_was_removed_is_made_anew(log: Path) -> None:
    emit("batch.progress", {"done": 1})
    (file,) = log.glob("*.jsonl")
    file.unlink()
    log.rmdir()
    emit("batch.progress", {"done": 2})
    assert [2] == [event["done"] for event in lines(log)]


def fill(folder: Path, writer: int) -> None:
    with configure_logging(Settings(log_dir=folder, log_max_bytes=20_000)):
        for number in range(100):
            emit("question.received", {"question": f"{writer}:{number} " + "x" * 1000})


@pytest.mark.slow
def test_full_files_are_set_aside_by_several_processes_without_losing_a_line(settings: Settings) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=fill, args=(settings.log_dir, n)) for n in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    files = sorted(settings.log_dir.glob("*.jsonl"))
    assert 300 == len({event["question"] for event in lines(settings.log_dir)})
    assert 10 < len(files) < 30
    assert max(file.stat().st_size for file in files) < 25_000
    assert min(file.stat().st_size for file in files[:-1]) >= 20_000
    assert files[0].name.endswith(".0001.jsonl")
    assert files[-1].name.count(".") == 1  # the one that is written to comes last


def test_as_many_lines_as_events_whatever_is_asked(log: Path) -> None:
    for number in range(5):
        with bind(run_id=f"r{number} {NASTY}"):
            emit("question.received", {"question": NASTY, NASTY: NASTY})
    (file,) = log.glob("*.jsonl")
    content = file.read_bytes().decode()
    assert 5 == len(content.splitlines()) == len(content.split("\n")) - 1
    assert not any(ord(c) < 32 and c != "\n" for c in content)
    assert "\x1b[31mred" in lines(log)[0]["question"]


def test_the_console_form_is_one_line_an_event_and_the_file_is_written_too(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    with configure_logging(load({"log_dir": settings.log_dir, "log_format": "console"})), bind(run_id="0123456789ab"):
        emit("question.received", {"question": NASTY, "chars": 7})
        emit("subquery.failed", {"error": "StoreError", "message": "x" * 500})
        logging.getLogger("chromadb").warning("[red]slow %s", 1)
        emit("subquery.retrieved", {"kept": 2, "error": None, "dropped": {"gap": 3, "duplicate": 0}, "hits": [{}, {}]})
    shown = capsys.readouterr().err
    assert 4 == len(shown.splitlines()) == len(lines(settings.log_dir))
    first, second, third, fourth = shown.splitlines()
    assert "info    question.received  01234567  question=two" in first
    assert "[bold] chars=7" in first
    assert "warning subquery.failed" in second
    assert len(second) < 300
    assert "[red]slow 1" in third
    assert fourth.endswith("subquery.retrieved  01234567  kept=2 dropped=gap:3 hits=[2]")
    assert not any(ord(c) < 32 and c != "\n" for c in shown)


@pytest.mark.parametrize(("place", "shown", "written"), [("stderr", 1, 0), ("none", 0, 0), ("file", 0, 1)])
def test_the_lines_go_where_the_settings_say(
    place: str, shown: int, written: int, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    with configure_logging(load({"log_dir": settings.log_dir, "log_to": place})):
        emit("batch.progress", {"done": 1})
    told = [json.loads(each)["event"] for each in capsys.readouterr().err.splitlines()]
    assert (["batch.progress"] * shown, written) == (told, len(lines(settings.log_dir)))


KEYS = ("openai_api_key", "chroma_api_key", "embedding_api_key")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("form", [{}, {"log_format": "console"}, {"log_to": "stderr"}])
def test_no_key_reaches_a_log_by_any_path(
    key: str, form: dict[str, str], settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    given: dict[str, object] = {"log_dir": settings.log_dir, "log_level": "debug", key: CANARY, **form}
    with configure_logging(load(given)), bind(run_id=f"run {CANARY}"):
        emit("question.received", {"question": f"my key is {CANARY}", "more": [{"deep": {CANARY: CANARY}}]})
        emit("question.received", {"question": "x" * (LONGEST - 9) + f" {CANARY}"})
        logging.getLogger("httpx").warning("sent %s to http://me:%s@host", CANARY, CANARY)
        logging.getLogger("httpx").warning("malformed %d", CANARY)
        warnings.warn(CANARY, stacklevel=1)
        try:
            raise ValueError(f"{CANARY} refused")
        except ValueError as error:
            emit_failure(error)
    told = "".join(capfd.readouterr()) + "".join(file.read_text() for file in settings.log_dir.glob("*"))
    assert 6 <= told.count("\n")
    assert "canary" not in told


def test_an_observer_sees_events_with_their_ids_even_when_nothing_is_logged() -> None:
    seen: list[tuple[str, dict[str, object]]] = []
    with observed(lambda name, fields: seen.append((name, dict(fields)))), bind(run_id="r1"):
        emit("chunk.dropped", {"chunk_id": "c1", "run_id": "forged"})
        with silent():
            emit("chunk.dropped", {"chunk_id": "c2"})
    emit("chunk.dropped", {"chunk_id": "c3"})
    assert [("chunk.dropped", {"chunk_id": "c1", "run_id": "r1"})] == seen


def test_silence_reaches_the_log(log: Path) -> None:
    with silent():
        emit("batch.progress", {"done": 1})
    emit("batch.progress", {"done": 2})
    assert [2] == [event["done"] for event in lines(log)]


def test_the_page_in_logs_is_current() -> None:
    assert catalogue_page() == (REPOSITORY / "logs" / "README.md").read_text(encoding="utf-8")


def test_no_event_is_defined_twice() -> None:
    names = [definition.name for definition in CATALOGUE]
    assert sorted(set(names)) == sorted(names)
