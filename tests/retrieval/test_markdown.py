"""Markdown becomes sections: headings real and bold, captions, footnotes, records, and nothing is lost or raised."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.readers.documents.sections import Paragraph, Placed, Section
from retrieval.readers.markdown.reader import parse
from retrieval.types import Table

PIPE = "| A | B |\n|---|---|\n| 1 | 2 |\n"
TABLE = Table("", (("A",), ("B",)), (("1", "2"),))


def sections(text: str) -> list[Section]:
    return parse(text, [])


def warnings(text: str) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    parse(text, found)
    return found


def tables(text: str) -> list[Table]:
    return [block.table for section in sections(text) for block in section.blocks if isinstance(block, Placed)]


def prose(text: str) -> list[str]:
    return [block.text for section in sections(text) for block in section.blocks if isinstance(block, Paragraph)]


def test_headings_are_a_path_and_lines_count_from_one() -> None:
    found = sections("# Book\n\nfirst\n\n## Part\n\nsecond\n\n# Other\n\nthird\n")

    assert [("Book",), ("Book", "Part"), ("Other",)] == [section.headings for section in found]
    assert [1, 5, 9] == [section.line for section in found]
    assert [3, 7, 11] == [section.blocks[0].line for section in found]


def test_a_bold_line_opens_a_section_below_the_real_heading() -> None:
    found = sections("# Monsters\n\n**Owlbear**\n\nhoots\n\n# End\n\nx")

    assert [("Monsters", "Owlbear"), ("End",)] == [section.headings for section in found]


@pytest.mark.parametrize(
    "line", ["**Run in.** and text", "**Ends like a label:**\n\nx", "**A sentence.**\n\nx", "**" + "long " * 30 + "**"]
)
def test_bold_text_that_is_no_heading_stays_text(line: str) -> None:
    assert [("Top",)] == [section.headings for section in sections(f"# Top\n\n{line}\n")]


def test_a_bold_line_above_a_table_is_its_caption_and_what_follows_goes_on_under_the_heading() -> None:
    (section,) = sections(f"# Combat\n\nbefore\n\n**Fighter “to hit” Table**\n\n{PIPE}\nafter\n")

    assert ["before", "after"] == [block.text for block in section.blocks if isinstance(block, Paragraph)]
    assert ["Fighter “to hit” Table"] == [b.table.caption for b in section.blocks if isinstance(b, Placed)]


def test_a_table_paragraph_is_a_caption_and_stays_text() -> None:
    text = f"Table 3: Weapons\n\n{PIPE}"

    assert ["Table 3: Weapons"] == [table.caption for table in tables(text)]
    assert ["Table 3: Weapons"] == prose(text)


def test_two_captions_are_both_kept() -> None:
    html = "<table><caption>Inner</caption><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>"

    assert ["Outer: Inner"] == [table.caption for table in tables(f"**Outer**\n\n{html}\n")]


@pytest.mark.parametrize("note", ["\\* not in rain", "† by day", "Note: at night", "Notes: often"])
def test_a_footnote_stays_with_its_table(note: str) -> None:
    (table,) = tables(f"{PIPE}\n{note}\n\ntext\n")

    assert (note.replace("\\", ""),) == table.notes


def test_escaped_and_typographic_minus_signs_are_one() -> None:
    (table,) = tables("| Level | \\-3 | −4 | –5 |\n|---|---|---|---|\n| 1 | \\-1 | a \\| b | 1–2 |\n")

    assert (("Level",), ("-3",), ("-4",), ("-5",)) == table.columns
    assert (("1", "-1", "a | b", "1–2"),) == table.rows


def test_empty_cells_are_kept() -> None:
    (table,) = tables("| A | B | C |\n|---|---|---|\n|  | 2 |  |\n| 1 |  | 3 |\n")

    assert (("", "2", ""), ("1", "", "3")) == table.rows


def test_a_blank_pipe_header_is_replaced_by_the_first_row_that_is_one() -> None:
    assert [TABLE] == tables("|   |   |\n|---|---|\n| **A** | **B** |\n| 1 | 2 |\n")


HTML = (
    "<table>\n\n  <tr>\n    <td><b>A</b></td>\n\n    <td><b>B</b></td>\n  </tr>\n\n\n"
    "  <tr><td>1</td>\n\n<td>2</td></tr>\n</table>"
)


def test_blank_lines_and_indents_within_an_html_table_do_not_end_it() -> None:
    assert [TABLE] == tables(HTML)
    assert [TABLE] == tables("    " + HTML)
    assert ["after"] == prose(f"{HTML}\n\nafter\n")


def test_an_unclosed_table_swallows_nothing_and_is_reported() -> None:
    text = f"# H\n\n<table><tr><td>A</td></tr>\n\nlost?\n\n# I\n\nkept\n\n{HTML}\n"

    assert [("H",), ("I",)] == [section.headings for section in sections(text)]
    assert {"lost?", "kept"} <= set(prose(text))
    assert TABLE in tables(text)
    assert [(3, "an HTML table that is never closed; read as far as it goes")] == warnings(text)


def test_ragged_rows_are_reported_with_their_line() -> None:
    text = "text\n\n| A | B |\n|---|---|\n| 1 |\n| 1 | 2 |\n| 1 | 2 | 3 |\n"

    assert [
        (5, "2 rows have more or fewer cells than the table's 2 heads, and stay text; the last in line 7")
    ] == warnings(text)
    assert (("1", "2"),) == tables(text)[0].rows
    assert "A | B\n1\n1 | 2 | 3" in prose(text)


def test_a_row_of_one_name_stands_above_the_rows_of_its_group() -> None:
    text = "| Name | Cost | Weight |\n|---|---|---|\n| **Melee** |\n| Club | 1 | 2 |\n"

    assert [] == warnings(text)
    assert (("Melee", "", ""), ("Club", "1", "2")) == tables(text)[0].rows


def test_rows_of_pipes_without_a_delimiter_line_are_a_table_where_they_are_alike() -> None:
    text = "x\n\n| Boat | Length |\n| Reed | 9 m |\n| Sedge | 12 m |\n"
    fees = "| Reed | 4 marks |\n| Sedge | free |\n"

    assert [] == warnings(text)
    assert (("Reed", "9 m"), ("Sedge", "12 m")) == tables(text)[0].rows
    assert (("Boat",), ("Length",)) == tables(text)[0].columns
    assert (("Reed", "4 marks"), ("Sedge", "free")) == tables(fees)[0].rows


def test_uneven_rows_of_pipes_without_a_delimiter_line_are_kept_as_text_and_reported() -> None:
    text = "x\n\n| A | B |\n| 1 | 2 | 3 |\n"

    assert [(3, "looks like a table without its |---| line under the header; kept as text")] == warnings(text)
    assert ["x", "| A | B |\n| 1 | 2 | 3 |"] == prose(text)


def test_a_line_that_only_parts_rows_is_none() -> None:
    text = "| Boat | Length |\n|---|---|\n| Reed | 9 m |\n|---|---|\n| Sedge | 12 m |\n|---|---|\n"

    assert [] == warnings(text)
    assert (("Reed", "9 m"), ("Sedge", "12 m")) == tables(text)[0].rows


def test_a_table_without_rows_is_kept_as_text_and_reported() -> None:
    text = "| A | B |\n|---|---|\n\nx\n"

    assert ["A | B", "x"] == prose(text)
    assert [(1, "a table without rows; kept as text")] == warnings(text)


@pytest.mark.parametrize(
    "text",
    ["AC: 5\nHD: 5+2\nMOVE: 12\n", "**AC:** 5  \n**HD:** 5+2  \n**Move:** 12\n", "- AC: 5\n- HD: 5+2\n- MOVE: 12\n"],
)
def test_lines_of_label_and_value_are_a_record(text: str) -> None:
    (table,) = tables(text)

    assert table.is_record
    assert ["5", "5+2", "12"] == [value for _, value in table.rows]
    assert ["ac", "hd", "move"] == [label.lower() for label, _ in table.rows]


def test_two_such_lines_are_prose() -> None:
    assert ["AC: 5\nHD: 2"] == prose("AC: 5  \nHD: 2\n")
    assert ["AC: 5 HD: 2"] == prose("AC: 5\nHD: 2\n")


def test_lists_keep_every_item_however_deep() -> None:
    assert ["- a\n- b\n- c\n- d"] == prose("- a\n  - b\n    - c\n- d\n")
    assert ["- one\n- two"] == prose("1. one\n2. two\n")


@pytest.mark.parametrize("before", ["> ", "- ", "1. "])
def test_a_table_in_a_list_or_quotation_is_a_table(before: str) -> None:
    lines = [(" " * len(before) if i and before != "> " else before) + line for i, line in enumerate(PIPE.splitlines())]

    assert [TABLE] == tables("\n".join(lines))
    assert [] == warnings("\n".join(lines))


def test_code_in_a_list_is_kept() -> None:
    assert ["- item", "some code", "- next"] == prose("- item\n\n  ```\n  some code\n  ```\n\n- next\n")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a <b>bold</b> <!-- no --> word", "a bold word"),
        ("see[^1] x<sup>2</sup>", "see[^1] x"),
        ("the 1<sup>st</sup> level", "the 1st level"),
        ("![a map](map.png) and [a link](http://x.y) `code`", "a map and a link code"),
        ("one<br>two", "one two"),
        ("AC &minus;3 &amp; more", "AC -3 & more"),
        ("<div>\nhello <i>world</i>\n</div>", "hello world"),
        ("x <td>1</td><td>2</td>", "x 1 2"),
    ],
)
def test_inline_markup_is_reduced_to_its_words(text: str, plain: str) -> None:
    assert [plain] == [" ".join(p.split()) for p in prose(text)]


def test_text_around_an_html_table_in_one_block_is_kept() -> None:
    assert ["Before", "after"] == prose(f"<p>Before</p>{HTML} after\n")


@pytest.mark.parametrize("text", ["<script>alert(1)</script>\n\nx", "<!-- a > b -->\n\nx", "<style>p{}</style>\n\nx"])
def test_what_no_reader_sees_is_left_out(text: str) -> None:
    assert ["x"] == prose(text)


def test_front_matter_is_not_a_heading() -> None:
    text = "---\ntags:\n  - x\n---\n\n# H\n\ntext\n"

    assert [(("H",), 6)] == [(section.headings, section.line) for section in sections(text)]
    assert [("Title",)] == [section.headings for section in sections("Title\n---\n\ntext\n")]


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    text = f"# H\n\ntext\n\n{PIPE}\n{HTML}\n"

    assert sections(text) == sections("\ufeff" + text.replace("\n", "\r\n"))


def test_an_empty_heading_opens_nothing() -> None:
    assert [("H",)] == [section.headings for section in sections("# H\n\na\n\n##\n\nb\n")]


@pytest.mark.parametrize("text", ["", "\n\n", "   ", "# \n", "---\n", "<!-- -->", "<table></table>"])
def test_nothing_gives_no_section(text: str) -> None:
    assert [] == sections(text)


PIECES = st.sampled_from(
    ["# H\n\n", "## I\n", "**Bold**\n\n", "**Bold:**\n", "text ", "\n", "\n\n", "| a | b |\n", "|---|---|\n", "| 1 |\n",
     "- item\n", "  - deep\n", "> quote\n", "```\n", "    code\n", "<table>", "</table>", "<tr><td>x</td>", "<sup>",
     "\\-3",
     "Table 1: x\n\n", "* note\n", "AC: 5\n", "HD: 1\n", "MV: 2\n", "---\n", "&amp;", "<!-- ", "-->", "[", "](",
     "\r\n", "\0", "\ud800", "*", "_", "`"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=80))
def test_no_text_raises(text: str) -> None:
    lines = text.count("\n") + text.count("\r") + 1
    found: list[tuple[int, str]] = []

    for section in parse(text, found):
        assert section.blocks
        assert all(1 <= block.line <= lines for block in section.blocks)
    assert all(1 <= line <= lines for line, _ in found)


WORDS = st.lists(st.from_regex(r"[a-z]{3,8}", fullmatch=True), min_size=1, max_size=6).map(" ".join)
BLOCKS = st.one_of(
    WORDS,
    WORDS.map("# {}".format),
    WORDS.map("**{}**".format),
    st.lists(WORDS, min_size=1, max_size=4).map(lambda items: "\n".join(f"- {item}" for item in items)),
    st.tuples(WORDS, WORDS, WORDS, WORDS).map(lambda w: "| {} | {} |\n|---|---|\n| {} | {} |".format(*w)),
    st.tuples(WORDS, WORDS).map(lambda w: "<table><tr><td>{}</td></tr>\n\n<tr><td>{}</td></tr></table>".format(*w)),
    WORDS.map("> {}".format),
)


@given(st.lists(BLOCKS, max_size=8).map(lambda blocks: "\n\n".join([*blocks, "end"])))
def test_every_word_arrives_somewhere(text: str) -> None:
    def words_of(value: object) -> set[str]:
        return set(re.findall(r"[a-z]{3,}", str(value)))

    source = words_of(re.sub(r"<[^>]*>", " ", text))
    arrived = set().union(*(words_of(s.headings) | words_of(s.blocks) for s in sections(text)))
    empty = set().union(*(words_of(m) for m in re.findall(r"(?m)^(?:# .*|\*\*.*\*\*)$", text)))  # headings over nothing

    assert source - empty <= arrived


def test_rows_without_a_last_remark_are_whole_also_beside_names_with_digits() -> None:
    text = "| Version | Module | Note |\n|-|-|-|\n| 1.2 | reed/1.2 tarn/1.2 | old |\n| 2.0 | reed/2.0 |\n"

    assert [] == warnings(text)
    assert ("2.0", "reed/2.0", "") == tables(text)[0].rows[-1]


def test_the_last_bar_of_a_row_that_begins_without_one_stands_before_an_empty_cell() -> None:
    text = "Boat|Length|Note\n---|---|---\nReed|9 m|\nSedge|12 m|\n"

    assert [] == warnings(text)
    assert (("Reed", "9 m", ""), ("Sedge", "12 m", "")) == tables(text)[0].rows


def test_a_line_of_dashes_may_have_more_or_fewer_than_there_are_heads() -> None:
    text = "x\n\n| Boat | Length |\n|---|---|---|\n| Reed | 9 m |\n| Sedge | 12 m |\n"

    assert [] == warnings(text)
    assert (("Boat",), ("Length",)) == tables(text)[0].columns
    assert (("Reed", "9 m"), ("Sedge", "12 m")) == tables(text)[0].rows


def test_bars_without_need_and_rows_of_nothing_but_bars_tear_nothing() -> None:
    text = "| Boat | Length |\n|-|-|\n| Reed | 9 m | |\n|||\n| **Old boats** ||\n| Sedge | 12 m | | |\n"

    assert [] == warnings(text)
    assert (("Reed", "9 m"), ("Old boats", ""), ("Sedge", "12 m")) == tables(text)[0].rows


def test_a_head_may_stand_over_all_columns_but_the_first() -> None:
    heads = "| | Zone |\n|-|-|\n| Sign | Harbour | Town | Field |\n"
    text = f"{heads}| Free standing |\n| Board | C | N | C |\n| Arch | P | P | N |\n"

    assert [] == warnings(text)
    assert [("Sign",), ("Zone", "Harbour"), ("Zone", "Town"), ("Zone", "Field")] == [*tables(text)[0].columns]
    assert (("Free standing", "", "", ""), ("Board", "C", "N", "C"), ("Arch", "P", "P", "N")) == tables(text)[0].rows


def test_nobody_can_tell_which_of_several_heads_stands_over_more_columns() -> None:
    text = "| Sign | Zone |\n|-|-|\n| Board | C | N |\n| Arch | P | P |\n"

    assert [
        (3, "2 rows have more or fewer cells than the table's 2 heads, and stay text; the last in line 4")
    ] == warnings(text)
