"""Chunks and catalogs as resources, which a client may show or attach by address."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from agent.application.application import Application
from agent.errors import AgentError
from agent.render import to_json
from agent.render.collections import description_data, whole_chunk_data
from retrieval.errors import ChunkNotFound, CollectionNotFound, RetrievalError


class Resources:
    """The resources of the server."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def chunk(self, collection: str, chunk_id: str) -> str:
        """A chunk with its text and its tables as data."""
        with _as_resource_errors():
            return to_json(whole_chunk_data(await self._application.chunk(chunk_id, collection)))

    async def catalog(self, collection: str) -> str:
        """What a collection holds: its sources, types and tags with their counts."""
        with _as_resource_errors():
            return to_json(description_data(await self._application.collection(collection)))


@contextmanager
def _as_resource_errors() -> Iterator[None]:
    try:
        yield
    except (ChunkNotFound, CollectionNotFound) as error:
        raise ResourceNotFoundError(str(error)) from error
    except (AgentError, RetrievalError) as error:
        raise ResourceError(str(error)) from error
