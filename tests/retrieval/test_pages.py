"""Pages: marks in Markdown say on which page a chunk begins, and change nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ingest.chunks import build_chunks
from retrieval.readers.documents.pages import WORD, PageMarks
from retrieval.readers.documents.sections import Section, Source
from retrieval.readers.markdown.reader import parse
from retrieval.types import Chunk
from tests.retrieval.test_markdown import BLOCKS

SENTENCE = "The bear sleeps in its den until the spring. "
MATRIX = "| AC | Roll |\n|---|---|\n| 3 | 17 |\n<!-- page 9 -->\n| 4 | 16 |\n"


def chunks(text: str) -> list[Chunk]:
    return build_chunks([Source("book.md", parse(text, []))])


def pages(text: str) -> list[tuple[str, int | None]]:
    return [(chunk.title, chunk.page) for chunk in chunks(text)]


def told(sections: list[Section]) -> list[object]:
    """What sections say, without lines and pages."""
    return [(s.headings, [getattr(b, "table", None) or getattr(b, "text", None) for b in s.blocks]) for s in sections]


def test_a_chunk_has_the_page_of_the_mark_before_it_and_none_before_the_first() -> None:
    text = "# Preface\n\nx\n\n<!-- page 12 -->\n\n# Bear\n\nx\n\n<!-- page 13 -->\n\n# Owl\n\nx\n"

    assert [("Preface", None), ("Bear", 12), ("Owl", 13)] == pages(text)


@pytest.mark.parametrize(
    "mark", ["<!-- page 12 -->", "<!--page 12-->", "<!-- PAGE: 12 -->", "<!-- page 3 --><!-- page 12 -->"]
)
def test_a_mark_is_read_however_it_is_spaced(mark: str) -> None:
    assert [("Bear", 12)] == pages(f"{mark}\n# Bear\n\nx\n")
    assert [("Bear", 12)] == pages(f"# Bear\n\n{mark} x\n")


@pytest.mark.parametrize(
    ("before", "between"),
    [
        ("<!-- Slide number: 1 -->\n", "<!-- Slide number: 2 -->"),
        ("{0}" + "-" * 48 + "\n\n", "{1}" + "-" * 48),
        ("", "--- end of page=0 ---"),
        ("", "--- end of page.page_number=1 ---"),
        ("", "<!-- page break -->"),
        ('<!-- PageNumber="iv" -->\n', "<!-- PageBreak -->"),
        ("", "\f"),
    ],
)
def test_the_marks_of_converters_are_pages_counted_from_one(before: str, between: str) -> None:
    text = f"{before}# Bear\n\nIt sleeps.\n\n{between}\n\n# Owl\n\nIt hoots.\n"

    assert [("Bear", 1), ("Owl", 2)] == pages(text)
    assert ["It sleeps.", "It hoots."] == [chunk.text.split("\n")[-1] for chunk in chunks(text)]


@pytest.mark.parametrize("comment", ["<!-- page xii -->", "<!-- see page 12 -->", "<!-- page 12 and 13 -->", "page 12"])
def test_another_comment_is_no_mark(comment: str) -> None:
    assert [("Bear", None)] == pages(f"{comment}\n\n# Bear\n\nx\n")[-1:]


def test_pages_that_begin_in_a_section_are_those_of_its_later_chunks() -> None:
    text = f"# Bear\n\n<!-- page 4 -->\n\n{SENTENCE * 15}\n\n<!-- page 5 -->\n\n{SENTENCE * 15}\n"

    assert [("Bear", 4), ("Bear (2)", 5)] == pages(text)


def test_pages_that_begin_in_a_paragraph_are_those_of_the_chunks_it_is_cut_into() -> None:
    text = f"<!-- page 4 -->\n# Bear\n\n{SENTENCE * 20}<!-- page 5 --> {SENTENCE * 20}\n<!-- page 6 -->\nEnd.\n"

    assert [("Bear", 4), ("Bear (2)", 4), ("Bear (3)", 5)] == pages(text)


def test_the_rows_of_a_table_have_the_page_on_which_each_stands() -> None:
    other = MATRIX.replace("9", "10")
    text = f"<!-- page 8 -->\n**Hit Table for Bards**\n\n{MATRIX}\n\n**Hit Table for Druids**\n\n{other}"

    assert [8, 9, 9, 10] == [chunk.page for chunk in chunks(text)]
    assert [4, 4, 13, 13] == [chunk.line for chunk in chunks(text)]


def test_the_pieces_of_a_long_table_have_the_page_on_which_each_begins() -> None:
    rows = [f"| thing {n} | {'word ' * 20}|" for n in range(24)]
    rows.insert(12, "<!-- page 2 -->")
    found = pages("<!-- page 1 -->\n# Things\n\n| Name | Use |\n|---|---|\n" + "\n".join(rows))

    assert [("Things (1 of 3)", 1), ("Things (2 of 3)", 1), ("Things (3 of 3)", 2)] == found


def test_a_mark_parts_neither_sentences_nor_tables_nor_records_and_is_nowhere_in_the_text() -> None:
    text = f"# Bear\n\nIt has\n<!-- page 2 -->\ntwo <!-- page 3 -->claws.\n\n{MATRIX}"
    text += "\nAC: 5\nHD: 2\n<!-- page 4 -->\nMV: 9\n"
    table, prose = chunks(text)

    assert (("3", "17"), ("4", "16")) == table.tables[0].rows
    assert (("AC", "5"), ("HD", "2"), ("MV", "9")) == prose.tables[0].rows
    assert "Bear\nIt has two claws.\n\nAC: 5\nHD: 2\nMV: 9" == prose.text


def test_a_mark_in_a_row_is_no_cell_and_in_a_ragged_row_no_text() -> None:
    text = "# T\n\n| A | B |\n|---|---|\n| 1 | 2 | <!-- page 2 -->\n| 3 <!-- page 3 -->|\n"
    plain = "# T\n\n| A | B |\n|---|---|\n| 1 | 2 | \n| 3 |\n"

    assert told(parse(plain, [])) == told(parse(text, []))


def test_a_piece_of_a_table_that_repeats_its_group_has_the_page_of_its_own_first_row() -> None:
    rows = ["| Beasts | | |", *(f"| thing {n} | {'word ' * 20}| x |" for n in range(24))]
    rows.insert(17, "<!-- page 2 -->")
    found = chunks("<!-- page 1 -->\n# Things\n\n| Name | Use | Size |\n|---|---|---|\n" + "\n".join(rows))
    first = [next(row[0] for row in chunk.tables[0].rows if row[0] != "Beasts") for chunk in found]

    expected = [1 if int(name.split()[-1]) < 16 else 2 for name in first]
    assert expected == [chunk.page for chunk in found]
    assert {1, 2} == set(expected)


@pytest.mark.parametrize(("before", "after"), [("| A |\n|---|\n| 1 |", "text"), ("text", "| A |\n|---|\n| 1 |")])
def test_a_mark_between_a_table_and_a_text_parts_them(before: str, after: str) -> None:
    apart = told(parse(f"# H\n\n{before}\n\n{after}\n", []))

    assert apart == told(parse(f"# H\n\n{before}\n<!-- page 2 -->\n{after}\n", []))


def test_a_bold_heading_stays_one_above_a_mark() -> None:
    assert [("Owl", 3)] == pages("# Birds\n\n**Owl**\n<!-- page 3 -->\nIt hoots.\n")


def test_a_mark_in_code_is_one_too() -> None:
    (code,) = chunks(f"# Code\n\n```\n{'x ' * 155}\n<!-- page 2 -->\ny\n```\n")

    assert "<!--" not in code.text


def test_warnings_name_the_line_of_the_file() -> None:
    found: list[tuple[int, str]] = []
    parse("It is\n<!-- page 2 -->\nodd.\n\n| A | B |\n|---|---|\n<!-- page 3 -->\n| 1 |\n", found)

    assert [8] == [line for line, _ in found]


@given(st.lists(BLOCKS, min_size=1, max_size=6).map("\n\n".join), st.data())
def test_a_book_is_read_as_if_its_marks_were_not_there(text: str, data: st.DataObject) -> None:
    lines = text.split("\n")
    for number in sorted(data.draw(st.sets(st.integers(0, len(lines)), max_size=5)), reverse=True):
        lines.insert(number, f"<!-- page {number} -->")

    assert told(parse(text, [])) == told(parse("\n".join(lines), []))


@given(
    st.lists(
        st.sampled_from(
            ["<!-- page 2 -->", "<!-- page", "-->", "\n", "\n\n", "# H", "| a |", "|---|", "x ", "- y", "```\n", "\r\n"]
        )
    )
)
def test_no_arrangement_of_marks_raises_or_is_shown(pieces: list[str]) -> None:
    text = "".join(pieces)
    count = text.count("\n") + 1
    for section in parse(text, []):
        assert all(1 <= block.line <= count for block in section.blocks)
        assert "<!-- page 2 -->" not in str(section.blocks)


def test_many_marks_in_one_paragraph_are_counted_in_one_pass() -> None:
    count = 100_000
    marks = PageMarks("bear <!-- page 7 -->\n" * count)  # counted anew for each mark, this would take minutes

    assert (None, 7) == (marks.pages(1, 2, 1, WORD).first, marks.pages(2, count + 1, count - 1, WORD).first)
    assert [1, 2, 3] == [before for before, _ in marks.pages(1, count + 1, count, WORD).later[:3]]
    assert count == marks.unmarked().text.count("bear")
