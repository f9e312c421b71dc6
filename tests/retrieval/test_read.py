"""Files and folders: what can be read is read, what can't is said with its place, and nothing raises otherwise."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import SourceError
from retrieval.ingest.read import read_sources
from retrieval.types import Failed, Skipped
from tests.retrieval.reading import Write, line, refusal

_NOBODY = 65534


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    assert f"{tmp_path / 'no'}: no such file or folder" == str(refusal(tmp_path / "no"))


def test_an_address_is_refused_with_advice() -> None:
    assert "an address; save the page first" in str(refusal(Path("https://example.org/rules.html")))


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"])
def test_a_path_that_cannot_exist_is_refused_plainly(tmp_path: Path, name: str) -> None:
    assert str(tmp_path / name) == refusal(tmp_path / name).place


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    said = str(refusal(tmp_path))

    assert said.startswith(f"{tmp_path}: nothing to read in this folder; it needs .adoc, .asciidoc, .bz2, ")
    assert said.endswith(", .xz, .yaml, .yml files")


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff", "<!-- -->", "# Only a heading\n"])
def test_a_file_that_says_nothing_is_refused(write: Write, content: str) -> None:
    path = write("a.md", content)

    assert f"{path}: nothing to read: no text, no table, no chunk" == str(refusal(path))


def test_a_file_that_is_not_utf_8_is_named_with_the_byte(write: Write) -> None:
    path = write("a.md", "ok \u3053\u3093\u306b".encode("shift_jis"))

    assert f"{path}: not UTF-8 (byte 3); convert it, for example with iconv" == str(refusal(path))


@pytest.mark.parametrize(("name", "kind"), [("a.xyz", ".xyz"), ("README", "files without an extension")])
def test_another_kind_of_file_is_refused(write: Write, name: str, kind: str) -> None:
    assert f"can't read {kind}; it needs .adoc, .asciidoc, .bz2, " in str(refusal(write(name, "text")))


def test_a_folder_is_read_in_a_stable_order_with_paths_within_it(write: Write, tmp_path: Path) -> None:
    for name in ("b.md", "a/z.markdown", "a/b.md", "c.MD"):
        write(name, f"# {name}\n\ntext\n")
    read = read_sources([tmp_path])

    assert ("a/b.md", "a/z.markdown", "b.md", "c.MD") == tuple(read.sources)
    assert ["a/b.md", "a/z.markdown", "b.md", "c.MD"] == [chunk.source for chunk in read.chunks]


def test_hidden_files_and_other_files_are_passed_over_and_counted_with_the_reason(write: Write, tmp_path: Path) -> None:
    for name in ("a.md", ".hidden.md", ".git/b.md", "x.png", "sub/Y.PNG", "notes.log", "LICENSE", "an odd. name"):
        write(name, "text\n")
    (tmp_path / "link").symlink_to(tmp_path / "sub")
    read, other = read_sources([tmp_path]), "no reader for it"

    assert (("a.md",), 1) == (tuple(read.sources), read.files)
    assert (
        Skipped(".png", other, 2, (f"{tmp_path}/x.png", f"{tmp_path}/sub/Y.PNG")),
        Skipped("hidden", "the name begins with a dot", 2, (f"{tmp_path}/.git", f"{tmp_path}/.hidden.md")),
        Skipped("other", other, 2, (f"{tmp_path}/LICENSE", f"{tmp_path}/an odd. name")),
        Skipped(".log", other, 1, (f"{tmp_path}/notes.log",)),
        Skipped("linked folder", "links to folders are not followed", 1, (f"{tmp_path}/link",)),
    ) == read.skipped


def test_of_many_skipped_files_the_first_are_named_and_of_many_kinds_the_most_frequent(
    write: Write, tmp_path: Path
) -> None:
    write("a.md", "text\n")
    for number in range(100):
        write(f"{number:02}.png", "")
        write(f"x.kind{number}", "")
    skipped = read_sources([tmp_path]).skipped

    assert Skipped(".png", "no reader for it", 100) == replace(skipped[0], files=())
    assert [f"{tmp_path}/{number:02}.png" for number in range(5)] == list(skipped[0].files)
    assert (12, 200, 5) == (len(skipped), sum(each.count for each in skipped), len(skipped[-1].files))
    assert "other kinds" == skipped[-1].kind


def test_a_file_that_is_skipped_in_two_ways_is_counted_once(write: Write, tmp_path: Path) -> None:
    write("sub/a.md", "text\n")
    write("sub/x.png", "")
    hidden = write("sub/.hidden.md", "text\n")

    assert [1] == [each.count for each in read_sources([tmp_path, tmp_path / "sub", hidden]).skipped]


def test_a_folder_with_nothing_to_read_is_refused_with_what_it_has(write: Write, tmp_path: Path) -> None:
    for name in ("a.png", "b.png", ".hidden"):
        write(name, "")

    assert "nothing to read in this folder, only 2 .png, 1 hidden; it needs" in str(refusal(tmp_path))


def test_a_hidden_file_that_is_named_is_read(write: Write) -> None:
    assert (".hidden.md",) == tuple(read_sources([write(".hidden.md", "text\n")]).sources)


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that others may look into, while this test is nobody special: root reads whatever it likes."""
    with tempfile.TemporaryDirectory(prefix="versus-read-") as name:
        Path(name).chmod(0o755)
        if os.geteuid() != 0:
            yield Path(name)
            return
        os.chown(name, _NOBODY, -1)
        os.seteuid(_NOBODY)
        try:
            yield Path(name)
        finally:
            os.seteuid(0)


def test_a_folder_that_can_not_be_looked_into_is_an_error_and_not_taken_for_gone(open_place: Path) -> None:
    (open_place / "sub").mkdir()
    (open_place / "a.md").write_text("# A\n\ntext\n")
    (open_place / "sub").chmod(0)
    error = refusal(open_place)
    (open_place / "sub").chmod(0o755)
    assert (str(open_place / "sub"), True) == (error.place, "can't be read: Permission denied" in str(error))


def test_a_file_of_a_folder_that_can_not_be_read_has_failed_and_the_others_are_read(open_place: Path) -> None:
    for name in ("a.md", "b.md"):
        (open_place / name).write_text(f"# {name}\n\ntext\n")
    (open_place / "b.md").chmod(0)
    read = read_sources([open_place])
    assert (("a.md",), 1) == (tuple(read.sources), read.files)
    assert (Failed(str(open_place / "b.md"), "can't be read: Permission denied"),) == read.failed


def test_a_link_that_leads_nowhere_has_failed(write: Write, tmp_path: Path) -> None:
    write("a.md", "# A\n\ntext\n")
    (tmp_path / "b.md").symlink_to(tmp_path / "gone.md")
    assert [str(tmp_path / "b.md")] == [failed.file for failed in read_sources([tmp_path]).failed]


def test_a_pipe_in_a_folder_is_passed_over(write: Write, tmp_path: Path) -> None:
    write("a.md", "# A\n\ntext\n")
    os.mkfifo(tmp_path / "b.md")
    read = read_sources([tmp_path])
    assert {"a.md"} == set(read.sources)
    assert (Skipped("special", "a pipe or a device", 1, (f"{tmp_path}/b.md",)),) == read.skipped


def test_a_path_that_is_named_twice_is_read_once(write: Write, tmp_path: Path) -> None:
    path = write("a.md", "# A\n\ntext\n")
    (tmp_path / "link.md").symlink_to(path)
    read = read_sources([path, tmp_path, path, tmp_path / "." / "a.md"])

    assert 1 == len(read.chunks)
    assert ("a.md",) == tuple(read.sources)


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(write: Write) -> None:
    text = "# A\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\ntext\n"
    plain = read_sources([write("x/a.md", text)]).chunks

    assert plain == read_sources([write("y/a.md", b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())]).chunks


def test_what_is_odd_in_markdown_is_a_warning_with_file_and_line(write: Write) -> None:
    path = write("a.md", "text\n\n| A | B |\n|---|---|\n| 1 |\n")

    told = f"{path}:5: 1 row has more or fewer cells than the table's 2 heads, and stays text"
    assert (told,) == read_sources([path]).warnings


def test_tables_are_counted_once_however_many_rows_they_become(write: Write) -> None:
    table = "| AC | Roll |\n|---|---|\n| 3 | 17 |\n| 4 | 16 |\n"
    read = read_sources([write("a.md", f"**Hit Table for Bards**\n\n{table}\n\n**Hit Table for Druids**\n\n{table}\n")])

    assert 4 == len(read.chunks)
    assert 2 == read.tables


def test_chunk_files_and_books_are_read_together(write: Write, tmp_path: Path) -> None:
    write("a.jsonl", line(source="elsewhere.md"))
    write("b.md", "text\n")

    assert ("b.md", "elsewhere.md") == tuple(read_sources([tmp_path]).sources)


@pytest.mark.parametrize("text", ["[1, 2]", '{"name": "x"}', "3"])
def test_json_without_chunks_that_merely_lies_in_a_folder_is_passed_over_and_told(
    write: Write, tmp_path: Path, text: str
) -> None:
    write("a.md", "text\n")
    path = write("config.json", text)
    read = read_sources([tmp_path])

    assert ("a.md",) == tuple(read.sources)
    reason = "holds no chunks, which are records with id, text and title"
    assert (Skipped(".json", reason, 1, (str(path),)),) == read.skipped


def test_deeply_nested_json_in_a_folder_is_refused_plainly(write: Write, tmp_path: Path) -> None:
    path = write("a.jsonl", "[" * 100_000)

    assert f"{path}:1" == refusal(tmp_path).place


@given(content=st.binary(max_size=60) | st.text('{}[]":,1a\n\\', max_size=40).map(str.encode))
@pytest.mark.parametrize("name", ["a.md", "a.jsonl", "a.json"])
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, name: str, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(content)
    try:
        assert read_sources([path]).chunks
    except SourceError as error:
        assert error.place.startswith(str(path))


@pytest.mark.parametrize("field", ["page", "line"])
@pytest.mark.parametrize("number", [2**70, -(2**70)])
def test_a_page_that_no_store_can_hold_is_an_error_with_file_and_line(tmp_path: Path, field: str, number: int) -> None:
    path = tmp_path / "chunks.jsonl"
    first, second = ({"id": id_, "text": "t", "title": "T"} for id_ in "ab")
    path.write_text(f"{json.dumps(first)}\n{json.dumps(second | {field: number})}\n")

    with pytest.raises(SourceError, match=rf"chunks\.jsonl:2: {field}: .* than or equal to"):
        read_sources([path])
