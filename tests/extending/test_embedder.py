"""An embedder is one file and one entry; a model is called by its provider and its name."""

from __future__ import annotations

import json

from tests.extending.conftest import Site


def test_an_installed_embedder_serves_ingestion_and_questions(site: Site) -> None:
    site.install("letters", "versus.embedders", "letters", "Letters")
    settings = {"embedding_model": "letters:26"}
    ingested = site.here("ingest", "book.md", **settings)
    assert (0, "") == (ingested.returncode, ingested.stderr)
    (listed,) = json.loads(site.here("collections", "--json").stdout)["collections"]
    assert "letters:26" == listed["model"]
    found = json.loads(site.here("search", "a flail with a ball on a chain", "--json", **settings).stdout)
    assert "Flail" == found["evidence"][0]["title"]


def test_an_unknown_embedder_is_wrong_usage_and_lists_those_that_there_are(site: Site) -> None:
    done = site.here("ingest", "book.md", embedding_model="opnai:small")
    assert 2 == done.returncode
    assert "no embedder 'opnai'. Did you mean 'openai'? Known: openai." in done.stderr


def test_a_working_folder_that_is_not_trusted_chooses_no_embedder(site: Site) -> None:
    site.install("letters", "versus.embedders", "letters", "Letters")
    (site.work / "versus.toml").write_text('embedding_model = "letters:26"\n')
    done = site.here("config", "--json")
    assert "not taken: embedding_model letters:26 (versus.toml)" in done.stderr
