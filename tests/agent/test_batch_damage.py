"""Files of a batch that are not what they were: noticed by the next run, told with file and line, and left alone."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from agent.batch.errors import BatchError
from agent.batch.manifest import FORMAT
from agent.batch.output import manifest_of
from agent.batch.source import Source
from agent.errors import SettingsError
from tests.agent.batches import Answerer, job_in, records, work, write_questions

QUESTIONS = ("one", "two", "three", "four")


@pytest.fixture
async def done(tmp_path: Path) -> Path:
    """A batch that is complete."""
    write_questions(tmp_path, *QUESTIONS)
    await work(job_in(tmp_path, concurrency=1), Answerer().ask)
    return tmp_path


async def refused(folder: Path, kind: type[Exception], message: str) -> None:
    """Whether a resume is refused with a message, asks nothing and changes nothing."""
    before, answerer = (folder / "out.jsonl").read_bytes(), Answerer()
    with pytest.raises(kind, match=message):
        await work(job_in(folder), answerer.ask)
    assert ([], before) == (answerer.asked, (folder / "out.jsonl").read_bytes())


EDITS: dict[str, Callable[[bytes], bytes]] = {
    "a word": lambda line: line.replace(b"So it is: two", b"So it is: 22"),
    "the verdict": lambda line: line.replace(b'"stop_reason":"complete"', b'"stop_reason":"partial"'),
    "a field more": lambda line: line.replace(b"{", b'{"seen":true,', 1),
    "a space": lambda line: line.replace(b":", b": ", 1),
    "the checksum": lambda line: line[: line.index(b',"checksum"')] + b"}\n",
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
async def test_a_record_that_was_edited_is_named_by_the_next_run(done: Path, edit: Callable[[bytes], bytes]) -> None:
    lines = (done / "out.jsonl").read_bytes().splitlines(keepends=True)
    edited = edit(lines[1])
    assert edited != lines[1]
    (done / "out.jsonl").write_bytes(b"".join([lines[0], edited, *lines[2:]]))

    told = r"line 2 of .*out\.jsonl, the record of line 2, is not what was written\. Put it back"
    await refused(done, BatchError, told)


async def test_a_record_that_was_deleted_is_asked_again(done: Path) -> None:
    lines = (done / "out.jsonl").read_bytes().splitlines(keepends=True)
    (done / "out.jsonl").write_bytes(b"".join([lines[0], *lines[2:]]))
    answerer = Answerer()
    await work(job_in(done), answerer.ask)

    assert ["two"] == answerer.asked
    assert {1, 2, 3, 4} == set(records(done / "out.jsonl"))


async def test_an_output_of_an_earlier_version_is_gone_on_with(done: Path) -> None:
    lines = (done / "out.jsonl").read_bytes().splitlines(keepends=True)
    (done / "out.jsonl").write_bytes(b"".join(line[: line.index(b',"checksum"')] + b"}\n" for line in lines))
    manifest = manifest_of(done / "out.jsonl")
    manifest.write_bytes(orjson.dumps(orjson.loads(manifest.read_bytes()) | {"format": 1}))
    write_questions(done, *QUESTIONS, "five")
    answerer = Answerer()
    for _ in range(2):
        await work(job_in(done), answerer.ask)

    assert ["five"] == answerer.asked


async def test_an_output_of_a_newer_version_is_left_alone(done: Path) -> None:
    manifest = manifest_of(done / "out.jsonl")
    manifest.write_bytes(orjson.dumps(orjson.loads(manifest.read_bytes()) | {"format": FORMAT + 1}))

    await refused(done, BatchError, "made by a newer version of versus .* Update versus")


@pytest.mark.parametrize("left", [("one", "two"), ("one", b"", "three", "four")], ids=["cut", "a line blanked"])
async def test_an_input_that_shrank_is_told_and_nothing_is_asked(done: Path, left: tuple[str | bytes, ...]) -> None:
    write_questions(done, *left)

    await refused(done, SettingsError, r"q\.jsonl has shrunk: .* with a record in the output .* no longer there")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="streams of Unix")
async def test_a_stream_that_shrank_is_told_in_a_note(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    notes = []
    for content in ("one\ntwo\nthree\n", "one\n"):
        writer = threading.Thread(target=pipe.write_text, args=(content,))
        writer.start()
        notes.append((await work(job_in(tmp_path, source=Source(str(pipe), 1000)), Answerer().ask)).notes)
        writer.join()

    told = "the input has shrunk: 2 records of the output have no line in it any more, and stay"
    assert [[], [told]] == notes


@pytest.mark.parametrize("name", ["out.jsonl", "loop/out.jsonl"])
async def test_an_output_behind_a_link_to_itself_is_told(tmp_path: Path, name: str) -> None:
    write_questions(tmp_path, "one")
    link = tmp_path / name.partition("/")[0]
    link.symlink_to(link)

    with pytest.raises(BatchError, match="a link leads to itself"):
        await work(job_in(tmp_path, output=tmp_path / name), Answerer().ask)
