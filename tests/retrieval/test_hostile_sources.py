"""Sources that would eat the machine, or swallow the rest of their file: read in linear time, told with the line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.attacks.source_kinds import KINDS, LINEAR, MDX_KINDS, OPENERS, growth, read
from retrieval.errors import RuleError
from retrieval.filters.rule import rule_from_json
from retrieval.ingest.read import read_sources
from retrieval.readers.markdown.mdx import as_markdown

PLACES = ("{}", "- item\n\n  {}", "> {}", "<div>\n{}\n</div>")


def said(text: str) -> str:
    return "\n".join(chunk.text for chunk in read(text)[0])


def odd(text: str) -> list[tuple[int, str]]:
    return read(text)[1]


@pytest.mark.parametrize("name", KINDS)
def test_a_source_four_times_as_large_takes_about_four_times_as_long(name: str) -> None:
    assert growth(KINDS[name]) < LINEAR


@pytest.mark.parametrize("name", MDX_KINDS)
def test_a_page_of_mdx_four_times_as_large_takes_about_four_times_as_long(name: str) -> None:
    assert growth(MDX_KINDS[name], reading=as_markdown) < LINEAR


def test_work_that_is_held_to_a_limit_is_linear_and_other_is_not() -> None:
    def held(text: str) -> int:
        return sum(range(min(len(text) ** 2, 1_000_000)))

    def quadratic(text: str) -> int:
        return sum(range(len(text) ** 2))

    assert growth(lambda n: "x" * n, n=250, reading=held) < LINEAR
    assert growth(lambda n: "x" * n, n=250, reading=quadratic) > LINEAR


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("opener", OPENERS)
def test_what_stands_behind_an_opener_that_nothing_closes_is_read(opener: str, place: str) -> None:
    text = said(f"# Top\n\n{place.format(opener)}\n\nfirst behind\n\n# Next\n\nsecond behind\n\n- third behind\n")

    assert all(line in text for line in ("first behind", "second behind", "third behind"))


OPEN = [opener for opener in OPENERS if not opener.startswith(">")]
"""Without quotations: a `>` at the start of a line closes a tag that a line before it opens."""
LINES = st.one_of(
    st.sampled_from(OPEN),
    st.sampled_from(["", "## Head", "- item", "**Bold**"]),
    st.integers(0, 999).map(lambda n: f"word{n}"),
)


@given(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\n\n"]))
def test_every_line_of_text_stands_in_some_chunk(lines: list[str], between: str) -> None:
    text = said(between.join(["first", *lines, "last"]))

    words = ["first", *(line for line in lines if line.startswith("word")), "last"]
    assert [] == [word for word in words if word not in text]


@pytest.mark.parametrize(
    ("opener", "message"),
    [
        ("<!-- open", "a comment that is never closed; read as text"),
        ("<!-- open\n\n<!-- closed -->", "a comment that is never closed; read as text"),
        ("<?php open", "a processing instruction that is never closed; read as text"),
        ("<!X open", "a declaration that is never closed; read as text"),
        ("<![CDATA[ open", "a CDATA section that is never closed; read as text"),
        ("<script>", "a <script> that is never closed; read as text"),
        ("<style>", "a <style> that is never closed; read as text"),
        ("<div>\n<style>", "a <style> that is never closed; read as text"),
        ("<div class", "a tag without its '>'; read as text"),
        ("- " * 60 + "x", "nested too deeply; kept as text"),
        ("> " * 120 + "x", "nested too deeply; kept as text"),
        ("# " + "long " * 100, "a heading of more than 300 characters; kept as text"),
    ],
)
def test_what_is_not_read_as_it_was_meant_is_told_with_its_line(opener: str, message: str) -> None:
    line = 3 + opener.startswith("<div>")

    assert [(line, message)] == odd(f"first\n\n{opener}\n\nlast\n")


@pytest.mark.parametrize(
    "closed",
    ["<!-- a comment -->", "<!-- page 12 -->", "<!-->", "<!--\nof\n\nlines\n-->", "<?php x ?>", "<!DOCTYPE html>",
     "<![CDATA[ x ]]>", "<script>\n\nx\n</script>", "<style>x</style>", "- <!--\n  a\n  -->", "a <!-- b --> c"],
)  # fmt: skip
def test_what_is_closed_is_left_out_without_a_word(closed: str) -> None:
    text = f"first\n\n{closed}\n\nlast\n"

    assert [] == odd(text)
    assert "last" in said(text)
    assert not any(hidden in said(text) for hidden in ("comment", "lines", "php", "DOCTYPE", "CDATA", "script", "page"))


def test_a_comment_in_a_table_may_have_blank_lines() -> None:
    text = "<table><tr><th>A</th></tr>\n<!-- not\n\nread -->\n<tr><td>7</td></tr></table>\n"

    assert [] == odd(text)
    assert "7" in said(text)
    assert "read" not in said(text)


def test_an_open_comment_in_a_table_swallows_no_row() -> None:
    rows = "<tr><td><!-- 7</td><td>8</td></tr>\n\n<tr><td>9</td><td>1</td></tr>"
    text = f"<table><tr><th>A</th><th>B</th></tr>\n{rows}</table>"

    assert all(cell in said(text) for cell in "789")
    assert [(2, "a comment that is never closed; read as text")] == odd(text)


def test_text_in_a_table_outside_its_cells_is_read() -> None:
    html = "<table>loose<tr><th>A</th><th>B</th></tr><tr>stray<td>1</td><td>2</td></tr></table>"

    assert "loose stray" in said(html)


def test_lists_are_read_to_a_depth_that_books_have() -> None:
    lines = [f"{'  ' * depth}- level {depth}" for depth in range(40)]

    text = "\n".join([*lines, "", "behind"])

    assert [] == odd(text)
    assert all(f"level {depth}" in said(text) for depth in range(40))


def test_a_table_that_says_far_more_than_it_holds_is_kept_as_text_and_told(tmp_path: Path) -> None:
    book = tmp_path / "book.md"
    cells = "".join(f"<td rowspan=200 colspan=200>cell {n}</td>" for n in range(80))
    book.write_text(f"first\n\n<table><tr>{cells}</tr><tr><td>own</td></tr></table>\n\nlast\n")

    found = read_sources([book])

    assert "a table that its spans and missing cells repeat more than 30 times; kept as text" in found.warnings[0]
    assert found.warnings[0].startswith(f"{book}:3: ")
    assert 1 == len(found.warnings)
    text = "\n".join(chunk.text for chunk in found.chunks)
    assert all(cell in text for cell in ("cell 0", "cell 79", "own", "last"))


def test_many_warnings_of_one_kind_are_counted(tmp_path: Path) -> None:
    book = tmp_path / "book.md"
    book.write_text("x\n\n" + "<script>\n\n" * 1_000)

    warnings = read_sources([book]).warnings

    assert 21 == len(warnings)
    assert (
        f"{book}:2001: a <script> that is never closed; read as text (980 more like this, up to this line)"
        == warnings[-1]
    )


def test_a_word_without_end_is_cut_into_chunks_and_nothing_of_it_is_lost() -> None:
    chunks, _ = read("w" * 100_000)

    assert 100_000 == sum(chunk.text.count("w") for chunk in chunks)
    assert max(len(chunk.text) for chunk in chunks) < 10_000


def test_a_rule_with_too_many_terms_is_refused_before_any_term_is_read() -> None:
    terms = ["!!!", *(f"word{n}" for n in range(100_000))]  # the first has no letters, and would be refused if read

    with pytest.raises(RuleError, match="has 100001 terms; the limit is 10000"):
        rule_from_json({"contain_one_of": [terms]}, "rule")
