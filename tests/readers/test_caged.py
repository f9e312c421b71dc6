"""A file that is broken, encrypted or a bomb ends in one message, and nothing else suffers."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from retrieval.errors import SourceError
from retrieval.ingest.read import read_sources
from retrieval.readers.cage import Cage, ReadLimits
from tests.readers.making import cones, pdf, word
from tests.retrieval.reading import refusal


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
    read = read_sources([tmp_path])
    assert (("a.md",), 1) == (tuple(read.sources), read.files)
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
    with Cage(ReadLimits(seconds=0.0)) as cage, pytest.raises(SourceError, match="was stopped"):
        cage.read("docx", path)
    with Cage() as cage:
        assert cage.read("docx", path).sections


def test_what_a_file_may_take_of_memory_is_bounded(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", cones(3))
    with Cage(ReadLimits(memory=60_000_000)) as cage, pytest.raises(SourceError, match=r"a\.docx"):
        cage.read("docx", path)


def test_a_file_that_is_far_too_large_is_not_opened(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", cones(3))
    with Cage(ReadLimits(size=100)) as cage, pytest.raises(SourceError, match="100 are the most"):
        cage.read("docx", path)


def test_a_torn_compressed_file_and_one_of_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md.gz").write_bytes(gzip.compress(b"# A\n\ntext\n")[:-6])
    assert "damaged: " in str(refusal(tmp_path / "a.md.gz"))
    (tmp_path / "a.pdf.gz").write_bytes(gzip.compress(b"%PDF"))
    assert "holds a .pdf file; unpack it first" in str(refusal(tmp_path / "a.pdf.gz"))
