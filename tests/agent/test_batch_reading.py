"""Questions from files and streams: every line becomes a question or says why not, and none disturbs another."""

from __future__ import annotations

import csv
import io
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.batch.lines import Line, Lines
from agent.batch.questions import Item
from agent.batch.source import Source
from agent.errors import QuestionError

MOST = 1000


def items_of(path: Path | str, most: int = MOST) -> list[Item]:
    return [item for items in Source(str(path), most).items(lambda: False) for item in items]


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@given(st.lists(st.binary(max_size=12)), st.integers(1, 8))
def test_pieces_of_any_size_give_the_lines_of_the_whole(pieces: list[bytes], longest: int) -> None:
    lines = Lines(longest)
    found = [line for piece in pieces for line in lines.feed(piece)] + lines.end()

    whole = b"".join(pieces)
    expected, offset = [], 0
    for number, data in enumerate(whole.split(b"\n"), 1):
        expected.append(Line(number, offset, data if len(data) <= longest else None))
        offset += len(data) + 1
    assert (expected[:-1] if whole.endswith(b"\n") or not whole else expected) == found


def test_text_has_a_question_a_line_and_blank_lines_count_but_ask_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, "q.txt", "\ufeffWho?\r\n\n  \nWho's\u2028there?\nno end".encode())
    assert [(1, "line-1", "Who?"), (4, "line-4", "Who's\u2028there?"), (5, "line-5", "no end")] == [
        (item.line, item.id, item.question) for item in items_of(path)
    ]


def test_json_lines_keep_their_ids_and_all_else_that_came(tmp_path: Path) -> None:
    lines = [
        '{"id": "a", "question": "Who?", "book": {"n": 1}}',
        '{"id": 7, "question": "\\ud83d?"}',
        '{"question": "?"}',
    ]
    path = written(tmp_path, "q.jsonl", "\n".join(lines).encode())
    assert [Item(1, "a", "Who?", {"book": {"n": 1}}), Item(2, 7, "\ud83d?"), Item(3, "line-3", "?")] == items_of(path)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_fields_may_have_line_breaks(tmp_path: Path, delimiter: str) -> None:
    text = io.StringIO(newline="")
    rows = [["id", "question", "note"], ["a", "two\nlines", "x"], ["b", 'a "quote"', ""], ["", "plain", ""]]
    csv.writer(text, delimiter=delimiter).writerows(rows)
    path = written(tmp_path, "q.csv", text.getvalue().encode())
    assert [
        Item(2, "a", "two\nlines", {"note": "x"}),
        Item(4, "b", 'a "quote"'),
        Item(5, "line-5", "plain"),
    ] == items_of(path)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1), min_size=1))
def test_whatever_a_csv_writer_writes_is_read(tmp_path_factory: pytest.TempPathFactory, questions: list[str]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([["question", "n"], *([q, "1"] for q in questions)])
    path = written(tmp_path_factory.mktemp("csv"), "q.csv", text.getvalue().encode())
    found = [item.question for item in items_of(path) if item.problem is None]
    assert [question for question in questions if question.strip()] == found


POISON: dict[str, bytes] = {
    "is not UTF-8": b'{"question": "\xff"}',
    "is no JSON (": b"Who?",
    "is no JSON object": b"[1]",
    "NUL character": b'{"id": "n", "question": "a\\u0000b"}',
    "no `question` that is a text": b'{"id": "x", "question": 3}',
    "the question is empty": b'{"question": "  "}',
    "too long": b'{"question": "' + b"x" * 10_000_000 + b'"}',
    "is longer than 1,000 characters": b'{"question": "' + b"x" * 1001 + b'"}',
    "neither a text nor a whole number": b'{"id": [1], "question": "?"}',
    "no JSON (Expecting": b'{"question": ',
    "nested too deep": b"[" * 100_000,
    "to be written again": b'{"question": "?", "x": ' + b"[" * 500 + b"]" * 500 + b"}",
    "too large": b'{"question": "\\ud800", "x": ' + b"9" * 100 + b"}",
    "digits": b'{"question": "\\ud800", "x": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("reason", POISON)
def test_a_poisoned_line_costs_only_itself(tmp_path: Path, reason: str) -> None:
    path = written(tmp_path, "q.jsonl", b'{"question": "one"}\n' + POISON[reason] + b'\n{"question": "two"}\n')
    before, poisoned, after = items_of(path)
    assert (("one", None), ("two", None)) == ((before.question, before.problem), (after.question, after.problem))
    assert reason in str(poisoned.problem)
    assert 2 == poisoned.line


def test_a_quote_that_is_never_closed_costs_only_its_line(tmp_path: Path) -> None:
    rows = ["question,n", '"open,1', *(f"q{n},{n}" for n in range(500))]
    found = items_of(written(tmp_path, "q.csv", "\n".join(rows).encode()))
    assert [2] == [item.line for item in found if item.problem is not None]
    assert 501 == len(found)


def test_a_line_of_csv_with_too_many_fields_is_told_so(tmp_path: Path) -> None:
    (item,) = items_of(written(tmp_path, "q.csv", b"question,n\nWho,me,you\n"))
    assert "has 3 fields, and the header 2" in str(item.problem)


@pytest.mark.parametrize(("name", "data", "said"), [
    ("q.csv", b"text\nWho?\n", "no column 'question'"),
    ("q.csv", b"", "no column 'question'"),
    ("q.pdf", b"", "none of .txt, .jsonl"),
])  # fmt: skip
def test_a_file_that_is_none_of_questions_is_refused(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    with pytest.raises(QuestionError, match=said):
        items_of(written(tmp_path, name, data))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match="No such file"):
        items_of(tmp_path / "q.txt")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="streams of Unix")
@pytest.mark.parametrize(("data", "questions"), [
    (b"Who?\n{}\n", ["Who?", "{}"]),
    (b'{"question": "Who?"}\n', ["Who?"]),
])  # fmt: skip
def test_the_first_byte_of_a_stream_tells_what_it_is(tmp_path: Path, data: bytes, questions: list[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(data,))
    writer.start()
    assert questions == [item.question for item in items_of(pipe)]
    writer.join()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="streams of Unix")
def test_who_waits_for_a_stream_can_be_stopped(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    held = os.open(pipe, os.O_RDWR)
    answers = iter((False, False, True))
    try:
        assert [] == [item for items in Source(str(pipe), MOST).items(lambda: next(answers, True)) for item in items]
    finally:
        os.close(held)


@given(
    st.lists(st.sampled_from(["a", "b,c", '"x\ny"', "", "  ", '"', "é"]), max_size=30), st.integers(0, 5), st.booleans()
)
def test_shuffled_every_line_comes_once_as_it_would_in_order(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], seed: int, as_csv: bool
) -> None:
    name, head = ("q.csv", ["question"]) if as_csv else ("q.txt", [])
    path = written(tmp_path_factory.mktemp("shuffle"), name, "\n".join([*head, *lines]).encode())
    source = Source(str(path), MOST)
    shuffled = [item for items in source.shuffled(lambda: False, seed) for item in items]

    def key(item: Item) -> tuple[int, Any]:
        return item.line, json.dumps([item.question, item.problem])

    assert sorted(map(key, items_of(path))) == sorted(map(key, shuffled))


def test_a_seed_is_an_order(tmp_path: Path) -> None:
    path = written(tmp_path, "q.txt", "\n".join(map(str, range(100))).encode())

    def order(seed: int) -> list[int]:
        return [item.line for items in Source(str(path), MOST).shuffled(lambda: False, seed) for item in items]

    assert order(1) == order(1)
    assert order(1) != order(2)
    assert order(1) != sorted(order(1))
