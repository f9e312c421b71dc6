"""A store is one file and one entry; the beginning of its address chooses it."""

from __future__ import annotations

import json

from tests.extending.conftest import Site


def test_an_installed_store_is_filled_asked_listed_examined_and_emptied(site: Site) -> None:
    site.install("pickled", "versus.stores", "pickled", "PickledFolder")
    place = ("--store", f"pickled://{site.work}")
    ingested = site.here("ingest", "book.md", *place)
    assert (0, "") == (ingested.returncode, ingested.stderr)
    answer = json.loads(site.here("ask", "What does a flail weigh?", "--json", *place).stdout)
    assert ("complete", "8") == (answer["stop_reason"], answer["verdict"])
    (listed,) = json.loads(site.here("collections", "--json", *place).stdout)["collections"]
    assert ("rules", "pickled", "all-MiniLM-L6-v2") == (listed["name"], listed["kind"], listed["model"])
    examined = site.here("doctor", *place)
    assert (0, True) == (examined.returncode, "its collections open" in examined.stdout)
    deleted = site.here("collections", "rules", "--delete", "--yes", *place)
    assert (0, []) == (deleted.returncode, list(site.work.glob("*.pickle")))


def test_an_unknown_store_is_wrong_usage_and_lists_those_that_there_are(site: Site) -> None:
    done = site.here("ask", "What does a flail weigh?", "--chroma", "pikled:///tmp")
    assert 2 == done.returncode
    assert "no store 'pikled'. Known: folder, http, https." in done.stderr
