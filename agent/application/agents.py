"""The agents of one store: opened on first use, shared, and reopened when a collection has changed.

Opening a collection takes a second, asking it a few milliseconds; so agents stay open, except those idle for longest
when there are too many.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from agent.ask import Agent
from agent.settings.settings import Settings
from agent.settings.values import CollectionNames
from retrieval.collections.opening import contents_of, list_collections
from retrieval.errors import CollectionNotFound

MOST_OPEN = 8
_NAMES: TypeAdapter[str] = TypeAdapter(CollectionNames)


@dataclass(slots=True)
class _Open:
    """An agent with the fingerprint of its collections at its opening, and the number of its current users."""

    agent: Agent
    contents: tuple[str, ...]
    closing: AsyncExitStack
    users: int = 0


class Agents:
    """Lends the agent of a collection, or of several that are asked as one. `opened` is called after each opening.

    >>> async with Agents(Settings()).lend("rules") as agent:  # doctest: +SKIP
    ...     answer = await agent.ask("Who wins: an orc or an owlbear?")
    """

    def __init__(self, settings: Settings, most: int = MOST_OPEN, opened: Callable[[], None] = lambda: None) -> None:
        self._settings, self._most, self._tell_opened = settings, most, opened
        self._open: dict[str, _Open] = {}
        self._replaced: list[_Open] = []
        self._closing = set[asyncio.Task[None]]()
        self._opening = asyncio.Lock()

    @asynccontextmanager
    async def lend(self, collection: str | None = None) -> AsyncIterator[Agent]:
        """Yield the agent of a collection for the duration of the block; None is the collection of the settings.

        `CollectionNotFound` lists those that exist.
        """
        settings = await self.settings_of(collection)
        contents = await asyncio.to_thread(_contents, settings)
        lent = self._current(settings, contents)
        if lent is None:
            async with self._opening:
                lent = self._current(settings, contents) or await self._opened(settings, contents)
        lent.users += 1
        try:
            yield lent.agent
        finally:
            lent.users -= 1
            self._close_idle()

    async def close(self) -> None:
        """Close all agents, also those in use."""
        for each in [*self._replaced, *self._open.values()]:
            await each.closing.aclose()
        await asyncio.gather(*self._closing)

    async def settings_of(self, collection: str | None) -> Settings:
        """Return the settings for a collection; `CollectionNotFound` for an invalid name."""
        if collection is None:
            return self._settings
        try:
            name = _NAMES.validate_python(collection)
        except ValidationError:
            known = await list_collections(self._settings.chroma_location())
            raise CollectionNotFound(collection, known) from None
        return self._settings.model_copy(update={"collection": name})

    def _current(self, settings: Settings, contents: tuple[str, ...]) -> _Open | None:
        """Return the open agent, unless the collection has changed since its opening; it becomes the latest used."""
        found = self._open.pop(settings.collection, None)
        if found is None:
            return None
        if found.contents != contents:
            self._replaced.append(found)
            return None
        self._open[settings.collection] = found
        return found

    async def _opened(self, settings: Settings, contents: tuple[str, ...]) -> _Open:
        closing = AsyncExitStack()
        agent = await closing.enter_async_context(Agent.open(settings))
        self._open[settings.collection] = _Open(agent, contents, closing)
        self._tell_opened()
        return self._open[settings.collection]

    def _close_idle(self) -> None:
        """Close replaced agents, and beyond the limit those idle for longest; never one in use.

        Closing runs in separate tasks: the caller may itself be cancelled, and would not wait.
        """
        idle = [each for each in self._replaced if not each.users]
        self._replaced = [each for each in self._replaced if each.users]
        for name in list(self._open):
            if len(self._open) > self._most and not self._open[name].users:
                idle.append(self._open.pop(name))
        for each in idle:
            closing = asyncio.create_task(each.closing.aclose())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)


def _contents(settings: Settings) -> tuple[str, ...]:
    """Return a fingerprint of each collection, which changes whenever the collection does."""
    place = settings.chroma_location()
    return tuple(contents_of(place, name) for name in settings.collections)
