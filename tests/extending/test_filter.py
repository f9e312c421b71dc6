"""A filter with its setting is one file and one entry; `--filter` turns it on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.extending.conftest import Site

QUESTION = "What is a maul?"


@pytest.fixture
def filtering(site: Site) -> Site:
    site.install("min_sentences", "versus.filters", "min_sentences", "min_sentences")
    return site


def searched(site: Site, shelf: Path, *flags: str) -> list[dict[str, Any]]:
    done = site.here("search", QUESTION, "--chroma", str(shelf), "--json", "--debug", *flags)
    assert "" == done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["retrieved"]
    return found


def test_an_installed_filter_drops_what_its_setting_says_and_tells_why(filtering: Site, shelf: Path) -> None:
    found, *_ = searched(filtering, shelf, "--filter", "min_sentences=3")
    assert ["Flail"] == [hit["title"] for hit in found["hits"]]
    reasons = {drop["title"]: drop["reason"] for drop in found["drops"] if drop["rule"] == "min_sentences"}
    assert "1 sentences, wanted 3" == reasons["Maul"]
    assert len(reasons) == found["dropped"]["min_sentences"]


def test_it_is_off_where_it_has_no_setting(filtering: Site, shelf: Path) -> None:
    found, *_ = searched(filtering, shelf)
    assert "Maul" in [hit["title"] for hit in found["hits"]]


def test_its_setting_stands_in_the_file_of_settings_and_is_checked_by_the_filter(filtering: Site, shelf: Path) -> None:
    (filtering.work / "versus.toml").write_text("filters = { min_sentences = 0 }\n")
    done = filtering.here("search", QUESTION, "--chroma", str(shelf))
    wanted = "error: filter 'min_sentences' can't have 0.0 (versus.toml): it is a number of sentences, at least 1\n"
    assert (2, wanted) == (done.returncode, done.stderr)


def test_an_unknown_filter_is_wrong_usage_and_lists_those_that_are_installed(filtering: Site, shelf: Path) -> None:
    done = filtering.here("search", QUESTION, "--chroma", str(shelf), "--filter", "min_sentence=3")
    assert 2 == done.returncode
    assert "no filter 'min_sentence'. Did you mean 'min_sentences'? Known: min_sentences." in done.stderr
