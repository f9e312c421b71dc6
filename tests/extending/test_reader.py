"""A reader of a format is one file and one entry; the suffix of a file chooses it."""

from __future__ import annotations

import json

import pytest

from tests.extending.conftest import Site


@pytest.fixture
def reading(site: Site) -> Site:
    site.install("psv_tables", "versus.readers", "psv", "read_psv")
    (site.work / "books").mkdir()
    (site.work / "books" / "armor-prices.psv").write_text("Armor|Price\nHauberk|75\nGambeson|5\n")
    return site


def test_a_file_that_an_installed_reader_read_answers_questions(reading: Site) -> None:
    ingested = json.loads(reading.here("ingest", "books", "--json").stdout)
    assert (1, 1, []) == (ingested["files"], ingested["tables"], ingested["skipped"])
    answer = json.loads(reading.here("ask", "What is the price of a hauberk?", "--json").stdout)
    assert ("complete", "75") == (answer["stop_reason"], answer["verdict"])
    assert {("Armor Prices", "armor-prices.psv")} == {(each["title"], each["source"]) for each in answer["citations"]}


def test_what_a_reader_complains_of_is_told_with_file_and_line(reading: Site) -> None:
    (reading.work / "books" / "armor-prices.psv").write_text("Armor|Price\nHauberk\n")
    done = reading.here("ingest", "books")
    assert (2, "error: books/armor-prices.psv:2: 1 cells under 2 heads\n") == (done.returncode, done.stderr)


def test_a_reader_that_fails_is_told_by_name_with_the_file(reading: Site) -> None:
    (reading.work / "books" / "armor-prices.psv").write_text("")
    done = reading.here("ingest", "books")
    assert 2 == done.returncode
    told = "books/armor-prices.psv: the reader 'psv' (psv_tables:read_psv, of versus-psv-tables) fails: ValueError"
    assert told in done.stderr


def test_a_reader_that_ends_its_process_fails_alone_and_what_it_says_is_not_kept(reading: Site) -> None:
    reading.install("fatal_reader", "versus.readers", "fatal", "read_fatal")
    (reading.work / "books" / "deadly.fatal").write_text("now")
    told = json.loads(reading.here("ingest", "books", "--json").stdout)
    assert (1, ["books/deadly.fatal"]) == (told["files"], [each["file"] for each in told["failed"]])
    assert "reading it ended the process that read it" in told["failed"][0]["reason"]


def test_a_reader_may_return_chunks_and_ask_for_more_memory(reading: Site) -> None:
    reading.install("fatal_reader", "versus.readers", "fatal", "read_fatal")
    (reading.work / "books" / "mild.fatal").write_text("Lanterns burn oil for six hours.")
    assert 0 == reading.here("ingest", "books").returncode
    found = json.loads(reading.here("search", "lanterns", "--json").stdout)["evidence"]
    assert ("mild", "Lanterns burn oil for six hours.", 7) == (found[0]["chunk_id"], found[0]["text"], found[0]["page"])


def test_a_kind_that_nobody_reads_is_told_with_those_that_are_read(reading: Site) -> None:
    (reading.work / "armor.xyz").write_text("…")
    done = reading.here("ingest", "armor.xyz")
    assert "can't read .xyz; it needs .adoc, .asciidoc, .bz2," in done.stderr
