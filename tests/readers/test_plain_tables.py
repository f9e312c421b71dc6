"""What plain text puts in columns, under rules, in boxes or below a name is a table; prose stays prose."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from retrieval.ingest.read import read_sources
from retrieval.readers.plain.plain_text import markdown_of_text
from retrieval.types import Chunk, Table
from tests.kit import answer, book_of

HARBOUR = """\
HARBOUR BOOK
============

name      Reed Quay
depth     4 m
opened    1911

[berths]
N1  12.5  north berth
N2   8.0  north berth,
          also for barges
S1  30.0  south berth

 Boats by kind:               Number    Share

    Barges                        12     % 40
    Punts                          9     % 30
    Ferries                        9     % 30

Code Crew Fee  For
----+----+----+---------------
R1   3    5    reeds
               and rushes
S2   4    7    sedge
T3   4    9    tea

+------+-------+
| Tide | Depth |
+======+=======+
| low  | 2 m   |
+------+-------+
| high | 6 m   |
+------+-------+
"""

CALLS = """\
open    Opens the lock.

        Water in : upper pool
        Takes    : 7 min

shut    Shuts the lock.

        Water in : none
        Takes    : 5 min

drain   Drains it.

        Takes    : 90 min
"""

JUSTIFIED = """\
The  old  harbour  has  seen many boats
come and go.  When  the  wind  is  high
nobody  leaves  it, for the  waves  are
as tall as  the lighthouse  and  the
rocks  below are  sharp as  they ever
"""


def chunks(text: str, tmp_path: Path) -> tuple[Chunk, ...]:
    path = tmp_path / "harbour.txt"
    path.write_text(text, encoding="utf-8")
    return read_sources([path]).chunks


def tables(text: str, tmp_path: Path) -> list[Table]:
    return [table for chunk in chunks(text, tmp_path) for table in chunk.tables]


def test_columns_rules_and_boxes_are_tables(tmp_path: Path) -> None:
    found = {table.rows[0][0]: table for table in tables(HARBOUR, tmp_path)}

    assert (("name", "Reed Quay"), ("depth", "4 m"), ("opened", "1911")) == found["name"].rows
    assert ("N2", "8.0", "north berth, also for barges") == found["N1"].rows[1]
    assert (((), ("Number",), ("Share",)), "Boats by kind") == (found["Barges"].columns, found["Barges"].caption)
    assert (("Code",), ("Crew",), ("Fee",), ("For",)) == found["R1"].columns
    assert ("R1", "3", "5", "reeds and rushes") == found["R1"].rows[0]
    assert ((("Tide",), ("Depth",)), ("high", "6 m")) == (found["low"].columns, found["low"].rows[1])


@pytest.mark.parametrize(
    ("question", "value"),
    [("What is the Fee of S2?", "7"), ("What is the Crew of T3?", "4"), ("Share of the Punts?", "% 30")],
)
def test_they_are_asked_as_any_other(question: str, value: str, tmp_path: Path) -> None:
    assert value == answer(question, book_of(chunks(HARBOUR, tmp_path))).finding.verdict


def test_a_name_in_brackets_heads_what_stands_below(tmp_path: Path) -> None:
    assert ("HARBOUR BOOK", "berths") in {chunk.headings for chunk in chunks(HARBOUR, tmp_path)}


def test_labels_below_a_name_are_of_it(tmp_path: Path) -> None:
    (table,) = (each for each in tables(CALLS, tmp_path) if not each.is_record)

    assert ((), ("Water in",), ("Takes",)) == table.columns
    assert (("open", "upper pool", "7 min"), ("shut", "none", "5 min"), ("drain", "", "90 min")) == table.rows


@pytest.mark.parametrize(
    "text",
    [
        JUSTIFIED,
        "o  Take the rope.\no  Pull it.\no  Let go.\n",
        "int main() {  x = 1;\n  y = 2;     z = 3;\n  a = 4;     b = 5;\n}\n",
        "One  two\nthree four five\n",
    ],
)
def test_prose_lists_and_code_are_no_tables(text: str, tmp_path: Path) -> None:
    assert [] == tables(text, tmp_path)


def test_lines_keep_their_numbers(tmp_path: Path) -> None:
    assert 9 == next(chunk.line for chunk in chunks(HARBOUR, tmp_path) if chunk.title == "berths")


@pytest.mark.parametrize("line", ["+---+\n", "- - -\n", "a  b\n", "a  b\n\n", "a b c\n- - -\n", "+---+\n|a\n"])
def test_no_text_takes_long(line: str) -> None:
    started = time.monotonic()
    markdown_of_text(line * (30_000 // len(line)))
    assert time.monotonic() - started < 20


MANUAL = """\
LOCK(1)                 User Commands                 LOCK(1)

NAME
       lock - opens and shuts

OPTIONS
       -d, --depth=METRES
              how deep the water is (default: 4)

       -k     keep it open

       -q     say nothing

       --wait SECONDS
              wait for boats
              that come later
"""

MEMO = """\
1.  Messages

   Code    Name       Meaning
   ----    ----       -------
   1       OPEN       opens the lock
   2       SHUT       shuts the lock
   3       DRAIN      drains the lock and
                      tells the keeper
   (3 rows)

1.1.  Timers

   o  T1: 30 seconds
   o  T2: 5 seconds

   +-------------------+
   | a frame of a note |
   +-------------------+
"""


def test_the_options_of_a_manual_are_labels_and_values(tmp_path: Path) -> None:
    found = chunks(MANUAL, tmp_path)
    rows = [row for chunk in found if chunk.title == "OPTIONS" for table in chunk.tables for row in table.rows]

    assert ("-d, --depth=METRES", "how deep the water is (default: 4)") == rows[0]
    assert [("-k", "keep it open"), ("-q", "say nothing")] == rows[1:3]
    assert ("--wait SECONDS", "wait for boats that come later") == rows[3]


def test_the_sections_of_a_memo_have_its_tables_and_lists(tmp_path: Path) -> None:
    found = {chunk.headings: table for chunk in chunks(MEMO, tmp_path) for table in chunk.tables}

    assert ("3", "DRAIN", "drains the lock and tells the keeper") == found["1. Messages",].rows[-1]
    assert (("T1", "30 seconds"), ("T2", "5 seconds")) == found["1. Messages", "1.1. Timers"].rows


STATUTES = """KESTREL HILL
as adopted on 11 March

Section 1  Name and purpose

(1) The society was founded in 1923.
(2) It lets plots to its members.

Section 2  Fees

Members pay 40 crowns a year.

1. Open the gate

2. Close the gate
"""


def test_numbered_lines_alone_above_text_are_headings(tmp_path: Path) -> None:
    found = {chunk.headings: chunk.text for chunk in chunks(STATUTES, tmp_path)}

    assert "founded in 1923" in found["Section 1 Name and purpose",]
    assert "40 crowns" in found["Section 2 Fees",]


def test_items_of_a_spaced_list_are_no_headings(tmp_path: Path) -> None:
    assert not any("gate" in " ".join(chunk.headings) for chunk in chunks(STATUTES, tmp_path))
