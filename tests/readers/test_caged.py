"""A file that is broken, encrypted or a bomb ends in one message, and nothing else suffers."""

from __future__ import annotations

import asyncio
import gzip
import threading
import time
import zipfile
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from retrieval.errors import SourceError
from retrieval.ingest.read import read_sources
from retrieval.readers.cage import ReaderProcess, ReadLimits
from retrieval.readers.documents.document import READERS, Document, is_caged
from retrieval.readers.read_before import KEEP_SECONDS, DocumentCache
from tests.readers.making import cones, pdf, word, workbook
from tests.retrieval.reading import refusal
from versus import Settings, ingest


def bomb(path: Path) -> Path:
    """A few kilobytes that claim a gigabyte."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "")
        archive.writestr("word/document.xml", b" " * 600_000_000)
    return path


def test_a_broken_an_empty_and_an_encrypted_file_fail_alone_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\ntext\n")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing")
    (tmp_path / "empty.xlsx").write_bytes(b"")
    (tmp_path / "old.docx").write_bytes(b"\xd0\xcf\x11\xe0 encrypted")
    (tmp_path / "torn.pptx").write_bytes(b"PK\x03\x04 torn")
    pdf(tmp_path / "secret.pdf", cones(2), password="kiln")
    (tmp_path / "blank.txt").write_text("\n")
    read = read_sources([tmp_path])
    assert (("a.md", "blank.txt"), 2) == (tuple(read.sources), read.files)
    assert (f"{tmp_path / 'blank.txt'}: nothing to read in it: no text, no table",) == read.warnings
    reasons = {Path(each.file).name: each.reason for each in read.failed}
    assert {"broken.pdf", "empty.xlsx", "old.docx", "torn.pptx", "secret.pdf"} == set(reasons)
    assert "an empty file" == reasons["empty.xlsx"]
    assert reasons["secret.pdf"].startswith("encrypted")
    assert reasons["old.docx"].startswith("encrypted, or of an old format")


@pytest.mark.slow
def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    assert "unpacks to 600,000,000 bytes" in str(refusal(bomb(tmp_path / "bomb.docx")))


def test_a_file_that_takes_too_long_is_stopped_and_the_next_one_is_read(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", cones(3))
    with ReaderProcess(ReadLimits(seconds=0.0)) as cage, pytest.raises(SourceError, match="was stopped"):
        cage.read("docx", path)
    with ReaderProcess() as cage:
        read = cage.read("docx", path)
        assert isinstance(read, Document) and read.sections


def test_what_a_file_may_take_of_memory_is_bounded(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", cones(3))
    with ReaderProcess(ReadLimits(memory=60_000_000)) as cage, pytest.raises(SourceError, match=r"a\.docx"):
        cage.read("docx", path)


def test_a_file_that_is_far_too_large_is_not_opened(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", cones(3))
    with ReaderProcess(ReadLimits(size=100)) as cage, pytest.raises(SourceError, match="100 are the most"):
        cage.read("docx", path)


def test_a_file_of_which_far_too_much_is_read_is_refused(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", cones(3))
    with (
        ReaderProcess(ReadLimits(answer=100)) as cage,
        pytest.raises(SourceError, match="more than 100 bytes; part it"),
    ):
        cage.read("docx", path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bomb.csv.gz", "bomb.md.gz"])
def test_a_packed_bomb_is_refused_in_the_process_that_unpacks_it(tmp_path: Path, name: str) -> None:
    with gzip.open(tmp_path / name, "wb", compresslevel=1) as file:
        for _ in range(101):
            file.write(b"x,y,z,1\n" * 125_000)
    assert "unpacks to more than 100,000,000 bytes" in str(refusal(tmp_path / name))


def test_a_torn_compressed_file_and_one_of_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md.gz").write_bytes(gzip.compress(b"# A\n\ntext\n")[:-6])
    assert "damaged: " in str(refusal(tmp_path / "a.md.gz"))
    (tmp_path / "a.pdf.gz").write_bytes(gzip.compress(b"%PDF"))
    assert "holds a .pdf file; unpack it first" in str(refusal(tmp_path / "a.pdf.gz"))


def test_the_pages_of_a_pdf_are_told_as_they_are_read_and_a_file_that_did_not_change_is_not_read_again(
    tmp_path: Path,
) -> None:
    path = pdf(tmp_path / "a.pdf", cones(60))
    told: list[tuple[int, int]] = []
    before = DocumentCache(tmp_path / "cache")
    with ReaderProcess(before=before) as cage:
        first = cage.read("pdf", path, lambda done, total: told.append((done, total)))
    assert [(1, 4), (2, 4), (3, 4), (4, 4)] == told
    with ReaderProcess(ReadLimits(seconds=0.0), before) as cage:  # to read anything would take too long
        assert first == cage.read("pdf", path)
        pdf(path, cones(61))
        with pytest.raises(SourceError, match="was stopped"):
            cage.read("pdf", path)


def test_an_ingestion_that_is_cancelled_reads_no_further_page(tmp_path: Path) -> None:
    path, told, is_left = pdf(tmp_path / "a.pdf", cones(77)), list[int](), threading.Event()

    async def cancelled() -> None:
        loop = asyncio.get_running_loop()

        def on_page(_: str, done: int, __: int) -> None:
            told.append(done)
            loop.call_soon_threadsafe(task.cancel)
            is_left.wait()

        task = asyncio.create_task(ingest([path], Settings(chroma=str(tmp_path / "db")), on_page))
        with pytest.raises(asyncio.CancelledError):
            await task
        is_left.set()

    asyncio.run(cancelled())
    assert [1] == told


def test_what_was_read_long_ago_is_forgotten(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", cones(3))
    DocumentCache(tmp_path / "cache").keep("docx", path, b"old")
    later = DocumentCache(tmp_path / "cache", lambda: time.time() + KEEP_SECONDS + 60)
    later.keep("docx", word(tmp_path / "b.docx", cones(4)), b"new")
    assert 1 == len([*(tmp_path / "cache").glob("*.json")])


SMALL = 50_000
"""Bytes of a file of text that is read without a process of its own."""
SLOW = {
    "images.md": "![", "brackets.md": "[", "rows.md": "|a|b|\n|-|-|\n|c|1|\n", "headings.md": "# a\n",
    "labels.mdx": "**a:** b\n", "opened.html": "<p>a", "cells.html": "<table><tr><td>x",
    "quotes.csv": '"a",', "commas.csv": ",", "lines.tsv": "a\tb\n", "lines.txt": "a\n===\n", "blank.txt": "\n",
}  # fmt: skip
"""What takes longest of each format that is known, over and over."""


@pytest.mark.parametrize("name", SLOW)
def test_text_that_is_read_without_a_process_of_its_own_takes_a_few_seconds_at_worst(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    text = SLOW[name] * (SMALL + 1)
    path.write_text(text[: SMALL + 1])
    assert is_caged(path)
    path.write_text(text[:SMALL])
    assert not is_caged(path)
    began = time.process_time()
    with suppress(SourceError):
        READERS.get(path.suffix[1:])(path)
    assert time.process_time() - began < 30


@pytest.mark.parametrize("name", ["a.docx", "a.pdf", "a.adoc", "a.rst", "a.md.gz", "a.somebodys"])
def test_what_can_hide_a_bomb_and_what_somebody_else_reads_has_a_process_of_its_own(name: str, tmp_path: Path) -> None:
    assert is_caged(tmp_path / name)


BOMBS = {
    "spans.html": "<table><tr>" + "<td rowspan=1000000000 colspan=1000000000>x</td>" * 300 + "</tr></table><p>end",
    "columns.csv": "\n".join(",".join("x" * 400_000) for _ in range(3)),
    "deep.html": "<div>" * 100_000 + "end",
    "nested.rst": "\n".join("  " * depth + "- x" for depth in range(2_000)),
    "laughs.rst": "\n".join([
        ".. |a| replace:: " + "ha " * 500, *(f".. |{b}| replace:: {f'|{a}| ' * 9}" for a, b in pairwise("abcdefg")),
        "", "|g|",
    ]),
    "spans.adoc": "|===\n" + "200.1000+|x " * 300 + "\n|===\n\nend\n",
    "times.adoc": "|===\n" + "999*|" + "x" * 1000 + "\n|===\n\nend\n",
}  # fmt: skip


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_of_text_is_read_or_refused_in_bounded_size(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(BOMBS[name])
    (tmp_path / "other.md").write_text("# A\n\ntext\n")
    read = read_sources([tmp_path], cache=tmp_path / "cache")
    assert "other.md" in read.sources
    assert sum(len(chunk.text) for chunk in read.chunks) < 40 * len(BOMBS[name]) + 10_000


@pytest.mark.parametrize(("name", "part"), [("a.docx", "word/document.xml"), ("a.xlsx", "xl/workbook.xml")])
def test_entities_that_multiply_end_in_one_message(name: str, part: str, tmp_path: Path) -> None:
    path = tmp_path / name
    (word if name == "a.docx" else workbook)(path, cones(3))
    entities = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise("abcdefghijkl"))
    _replace(path, part, f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">{entities}]><x>&l;</x>')
    (tmp_path / "other.md").write_text("# A\n\ntext\n")
    read = read_sources([tmp_path], cache=tmp_path / "cache")
    assert (("other.md",), [str(path)]) == (tuple(read.sources), [each.file for each in read.failed])


def test_a_sheet_that_claims_a_million_columns_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "wide.xlsx", cones(3))
    cell = '<row r="{0}"><c r="{1}{0}" t="inlineStr"><is><t>x</t></is></c></row>'
    rows = cell.format(1, "A") + cell.format(1_048_576, "XFD")
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    _replace(path, "xl/worksheets/sheet1.xml", f'<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>')
    assert "claims 17,179,869,184 cells" in str(refusal(path))


def test_a_pdf_whose_pages_have_no_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "endless.pdf"
    path.write_bytes(
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Count 999999999/Kids[2 0 R 3 0 R]>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj\ntrailer<</Root 1 0 R>>\n"
    )
    assert str(path) in str(refusal(path))


def _replace(path: Path, part: str, xml: str) -> None:
    """Put another part into an office file."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()} | {part: xml.encode()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
