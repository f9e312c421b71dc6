"""How the page looks in a Chromium: readable everywhere, and with a table, a bar or a box for what needs one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.doors.http.limits import Limits
from agent.settings.settings import Settings
from tests.agent.chromium import FAINT, ask, looks
from tests.agent.http_door import running

pytestmark = pytest.mark.slow


async def test_it_can_be_read_in_the_light_in_the_dark_on_paper_and_on_a_narrow_screen(
    fen: Settings, page: Any
) -> None:
    async with running(fen, Limits()) as served:
        await ask(page, served.url, "Who wins, an orc or an ogre?")
        await page.get_by_text("How it was looked up").click()
        await page.locator("details.candidates summary").first.click()
        await page.locator("a.cite", has_text="[5]").press("Enter")
        await page.wait_for_selector("#source mark")
        for scheme in ("light", "dark"):
            for media in ("screen", "print"):
                await page.emulate_media(color_scheme=scheme, media=media)
                await looks(page, f"{scheme}-{media}")
                assert [] == await page.evaluate(FAINT)
        await page.emulate_media(color_scheme="light", media="screen")
        await page.set_viewport_size({"width": 360, "height": 740})
        await looks(page, "narrow")
        assert 360 == await page.evaluate("document.scrollingElement.scrollWidth")
        assert await page.locator("#source mark").is_visible()


@pytest.mark.parametrize(
    ("name", "question", "seen"),
    [
        ("comparison", "Compare the orc and the ogre", "table:has-text('Attack Bonus')"),
        ("not-found", "What is the wingspan of the ogre?", "button:text('Look through more')"),
    ],
)
async def test_a_comparison_and_what_was_not_found_can_be_read(
    fen: Settings, page: Any, name: str, question: str, seen: str
) -> None:
    async with running(fen, Limits()) as served:
        wrong = await ask(page, served.url, question)
        assert await page.locator(f"article {seen}").first.is_visible()
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme=scheme)
            await looks(page, f"{name}-{scheme}")
            assert [] == await page.evaluate(FAINT)
        await page.set_viewport_size({"width": 360, "height": 740})
        await looks(page, f"{name}-narrow")
        assert 360 == await page.evaluate("document.scrollingElement.scrollWidth")
        assert [] == wrong


async def test_things_of_one_measure_are_drawn_the_most_first_with_their_sources_and_told_once(
    fen: Settings, page: Any
) -> None:
    async with running(fen, Limits()) as served:
        wrong = await ask(page, served.url, "Rank the orc, the troll and the ogre by attack bonus")
        rows = page.locator("table.measured tbody tr")
        assert ["troll", "ogre", "orc"] == await rows.locator("th").all_inner_texts()
        lengths = await rows.locator("rect.side0").evaluate_all("bars => bars.map((bar) => +bar.getAttribute('width'))")
        assert [100, 67, 17] == [round(length) for length in lengths]
        assert 3 == await rows.locator("a.cite").count()
        assert 0 == await page.locator(".answer li").count()
        assert [] == wrong


async def test_the_row_that_is_compared_is_marked_in_its_table(fen: Settings, page: Any) -> None:
    async with running(fen, Limits()) as served:
        wrong = await ask(page, served.url, "Compare the orc and the ogre")
        await page.locator("table a.cite", has_text="[2]").first.click()
        await page.wait_for_selector("#source mark")
        assert ["14", "4d8+1", "+4", "1", "1d10"] == await page.locator("#source mark").all_inner_texts()
        assert "Ogre" == await page.inner_text("#source th.head[scope=row]")
        await page.set_viewport_size({"width": 360, "height": 740})
        await page.evaluate("document.querySelector('#source .scroll').scrollLeft = 10000")
        in_view = "head => head.getBoundingClientRect().left >= 0"
        assert await page.locator("#source th.head[scope=row]").evaluate(in_view)
        assert [] == wrong


async def test_what_is_only_near_is_told_as_not_found_before_it_and_once(two_books: Settings, page: Any) -> None:
    async with running(two_books, Limits()) as served:
        wrong = await ask(page, served.url, "What is the wingspan of the Reed?")
        await page.get_by_text("Nothing found but the nearest passages in").wait_for()
        told = await page.inner_text("article")
        assert told.index("Not found in ferries") < told.index("The nearest passages")
        assert 1 == told.count("wingspan Reed")
        await page.get_by_role("button", name="Look through more").click()
        await page.get_by_text("Nothing found but the nearest passages in").wait_for()
        assert 1 == await page.locator("article").count()
        assert [] == wrong


async def test_before_a_question_it_tells_what_there_is_to_ask(two_books: Settings, page: Any) -> None:
    async with running(two_books, Limits()) as served:
        await page.goto(served.url)
        usual = await page.get_attribute("html", "data-usual")
        await page.locator("#contents").get_by_text(f"In {usual}").wait_for()
        assert usual == await page.input_value("#collections select")
        await looks(page, "home")
        other = await page.locator(f"#collections option:not([value={usual}])").first.get_attribute("value")
        await page.select_option("#collections select", other)
        await page.locator("#contents").get_by_text(f"In {other}").wait_for()
        assert 1 == await page.locator("#contents").count()


@pytest.fixture
def harbour(ingested: Callable[[str], Path], empty_place: Path) -> Settings:
    """A book of one long table."""
    rows = "\n".join(f"| Boat {n} | {n} | {n + 500} |" for n in range(100, 180))
    book = f"# Harbour\n\n| Boat | Berth | Length |\n|---|---|---|\n{rows}\n"
    return Settings(chroma=str(ingested(book)), collection="rules", planner="rules", log_to="none")


async def test_the_marked_cell_of_a_long_table_stands_in_the_middle_below_the_heads(
    harbour: Settings, page: Any
) -> None:
    places = """() => {
      const rect = (sought) => document.querySelector("#source " + sought).getBoundingClientRect();
      const [box, head, mark] = [rect(".scroll"), rect("thead"), rect("mark")];
      return [head.top - box.top, mark.top - head.bottom, box.bottom - mark.bottom];
    }"""
    async with running(harbour, Limits()) as served:
        wrong = await ask(page, served.url, "What is the length of Boat 140?")
        await page.locator("a.cite").first.click()
        await page.wait_for_selector("#source mark")
        assert "640" == await page.inner_text("#source mark")
        from_top, above, below = await page.evaluate(places)
        assert 0 == round(from_top)
        assert min(above, below) > 100
        assert [] == wrong
