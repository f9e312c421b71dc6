"""Server-sent events, wherever their bytes are cut, and servers that don't end their streams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.llm.responses import Draft, InvalidReply
from agent.llm.stream import events, read_stream

STREAM = b': hello\r\ndata: {"a": 1}\r\n\r\nevent: x\ndata:two\n\ndata: \xe2\x80\xa8 three\n\ndata: [DONE]'


async def in_chunks(chunks: Sequence[bytes], hang: bool = False) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk
    if hang:
        await asyncio.Event().wait()


async def read(chunks: Sequence[bytes]) -> list[bytes]:
    return [data async for data in events(in_chunks(chunks))]


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_events_are_the_same_wherever_the_bytes_are_cut(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(STREAM)]
    chunks = [STREAM[begin:end] for begin, end in pairwise(places)]

    assert [b'{"a": 1}', b"two", b"\xe2\x80\xa8 three", b"[DONE]"] == asyncio.run(read(chunks))


SAID = b'data: {"choices": [{"delta": {"content": "An owl."}}]}\n\n'
STOP = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\n'


async def test_a_server_that_is_done_is_not_waited_for() -> None:
    draft, heard = Draft("small"), list[str]()
    async with asyncio.timeout(2):
        await read_stream(in_chunks([SAID, STOP, b"data: [DONE]\n\n"], hang=True), draft, heard.append)

    assert ("An owl.", ["An owl."]) == (draft.reply(1).text, [text for text in heard if text])


async def test_a_server_need_not_say_that_it_is_done_but_the_model_must() -> None:
    draft = Draft("small")
    await read_stream(in_chunks([SAID]), draft, lambda text: None)
    with pytest.raises(InvalidReply, match="in the middle"):
        draft.reply(1)

    await read_stream(in_chunks([STOP]), draft, lambda text: None)
    assert "An owl." == draft.reply(1).text
