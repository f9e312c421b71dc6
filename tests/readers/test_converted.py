"""What pandoc converts is read like any page: headings, tables, definitions, and named values that it would drop."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pypandoc
import pytest

from retrieval.errors import MissingExtra, SourceError
from retrieval.ingest.read import read_sources
from retrieval.readers.cage import ReaderProcess
from retrieval.readers.markup.converted import read_converted
from tests.kit import Book, answer

HTML = (
    "<h1>Harbour</h1><p>The ferries of the town.</p><h2>Ferries</h2>"
    "<table><tr><th>Ferry</th><th>Length (m)</th><th>Crew</th></tr>"
    "<tr><td>Reed</td><td>9</td><td>3</td></tr><tr><td>Sedge</td><td>12</td><td>8</td></tr></table>"
)
WRITTEN = ("docbook", "epub", "latex", "mediawiki", "odt", "org", "rtf", "textile", "typst")
"""Formats that pandoc writes, so that the same facts can be told in each."""
SUFFIXES = {"docbook": "dbk", "latex": "tex", "typst": "typ"}
ORG = """\
#+TITLE: Kilns
* Oak
:PROPERTIES:
:TEMPERATURE: 1240 °C
:FUEL: wood
:END:
* Elm
:PROPERTIES:
:TEMPERATURE: 1180 °C
:FUEL: gas
:END:
| Firing | Hours |
|        | [h]   |
|--------+-------|
| slow   |    14 |
| fast   |     9 |
"""
WIKI = """\
{{Infobox lock
| rise = {{convert|4.2|m}}
| keeper = [[Ann Reed|A. Reed]]
}}
The '''Upper Lock''' is the oldest.
"""


def told(question: str, path: Path) -> str:
    finding = answer(question, Book(lambda: read_sources([path]).chunks)).finding
    assert finding is not None
    return f"{finding.claim} {finding.verdict}"


@pytest.mark.parametrize("format_", WRITTEN)
def test_every_format_tells_the_same(tmp_path: Path, format_: str) -> None:
    path = tmp_path / f"harbour.{SUFFIXES.get(format_, format_)}"
    command = [pypandoc.get_pandoc_path(), "--from=html", f"--to={format_}", "--standalone", f"--output={path}"]
    subprocess.run(command, input=HTML.encode(), check=True)
    assert "12" in told("What is the length of the Sedge?", path)
    assert "Sedge" in told("Which ferry has the larger crew, the Reed or the Sedge?", path)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the temperature of the Elm?", "1180"),
        ("Which fuel has the Oak?", "wood"),
        ("How many hours is a slow firing?", "14"),
    ],
)
def test_properties_and_units_of_org_are_kept(tmp_path: Path, question: str, value: str) -> None:
    (tmp_path / "kilns.org").write_text(ORG, encoding="utf-8")
    assert value in told(question, tmp_path)


def test_the_named_values_of_a_template_are_a_record(tmp_path: Path) -> None:
    path = tmp_path / "upper.wiki"
    path.write_text(WIKI, encoding="utf-8")
    rows = [row for chunk in read_sources([path]).chunks for table in chunk.tables for row in table.rows]
    assert [("Rise", "4.2 m"), ("Keeper", "A. Reed")] == rows


def test_what_pandoc_refuses_is_told_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "broken.epub"
    path.write_bytes(b"no archive")
    with pytest.raises(SourceError, match="pandoc can't read it") as raised, ReaderProcess() as process:
        process.read("epub", path)
    assert str(path) == raised.value.place


def test_no_other_file_is_opened(tmp_path: Path) -> None:
    (tmp_path / "secret.org").write_text("The password is heron.", encoding="utf-8")
    (tmp_path / "page.org").write_text(f'A page.\n#+INCLUDE: "{tmp_path}/secret.org"\n', encoding="utf-8")
    said = " ".join(chunk.text for chunk in read_sources([tmp_path / "page.org"]).chunks)
    assert "heron" not in said


def test_without_pandoc_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.org"
    path.write_text("A page.", encoding="utf-8")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "pypandoc", None)  # as where it is not installed
    assert shutil.which("pandoc") is None
    with pytest.raises(MissingExtra, match=r"versus-rag\[pandoc\]"):
        read_converted(path)
