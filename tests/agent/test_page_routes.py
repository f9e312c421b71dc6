"""The page without a browser: what it is sent with, what its files name, and that it answers without a script."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from urllib.parse import urljoin

import pytest

from agent.doors.http.page.assets import TYPES
from agent.doors.serving import Serving
from agent.settings.settings import Settings
from tests.agent.http_door import ALICE, FARE, opened, with_keys

ELSEWHERE = re.compile(r"""\w+:\\?/\\?/|["'(=]\s*//""")
HOSTILE = "# Ferries `<img src=x onerror=alert(1)>`\n\n| Ferry | Fare |\n|---|---|\n| Reed<script>x</script> | 3 |\n"


@pytest.fixture
def hostile(ingested: Callable[[str], Path], empty_place: Path) -> Settings:
    """A book whose title is markup."""
    return Settings(chroma=str(ingested(HOSTILE)), collection="rules", planner="rules", log_to="none")


@pytest.mark.parametrize("name", ["index.html", *TYPES])
def test_the_files_are_in_the_package_and_name_no_other_origin(name: str) -> None:
    text = (files("agent.doors.http.page") / name).read_text(encoding="utf-8")
    assert [] == ELSEWHERE.findall(text.replace("http://www.w3.org/2000/svg", ""))


@pytest.mark.parametrize(
    "path", ["/", "/docs", "/r/none", "/?q=What+is+the+fare+of+the+Reed%3F", "/?q=x&collection=boats"]
)
async def test_a_page_fetches_from_its_own_server_alone(two_books: Settings, path: str) -> None:
    async with opened(two_books) as door:
        page = await door.client.get(path)
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["content-security-policy"].startswith("default-src 'self';")
    assert "no-store" == page.headers["cache-control"]
    assert [] == re.findall(r'(?:src|href|action)="(?!\./|\.\./|#)[^"]*"', page.text)


async def test_its_files_are_fetched_once_and_every_address_leads_to_one(two_books: Settings) -> None:
    async with opened(two_books) as door:
        home = await door.client.get("/")
        for address in re.findall(r'"(\./static/[^"]+)"', home.text):
            file = await door.client.get(address.removeprefix("."))
            assert (200, True) == (file.status_code, "immutable" in file.headers["cache-control"])
        assert 404 == (await door.client.get("/static/other/page.js")).status_code


async def test_a_question_in_the_address_is_answered_and_the_answer_has_one(two_books: Settings) -> None:
    async with opened(two_books) as door:
        asked = await door.client.get("/", params={"q": FARE})
        run = re.search(r'data-run="(\w+)"', asked.text)
        assert run is not None
        again = await door.client.get(f"/r/{run[1]}")
        twin = (await door.client.get(f"/v1/runs/{run[1]}")).json()
    assert ("ferries", "3") == (twin["collection"], twin["answer"]["verdict"])
    for page in (asked, again):
        assert '<a class="cite" href="#c1">[1]</a>' in page.text
        assert '<li id="c1"' in page.text


async def test_what_is_not_found_and_what_goes_wrong_are_told_on_the_page(two_books: Settings) -> None:
    async with opened(two_books) as door:
        missing = await door.client.get("/", params={"q": "What is the melting point of iron?"})
        wrong = await door.client.get("/", params={"q": "x", "collection": "boats"})
        lost = await door.client.get("/r/none")
    assert 1 == missing.text.count("melting point iron")
    assert '<section class="missing"><h3>Not found in ferries</h3>' in missing.text
    assert "Nothing found in" in missing.text
    assert [404, 404] == [wrong.status_code, lost.status_code]
    assert all('role="alert"' in page.text for page in (wrong, lost))


async def test_what_is_only_near_is_told_as_not_found_before_it(two_books: Settings) -> None:
    async with opened(two_books) as door:
        near = await door.client.get("/", params={"q": "What is the wingspan of the Reed?"})
    assert "Nothing found but the nearest passages in" in near.text
    assert near.text.index('<section class="missing">') < near.text.index("The nearest passages")


async def test_a_sentence_that_the_answer_has_is_not_told_again_among_its_sources(two_books: Settings) -> None:
    async with opened(two_books) as door:
        told = await door.client.get("/", params={"q": "In what year was the Reed built?"})
    assert 1 == told.text.count("The Reed was built in 1931.")
    assert '<li id="c1"' in told.text


async def test_a_source_is_a_page_for_a_browser_and_an_object_for_a_program(two_books: Settings) -> None:
    async with opened(two_books) as door:
        asked = await door.client.get("/", params={"q": FARE})
        source = re.search(r'<a href="\./(v1/collections/[^"#]+)#marked"', asked.text)
        assert source is not None
        address = "/" + html.unescape(source[1])
        page = await door.client.get(address, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
        twin = await door.client.get(address)
        style = re.search(r'href="([^"]+/page\.css)"', page.text)
        assert style is not None
        assert 200 == (await door.client.get(urljoin(address, style[1]))).status_code
    assert ("3", "Accept") == (twin.json()["marked"]["value"], page.headers["vary"])
    assert '<td class="marked" id="marked"><mark>3</mark></td>' in page.text


async def test_only_a_page_that_is_opened_asks(two_books: Settings) -> None:
    async with opened(two_books) as door:
        picture = await door.client.get("/", params={"q": FARE}, headers={"Sec-Fetch-Dest": "image"})
    assert 'data-run=""' in picture.text


async def test_a_server_with_keys_sends_the_page_that_asks_for_one_and_nothing_else(two_books: Settings) -> None:
    async with opened(with_keys(two_books)) as door:
        page = await door.client.get("/", params={"q": FARE})
        known = await door.client.get("/", params={"q": FARE}, headers={"X-API-Key": ALICE})
        assert 401 == (await door.client.get("/v1/collections")).status_code
        style = re.search(r'"\.(/static/[^"]+css)"', page.text)
        assert style is not None
        assert 200 == (await door.client.get(style[1])).status_code
    assert (401, True, False) == (
        page.status_code,
        '<form id="key" method="post">' in page.text,
        "Sources" in page.text,
    )
    assert (200, True) == (known.status_code, "Sources" in known.text)


@pytest.mark.parametrize("prefix", ["", "/books"])
async def test_a_key_is_sent_by_the_form_of_a_page_which_then_is_shown(prefix: str, two_books: Settings) -> None:
    async with opened(with_keys(two_books), serving=Serving(prefix=prefix)) as door:
        asked = f"{prefix}/?q=What+is+the+fare+of+the+Reed%3F"
        wrong = await door.client.post(asked, data={"key": "no-key-of-this-server"})
        right = await door.client.post(asked, data={"key": ALICE})
        shown = await door.client.get(urljoin(asked, right.headers["location"]))
        run = re.search(r'href="\./(r/\w+)"', shown.text)
        assert run is not None
        again = await door.client.post(f"{prefix}/{run[1]}", data={"key": ALICE})
        assert urljoin(f"{prefix}/{run[1]}", again.headers["location"]) == f"{prefix}/{run[1]}"
        door.client.cookies.set("versus_page", "another")
        assert 401 == (await door.client.get(asked)).status_code
    assert (401, True) == (wrong.status_code, "That is no key of this server." in wrong.text)
    assert (303, 200, True) == (right.status_code, shown.status_code, "Sources" in shown.text)
    cookie = right.headers["set-cookie"]
    assert ALICE not in cookie
    assert ("HttpOnly" in cookie, f"Path={prefix}/;" in cookie, "SameSite=lax" in cookie) == (True, True, True)


async def test_a_page_of_another_server_can_use_no_ticket_to_ask(two_books: Settings) -> None:
    async with opened(with_keys(two_books)) as door:
        await door.client.post("/", data={"key": ALICE})
        for site, status in (("same-origin", 200), ("same-site", 401), ("cross-site", 401)):
            asked = await door.client.post("/v1/plan", json={"question": FARE}, headers={"Sec-Fetch-Site": site})
            assert status == asked.status_code


async def test_the_reference_tells_every_operation_and_object_that_the_description_has(two_books: Settings) -> None:
    async with opened(two_books) as door:
        page = await door.client.get("/docs")
        described = (await door.client.get("/openapi.json")).json()
    assert page.headers["content-security-policy"].startswith("default-src 'self';")
    for path, methods in described["paths"].items():
        assert all(f"<code>{method.upper()} {path}</code>" in page.text for method in methods)
    linked = set(re.findall(r'href="#(\w+)"', page.text))
    assert linked <= set(described["components"]["schemas"]) == set(re.findall(r'<h3 id="(\w+)"', page.text))


async def test_a_hostile_book_and_question_are_text(hostile: Settings) -> None:
    async with opened(hostile) as door:
        page = await door.client.get("/", params={"q": "What is the fare of the Reed? <b>\"'></textarea><script>"})
    assert "&lt;img src=x onerror=alert(1)&gt;" in page.text
    assert 1 == page.text.count("<script") and "<img" not in page.text and "<b>" not in page.text
