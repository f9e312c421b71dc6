"""`versus logs show ID --html`: the page of an answer as one file, made from the log and the collection."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agent.cli.app import app
from tests.agent.test_page_routes import HOSTILE

QUESTION = "What is the fare of the Reed? <script>alert(1)</script>"


def versus(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def asked(ingested: Callable[[str], Path], empty_place: Path) -> str:
    """The id of a question about a book that is full of markup."""
    place = ("--chroma", str(ingested(HOSTILE)), "--collection", "rules")
    said = versus("ask", QUESTION, *place, "--json")
    return str(json.loads(said.stdout)["run_id"])


def recorded(page: str) -> dict[str, str]:
    """What the file has of a server, by its addresses."""
    told = re.search(r'<script type="application/json" id="recorded">(.*?)</script>', page)
    assert told is not None
    return dict(json.loads(told[1]))


def test_an_answer_becomes_a_file_that_needs_no_server(asked: str) -> None:
    page = versus("logs", "show", asked, "--html").stdout
    stream, source = recorded(page).items()
    assert f"v1/runs/{asked}/events" == stream[0]
    assert "?table=0&row=0&column=1" in source[0]
    assert "3" == json.loads(source[1])["tables"][0]["rows"][0][1]
    assert [] == re.findall(r'(?:src|action|href)="(?!#|\./")[^"]*"', page)
    assert "default-src &#x27;none&#x27;" in page
    assert '<a class="cite" href="#c1">[1]</a>' in page


def test_what_a_book_and_a_question_say_is_text_in_the_file(asked: str) -> None:
    page = versus("logs", "show", asked, "--html").stdout
    assert 2 == page.count("<script")
    assert "<img" not in page and "&lt;img" in page


@pytest.mark.parametrize("words", [("logs", "--html"), ("logs", "show", "x", "--html", "--json")])
def test_the_page_is_of_one_question(words: tuple[str, ...], empty_place: Path) -> None:
    assert 2 == versus(*words).exit_code
