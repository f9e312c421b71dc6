"""Files and folders: what can be read is read, what can't is said with its place, and nothing raises otherwise."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import RuleError, SourceError
from retrieval.filters.query_must import rule_to_json
from retrieval.ingest.read import read_sources
from retrieval.types import Chunk, QueryMust, RangeRule, Skipped, Table

Write = Callable[[str, str | bytes], Path]
_NOBODY = 65534


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def line(**fields: object) -> str:
    return json.dumps({"id": "c1", "text": "text", "title": "Title"} | fields)


def refusal(*paths: Path) -> SourceError:
    with pytest.raises(SourceError) as refused:
        read_sources(paths)
    return refused.value


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    assert f"{tmp_path / 'no'}: no such file or folder" == str(refusal(tmp_path / "no"))


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"])
def test_a_path_that_cannot_exist_is_refused_plainly(tmp_path: Path, name: str) -> None:
    assert str(tmp_path / name) == refusal(tmp_path / name).place


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    reason = "nothing to read in this folder; it needs .json, .jsonl, .markdown, .md files"

    assert f"{tmp_path}: {reason}" == str(refusal(tmp_path))


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff", "<!-- -->", "# Only a heading\n"])
def test_a_file_that_says_nothing_is_refused(write: Write, content: str) -> None:
    path = write("a.md", content)

    assert f"{path}: nothing to read: no text, no table, no chunk" == str(refusal(path))


def test_a_file_that_is_not_utf_8_is_named_with_the_byte(write: Write) -> None:
    path = write("a.md", "ok caf\xe9".encode("latin-1"))

    assert f"{path}: not UTF-8 (byte 6); convert it, for example with iconv" == str(refusal(path))


@pytest.mark.parametrize(("name", "kind"), [("a.pdf", ".pdf"), ("README", "files without an extension")])
def test_another_kind_of_file_is_refused(write: Write, name: str, kind: str) -> None:
    assert f"can't read {kind}; it needs .json, .jsonl, .markdown, .md files" in str(refusal(write(name, "text")))


def test_a_folder_is_read_in_a_stable_order_with_paths_within_it(write: Write, tmp_path: Path) -> None:
    for name in ("b.md", "a/z.markdown", "a/b.md", "c.MD"):
        write(name, f"# {name}\n\ntext\n")
    read = read_sources([tmp_path])

    assert ("a/b.md", "a/z.markdown", "b.md", "c.MD") == tuple(read.sources)
    assert ["a/b.md", "a/z.markdown", "b.md", "c.MD"] == [chunk.source for chunk in read.chunks]


def test_hidden_files_and_other_files_are_passed_over_and_counted_with_the_reason(write: Write, tmp_path: Path) -> None:
    for name in ("a.md", ".hidden.md", ".git/b.md", "x.png", "sub/Y.PNG", "notes.txt", "LICENSE", "an odd. name"):
        write(name, "text\n")
    (tmp_path / "link").symlink_to(tmp_path / "sub")
    read, other = read_sources([tmp_path]), "no reader for it"

    assert (("a.md",), 1) == (tuple(read.sources), read.files)
    assert (
        Skipped(".png", other, 2, (f"{tmp_path}/x.png", f"{tmp_path}/sub/Y.PNG")),
        Skipped("hidden", "the name begins with a dot", 2, (f"{tmp_path}/.git", f"{tmp_path}/.hidden.md")),
        Skipped("other", other, 2, (f"{tmp_path}/LICENSE", f"{tmp_path}/an odd. name")),
        Skipped(".txt", other, 1, (f"{tmp_path}/notes.txt",)),
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
    for name in ("a.pdf", "b.pdf", ".hidden"):
        write(name, "")

    assert "nothing to read in this folder, only 2 .pdf, 1 hidden; it needs" in str(refusal(tmp_path))


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


@pytest.mark.parametrize("closed", ["sub", "sub/b.md"])
def test_what_can_not_be_looked_into_is_an_error_and_not_taken_for_gone(open_place: Path, closed: str) -> None:
    (open_place / "sub").mkdir()
    (open_place / "a.md").write_text("# A\n\ntext\n")
    (open_place / "sub" / "b.md").write_text("# B\n\ntext\n")
    (open_place / closed).chmod(0)
    error = refusal(open_place)
    (open_place / closed).chmod(0o755)
    assert (str(open_place / closed), True) == (error.place, "can't be read: Permission denied" in str(error))


def test_a_link_that_leads_nowhere_is_an_error(write: Write, tmp_path: Path) -> None:
    write("a.md", "# A\n\ntext\n")
    (tmp_path / "b.md").symlink_to(tmp_path / "gone.md")
    assert str(tmp_path / "b.md") == refusal(tmp_path).place


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


FULL = Chunk(
    "c1", "text −3", "Title", "book.md", ("Part", "Chapter"), 12, 34, "row", ("combat", "cleric"),
    QueryMust((("cleric",), ("ac 6", "armor class 6")), ("level",), "roll", RangeRule(7, 9, ("level",))),
    (Table("Caption", (("Level",), ("AC", "-3")), (("7-9", "10"),), ("* note",)),),
)  # fmt: skip


def test_a_chunk_survives_being_written_as_jsonl_and_read(write: Write) -> None:
    table = {"caption": "Caption", "columns": [["Level"], ["AC", "-3"]], "rows": [["7-9", "10"]], "notes": ["* note"]}
    text = line(
        text=FULL.text, source=FULL.source, headings=FULL.headings, page=12, line=34, chunk_type="row", tags=FULL.tags,
        query_must=rule_to_json(FULL.query_must or QueryMust()), tables=[table],
    )  # fmt: skip

    assert (FULL,) == read_sources([write("a.jsonl", f"\n{text}\n\n")]).chunks
    assert (FULL,) == read_sources([write("a.json", f"[{text}]")]).chunks
    assert (FULL,) == read_sources([write("b.json", text)]).chunks


@pytest.mark.parametrize(
    ("tables", "expected"),
    [([], "section"), ([{"columns": [["Level"], ["AC"]], "rows": [["7-9", "10"]]}], "table"),
     ([{"columns": [[], []], "rows": [["Armor Class", "5"]]}], "record")],
)  # fmt: skip
def test_a_chunk_that_names_no_type_is_what_its_tables_are(write: Write, tables: list[object], expected: str) -> None:
    read = read_sources([write("a.jsonl", line(tables=tables)), write("b.jsonl", line(id="c2", chunk_type="row"))])
    assert [expected, "row"] == [chunk.chunk_type for chunk in read.chunks]


def test_an_id_that_is_also_made_from_markdown_is_refused_with_both_lines(write: Write, tmp_path: Path) -> None:
    book, own = write("book.md", "text\n\n# Owl\n\ntext\n"), write("own.jsonl", "\n" + line(id="book/owl"))
    error = refusal(tmp_path)

    assert f"{book}:3: the id 'book/owl' is that of the chunk at {own}:2; ids are unique" == str(error)


@pytest.mark.parametrize("name", ["b.jsonl", "b.json"])
def test_a_source_that_two_files_declare_is_refused_with_both_places(write: Write, name: str) -> None:
    first = write("a.jsonl", line() + "\n" + line(id="c2", source="Bestiary") + "\n" + line(id="c3", source="Bestiary"))
    second = write(name, line(id="c4", source="Bestiary"))
    error = refusal(first.parent)

    assert f"{second}:1" == error.place
    assert f"{first}:2 has the same source 'Bestiary'" in str(error)
    assert 3 == len(read_sources([first]).chunks)


def test_a_source_that_is_declared_and_is_a_file_is_refused_with_both_places(write: Write, tmp_path: Path) -> None:
    own, book = write("a.jsonl", line(source="book.md")), write("book.md", "text\n")

    assert f"{book}: {own}:1 has the same name 'book.md'" in str(refusal(tmp_path))


def test_a_declared_source_has_its_file_as_root_and_others_the_folder(write: Write, tmp_path: Path) -> None:
    own = write("own.jsonl", line() + "\n" + line(id="c2", source="Bestiary"))
    read = read_sources([tmp_path])

    assert {"own.jsonl": str(tmp_path), "Bestiary": str(own)} == read.sources
    assert {str(tmp_path)} == read.roots


def test_a_chunk_without_a_source_comes_from_its_file(write: Write) -> None:
    read = read_sources([write("a.jsonl", line())])

    assert ("a.jsonl",) == tuple(read.sources)
    assert "a.jsonl" == read.chunks[0].source


MALFORMED = [
    ("{", "not JSON"),
    ("nonsense", "not JSON"),
    ("[" * 100_000, "not JSON"),
    ("1" * 5000, "not JSON"),
    ("[]", "record: "),
    ("3", "record: not an object"),
    ("null", "record: "),
    ("{}", "id: is missing"),
    (line(id=""), "id: "),
    (line(id=7), "id: "),
    (line(text=None), "text: "),
    (line(page="x"), "page: "),
    (line(colour="red"), "colour: no such field"),
    (line(tags="combat"), "tags: "),
    (line(tags=list("abcdefghi")), "tags: more than 8"),
    (line(tables=[{"rows": []}]), "tables.0.columns: is missing"),
    (line(tables=[{"columns": [["A"]], "rows": [["1", "2"]]}]), "every row needs as many cells as there are columns"),
    (line(query_must='{"contain": "cleric"}'), "query_must: not an object; write the rule itself"),
    (line(id="fine"), "the id 'fine' is that of the chunk at "),
    ('{"id": "\\ud800", "text": "t", "title": "T"}', "id: "),
]


@pytest.mark.parametrize(("text", "reason"), MALFORMED, ids=range(len(MALFORMED)))
def test_a_malformed_record_is_named_with_file_and_line(write: Write, text: str, reason: str) -> None:
    path = write("a.jsonl", f"{line(id='fine')}\n\n{text}\n")
    error = refusal(path)

    assert f"{path}:3" == error.place
    assert str(error).startswith(f"{path}:3: ")
    assert reason in str(error)


def test_a_malformed_rule_names_the_chunk_too(write: Write) -> None:
    path = write("a.jsonl", line(id="m6", query_must={"contain_one_of": ["cleric"]}))
    with pytest.raises(RuleError) as refused:
        read_sources([path])

    assert f"{path}:1 (chunk m6)" == refused.value.place


SUSPICIOUS = [
    (
        {"contain_one_of": [["cleric"], ["druid"]]},
        "a query must contain all of: cleric, druid; if any of them will do, put them in one group, otherwise say "
        "contain_all_of",
    ),
    ({"contain_one_of": [[]]}, "an empty group never holds, so no query will ever get this chunk"),
    (
        {"contain_range": {"min": 1e30}},
        "contain_range lies beyond every number that a query can hold, so no query will ever get this chunk",
    ),
    (
        {"contain_one_of": [["cleric", "clerics", "druid"]]},
        "one spelling is enough, these match the same queries: cleric = clerics",
    ),
]


@pytest.mark.parametrize(("rule", "reason"), SUSPICIOUS)
def test_a_suspicious_rule_is_a_warning_with_its_place(write: Write, rule: object, reason: str) -> None:
    lines = write("a.jsonl", f"{line(id='fine')}\n\n{line(query_must=rule)}\n")
    listed = write("a.json", f"[{line(id='fine')},\n{line(query_must=rule)}]")
    alone = write("b.json", line(query_must=rule))

    assert (f"{lines}:3: chunk c1: {reason}",) == read_sources([lines]).warnings
    assert (f"{listed}:2, item 2: chunk c1: {reason}",) == read_sources([listed]).warnings
    assert (f"{alone}:1: chunk c1: {reason}",) == read_sources([alone]).warnings


def test_every_suspicion_about_every_rule_is_said(write: Write) -> None:
    path = write("a.jsonl", "\n".join(line(id=f"c{n}", query_must=rule) for n, (rule, _) in enumerate(SUSPICIOUS)))

    assert [f"{path}:{n + 1}: chunk c{n}: {reason}" for n, (_, reason) in enumerate(SUSPICIOUS)] == list(
        read_sources([path]).warnings
    )


def test_rules_that_are_generated_for_the_rows_of_a_table_are_not_complained_about(write: Write) -> None:
    table = "| AC | Roll |\n|---|---|\n| 3 | 17 |\n| 4 | 16 |\n"
    read = read_sources([write("a.md", f"**Hit Table for Bards**\n\n{table}\n\n**Hit Table for Druids**\n\n{table}\n")])

    assert 4 == sum(chunk.query_must is not None for chunk in read.chunks)
    assert () == read.warnings


@pytest.mark.parametrize(
    ("before", "between", "place"),
    [
        ("[", ",", "1, item 2"),
        ("[", ", ", "1, item 2"),
        ("[\n  ", ",\n  ", "3, item 2"),
        ("\n\n [ ", "\r\n,\n\n\t", "6, item 2"),
    ],
)
def test_an_item_of_a_list_is_named_by_line_and_number(write: Write, before: str, between: str, place: str) -> None:
    first = line(id="fine", text="[{,\n}]", headings=["[", "]"])
    path = write("a.json", f"{before}{first}{between}{line(page='x')}\n]\n")

    assert f"{path}:{place}" == refusal(path).place


def test_a_malformed_rule_in_a_list_names_item_and_chunk(write: Write) -> None:
    path = write("a.json", f"[{line(id='fine')},\n {line(id='m6', query_must={'contain': ''})}]")

    assert f"{path}:2, item 2 (chunk m6)" == refusal(path).place


@given(st.lists(st.tuples(st.sampled_from(["", "\n", " \n\t"]), st.booleans()), min_size=1, max_size=6))
def test_the_line_of_an_item_is_the_one_it_begins_on(
    tmp_path_factory: pytest.TempPathFactory, layout: list[tuple[str, bool]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "items.json"
    text, places = "[", []
    for number, (space, indented) in enumerate(layout, start=1):
        text += ("," if number > 1 else "") + space
        places.append(f"{path}:{text.count(chr(10)) + 1}, item {number}: chunk c{number}")
        record = {"id": f"c{number}", "text": "a\nb", "title": "T", "query_must": {"contain_one_of": [[]]}}
        text += json.dumps(record, indent=2 if indented else None)
    path.write_text(f"{text}]")

    assert places == [warning.rsplit(": ", 1)[0] for warning in read_sources([path]).warnings]


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.json", "[\n1,\n2,\nx]", "4"),
        ("a.json", "[1]\n]", "2"),
        ("a.json", "[1", "1"),
        ("a.jsonl", f"{line()}\n\n[1,]", "3"),
        ("a.json", "[" * 100_000, "1"),
    ],
)
def test_what_is_not_json_is_named_with_the_line_where_it_breaks(
    write: Write, name: str, text: str, place: str
) -> None:
    path = write(name, text)

    assert f"{path}:{place}" == refusal(path).place


def test_a_rule_of_a_hundred_thousand_terms_is_refused(write: Write) -> None:
    path = write("a.jsonl", line(query_must={"contain_one_of": [["a"] * 100_000]}))

    reason = "query_must has 100000 terms; the limit is 10000"
    assert f"{path}:1 (chunk c1): {reason}" == str(refusal(path))


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
