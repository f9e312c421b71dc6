"""Chunks as JSONL and JSON: each field arrives, and what is malformed or suspicious is said with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import RuleError
from retrieval.filters.rule import rule_to_json
from retrieval.ingest.read import read_sources
from retrieval.types import Chunk, QueryMust, RangeRule, Table
from tests.retrieval.reading import Write, line, refusal

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
