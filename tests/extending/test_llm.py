"""A language model provider is one file and one entry; the setting `llm_provider` chooses it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.extending.conftest import Site

QUESTION = "What is a maul, and what is it made for?"


def test_an_installed_provider_words_the_answer_with_no_key(site: Site, shelf: Path) -> None:
    site.install("parrot", "versus.llms", "parrot", "Parrot")
    done = site.here(
        "ask", QUESTION, "--planner", "llm", "--json", "--chroma", str(shelf), "--model", "grey", llm_provider="parrot"
    )
    answer = json.loads(done.stdout)
    assert answer["text"].startswith("It says: A maul is a great hammer [1].")
    assert 0 < answer["usage"]["llm_calls"]


def test_an_unknown_provider_is_wrong_usage_and_lists_those_that_there_are(site: Site, shelf: Path) -> None:
    done = site.here("ask", QUESTION, "--chroma", str(shelf), llm_provider="parot")
    assert 2 == done.returncode
    assert "no language model provider 'parot'. Known: openai." in done.stderr


def test_a_working_folder_that_is_not_trusted_chooses_no_provider(site: Site) -> None:
    (site.work / "versus.toml").write_text('llm_provider = "parrot"\n')
    done = site.here("config", "--json")
    assert "not taken: llm_provider parrot (versus.toml)" in done.stderr
