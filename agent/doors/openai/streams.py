"""Completions as streams: the progress as reasoning, then the text, its annotations, and the end."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from agent.doors.openai.addresses import Addresses
from agent.doors.openai.completions import Completion, CompletionContent, Data, reasoning
from agent.doors.openai.errors import error_data, request_error_for
from agent.render import to_json
from agent.types import Event

Events = AsyncGenerator[Event, None]
_DONE = ServerSentEvent("[DONE]", sep="\n")


class _Closing(EventSourceResponse):
    """A stream that closes its source of events, even if it never began."""

    def __init__(self, content: AsyncGenerator[ServerSentEvent, None], ping_s: float, closing: Events | None) -> None:
        self._closing = closing
        super().__init__(content, sep="\n", ping=ping_s, headers={"Cache-Control": "no-store"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream to the end, then close the source."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            if self._closing is not None:
                await self._closing.aclose()


class CompletionStream:
    """The stream of one completion."""

    def __init__(self, completion: Completion, with_usage: bool, ping_s: float) -> None:
        self._completion, self._with_usage, self._ping_s = completion, with_usage, ping_s

    def of_events(self, first: Event, further: Events, addresses: Addresses) -> Response:
        """Stream the events of a question; `first` has already happened."""
        return _Closing(self._completion_events(first, further, addresses), self._ping_s, further)

    def of_task(self, first_asked: str) -> Response:
        """Stream the answer to a prompt about a chat, which began with `first_asked`."""
        return _Closing(self._whole(CompletionContent.of_task(first_asked)), self._ping_s, None)

    async def _whole(self, shown: CompletionContent) -> AsyncGenerator[ServerSentEvent, None]:
        yield _event(self._completion.piece({"role": "assistant", "content": ""}))
        for piece in self._completion.pieces(shown, self._with_usage):
            yield _event(piece)
        yield _DONE

    async def _completion_events(
        self, first: Event, further: Events, addresses: Addresses
    ) -> AsyncGenerator[ServerSentEvent, None]:
        yield _event(self._completion.piece({"role": "assistant", "content": ""}))
        for piece in self._pieces(first, addresses):
            yield _event(piece)
        try:
            async for event in further:
                for piece in self._pieces(event, addresses):
                    yield _event(piece)
        except Exception as error:  # noqa: BLE001 - the status is already sent; the error is the last event
            yield _event(dict(error_data(request_error_for(error))))
        yield _DONE

    def _pieces(self, event: Event, addresses: Addresses) -> list[Data]:
        """Return the chunks of a stream for an event."""
        if event.name == "answer.completed":
            shown = CompletionContent.of(event.data["answer"], addresses)
            return list(self._completion.pieces(shown, self._with_usage))
        line = reasoning(event)
        return [] if line is None else [self._completion.piece({"reasoning_content": line})]


def _event(data: Data) -> ServerSentEvent:
    return ServerSentEvent(to_json(data), sep="\n")
