"""The page in a real Chromium: asked over a book, it shows the answer and the very cell, and fetches no more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from agent.doors.http.limits import Limits
from agent.doors.serving import Serving
from agent.settings.settings import Settings
from benchmarks.two_classes import PLANNING
from tests.agent.asking import within
from tests.agent.chromium import ask, looks
from tests.agent.http_door import ALICE, FARE, running, with_keys
from tests.agent.test_answer_page import QUESTION, versus
from tests.fake_chat import completion
from tests.fake_openai import FakeOpenAI
from tests.loopback import Reply

pytestmark = pytest.mark.slow
HOSTILE = """# Ferries `<img src=x onerror=alert(1)>` [x](javascript:alert(1)) ![p](//evil.example/p.png) \x1b[31m

| Ferry | Fare `</td><script src=//evil.example/s.js></script>` |
|---|---|
| Reed | 3 |
"""


@pytest.fixture
def hostile(ingested: Callable[[str], Path], empty_place: Path) -> Settings:
    """A book whose title is markup."""
    return Settings(chroma=str(ingested(HOSTILE)), collection="rules", planner="rules", log_to="none")


async def test_an_answer_leads_to_the_very_cell_by_keyboard(fen: Settings, page: Any) -> None:
    async with running(fen, Limits()) as served:
        wrong = await ask(page, served.url, "Who wins, an orc or an ogre?")
        assert "97.5%" in await page.inner_text("figure.odds")
        mark = page.locator("a.cite", has_text="[5]")
        while not await mark.evaluate("link => link === document.activeElement"):
            await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#source mark")
        assert ("+1", True) == (await page.inner_text("#source mark"), page.url.endswith("#c5"))
        assert ["[5]"] == await page.locator("a.cite[aria-current]").all_inner_texts()
        await page.keyboard.press("Escape")
        assert await page.locator("#source").is_hidden()
        assert 0 == await page.locator("a.cite[aria-current]").count()
        assert await mark.evaluate("link => link === document.activeElement")
        await page.goto(page.url + "#c5")
        await page.reload()
        await page.wait_for_selector("#source mark")
        await page.get_by_text("How it was looked up").click()
        await page.locator("details.candidates summary").first.click()
        await page.locator("svg.strip .kept").first.wait_for()
        assert 2 == await page.locator("svg.strip .kept").count()
        assert [] == wrong


async def test_it_shows_how_far_it_is_and_a_page_that_is_left_ends_the_work(
    fen: Settings, page: Any, server: FakeOpenAI
) -> None:
    searches = [{"id": "s1", "text": "orc"}, {"id": "s2", "text": "ogre", "depends_on": ["s1"]}]
    plan = json.dumps({"sub_queries": searches})
    server.then(lambda asked: completion(asked.json(), plan), *[Reply(hang=True)] * 3)
    model = {"planner": "llm", "openai_base_url": server.base_url, "openai_api_key": SecretStr("sk-of-a-model-0123456")}
    async with running(fen.model_copy(update=model), Limits()) as served:
        await page.goto(served.url)
        await page.fill("#question", "Tell me how an orc and an ogre are alike, in general?")
        await page.keyboard.press("Enter")
        await page.get_by_text("Putting together what was found").wait_for()
        await looks(page, "under-way")
        assert "ogre" in await page.inner_text("ul.plan ul.plan li.done")
        await page.locator("details.candidates summary").first.click()
        await page.locator("svg.strip .kept").first.wait_for()
        await page.goto("about:blank")
        await within(1, lambda: (served.application.gate.running, server.connections) == (0, 0))


async def test_without_scripts_it_asks_and_leads_to_the_cell(fen: Settings, browser: Any) -> None:
    page = await browser.new_page(java_script_enabled=False)
    async with running(fen, Limits()) as served:
        await page.goto(served.url)
        await page.fill("#question", "Who wins, an orc or an ogre?")
        await page.get_by_role("button", name="Ask").click()
        await page.get_by_text("Answered in").wait_for()
        await page.get_by_text("How it was looked up").click()
        await looks(page, "without-scripts")
        assert await page.locator("ul.plan li").first.is_visible()
        await page.locator("#c5 a").click()
        assert "+1" == await page.inner_text("td.marked")
        await looks(page, "source-without-scripts")


async def test_without_scripts_another_collection_is_asked_by_its_name_and_no_file_is_taken(
    two_books: Settings, tmp_path: Path, browser: Any
) -> None:
    page = await browser.new_page(java_script_enabled=False)
    async with running(two_books, Limits(), Serving(uploads=tmp_path / "uploads")) as served:
        await page.goto(served.url)
        assert await page.locator("#upload").is_hidden()
        await page.fill("noscript input", "trams")
        await page.fill("#question", "What is the fare of the Lark?")
        await page.get_by_role("button", name="Ask").click()
        await page.get_by_text("Answered in").wait_for()
        assert ("trams", "2") == (await page.input_value("noscript input"), (await page.inner_text(".sources q"))[-1])


async def test_the_gap_that_cut_is_drawn_between_its_neighbours_however_the_store_measures(
    fen: Settings, page: Any
) -> None:
    """By squared distances of vectors, as here, relevance is one less half of the distance."""
    gap = {"near": 0.4, "far": 1.0, "cuts": True, "reason": "0.6 or more"}
    numbers = {"kept": 1, "absolute_min": 0.3, "dynamic_threshold": 0.3, "effective_threshold": 0.3, "gaps": [gap]}
    drawn = """async (found) => {
      const { strip } = await import(document.querySelector("script").src.replace("page.js", "draw.js"));
      const rect = strip(found, []).querySelector("rect.gap");
      return ["x", "width"].map((name) => Math.round(Number(rect.getAttribute(name))));
    }"""
    async with running(fen, Limits()) as served:
        await page.goto(served.url)
        found = {**numbers, "hits": [{"distance": 0.4, "relevance": 0.8}]}
        assert [20 + 280, 168] == await page.evaluate(drawn, found)  # of 560 from 20 on: 0.5 to 0.8


async def test_each_way_to_be_kept_or_dropped_has_a_shape_of_its_own(fen: Settings, page: Any) -> None:
    numbers = {"kept": 2, "absolute_min": 0.3, "dynamic_threshold": 0.3, "effective_threshold": 0.3, "hits": []}
    told = {"title": "x", "reason": "why", "relevance": 0.5}
    candidates = [
        {**told, "state": "kept"},
        {**told, "state": "kept", "relevance": 0.2, "isNamed": True},
        {**told, "state": "dropped"},
    ]
    drawn = """async ([found, candidates]) => {
      const { strip } = await import(document.querySelector("script").src.replace("page.js", "draw.js"));
      const figure = strip(found, candidates);
      return [[...figure.querySelectorAll(".kept, .dropped")].map((mark) => mark.tagName), figure.innerText];
    }"""
    async with running(fen, Limits()) as served:
        await page.goto(served.url)
        shapes, legend = await page.evaluate(drawn, [numbers, candidates])
    assert ["rect", "circle", "path"] == shapes
    assert "● kept, ■ kept for its name, ◇ dropped" in legend


async def test_what_is_looked_for_again_is_told_and_stands_in_the_plan(fen: Settings, page: Any) -> None:
    need = {"need": "the die", "sub_query": {"id": "f1", "text": "which die", "purpose": "die", "depends_on": []}}
    folding = """async (need) => {
      const from = (name) => import(document.querySelector("script").src.replace("page.js", name));
      const [{ fold }, { statusOf }] = [await from("api.js"), await from("answer.js")];
      const known = { plan: { sub_queries: [] }, retrieved: new Map(), needs: [] };
      fold(known, "followup", { needs: [need] });
      return [statusOf(known), known.plan.sub_queries[0].text];
    }"""
    async with running(fen, Limits()) as served:
        await page.goto(served.url)
        told = "Searching: 0 of 1 done; looking again for the die…"
        assert [told, "which die"] == await page.evaluate(folding, need)


async def test_a_question_goes_on_from_the_answer_before_it(fen: Settings, page: Any) -> None:
    async with running(fen, Limits()) as served:
        await ask(page, served.url, "Who wins, an orc or an ogre?")
        await page.fill("#question", "And against a troll?")
        await page.keyboard.press("Enter")
        await page.get_by_text("The troll is more likely to win").wait_for()
        assert 2 == await page.locator("article").count()


async def test_a_hostile_title_is_text(hostile: Settings, page: Any) -> None:
    async with running(hostile, Limits()) as served:
        wrong = await ask(page, served.url, "What is the fare of the Reed?")
        assert "<img src=x onerror=alert(1)>" in await page.inner_text(".sources")
        await page.locator("a.cite").first.click()
        await page.wait_for_selector("#source mark")
        assert "<img src=x onerror=alert(1)>" in await page.inner_text("#source h2")
        assert 0 == await page.locator("img, iframe, script[src*=evil]").count()
        links = await page.evaluate("Array.from(document.links, (link) => link.href)")
        assert [] == [link for link in links if not link.startswith(served.url)]
        await page.get_by_role("link", name="on a page of its own").click()
        await page.get_by_role("link", name="as JSON").click()
        assert "marked" in json.loads(await page.inner_text("pre"))
        assert [] == wrong


EVIL = (
    "<img src=//evil.example/i.png onerror=alert(1)> [x](http://evil.example/) ![p](//evil.example/p.png) [99] \x1b[2J"
)


async def test_what_a_hostile_question_and_model_say_is_text(hostile: Settings, page: Any, server: FakeOpenAI) -> None:
    def respond(chat: Mapping[str, Any]) -> str:
        is_plan = PLANNING in chat["messages"][0]["content"]
        return json.dumps({"sub_queries": [{"id": "s1", "text": EVIL}]}) if is_plan else f"The fare is 3 [1]. {EVIL}"

    server.respond = respond
    model = {"planner": "llm", "openai_base_url": server.base_url, "openai_api_key": SecretStr("sk-of-a-model-0123456")}
    async with running(hostile.model_copy(update=model), Limits()) as served:
        wrong = await ask(page, served.url, f"Tell me about the fare of the Reed in general? {EVIL}")
        assert "<img src=//evil.example/i.png onerror=alert(1)>" in await page.inner_text("article h2")
        await page.get_by_text("How it was looked up").click()
        assert "<img src=//evil.example/i.png onerror=alert(1)>" in await page.inner_text("ul.plan")
        links = await page.evaluate("Array.from(document.links, (link) => link.href)")
        assert [] == [link for link in links if not link.startswith(served.url)]
        assert 0 == await page.locator("img, iframe, script[src*=evil], a.cite:text('99')").count()
        assert "sk-of-a-model" not in await page.content()
        assert [] == wrong
    assert server.requests


async def test_it_works_under_a_prefix_that_only_a_proxy_knows(two_books: Settings, page: Any) -> None:
    async with running(two_books, Limits(), prefix="/some/books") as served:
        wrong = await ask(page, served.url, FARE)
        await page.locator("a.cite").first.click()
        await page.wait_for_selector("#source mark")
        await page.reload()
        await page.wait_for_selector("#source mark")
        assert page.url.startswith(f"{served.url}/r/")
        assert [] == wrong


async def test_a_key_is_asked_for_once(two_books: Settings, page: Any) -> None:
    async with running(with_keys(two_books), Limits()) as served:
        await page.goto(served.url)
        await page.fill("#key-value", ALICE)
        await page.keyboard.press("Enter")
        await page.fill("#question", FARE)
        await page.keyboard.press("Enter")
        await page.get_by_text("Answered in").wait_for()
        await page.reload()
        await page.get_by_text("Answered in").wait_for()
        assert await page.locator("#key").is_hidden()
        assert ALICE not in await page.content()


async def test_a_file_that_is_sent_can_be_asked(tmp_path: Path, empty_place: Path, page: Any) -> None:
    settings = Settings(chroma=str(tmp_path / "chroma"), collection="kites", planner="rules", log_to="none")
    async with running(settings, Limits(), Serving(uploads=tmp_path / "uploads")) as served:
        await page.goto(served.url)
        await page.locator("#contents").get_by_text("Nothing yet. Add files above").wait_for()
        await page.get_by_text("Add files", exact=True).click()
        book = b"# Kites\n\n| Kite | Span |\n|---|---|\n| Swift | 7 |\n"
        sent = [{"name": name, "mimeType": "text/plain", "buffer": book} for name in ("kites.md", "kites.exe")]
        await page.set_input_files("input[type=file]", sent)
        await page.get_by_role("button", name="Read them").click()
        await page.get_by_text("kites.md: ✓ 1 chunk and 1 table").wait_for()
        await page.get_by_text("kites.exe: ✗").wait_for()
        await page.locator("#contents").get_by_text("1 passage and 1 table of 1 file").wait_for()
        await page.fill("#question", "What is the span of the Swift?")
        await page.keyboard.press("Enter")
        await page.get_by_text("Answered in").wait_for()
        assert "7" in await page.inner_text(".answer")


async def test_a_file_of_an_answer_asks_nobody(hostile: Settings, tmp_path: Path, page: Any) -> None:
    asked = await asyncio.to_thread(versus, "ask", QUESTION, "--chroma", str(hostile.chroma), "--json")
    run_id = json.loads(asked.stdout)["run_id"]
    shown = await asyncio.to_thread(versus, "logs", "show", run_id, "--html")
    place = tmp_path / "answer.html"
    place.write_text(shown.stdout, encoding="utf-8")
    wrong: list[str] = []
    page.on("request", lambda request: wrong.append(request.url))
    page.on("console", lambda said: wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    await page.goto(place.as_uri() + "#c1")
    await page.wait_for_selector("#source mark")
    assert "3" == await page.inner_text("#source mark")
    assert 0 == await page.locator("img").count()
    assert await page.locator("#ask").is_hidden()
    assert [place.as_uri()] == wrong
