"""YAML front matter is the record of its page, and its title names the page; what is malformed is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ingest.read import read_sources
from retrieval.readers.documents.front_matter import LONGEST, FrontMatter, front_matter
from retrieval.tables.index import CellIndex
from retrieval.types import Chunk


def pairs(yaml: str) -> dict[str, str]:
    return dict(read(yaml).pairs)


def read(yaml: str) -> FrontMatter:
    found = front_matter(f"---\n{yaml}\n---\n")
    assert found is not None
    return found


def chunks(tmp_path: Path, text: str, name: str = "boats/skiff.md") -> list[Chunk]:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return list(read_sources([tmp_path]).chunks)


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("built: 2021-03-23", {"built": "2021-03-23"}),
        (
            "menu:\n  docs:\n    parent: boats\n    weight: 3\nmenus:\n  main: {weight: 1}\nkeel: 3 m",
            {"keel": "3 m"},
        ),
        ("menu:\n  lunch: pea soup\n  dinner:\n    first: stew", {"menu lunch": "pea soup", "dinner first": "stew"}),
        ("open: no\nport: 0x1F\nversion: 1.10", {"open": "no", "port": "0x1F", "version": "1.10"}),
        ("keel: 3 m # measured\nflag: 'Isle # 4'", {"keel": "3 m", "flag": "Isle # 4"}),
        ('name: "Wren: a boat"', {"name": "Wren: a boat"}),
        ("crew: [Ann, Bo]\nports:\n  - Hull\n  - Bergen", {"crew": "Ann, Bo", "ports": "Hull, Bergen"}),
        ("last_updated: May\nsailArea: 9 m2", {"last updated": "May", "sail area": "9 m2"}),
        ("RX_GDO0_PIN: 4", {"RX_GDO0_PIN": "4"}),
        ("builder:\n  name: Ann\n  town: Hull", {"builder name": "Ann", "builder town": "Hull"}),
        ("props:\n  specs:\n    keel: 3 m\n    mast: 5 m\n    crew: 2", {"keel": "3 m", "mast": "5 m", "crew": "2"}),
        ("of:\n  keel: 3\n  mast: 5\n  crew: 2\ncrew: 9", {"crew": "9", "keel": "3", "mast": "5", "of crew": "2"}),
        ("about: |\n  A boat\n  of oak.", {"about": "A boat of oak."}),
        ("empty:\nnone: ''\ncrew: 2", {"crew": "2"}),
    ],
)  # fmt: skip
def test_keys_are_labels_and_values_stay_as_they_are_written(yaml: str, expected: dict[str, str]) -> None:
    assert expected == pairs(yaml)


def test_the_title_is_the_name_of_a_page_without_a_heading_for_it(tmp_path: Path) -> None:
    text = "---\ntitle: Grey Skiff\nbuilt: 2021\n---\n\nA small boat.\n\n## Rigging\n\nOne mast.\n\n## Hull\n\nOak.\n"

    found = chunks(tmp_path, text)
    assert [("Grey Skiff",), ("Grey Skiff", "Rigging"), ("Grey Skiff", "Hull")] == [chunk.headings for chunk in found]
    assert ["Grey Skiff\nbuilt: 2021\n\nA small boat.", "Grey Skiff > Rigging\nOne mast."] == [
        c.text for c in found[:2]
    ]
    assert [("built", "2021")] == [row for chunk in found for table in chunk.tables for row in table.rows]


@pytest.mark.parametrize(
    ("title", "heading", "expected"),
    [
        ("", "# Skiff", ("Skiff",)),
        ("title: Skiff\n", "# Skiff", ("Skiff",)),
        ("title: Skiff\n", "## The Skiff", ("The Skiff",)),
        ("title: WR7\n", "# Skiff", ("WR7", "Skiff")),
        ("title: Skiff\n", "# Part 1\n\nx\n\n# Part 2", ("Skiff",)),
        ("", "", ("skiff",)),
    ],
)
def test_the_record_stands_under_the_name_of_the_page(
    title: str, heading: str, expected: tuple[str, ...], tmp_path: Path
) -> None:
    found = chunks(tmp_path, f"---\n{title}keel: 3 m\n---\n\n{heading}\n\nA boat.\n")

    (record,) = (chunk for chunk in found if chunk.tables)
    assert expected == (record.headings or (record.title,))
    assert "record" == record.chunk_type


def test_title_and_heading_both_name_the_cells(tmp_path: Path) -> None:
    index = CellIndex.build(chunks(tmp_path, "---\ntitle: Wren\nkeel: 3 m\n---\n\n# Grey Skiff\n\nA boat.\n"))

    for key in ("wren", "gray skiff"):
        grids = {place.grid for place in index.places([key]) if place.grid is not None}
        assert ["3 m"] == [index.grid(grid).cell(0, 1).text for grid in grids]
    index.close()


def test_malformed_yaml_is_told_once_and_its_plain_lines_count(tmp_path: Path) -> None:
    path = tmp_path / "skiff.md"
    path.write_text('---\ntitle: "Wren\nkeel: 3 m # or so\nno key here\ncrew: 2\n---\n\nA boat.\n', encoding="utf-8")

    found = read_sources([path])
    assert ["Wren"] == [chunk.title for chunk in found.chunks]
    assert (("keel", "3 m"), ("crew", "2")) == found.chunks[0].tables[0].rows
    (warning,) = found.warnings
    assert "skiff.md:" in warning
    assert "front matter that is not YAML" in warning


@pytest.mark.parametrize(
    "text",
    ["---\nOne line.\n---\n", "---\nNote: one.\n\nMore prose follows.\n\n---\n", "---\n- a\n- b\n---\n",
     "--- \nkey: v\n", "x\n---\nkey: v\n---\n", "----\nkey: v\n----\n"],
)  # fmt: skip
def test_what_stands_between_two_rules_is_text(text: str) -> None:
    assert front_matter(text) is None


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "yaml",
    [
        "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\nkeel: 3 m",
        "a: " + "[" * 15_000 + "\nkeel: 3 m",
        "a: " + "{a: " * 4_000 + "\nkeel: 3 m",
        "keel: 3 m\n" + "x: 1\n" * LONGEST,
        'a: "\\Uffffffff"\nkeel: 3 m',
        "a: !!python/object/apply:os.system [exit]\nkeel: 3 m",
        "a: \0\nkeel: 3 m",
    ],
    ids=["references", "lists", "mappings", "long", "no character", "object", "control character"],
)
def test_hostile_yaml_costs_nothing_but_itself(yaml: str) -> None:
    assert "3 m" == pairs(yaml)["keel"]


@given(st.text(alphabet=st.sampled_from("ab:-#'\"[]{}&*!|>%@?,\\ \t\n\r\0\ufeff1é"), max_size=80))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    front_matter(f"---\na: 1\n{text}\n---\n")


def test_data_between_lines_of_dashes_within_a_page_are_a_record(tmp_path: Path) -> None:
    text = "# Skiff\n\nA boat.\n\n---\nships_built: 8\nlength_ft: 471\ncrew: 450\n---\n\nIt sails.\n"
    rows = [row for chunk in chunks(tmp_path, text) for table in chunk.tables for row in table.rows]
    assert [("ships built", "8"), ("length ft", "471"), ("crew", "450")] == rows
