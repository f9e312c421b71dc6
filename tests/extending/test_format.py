"""An output format is one file and one entry; `--format` chooses it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.extending.conftest import Site

QUESTION = "What does a flail weigh?"


def test_an_installed_format_writes_the_answer(site: Site, shelf: Path) -> None:
    site.install("html_page", "versus.formats", "html", "to_html")
    done = site.here("ask", QUESTION, "--chroma", str(shelf), "--format", "html")
    assert (0, "") == (done.returncode, done.stderr)
    assert done.stdout.startswith(f"<h1>{QUESTION}</h1>\n<pre>")
    assert "<li>Weapons: " in done.stdout


def test_markdown_is_built_in(site: Site, shelf: Path) -> None:
    done = site.here("ask", QUESTION, "--chroma", str(shelf), "--format", "markdown")
    assert done.stdout.startswith(f"## {QUESTION}\n\n")
    assert "\n### Sources\n" in done.stdout


def test_json_is_a_format_too(site: Site, shelf: Path) -> None:
    done = site.here("ask", QUESTION, "--chroma", str(shelf), "--format", "json")
    assert "8" == json.loads(done.stdout)["verdict"]


def test_an_unknown_format_is_told_before_anything_is_asked(site: Site) -> None:
    done = site.here("ask", QUESTION, "--format", "markdwon")
    assert 2 == done.returncode
    assert "no output format 'markdwon'. Did you mean 'markdown'? Known: json, markdown, text." in done.stderr


def test_a_format_that_fails_is_told_by_name(site: Site, shelf: Path) -> None:
    site.declare("versus-broken", "versus.formats", "broken", "no_such_module:to_html")
    done = site.here("ask", QUESTION, "--chroma", str(shelf), "--format", "broken")
    told = "the output format 'broken' (no_such_module:to_html, of versus-broken) fails: ModuleNotFoundError"
    assert (1, "") == (done.returncode, done.stdout)
    assert told in done.stderr


def test_json_and_another_format_are_wrong_usage(site: Site) -> None:
    assert 2 == site.here("ask", QUESTION, "--format", "markdown", "--json").returncode
