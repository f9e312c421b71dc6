"""Data files of YAML, JSON, TOML and XML: lists of things are tables, files of settings are left out and told."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.errors import SourceError
from retrieval.ingest.read import read_sources
from tests.kit import Book, answer

PLAN = """\
plan: Quay Mooring
notice: three months, in writing
berths:
  - name: inner basin
    length: up to 8 m
    monthly_fee: 13.50
  - name: outer basin
    length: 8 to 14 m
    monthly_fee: 21.00
included:
  - water
  - a locker
"""
HOISTS = '[{"hoist": "Elm", "jib_length": 4.50, "tall": true}, {"hoist": "Oak", "jib_length": 12.0, "tall": false}]'
SIGNALS = "north:\n  flags: 3\n  lamp: green\nsouth:\n  flags: 5\n  lamp: red\n"
KILNS = """\
[kilns.Oak]
peak = 1_240
hours = 14.50
[kilns.Elm]
peak = 1_180
hours = 9.0
"""
LOCKS = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE canal [<!ENTITY deep "9">]>
<canal><name>Upper Canal</name>
  <lock name="Reed" covered="no"><rise unit="m">4.2</rise><keeper>Ann</keeper></lock>
  <lock name="Sedge" covered="yes"><rise unit="m">2.9</rise><keeper>Tom</keeper></lock>
</canal>
"""


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the monthly fee of the outer basin?", "21.00"),
        ("Which berth has the lowest monthly fee?", "inner basin"),
        ("What is the notice of the Quay Mooring plan?", "three months, in writing"),
        ("What is the jib length of the Oak hoist?", "12.0"),
        ("Which hoist has the highest jib length?", "Oak"),
        ("What lamp has the south?", "red"),
        ("How many hours has the Oak?", "14.50"),
        ("Which lock has the highest rise?", "Reed"),
        ("What is the rise of the Sedge?", "2.9 m"),
    ],
)
def test_data_files_answer_like_tables(tmp_path: Path, question: str, told: str) -> None:
    folder = write(tmp_path, plan_yaml=PLAN, hoists_json=HOISTS, signals_yml=SIGNALS, kilns_toml=KILNS, locks_xml=LOCKS)
    finding = answer(question, Book(lambda: read_sources([folder]).chunks)).finding
    assert finding is not None
    assert told in f"{finding.claim} {finding.verdict} {finding.steps}"


def test_values_stay_as_written(tmp_path: Path) -> None:
    folder = write(tmp_path, plan_yaml=PLAN, hoists_json=HOISTS)
    cells = [
        cell for chunk in read_sources([folder]).chunks for table in chunk.tables for row in table.rows for cell in row
    ]
    assert {"13.50", "21.00", "4.50", "12.0", "true", "water, a locker"} <= set(cells)


def test_settings_are_left_out_and_told(tmp_path: Path) -> None:
    folder = write(
        tmp_path, site_yml="theme: dark\nnav:\n- Home: index.md\n", pack_json='{"name": "x"}', plan_yaml=PLAN
    )
    read = read_sources([folder])
    assert {chunk.source for chunk in read.chunks} == {"plan.yaml"}
    assert [(each.kind, each.count) for each in read.skipped] == [(".json", 1), (".yml", 1)]


def test_a_malformed_file_that_is_named_is_told_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, plan_yaml="plan: x\n  berths: [1\n") / "plan.yaml"
    with pytest.raises(SourceError, match=r"plan\.yaml:2.*not YAML|not YAML.*plan\.yaml:2") as told:
        read_sources([path])
    assert "plan.yaml" in str(told.value)


def test_aliases_do_not_expand(tmp_path: Path) -> None:
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\nboats:\n- {name: Reed, crew: 3}\n- {name: Sedge, crew: 8}\n"
    chunks = read_sources([write(tmp_path, boats_yaml=bomb)]).chunks
    assert max(len(chunk.text) for chunk in chunks) < 200
