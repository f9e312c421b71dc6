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

from agent.events import CATALOGUE, bind, catalogue_page, configure_logging, emit, emit_failure
from agent.logfile import LONGEST, render_line
from agent.settings import Settings, load

REPOSITORY = Path(__file__).parents[2]


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for file in sorted(folder.glob("*.jsonl")) for line in file.read_bytes().splitlines()]


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


def test_lines_of_several_processes_do_not_mix(settings: Settings) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_many, args=(settings.log_dir, n)) for n in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert 600 == len({event["question"] for event in lines(settings.log_dir)})


def test_the_page_in_logs_is_current() -> None:
    assert catalogue_page() == (REPOSITORY / "logs" / "README.md").read_text(encoding="utf-8")


def test_no_event_is_defined_twice() -> None:
    names = [definition.name for definition in CATALOGUE]
    assert sorted(set(names)) == sorted(names)
