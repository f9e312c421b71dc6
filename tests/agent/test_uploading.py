"""Files that are sent to a server: who may, where they stay, and what is told of them."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from agent.doors.http.limits import Limits
from agent.doors.serving import Serving
from agent.settings.settings import Settings
from tests.agent.http_door import Opened, events_in, opened

BOOK = b"# Kites\n\n| Kite | Span |\n|---|---|\n| Swift | 7 |\n"
SPAN = "What is the span of the Swift?"
EVENTS = {"Accept": "text/event-stream"}


@pytest.fixture
def place(tmp_path: Path) -> Settings:
    """A place without collections."""
    return Settings(chroma=str(tmp_path / "chroma"), collection="kites", planner="rules", log_to="none")


@pytest.fixture
def taking(tmp_path: Path) -> Serving:
    return Serving(uploads=tmp_path / "uploads")


async def put(door: Opened, name: str, body: bytes, headers: dict[str, str] | None = None) -> httpx.Response:
    return await door.client.put(f"/v1/collections/kites/files/{name}", content=body, headers=headers)


async def test_a_file_that_is_sent_can_be_asked_at_once_and_sent_again(place: Settings, taking: Serving) -> None:
    async with opened(place, serving=taking) as door:
        told = list(events_in((await put(door, "kites.md", BOOK, EVENTS)).text))
        answered = await door.client.post("/v1/ask", json={"question": SPAN})
        again = await put(door, "kites.md", BOOK.replace(b"7", b"8"))
        changed = await door.client.post("/v1/ask", json={"question": SPAN})
        assert 'id="upload" hidden' not in (await door.client.get("/")).text
    assert ("progress", "ingested") == (told[0][0], told[-1][0])
    assert (1, 1) == (told[-1][1]["tables"], again.json()["files"])
    assert ["7", "8"] == [answered.json()["verdict"], changed.json()["verdict"]]
    assert taking.uploads is not None
    assert ["kites.md"] == [path.name for path in taking.uploads.rglob("*") if path.is_file()]


async def test_a_server_takes_files_only_where_it_was_told_to(place: Settings) -> None:
    async with opened(place) as door:
        refused = await put(door, "kites.md", BOOK)
        assert 'id="upload" hidden' in (await door.client.get("/")).text
    assert (403, "urn:versus:problem:not-allowed") == (refused.status_code, refused.json()["type"])


@pytest.mark.parametrize("name", [".hidden.md", "..", "a%2F..%2Fb.md", "a%5Cb.md", "a%00.md", "a:b.md", "x" * 201])
async def test_a_name_that_leads_elsewhere_is_refused(name: str, place: Settings, taking: Serving) -> None:
    async with opened(place, serving=taking) as door:
        assert (await put(door, name, BOOK)).status_code in (404, 405, 422)
    assert taking.uploads is not None
    assert not taking.uploads.exists() or [] == list(taking.uploads.iterdir())


async def test_what_can_not_be_read_is_told_and_does_not_stay(place: Settings, taking: Serving) -> None:
    async with opened(place, Limits(file_bytes=len(BOOK)), taking) as door:
        unreadable = await put(door, "kites.exe", b"MZ\0\0", EVENTS)
        nothing = await put(door, "kites.md", b"")
        too_long = await put(door, "kites.md", BOOK + b"\n")
        several = await door.client.put("/v1/collections/kites,owls/files/kites.md", content=BOOK)
    assert [422, 422, 413, 422] == [each.status_code for each in (unreadable, nothing, too_long, several)]
    assert str(taking.uploads) not in unreadable.text + nothing.text
    assert taking.uploads is not None
    assert [] == [path for path in taking.uploads.rglob("*") if path.is_file()]


async def test_a_page_of_another_server_may_not_send_one(place: Settings, taking: Serving) -> None:
    wanted = {"Origin": "http://evil.example", "Access-Control-Request-Method": "PUT"}
    async with opened(place, serving=taking) as door:
        asked = await door.client.options("/v1/collections/kites/files/kites.md", headers=wanted)
    assert not [name for name in asked.headers if name.startswith("access-control-")]
    assert asked.status_code >= 400
